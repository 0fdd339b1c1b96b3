"""Tests of the OpenAI provider: answers, over real HTTP."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.messages import Message, ToolCall
from custom_components.chatterbox.agent.model.provider import (
    CallCompleted,
    Completed,
    CompletionResult,
    LLMProvider,
    ReasoningDelta,
    TextDelta,
)
from custom_components.chatterbox.agent.model.usage import Price, UsageStats
from tests.agent.builders import request
from tests.agent.conftest import Connect
from tests.agent.scripted_server import (
    MESSAGES,
    QUESTION,
    TOOLS,
    delta,
    events,
    fragment,
    provider,
    raw_stream,
    raw_whole,
)
from tests.agent.turns import only
from tests.fake_openai import Call, FakeOpenAI, Fault, Gate, Reply

both_ways = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])

TWO_CALLS = (
    Call("turn_on", {"name": "Kitchen Lights", "brightness": 40}),
    Call("get_weather", {"location": "Utrecht"}),
)


async def ask(connect: Connect, *, stream: bool = True) -> CompletionResult:
    """Ask the scripted model, with tools."""
    return await provider(connect(), stream=stream).complete(request(MESSAGES, TOOLS))


def named(calls: tuple[ToolCall, ...]) -> list[tuple[str, dict[str, Any]]]:
    """Return the names and arguments of calls."""
    return [(call.name, call.arguments) for call in calls]


async def test_provider_implements_the_interface(connect: Connect) -> None:
    """The class keeps to the protocol of the loop."""
    assert isinstance(provider(connect()), LLMProvider)


async def test_text_is_streamed_as_it_comes(server: FakeOpenAI, connect: Connect) -> None:
    """The first piece is there while the server still holds the next one back."""
    gate = Gate(after=2)
    server.script(Reply("It is on.", chunk_size=5, hold=gate))
    stream = provider(connect()).stream(QUESTION)
    assert await anext(stream) == TextDelta("It is")
    assert not gate.opened.is_set()
    gate.open()
    rest = [event async for event in stream]
    assert rest[0] == TextDelta(" on.")
    assert len(only(Completed, rest)) == 1
    assert isinstance(rest[-1], Completed)


async def test_same_answer_with_and_without_stream(server: FakeOpenAI, connect: Connect) -> None:
    """Text, reasoning, calls, reason and usage are the same in both ways of answering."""
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    calls = [Call(call.name, call.arguments, id=f"id_{call.name}") for call in TWO_CALLS]
    reply = Reply("One moment.", reasoning="Two things.", tool_calls=calls, usage=usage)
    server.script(reply, reply)
    endpoint = connect()
    streamed = await events(provider(endpoint), TOOLS)
    whole = await events(provider(endpoint, stream=False), TOOLS)

    for heard in (streamed, whole):
        assert "".join(event.text for event in only(TextDelta, heard)) == "One moment."
        assert "".join(event.text for event in only(ReasoningDelta, heard)) == "Two things."
        assert heard[-1] == Completed(
            CompletionResult(
                content="One moment.",
                tool_calls=(
                    ToolCall(
                        id="id_turn_on",
                        name="turn_on",
                        arguments={"name": "Kitchen Lights", "brightness": 40},
                    ),
                    ToolCall(
                        id="id_get_weather", name="get_weather", arguments={"location": "Utrecht"}
                    ),
                ),
                finish_reason="tool_calls",
                usage=UsageStats(prompt_tokens=100, completion_tokens=20, total_tokens=120),
            )
        )
    assert len(only(TextDelta, streamed)) > 1
    assert len(only(TextDelta, whole)) == 1


async def test_answer_can_be_sent_as_history(server: FakeOpenAI, connect: Connect) -> None:
    """The message is what the server wrote, as it may be put into the next request."""
    server.script(Reply("One moment.", tool_calls=[Call("turn_on", {"name": "Lamp"}, id="a")]))
    answer = await ask(connect)
    assert answer.message.to_wire() == {
        "role": "assistant",
        "content": "One moment.",
        "tool_calls": [
            {
                "id": "a",
                "type": "function",
                "function": {"name": "turn_on", "arguments": '{"name":"Lamp"}'},
            }
        ],
    }
    assert Message.from_wire(answer.message.to_wire()) == answer.message


@both_ways
@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
async def test_reasoning_is_never_text(
    server: FakeOpenAI,
    connect: Connect,
    field: str,
    *,
    stream: bool,
) -> None:
    """Reasoning is told as such, whichever of its two names a server uses."""
    content = {field: "Hmm.", "content": "Yes."}
    choice = {"index": 0, "message": {"role": "assistant", **content}, "finish_reason": "stop"}
    server.script(
        raw_stream(delta(**content), delta("stream"))
        if stream
        else raw_whole({"choices": [choice]})
    )
    heard = await events(provider(connect(), stream=stream))
    assert heard[:-1] == [ReasoningDelta("Hmm."), TextDelta("Yes.")]
    assert only(Completed, heard)[0].result.content == "Yes."


# Tool calls.


@pytest.mark.parametrize("size", [1, 4, 1000])
async def test_fragments_of_calls_are_joined(
    server: FakeOpenAI, connect: Connect, size: int
) -> None:
    """Arguments are put together however they are cut."""
    server.script(Reply(tool_calls=TWO_CALLS, fragment=size))
    answer = await ask(connect)
    assert named(answer.tool_calls) == [(call.name, call.arguments) for call in TWO_CALLS]
    assert answer.content is None


async def test_call_is_passed_on_before_the_answer_is_complete(
    server: FakeOpenAI, connect: Connect
) -> None:
    gate = Gate(after=2)
    server.script(Reply(tool_calls=TWO_CALLS, fragment=1000, hold=gate))
    stream = provider(connect()).stream(request(MESSAGES, TOOLS))
    first = await anext(stream)
    assert isinstance(first, CallCompleted)
    assert named((first.call,)) == [("turn_on", TWO_CALLS[0].arguments)]
    assert not gate.opened.is_set()
    gate.open()
    second, last = [event async for event in stream]
    assert isinstance(second, CallCompleted)
    assert isinstance(last, Completed)
    assert last.result.tool_calls == (first.call, second.call)


@pytest.mark.parametrize(
    "chunks",
    [
        pytest.param(
            [
                delta(
                    tool_calls=[
                        fragment(0, "a", "turn_on", '{"x":1}'),
                        fragment(1, "b", "get_weather", '{"x":2}'),
                    ]
                )
            ],
            id="several calls in one chunk",
        ),
        pytest.param(
            [
                delta(
                    tool_calls=[fragment(0, "a", "turn_on", ""), fragment(1, "b", "get_weather")]
                ),
                delta(tool_calls=[fragment(1, arguments='{"x"'), fragment(0, arguments='{"x":')]),
                delta(tool_calls=[fragment(0, arguments="1}"), fragment(1, arguments=":2}")]),
            ],
            id="interleaved",
        ),
        pytest.param(
            [
                delta(tool_calls=[fragment(0, "a", "turn_on", '{"x"')]),
                delta(tool_calls=[fragment(0, "a", "turn_on", ":1}")]),
                delta(tool_calls=[fragment(1, "b", "get_weather", '{"x":2}')]),
            ],
            id="name and id in every fragment",
        ),
        pytest.param(
            [
                delta(tool_calls=[fragment(0, "a", "turn_on", '{"x"')]),
                delta(tool_calls=[fragment(0, "other", arguments=":1}")]),
                delta(tool_calls=[fragment(1, "b", "get_weather", '{"x":2}')]),
            ],
            id="a new id in every fragment",
        ),
        pytest.param(
            [
                delta(tool_calls=[fragment(0, "a", "turn_on", '{"x":1}')]),
                delta(tool_calls=[fragment(0, "b", "get_weather", '{"x":')]),
                delta(tool_calls=[fragment(0, arguments="2}")]),
            ],
            id="all with the same index",
        ),
        pytest.param(
            [
                delta(tool_calls=[fragment(None, "a", "turn_on", '{"x"')]),
                delta(tool_calls=[fragment(None, None, None, ":1}")]),
                delta(tool_calls=[fragment(None, "b", "get_weather", '{"x"')]),
                delta(tool_calls=[fragment(None, "b", None, ":2}")]),
            ],
            id="without an index",
        ),
        pytest.param(
            [
                delta(tool_calls=[{"index": 0, "id": "a"}]),
                delta(tool_calls=[fragment(0, None, "turn_on", '{"x":1}')]),
                delta(tool_calls=[fragment(7, "b", "get_weather", '{"x":2}')]),
            ],
            id="an id before its function, and a gap",
        ),
    ],
)
async def test_calls_do_not_depend_on_the_split_of_the_stream(
    server: FakeOpenAI, connect: Connect, chunks: list[dict[str, Any]]
) -> None:
    """The ways in which servers send calls all come to the same."""
    server.script(raw_stream(*chunks, delta("tool_calls")))
    answer = await ask(connect)
    assert named(answer.tool_calls) == [("turn_on", {"x": 1}), ("get_weather", {"x": 2})]
    assert [call.id for call in answer.tool_calls] == ["a", "b"]


@both_ways
@pytest.mark.parametrize("fault", [Fault.MISSING_TOOL_CALL_IDS, Fault.DUPLICATE_TOOL_CALL_IDS])
async def test_every_call_has_its_own_id(
    server: FakeOpenAI,
    connect: Connect,
    fault: Fault,
    *,
    stream: bool,
) -> None:
    """Where a server gives no ids, or the same twice, they are made up."""
    server.script(Reply(tool_calls=TWO_CALLS, fault=fault))
    answer = await ask(connect, stream=stream)
    assert named(answer.tool_calls) == [(call.name, call.arguments) for call in TWO_CALLS]
    ids = {call.id for call in answer.tool_calls}
    assert len(ids) == 2
    assert all(ids)


@both_ways
async def test_invalid_arguments_are_kept_as_they_came(
    server: FakeOpenAI,
    connect: Connect,
    *,
    stream: bool,
) -> None:
    """Arguments that are no JSON make a call that says so, and none that can be made."""
    server.script(Reply(fault=Fault.BAD_TOOL_JSON))
    (call,) = (await ask(connect, stream=stream)).tool_calls
    assert call.invalid == '{"name": "Kit'
    assert call.arguments == {}


@both_ways
async def test_call_without_arguments_has_an_empty_object(
    server: FakeOpenAI,
    connect: Connect,
    *,
    stream: bool,
) -> None:
    """No text is no arguments."""
    server.script(Reply(tool_calls=[Call("get_weather", "")]))
    (call,) = (await ask(connect, stream=stream)).tool_calls
    assert (call.arguments, call.invalid) == ({}, None)


# The end.


@both_ways
@pytest.mark.parametrize(
    ("reply", "content", "reason"),
    [
        (Reply("Yes."), "Yes.", "stop"),
        (Reply("Yes.", finish_reason=None), "Yes.", "stop"),
        (Reply("Yes.", finish_reason="weird"), "Yes.", "weird"),
        (Reply("Yes.", fault=Fault.LENGTH), "Yes.", "length"),
        (Reply(fault=Fault.CONTENT_FILTER), None, "content_filter"),
        (Reply(fault=Fault.EMPTY_CONTENT), None, "stop"),
        (Reply(fault=Fault.NULL_CONTENT), None, "stop"),
        (Reply(tool_calls=TWO_CALLS, finish_reason=None), None, "tool_calls"),
        (Reply(tool_calls=TWO_CALLS, finish_reason="stop"), None, "stop"),
    ],
)
async def test_finish_reason_of_the_server_is_kept(
    server: FakeOpenAI,
    connect: Connect,
    reply: Reply,
    content: str | None,
    reason: str,
    *,
    stream: bool,
) -> None:
    """The reason is the server's, and the normal one where it gives none."""
    server.script(reply)
    answer = await ask(connect, stream=stream)
    assert (answer.content, answer.finish_reason) == (content, reason)


async def test_empty_chunks_are_ignored(server: FakeOpenAI, connect: Connect) -> None:
    """Chunks without choices or delta, and further choices, are passed over."""
    first, other = delta(content="Yes.")["choices"][0], delta(content="No.")["choices"][0]
    server.script(
        raw_stream(
            {"choices": []},
            {"choices": None},
            {"choices": [{"index": 0, "delta": None}]},
            {"choices": [first, {**other, "index": 1}]},
            delta("stop"),
        )
    )
    assert await ask(connect) == CompletionResult(content="Yes.")


@both_ways
@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (None, None),
        (
            {"prompt_tokens": 1_000, "completion_tokens": 10, "total_tokens": 1_010},
            UsageStats(prompt_tokens=1_000, completion_tokens=10, total_tokens=1_010, cost=0.00102),
        ),
        (
            {"prompt_tokens": 1_000},
            UsageStats(prompt_tokens=1_000, total_tokens=1_000, cost=0.001),
        ),
    ],
)
async def test_usage_and_cost_are_reported(
    server: FakeOpenAI,
    connect: Connect,
    usage: dict[str, int] | None,
    expected: UsageStats | None,
    *,
    stream: bool,
) -> None:
    """Missing counts stay missing."""
    server.script(Reply("Yes.", usage=usage))
    price = Price(prompt=1, completion=2)
    answer = await provider(connect(), stream=stream, more={"price": price}).complete(QUESTION)
    assert answer.usage == expected


@pytest.mark.parametrize("price", [None, Price(prompt=1, completion=2)])
async def test_cost_that_the_server_reports_counts(
    server: FakeOpenAI, connect: Connect, price: Price | None
) -> None:
    """The models of a server have different prices, which it knows."""
    server.script(Reply("Yes.", usage={"prompt_tokens": 8, "cost": 0.25}))
    answer = await provider(connect(), more={"price": price}).complete(QUESTION)
    assert answer.usage is not None
    assert answer.usage.cost == 0.25


async def test_without_a_price_the_cost_is_unknown(server: FakeOpenAI, connect: Connect) -> None:
    """Tokens are counted where no price is known."""
    server.script(Reply("Yes."))
    usage = (await ask(connect)).usage
    assert usage is not None
    assert usage.total_tokens > 0
    assert usage.cost is None
