"""Tests of the OpenAI provider: requests, their cancellation, and learned quirks."""

import asyncio
import json
from typing import Any

import pytest

from custom_components.chatterbox.agent.model.provider import TextDelta
from custom_components.chatterbox.agent.model.server_quirks import Quirk, ServerQuirks
from tests.agent.conftest import Connect
from tests.agent.scripted_server import QUESTION, provider
from tests.fake_openai import Call, FakeOpenAI, Fault, Gate, Reply


async def test_answer_is_requested_uncompressed(server: FakeOpenAI, connect: Connect) -> None:
    """Compression would hold tokens back, and may hide a large answer in a small one."""
    endpoint = connect()
    await provider(endpoint).complete(QUESTION)
    await endpoint.list_models()
    assert {request.headers["Accept-Encoding"] for request in server.requests} == {"identity"}
    assert server.completions[0].headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("fault", "refused", "instead"),
    [
        (Fault.UNSUPPORTED_TEMPERATURE, "temperature", {}),
        (
            Fault.UNSUPPORTED_MAX_COMPLETION_TOKENS,
            "max_completion_tokens",
            {"max_tokens": 1024},
        ),
    ],
)
async def test_rejected_parameter_is_replaced_once(
    server: FakeOpenAI,
    connect: Connect,
    *,
    fault: Fault,
    refused: str,
    instead: dict[str, Any],
) -> None:
    """A refused parameter is replaced, and not sent again by whoever shares the quirks."""
    server.default = Reply("Yes.", fault=fault)
    endpoint, quirks = connect(), ServerQuirks()
    for _ in range(2):
        asked = provider(endpoint, more={"quirks": quirks})
        assert (await asked.complete(QUESTION)).content == "Yes."
    first, second, third = (request.json for request in server.completions)
    assert refused in first
    assert second == third == {**{k: v for k, v in first.items() if k != refused}, **instead}
    assert quirks.rejected == {refused}


async def test_repeated_requests_are_counted(server: FakeOpenAI, connect: Connect) -> None:
    """The rate limiter counts requests, not questions."""
    server.default = Reply("Yes.", fault=Fault.UNSUPPORTED_TEMPERATURE)
    repeats: list[int] = []
    more = {"quirks": ServerQuirks(), "repeats": lambda: repeats.append(len(server.completions))}
    await provider(connect(), more=more).complete(QUESTION)
    await provider(connect(), more=more).complete(QUESTION)
    assert repeats == [1]
    assert len(server.completions) == 3


async def test_several_rejected_parameters_are_removed_one_by_one(
    server: FakeOpenAI, connect: Connect
) -> None:
    """One parameter after the other is given up; the question is asked all the same."""
    texts = [
        "Unknown field: stream_options",
        "max_completion_tokens: extra fields not permitted",
        "max_tokens is too large",
        "temperature must be 1",
    ]
    server.script(*(Reply(status=400, body=json.dumps({"error": text})) for text in texts[:-1]))
    server.script(Reply(status=422, body=json.dumps({"detail": texts[-1]})), Reply("Yes."))
    quirks = ServerQuirks()
    asked = provider(connect(), more={"quirks": quirks})
    assert (await asked.complete(QUESTION)).content == "Yes."
    assert server.completions[-1].json.keys() == {"model", "messages", "stream"}
    await asked.complete(QUESTION)
    assert server.completions[-1].json.keys() == {"model", "messages", "stream"}
    assert len(server.completions) == len(texts) + 2


@pytest.mark.parametrize("stream", [True, False])
async def test_native_call_is_learned(
    server: FakeOpenAI, connect: Connect, *, stream: bool
) -> None:
    """And disproves that the server has no tools; a call in the text is none."""
    quirks = ServerQuirks()
    quirks.learn(Quirk.TOOLS)
    server.script(Reply("<tool_call>{}</tool_call>"), Reply(tool_calls=[Call("get_time")]))
    asked = provider(connect(), more={"quirks": quirks}, stream=stream)
    await asked.complete(QUESTION)
    assert quirks.known.keys() == {Quirk.TOOLS}
    await asked.complete(QUESTION)
    assert quirks.known.keys() == {Quirk.CALLED_NATIVELY}


both_ways = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])


async def test_closing_the_stream_ends_the_request(server: FakeOpenAI, connect: Connect) -> None:
    """The server sees at once that nobody listens any more."""
    server.script(Reply("one two three", chunk_size=4, hold=Gate(after=2)))
    stream = provider(connect()).stream(QUESTION)
    assert await anext(stream) == TextDelta("one ")
    await stream.aclose()
    await server.completions[0].disconnected.wait()


@both_ways
async def test_cancelling_ends_the_request(
    server: FakeOpenAI,
    connect: Connect,
    *,
    stream: bool,
) -> None:
    """Cancellation while the server is silent closes the connection."""
    gate = Gate(after=0)
    server.script(Reply("Yes.", hold=gate))
    asked = provider(connect(), stream=stream)
    task = asyncio.create_task(asked.complete(QUESTION))
    await gate.reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await server.completions[0].disconnected.wait()
