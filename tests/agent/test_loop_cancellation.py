"""Tests of the loop: concurrent turns, cancellation and deadlines."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from typing import Any, override

import pytest

from custom_components.chatterbox.agent.errors import LLMConnectionError, TurnTimeoutError
from custom_components.chatterbox.agent.events import (
    LoopEvent,
    LoopOutcome,
    ToolCallsRequested,
    TurnFinished,
)
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.loop_settings import LoopSettings, Phrases
from custom_components.chatterbox.agent.memory.context import repair
from custom_components.chatterbox.agent.messages import Message, ToolAnnotations
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    TextDelta,
)
from tests.agent.builders import call
from tests.agent.fake_provider import Answer, ScriptedProvider, calls
from tests.agent.fake_tools import READS, WRITES, FakeTool, fake_tool, guarded, waiting
from tests.agent.turns import collect, collect_until, only

AGENT_LOGGER = "custom_components.chatterbox.agent"
# Only a tool that waits in vain for another one takes that long.
STUCK = 5


class Echo(LLMProvider):
    """A model that has each message looked up and repeats what comes back."""

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer."""
        last = request.messages[-1]
        if last.tool_call_id is None:
            yield Completed(CompletionResult(tool_calls=(call(where=last.content),)))
        else:
            yield Completed(CompletionResult(content=json.loads(last.content or "")["result"]))


async def test_concurrent_turns_do_not_mix() -> None:
    """One loop and one guard serve two turns that run at once."""
    meeting = asyncio.Barrier(2)

    async def look(arguments: dict[str, Any]) -> str:
        await meeting.wait()
        return str(arguments["where"])

    loop, tools = AgenticLoop(Echo()), guarded(fake_tool(behavior=look), timeout=STUCK)
    answers = await asyncio.gather(loop.run("kitchen", [], tools), loop.run("hall", [], tools))
    assert [*answers] == ["kitchen", "hall"]


# Cancellation.


async def cancelled_while(
    tool: FakeTool, caplog: pytest.LogCaptureFixture
) -> tuple[ScriptedProvider, list[LoopEvent]]:
    """Cancel a turn while a tool runs."""
    caplog.set_level(logging.INFO, AGENT_LOGGER)
    provider = ScriptedProvider(calls("look"), Answer("Never."))
    stream = AgenticLoop(provider).stream("Go", [], guarded(tool))
    turn = asyncio.create_task(collect_until(asyncio.CancelledError, stream))
    await tool.started.wait()
    turn.cancel()
    told, _ = await turn
    ends = [record.message for record in caplog.records if "Turn ended" in record.message]
    assert len(ends) == 1
    assert ends[0].startswith("Turn ended (cancelled) after 1 iterations")
    return provider, told


async def test_write_outlives_its_cancelled_turn(caplog: pytest.LogCaptureFixture) -> None:
    """It runs once and to its end, and the model is not asked again."""
    go_on = asyncio.Event()
    tool = fake_tool(behavior=waiting(go_on), annotations=WRITES)
    provider, told = await cancelled_while(tool, caplog)
    assert not tool.ended.is_set()
    go_on.set()
    await tool.ended.wait()
    assert tool.finished == len(tool.calls) == 1
    assert not tool.stopped.is_set()
    assert len(provider.asked) == 1
    assert isinstance(told[-2], ToolCallsRequested)


async def test_read_ends_with_its_cancelled_turn(caplog: pytest.LogCaptureFixture) -> None:
    tool = fake_tool(behavior=waiting(asyncio.Event()))
    provider, _ = await cancelled_while(tool, caplog)
    await tool.stopped.wait()
    assert not tool.finished
    assert len(provider.asked) == 1


async def test_writes_are_not_started_after_the_cancellation(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """After the cancellation nothing new is begun."""
    go_on = asyncio.Event()
    first = fake_tool("first", waiting(go_on), annotations=WRITES)
    second = fake_tool("second", annotations=WRITES)
    provider = ScriptedProvider(calls("first", "second"), Answer("Never."))
    turn = asyncio.create_task(AgenticLoop(provider).run("Go", [], guarded(first, second)))
    await first.started.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    go_on.set()
    await first.ended.wait()
    assert not second.calls


async def test_cancellation_ends_the_request() -> None:
    """The request ends with the turn."""
    provider = ScriptedProvider(Answer("So", hang=True))
    turn = asyncio.create_task(AgenticLoop(provider).run("Go", []))
    await provider.hanging.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert provider.closed == 1


@pytest.mark.parametrize("answers", [[Answer("one two")], [calls("look"), Answer("one two")]])
async def test_closed_stream_ends_the_request(
    answers: list[Answer], caplog: pytest.LogCaptureFixture
) -> None:
    """When the listener leaves, the model's answer is closed before `aclose` returns."""
    caplog.set_level(logging.INFO, AGENT_LOGGER)
    provider = ScriptedProvider(*answers)
    stream = AgenticLoop(provider).stream("Go", [], guarded(fake_tool()))
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    assert provider.closed == len(answers) - 1
    await stream.aclose()
    assert provider.closed == len(answers)
    (end,) = [record.message for record in caplog.records if "Turn ended" in record.message]
    assert "cancelled" in end


async def test_cancelled_turn_ends_with_what_was_said_so_far() -> None:
    """The last event cannot be yielded any more."""
    ends: list[TurnFinished] = []
    provider = ScriptedProvider(calls("look"), Answer("one two"))
    stream = AgenticLoop(provider).stream("Go", [], guarded(fake_tool()), on_cancel=ends.append)
    async for event in stream:
        if isinstance(event, TextDelta):
            said = event.text
            break
    assert ends == []
    await stream.aclose()
    (end,) = ends
    assert (end.outcome, end.iterations, len(end.results)) == (LoopOutcome.CANCELLED, 2, 1)
    calling, result, told = end.messages
    assert calling.tool_calls == (end.results[0].call,)
    assert result.content == end.results[0].content
    assert told == Message.assistant(f"{said.rstrip()} … (I was interrupted here.)")


async def test_closing_a_finished_turn_has_no_effect(caplog: pytest.LogCaptureFixture) -> None:
    """A turn that is over cannot be cancelled."""
    caplog.set_level(logging.INFO, AGENT_LOGGER)
    stream = AgenticLoop(ScriptedProvider(Answer("Hi."))).stream("Go", [])
    async for event in stream:
        if isinstance(event, TurnFinished):
            break
    await stream.aclose()
    (end,) = [record.message for record in caplog.records if "Turn ended" in record.message]
    assert "final" in end


# Deadlines.


async def until_deadline(
    provider: ScriptedProvider, *tools: FakeTool, seconds: float = 0.1
) -> TurnFinished:
    """Run a turn whose tool takes too long; return its end."""
    loop = AgenticLoop(provider, LoopSettings(turn_timeout=seconds))
    (finished,) = only(TurnFinished, await collect(loop.stream("Go", [], guarded(*tools))))
    assert (finished.outcome, finished.text) == (LoopOutcome.FINAL, Phrases().time_up)
    assert len(provider.asked) == 1
    history = [Message.user("Go"), *finished.messages]
    assert not finished.messages or repair(history)[: len(history)] == history
    return finished


async def test_slow_answer_ends_at_the_deadline() -> None:
    """Time is up though words still come; the request is ended."""
    provider = ScriptedProvider(Answer("So", hang=True))
    loop = AgenticLoop(provider, LoopSettings(turn_timeout=0.1))
    told, error = await collect_until(TurnTimeoutError, loop.stream("Go", []))
    # The server can be reached: no fallback agent is asked.
    assert not isinstance(error, LLMConnectionError)
    assert str(error) == "the turn was not over after 0.1 s"
    assert isinstance(told[-1], TurnFinished)
    assert told[-1].outcome is LoopOutcome.ERROR
    assert provider.closed == 1


async def test_answer_without_a_pause_ends_at_the_deadline() -> None:
    """The loop never waits for the next word, so that no timer gets its turn."""

    class Endless(LLMProvider):
        @override
        async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
            while True:
                yield TextDelta("so ")

    loop = AgenticLoop(Endless(), LoopSettings(turn_timeout=0.01))
    told, _ = await collect_until(TurnTimeoutError, loop.stream("Go", []))
    assert isinstance(told[-1], TurnFinished)
    assert told[-1].outcome is LoopOutcome.ERROR


@pytest.mark.parametrize("annotations", [READS, WRITES])
async def test_slow_tool_ends_the_turn_at_the_deadline(annotations: ToolAnnotations) -> None:
    """The turn does not wait for it beyond its end; the history says what became of it."""
    go_on = asyncio.Event()
    tool = fake_tool(behavior=waiting(go_on), annotations=annotations)
    provider = ScriptedProvider(calls("look"), Answer(hang=True))
    finished = await until_deadline(provider, tool)
    (result,) = finished.results
    assert result.error
    assert result.data["error_type"] == "timeout"
    assert finished.messages[-2] == Message.tool("call_1", result.content)
    go_on.set()
    await (tool.stopped if annotations.read_only else tool.ended).wait()


async def test_calls_behind_a_slow_tool_are_not_started_at_the_deadline() -> None:
    """Every call has a result all the same."""
    slow = fake_tool("slow", waiting(asyncio.Event()))
    write = fake_tool("write", annotations=WRITES)
    wanted = (call("write", "1"), call("slow", "2"), call("write", "3", where="here"))
    provider = ScriptedProvider(Answer(calls=wanted))
    finished = await until_deadline(provider, slow, write)
    assert len(write.calls) == 1
    assert [result.error for result in finished.results] == [False, True, True]
    assert finished.results[-1].data == {
        "error": "write was not called, as the turn took too long.",
        "error_type": "timeout",
    }
