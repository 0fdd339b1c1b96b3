"""Tests of the body of a response."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, cast

import aiohttp
import pytest

from custom_components.chatterbox.agent.errors import LLMResponseTooLargeError
from custom_components.chatterbox.agent.model import response_body
from custom_components.chatterbox.agent.model.response_body import (
    EventStream,
    parse_json,
    read_beginning,
    read_body,
    read_json,
)


class FakeContent:
    """A body that arrives in these chunks, and stays open if `stays_open`."""

    def __init__(self, *chunks: bytes, stays_open: bool = False) -> None:
        self.chunks = deque(chunks)
        self.stays_open = stays_open

    def is_eof(self) -> bool:
        return not self.chunks and not self.stays_open

    async def readany(self) -> bytes:
        if self.stays_open and not self.chunks:
            await asyncio.Event().wait()
        return self.chunks.popleft() if self.chunks else b""

    async def iter_any(self) -> AsyncIterator[bytes]:
        while self.chunks:
            yield self.chunks.popleft()


class FakeResponse:
    """A response with such a body."""

    def __init__(self, *chunks: bytes, stays_open: bool = False) -> None:
        self.content = FakeContent(*chunks, stays_open=stays_open)
        self.closed = False

    def close(self) -> None:
        self.closed = True


def response(*chunks: bytes, stays_open: bool = False) -> aiohttp.ClientResponse:
    return cast("aiohttp.ClientResponse", FakeResponse(*chunks, stays_open=stays_open))


async def test_json_may_arrive_in_pieces() -> None:
    whole = response(b'{"text": "Gr', "üße".encode(), b'"}')
    assert await read_json(whole) == {"text": "Grüße"}
    assert whole.closed


async def test_long_body_is_an_error_before_it_is_read_to_its_end() -> None:
    long = response(*[b" " * 2**20] * 10)
    with pytest.raises(LLMResponseTooLargeError):
        await read_json(long)
    assert not long.content.is_eof()
    assert long.closed


@pytest.mark.parametrize(("size", "is_read"), [(0, True), (100, True), (101, False)])
async def test_body_is_read_up_to_a_limit(size: int, *, is_read: bool) -> None:
    body = b"x" * size
    chunks = [body[start : start + 30] for start in range(0, size, 30)]
    assert await read_body(response(*chunks), 100) == (body if is_read else None)


async def test_only_the_beginning_is_read() -> None:
    endless = response(*[b"x" * 50_000] * 10)
    assert await read_beginning(endless, 2**16) == b"x" * 2**16
    assert not endless.content.is_eof()
    assert endless.closed


async def test_events_are_read_as_they_arrive_and_the_last_needs_no_empty_line() -> None:
    stream = EventStream(response(b"data: a\n\ndata: b\n\nda", b"ta: c\n", b"\ndata: d"))
    assert [await stream.read() for _ in range(5)] == [[b"a", b"b"], [], [b"c"], [b"d"], None]


@pytest.mark.parametrize("bound", ["MAX_STREAM", "MAX_EVENTS"])
async def test_long_stream_is_an_error(monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    monkeypatch.setattr(response_body, bound, 25)
    stream = EventStream(response(*[b"data: x\n\n" * (2 if bound == "MAX_STREAM" else 20)] * 10))
    assert await stream.read()
    with pytest.raises(LLMResponseTooLargeError):
        await stream.read()


async def test_stream_that_stays_open_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_body, "_END_OF_STREAM", 0)
    for stays_open in (True, False):
        content = response(b"data: a\n\n", stays_open=stays_open)
        stream = EventStream(content)
        assert await stream.read() == [b"a"]
        await stream.finish()


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ('{"a": "ü"}', {"a": "ü"}),
        (b'{"a": [1, "b"]}', {"a": [1, "b"]}),
        (b'"\\ud83d\\ude00"', "😀"),
        (b'"a\\ud83d"', "a\ufffd"),
        (b'{"a": NaN, "b": -Infinity}', {"a": None, "b": None}),
    ],
)
def test_json_is_parsed_without_lone_surrogates(data: bytes, value: Any) -> None:
    assert parse_json(data) == value


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff", b"[" * 500_000, b"[" * 50_000 + b"]" * 50_000, b"[" * 2000 + b"]" * 2000],
    ids=lambda data: repr(data[:3]),
)
def test_other_content_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - JSON errors differ by library
        parse_json(data)
