"""Body of a server's response: bounded bytes, events and JSON."""

import asyncio
import json
import zlib
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Protocol

import orjson

from ..errors import LLMResponseError, LLMResponseTooLargeError
from ..messages import replace_lone_surrogates
from .sse import EventParser

MAX_BODY = 4 * 2**20
"""Bytes of a body that is read as a whole, such as an answer or a list of models."""
MAX_STREAM = 64 * 2**20
"""Bytes of a stream: a long answer has some megabytes, as each token comes with its metadata."""
MAX_EVENTS = 200_000
"""Events of a stream."""
MAX_ERROR = 2**16
"""Bytes that are read of an error."""
# Bytes that are decompressed, and events that are read, before other tasks of the event loop run.
_STEP = 2**16
_EVENTS_AT_ONCE = 32
# zlib reads the header of either format.
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


class Response(Protocol):
    """Streamed response of httpx or httpx2."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers; their names are case-insensitive."""

    def aiter_raw(self) -> AsyncGenerator[bytes]:
        """Yield the body as it arrives, still compressed."""

    async def aclose(self) -> None:
        """End the response."""


async def stream_events(response: Response) -> AsyncGenerator[bytes]:
    """Yield the data of each server-sent event; raise `LLMResponseTooLargeError` past a bound."""
    parser = EventParser()
    async with aclosing(_chunks(response)) as chunks:
        size = number = 0
        async for chunk in chunks:
            size += len(chunk)
            for data in parser.feed(chunk):
                yield data
                number += 1
                if not number % _EVENTS_AT_ONCE:
                    await asyncio.sleep(0)
            if size > MAX_STREAM or number > MAX_EVENTS:
                raise LLMResponseTooLargeError("the stream is too long")
        for data in parser.finish():
            yield data


async def read_json(response: Response) -> Any:
    """Return the body as JSON, and end the response.

    Raises `LLMResponseTooLargeError` for more than `MAX_BODY` bytes, and `ValueError` for other
    content.
    """
    body = bytearray()
    async with aclosing(response), aclosing(_chunks(response)) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) > MAX_BODY:
                raise LLMResponseTooLargeError("the answer is too long")
    return parse_json(bytes(body))


async def read_beginning(response: Response) -> bytes:
    """Return the first `MAX_ERROR` bytes of the body, and end the response."""
    body = bytearray()
    async with aclosing(response), aclosing(_chunks(response)) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) >= MAX_ERROR:
                break
    return bytes(body[:MAX_ERROR])


def parse_json(data: bytes | str) -> Any:
    """Return a JSON value, without lone surrogates; raise `ValueError` for other content.

    The nesting is bounded by the parser, at 1024 levels.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        # Some servers send what is no JSON in UTF-8: lone surrogates, and numbers such as NaN.
        try:
            value = json.loads(data, parse_constant=lambda _: None)
            return orjson.loads(replace_lone_surrogates(json.dumps(value, ensure_ascii=False)))
        except RecursionError:
            raise ValueError("the JSON is nested too deeply") from None


async def _chunks(response: Response) -> AsyncGenerator[bytes]:
    """Yield the body in chunks of bounded size, decompressed.

    The client of the SDK would decompress each chunk at once, to whatever size.
    """
    encoding = response.headers.get("content-encoding", "identity").lower()
    if encoding not in {"identity", "gzip", "deflate"}:
        raise LLMResponseError("the answer is compressed in an unknown way")
    decoder = None if encoding == "identity" else zlib.decompressobj(_GZIP_OR_ZLIB)
    async with aclosing(response.aiter_raw()) as chunks:
        async for chunk in chunks:
            if decoder is None:
                yield chunk
                continue
            compressed = chunk
            while compressed and not decoder.eof:
                yield _decompress(decoder, compressed)
                compressed = decoder.unconsumed_tail
                await asyncio.sleep(0)


def _decompress(decoder: Any, compressed: bytes) -> bytes:
    try:
        data: bytes = decoder.decompress(compressed, _STEP)
    except zlib.error:
        raise LLMResponseError("the answer is compressed wrongly") from None
    return data
