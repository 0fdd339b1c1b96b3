"""Tests of the loop: order of tool calls, cancellation, deadlines."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, override

import pytest

from custom_components.chatterbox.agent.errors import LLMTimeoutError
from custom_components.chatterbox.agent.events import (
    LoopEvent,
    LoopOutcome,
    ToolCallsRequested,
    ToolFinished,
    TurnFinished,
)
from custom_components.chatterbox.agent.loop import AgenticLoop, LoopSettings, Phrases
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
from tests.agent.fake_tools import (
    READS,
    WRITES,
    FakeTool,
    RaisingDispatcher,
    fake_tool,
    guarded,
    waiting,
)
from tests.agent.turns import collect, collect_until, only

AGENT_LOGGER = "custom_components.chatterbox.agent"
# Only a tool that waits in vain for another one takes that long.
STUCK = 5


async def breathe() -> None:
    """Let everything else that can go on do so."""
    rested = asyncio.Event()
    asyncio.get_running_loop().call_soon(rested.set)
    await rested.wait()


def logged(log: list[str], name: str) -> Callable[[dict[str, Any]], Awaitable[str]]:
    """Return the behavior of a tool that notes when it begins and ends."""

    async def behave(_arguments: dict[str, Any]) -> str:
        log.append(f"{name} begins")
        await breathe()
        await breathe()
        log.append(f"{name} ends")
        return name

    return behave


async def order(*names: str, concurrent_reads: bool = True) -> list[str]:
    """Have tools called in one answer; return what began and ended when.

    Those whose name begins with `read` only read.
    """
    log: list[str] = []
    tools = [
        fake_tool(
            name,
            logged(log, name),
            annotations=READS if name.startswith("read") else WRITES,
        )
        for name in names
    ]
    loop = AgenticLoop(
        ScriptedProvider(calls(*names), Answer("Done.")),
        LoopSettings(concurrent_reads=concurrent_reads),
    )
    events = await collect(loop.stream("Go", [], guarded(*tools)))
    assert [event.result.call.name for event in only(ToolFinished, events)] == list(names)
    return log


def one_by_one(*names: str) -> list[str]:
    """Return the log of tools that do not overlap."""
    return [f"{name} {what}" for name in names for what in ("begins", "ends")]


# Order.


async def test_reads_run_together() -> None:
    """Each waits until the other has begun: they would wait for ever one after the other."""
    meeting = asyncio.Barrier(2)

    async def meet(_arguments: dict[str, Any]) -> str:
        await meeting.wait()
        return "met"

    tools = guarded(fake_tool("a", meet), fake_tool("b", meet), timeout=STUCK)
    loop = AgenticLoop(ScriptedProvider(calls("a", "b"), Answer("Done.")))
    events = await collect(loop.stream("Go", [], tools))
    assert [event.result.data for event in only(ToolFinished, events)] == ["met", "met"]


async def test_writes_run_in_order() -> None:
    """Writes never overlap, in the order of the calls."""
    assert await order("write 2", "write 1", "write 3") == one_by_one(
        "write 2", "write 1", "write 3"
    )


async def test_read_behind_a_write_waits() -> None:
    """It sees what the write has changed, and a write does not overtake a read."""
    assert await order("read 1", "write", "read 2") == one_by_one("read 1", "write", "read 2")


async def test_adjacent_reads_between_writes() -> None:
    """Reads run together up to the next write."""
    log = await order("read 1", "read 2", "write", "read 3", "read 4")
    assert log[:2] == ["read 1 begins", "read 2 begins"]
    assert log[4:6] == ["write begins", "write ends"]
    assert log[6:8] == ["read 3 begins", "read 4 begins"]


async def test_one_after_the_other_if_wanted() -> None:
    """With the setting nothing overlaps."""
    names = ("read 1", "read 2", "write")
    assert await order(*names, concurrent_reads=False) == one_by_one(*names)


async def test_results_in_the_order_of_the_calls() -> None:
    """The first call is the slower one; its result still comes first."""
    quick = fake_tool("quick")
    slow = fake_tool("slow", waiting(quick.ended, "slow"))
    provider = ScriptedProvider(calls("slow", "quick"), Answer("Done."))
    await collect(AgenticLoop(provider).stream("Go", [], guarded(slow, quick, timeout=STUCK)))
    results = provider.asked[1].messages[-2:]
    assert [result.tool_call_id for result in results] == ["call_1", "call_2"]
    assert json.loads(results[0].content or "") == {"success": True, "result": "slow"}


async def test_unknown_tool_beside_others() -> None:
    """It is answered like any other, and counts as one that changes nothing."""
    tool = fake_tool(annotations=WRITES)
    wanted = (call("look", "1", where="here"), call("fly", "2"), call("look", "3"))
    provider = ScriptedProvider(Answer(calls=wanted), Answer("Done."))
    events = await collect(AgenticLoop(provider).stream("Go", [], guarded(tool)))
    assert [event.result.error for event in only(ToolFinished, events)] == [False, True, False]
    assert len(tool.calls) == 2


async def test_dispatcher_that_raises() -> None:
    """No dispatcher breaks a turn: its error goes to the model, without the inside."""
    provider = ScriptedProvider(calls("look", "look"), Answer("Sorry."))
    dispatcher = RaisingDispatcher(KeyError("token=abc"))
    events = await collect(AgenticLoop(provider).stream("Go", [], dispatcher))
    assert only(TurnFinished, events)[0].text == "Sorry."
    for message in provider.asked[1].messages[-2:]:
        assert json.loads(message.content or "") == {
            "success": False,
            "error": "look failed: KeyError",
            "error_type": "tool_error",
        }


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


async def test_turns_at_the_same_time_do_not_mix() -> None:
    """One loop and one guard serve two turns that run at once."""
    meeting = asyncio.Barrier(2)

    async def look(arguments: dict[str, Any]) -> str:
        await meeting.wait()
        return str(arguments["where"])

    loop, tools = AgenticLoop(Echo()), guarded(fake_tool(behavior=look), timeout=STUCK)
    answers = await asyncio.gather(loop.run("kitchen", [], tools), loop.run("hall", [], tools))
    assert [*answers] == ["kitchen", "hall"]


# An end in the middle.


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


async def test_writing_tool_outlives_its_turn(caplog: pytest.LogCaptureFixture) -> None:
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


async def test_reading_tool_ends_with_its_turn(caplog: pytest.LogCaptureFixture) -> None:
    """Nobody needs what it would find."""
    tool = fake_tool(behavior=waiting(asyncio.Event()))
    provider, _ = await cancelled_while(tool, caplog)
    await tool.stopped.wait()
    assert not tool.finished
    assert len(provider.asked) == 1


async def test_writes_that_have_not_begun_never_do(caplog: pytest.LogCaptureFixture) -> None:
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


async def test_cancelled_while_the_model_thinks() -> None:
    """The request ends with the turn."""
    provider = ScriptedProvider(Answer("So", hang=True))
    turn = asyncio.create_task(AgenticLoop(provider).run("Go", []))
    await provider.hanging.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert provider.closed == 1


@pytest.mark.parametrize("answers", [[Answer("one two")], [calls("look"), Answer("one two")]])
async def test_closing_the_stream_ends_the_request(
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


async def test_leaving_after_the_end_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """A turn that is over cannot be cancelled."""
    caplog.set_level(logging.INFO, AGENT_LOGGER)
    stream = AgenticLoop(ScriptedProvider(Answer("Hi."))).stream("Go", [])
    async for event in stream:
        if isinstance(event, TurnFinished):
            break
    await stream.aclose()
    (end,) = [record.message for record in caplog.records if "Turn ended" in record.message]
    assert "final" in end


# The deadline.


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


async def test_model_that_takes_too_long() -> None:
    """Time is up though words still come; the request is ended."""
    provider = ScriptedProvider(Answer("So", hang=True))
    loop = AgenticLoop(provider, LoopSettings(turn_timeout=0.1))
    told, error = await collect_until(LLMTimeoutError, loop.stream("Go", []))
    assert str(error) == "the turn was not over after 0.1 s"
    assert isinstance(told[-1], TurnFinished)
    assert told[-1].outcome is LoopOutcome.ERROR
    assert provider.closed == 1


@pytest.mark.parametrize("annotations", [READS, WRITES])
async def test_tool_that_takes_too_long(annotations: ToolAnnotations) -> None:
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


async def test_tools_behind_one_that_takes_too_long() -> None:
    """What has not begun does not, and every call has its result all the same."""
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
