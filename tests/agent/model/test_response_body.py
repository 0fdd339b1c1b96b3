"""Tests of the body of a response."""

import gzip
import json
import zlib
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import LLMResponseError, LLMResponseTooLargeError
from custom_components.chatterbox.agent.model import response_body
from custom_components.chatterbox.agent.model.response_body import (
    MAX_ERROR,
    parse_json,
    read_beginning,
    read_json,
    stream_events,
)


class FakeResponse:
    """A response that arrives in these chunks."""

    def __init__(self, *chunks: bytes, encoding: str | None = None) -> None:
        self.headers = {} if encoding is None else {"content-encoding": encoding}
        self.chunks = list(chunks)
        self.closed = False

    async def aiter_raw(self) -> AsyncGenerator[bytes]:
        while self.chunks:
            yield self.chunks.pop(0)

    async def aclose(self) -> None:
        self.closed = True


def compressed(data: bytes, encoding: str) -> bytes:
    return gzip.compress(data) if encoding == "gzip" else zlib.compress(data)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "GZIP"])
async def test_compressed_body_is_decompressed(encoding: str) -> None:
    """A proxy may compress although it was asked not to."""
    value = {"text": "Grüße, " * 30_000}
    data = compressed(json.dumps(value).encode(), encoding.lower())
    response = FakeResponse(data[:7], data[7:], encoding=encoding)
    assert await read_json(response) == value
    assert response.closed


@pytest.mark.parametrize(("body", "encoding"), [(b"x" * 50, "gzip"), (b"{}", "br")])
async def test_body_that_cannot_be_decompressed_is_an_error(body: bytes, encoding: str) -> None:
    with pytest.raises(LLMResponseError):
        await read_json(FakeResponse(body, encoding=encoding))


@pytest.mark.parametrize("encoding", [None, "gzip"])
async def test_long_body_is_an_error_before_it_is_read_to_its_end(encoding: str | None) -> None:
    data = b" " * 2**20
    chunk = data if encoding is None else compressed(data * 1000, encoding)
    response = FakeResponse(*[chunk] * 10, encoding=encoding)
    with pytest.raises(LLMResponseTooLargeError):
        await read_json(response)
    assert response.chunks
    assert response.closed


async def test_only_the_beginning_of_an_error_is_read() -> None:
    response = FakeResponse(*[b"x" * 50_000] * 10)
    assert await read_beginning(response) == b"x" * MAX_ERROR
    assert len(response.chunks) == 8
    assert response.closed


async def test_last_event_needs_no_empty_line() -> None:
    response = FakeResponse(b"data: a\n\nda", b"ta: b")
    assert [data async for data in stream_events(response)] == [b"a", b"b"]


async def test_long_stream_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_body, "MAX_STREAM", 500)
    events = stream_events(FakeResponse(*[b"data: x\n\n" * 10] * 10))
    assert [await anext(events) for _ in range(60)] == [b"x"] * 60
    with pytest.raises(LLMResponseTooLargeError):
        await anext(events)


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
