"""Body of a server's response: bounded bytes, events and JSON."""

import asyncio
import json
from contextlib import closing, suppress
from typing import Any

import aiohttp
import orjson

from ..errors import LLMResponseTooLargeError
from ..messages import replace_lone_surrogates
from .sse import EventParser

MAX_BODY = 4 * 2**20
"""Bytes of a body that is read as a whole, such as an answer or a list of models."""
MAX_STREAM = 64 * 2**20
"""Bytes of a stream: a long answer has some megabytes, as each token comes with its metadata."""
MAX_EVENTS = 200_000
"""Events of a stream."""
# Seconds that a server has to end a stream after its end mark.
_END_OF_STREAM = 0.2


class EventStream:
    """The server-sent events of a response."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._content = response.content
        self._parser = EventParser()
        self._size = 0
        self._number = 0
        self._ended = False

    async def read(self) -> list[bytes] | None:
        """Wait for more of the stream; return the data of its complete events, None at its end.

        Raises `LLMResponseTooLargeError` past a bound.
        """
        if self._ended:
            return None
        chunk = await self._content.readany()
        if not chunk:
            self._ended = True
            return list(self._parser.finish())
        events = list(self._parser.feed(chunk))
        self._size += len(chunk)
        self._number += len(events)
        if self._size > MAX_STREAM or self._number > MAX_EVENTS:
            raise LLMResponseTooLargeError("the stream is too long")
        return events

    async def finish(self) -> None:
        """Give the server the time to end the stream, so that its connection can be used again."""
        if not self._content.is_eof():
            with suppress(TimeoutError, aiohttp.ClientError):
                async with asyncio.timeout(_END_OF_STREAM):
                    await self._content.readany()


async def read_json(response: aiohttp.ClientResponse) -> Any:
    """Return the body as JSON, and end the response.

    Raises `LLMResponseTooLargeError` for more than `MAX_BODY` bytes, and `ValueError` for other
    content.
    """
    if (body := await read_body(response, MAX_BODY)) is None:
        raise LLMResponseTooLargeError("the answer is too long")
    return parse_json(body)


async def read_body(response: aiohttp.ClientResponse, limit: int) -> bytes | None:
    """Return the body, None if it has more than `limit` bytes, and end the response."""
    body = await read_beginning(response, limit + 1)
    return None if len(body) > limit else body


async def read_beginning(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """Return the first bytes of the body, at most `limit`, and end the response."""
    body = bytearray()
    with closing(response):
        async for chunk in response.content.iter_any():
            body += chunk
            if len(body) >= limit:
                break
            # What is compressed may be available at once, to whatever size.
            await asyncio.sleep(0)
    return bytes(body[:limit])


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
