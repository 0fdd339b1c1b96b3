"""Tests of the OpenAI provider: bounds for what a server sends."""

import asyncio
import gzip
import json
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import (
    LLMAPIError,
    LLMError,
    LLMRateLimitError,
    LLMResponseError,
    LLMResponseTooLargeError,
    LLMServerError,
)
from custom_components.chatterbox.agent.model import response_body
from custom_components.chatterbox.agent.model.openai_provider import OpenAICompatibleServer
from custom_components.chatterbox.agent.model.provider import TextDelta
from custom_components.chatterbox.agent.model.rejections import MAX_ERROR_TEXT
from tests.agent.conftest import Connect
from tests.agent.scripted_server import (
    QUESTION,
    delta,
    events,
    fragment,
    provider,
    raw_stream,
    raw_whole,
)
from tests.agent.turns import only
from tests.fake_openai import FakeOpenAI, Reply

MEBIBYTE = 2**20
STREAM = {"Content-Type": "text/event-stream"}
GZIP = {"Content-Encoding": "gzip"}
# 100 MiB of zeros, as 100 kB.
BOMB = gzip.compress(bytes(100 * MEBIBYTE))
ENDLESS_TEXT = json.dumps(delta(content="never ")).encode()
# A fake server in the same process buffers as well.
ENOUGH = 40 * MEBIBYTE


@contextmanager
def little_memory() -> Iterator[None]:
    """Assert that the peak of the memory allocated meanwhile is small."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < ENOUGH
    finally:
        tracemalloc.stop()


@contextmanager
def other_task() -> Iterator[Iterator[int]]:
    """Run another task; yield how often it has run so far, again and again."""
    runs = 0

    async def run() -> None:
        nonlocal runs
        while True:
            runs += 1
            await asyncio.sleep(0)

    def counts() -> Iterator[int]:
        while True:
            yield runs

    task = asyncio.create_task(run())
    try:
        yield counts()
    finally:
        task.cancel()


def call(name: str = "turn_on", arguments: str = "{}", count: int = 1) -> Reply:
    fragments = [fragment(number, f"id_{number}", name, arguments) for number in range(count)]
    return raw_stream(delta(tool_calls=fragments), delta("tool_calls"))


STREAMS: dict[str, Reply] = {
    "line": Reply(body="data: {", headers=STREAM, flood=b" " * 65_536),
    "event": Reply(body="", headers=STREAM, flood=b"data: 1\n" * 8_000),
    "compressed line": Reply(body=BOMB, headers=STREAM | GZIP),
    "comments": Reply(body="", headers=STREAM, flood=b": ping\n\n" * 8_000),
    "texts": Reply(body="", headers=STREAM, flood=b"data: " + ENDLESS_TEXT + b"\n\n"),
    "empty deltas": Reply(
        body="", headers=STREAM, flood=b'data: {"choices": [{"delta": {}}]}\n\n' * 1000
    ),
    "text": raw_stream(delta(content="x" * 600_000)),
    "reasoning": raw_stream(delta(reasoning="x" * 600_000)),
    "arguments": call(arguments='{"text": "' + "x" * 600_000 + '"}'),
    "name": call("x" * 300),
    "calls": call(count=200),
}


@pytest.mark.parametrize("reply", STREAMS.values(), ids=STREAMS)
async def test_stream_past_a_bound_is_an_error_and_ends_the_request(
    server: FakeOpenAI, connect: Connect, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    monkeypatch.setattr(response_body, "MAX_EVENTS", 5_000)
    monkeypatch.setattr(response_body, "MAX_STREAM", 8 * MEBIBYTE)
    server.default = reply
    with little_memory(), pytest.raises(LLMResponseTooLargeError) as caught:
        await provider(connect()).complete(QUESTION)
    assert not caught.value.retryable
    if reply.flood:
        await server.completions[0].disconnected.wait()


async def complete(endpoint: OpenAICompatibleServer) -> Any:
    return await provider(endpoint, stream=False).complete(QUESTION)


async def list_models(endpoint: OpenAICompatibleServer) -> Any:
    return await endpoint.list_models()


@pytest.mark.parametrize("ask", [complete, list_models])
@pytest.mark.parametrize(
    "reply",
    [
        Reply(body="{", flood=b" " * 65_536),
        Reply(body=BOMB, headers=GZIP),
    ],
    ids=["endless", "compressed"],
)
async def test_body_past_its_bound_is_an_error_and_ends_the_request(
    server: FakeOpenAI,
    connect: Connect,
    reply: Reply,
    ask: Callable[[OpenAICompatibleServer], Awaitable[Any]],
) -> None:
    server.default = server.models_reply = reply
    with little_memory(), pytest.raises(LLMResponseTooLargeError):
        await ask(connect())
    if reply.flood:
        await server.requests[0].disconnected.wait()


@pytest.mark.parametrize("ask", [complete, list_models])
@pytest.mark.parametrize("depth", [500, 100_000])
async def test_deeply_nested_answer_is_an_error(
    server: FakeOpenAI,
    connect: Connect,
    depth: int,
    ask: Callable[[OpenAICompatibleServer], Awaitable[Any]],
) -> None:
    nested = "[" * depth + "]" * depth
    server.default = server.models_reply = Reply(body=f'{{"choices": {nested}, "data": 1}}')
    with pytest.raises(LLMResponseError):
        await ask(connect())


@pytest.mark.parametrize("ask", [complete, list_models])
@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=400, body='{"error": {"message": "', flood=b"stream " * 10_000),
        Reply(status=400, body=BOMB, headers=GZIP),
        Reply(status=400, body=json.dumps({"error": {"message": "stream not " * 4_000}})),
        Reply(status=400, body='{"error":' + "[" * 20_000 + "]" * 20_000 + "}"),
        Reply(status=400, body='{"error": ' + "[" * 900 + '"deep"' + "]" * 900 + "}"),
        Reply(status=400, body=json.dumps({"error": json.dumps({"error": "x" * 60_000})})),
    ],
    ids=["endless", "compressed", "long", "too deep", "deep", "wrapped"],
)
async def test_only_the_beginning_of_an_error_is_read(
    server: FakeOpenAI,
    connect: Connect,
    reply: Reply,
    ask: Callable[[OpenAICompatibleServer], Awaitable[Any]],
) -> None:
    server.default = server.models_reply = reply
    with little_memory(), pytest.raises(LLMAPIError) as caught:
        await ask(connect())
    assert caught.value.status_code == 400
    assert len(str(caught.value)) <= MAX_ERROR_TEXT


async def test_only_the_beginning_of_an_error_event_is_read(
    server: FakeOpenAI, connect: Connect
) -> None:
    server.script(raw_stream({"error": {"message": "x" * 500_000}}))
    with pytest.raises(LLMServerError) as caught:
        await provider(connect()).complete(QUESTION)
    assert len(str(caught.value)) == MAX_ERROR_TEXT


@pytest.mark.parametrize("seconds", ["nan", "inf", "-inf", "1e999"])
async def test_impossible_retry_time_is_ignored(
    server: FakeOpenAI, connect: Connect, seconds: str
) -> None:
    server.script(Reply(status=429, body="", headers={"Retry-After": seconds}))
    with pytest.raises(LLMRateLimitError) as caught:
        await provider(connect()).complete(QUESTION)
    assert caught.value.retry_after is None


@pytest.mark.parametrize("stream", [True, False])
async def test_long_text_is_passed_on_in_pieces_between_which_others_run(
    server: FakeOpenAI, connect: Connect, *, stream: bool
) -> None:
    """A single chunk does not occupy the event loop."""
    text = "".join(f"{number} " for number in range(20_000))
    choice = {"message": {"content": text}, "finish_reason": "stop"}
    server.script(
        raw_stream(delta(content=text), delta("stop"))
        if stream
        else raw_whole({"choices": [choice]})
    )
    with other_task() as runs:
        told = [
            (event.text, next(runs))
            async for event in provider(connect(), stream=stream).stream(QUESTION)
            if isinstance(event, TextDelta)
        ]
    assert "".join(piece for piece, _ in told) == text
    assert max(len(piece) for piece, _ in told) <= 2000
    assert len({turns for _, turns in told}) == len(told)


async def test_others_run_between_many_events_that_arrive_at_once(
    server: FakeOpenAI, connect: Connect
) -> None:
    server.script(raw_stream(*[delta(content="x")] * 500, delta("stop")))
    with other_task() as runs:
        told = [
            next(runs)
            async for event in provider(connect()).stream(QUESTION)
            if isinstance(event, TextDelta)
        ]
    assert max(told.count(turns) for turns in told) <= 64


async def test_models_past_the_bounds_are_left_out(server: FakeOpenAI, connect: Connect) -> None:
    server.models = ("a", "b" * 300, *(f"model {number}" for number in range(6000)))
    models = await connect().list_models()
    assert len(models) == 4999
    assert max(map(len, models)) < 300


@pytest.mark.parametrize("usage", [{"prompt_tokens": "many"}, {"prompt_tokens": 10**30}, [], "x"])
async def test_malformed_usage_does_not_lose_the_answer(
    server: FakeOpenAI, connect: Connect, usage: Any
) -> None:
    server.script(raw_stream(delta("stop", content="Yes."), {"choices": [], "usage": usage}))
    told = await events(provider(connect()))
    assert only(TextDelta, told) == [TextDelta("Yes.")]


async def test_error_past_a_bound_ends_an_answer_that_has_begun(
    server: FakeOpenAI, connect: Connect
) -> None:
    server.script(raw_stream(delta(content="Yes."), delta(content="x" * 600_000)))
    stream = provider(connect()).stream(QUESTION)
    assert await anext(stream) == TextDelta("Yes.")
    with pytest.raises(LLMError):
        await anext(stream)
