"""Tests of reads that are started before their answer is complete."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from typing import override

import pytest

from custom_components.chatterbox.agent.errors import LLMConnectionError, LLMError
from custom_components.chatterbox.agent.events import LoopEvent, ToolFinished, TurnFinished
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.messages import ToolCall
from custom_components.chatterbox.agent.model.provider import (
    CallCompleted,
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    TextDelta,
)
from custom_components.chatterbox.agent.model.retry import RetryingProvider
from custom_components.chatterbox.agent.model.server_state import ServerState
from tests.agent.builders import call
from tests.agent.fake_clock import FakeClock
from tests.agent.fake_tools import WRITES, FakeTool, fake_tool, guarded, waiting
from tests.agent.turns import collect, only

READ, OTHER, WRITE = call("read", "1"), call("other", "2"), call("write", "3")


class Arriving(LLMProvider):
    """Provider whose first answer makes calls, and goes on when `more` is set; then it answers.

    `early` are the calls that arrive one by one, `calls` those of the complete answer, None where
    the stream breaks off as often as `failures`.
    """

    def __init__(
        self,
        early: Sequence[ToolCall],
        calls: Sequence[ToolCall] | None = None,
        failures: int = 0,
        *,
        may_go_on: Callable[[], bool] = lambda: True,
    ) -> None:
        self.early, self.calls, self.failures = early, early if calls is None else calls, failures
        self.may_go_on = may_go_on
        self.asked = 0

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the calls one by one, then the whole answer."""
        self.asked += 1
        if self.asked > 1 + self.failures:
            yield TextDelta("Done.")
            yield Completed(CompletionResult(content="Done."))
            return
        for arrived in self.early:
            # A server that sends no ids: they are made up anew.
            yield CallCompleted(replace(arrived, id=f"early_{arrived.id}"))
        for _ in range(20):
            await asyncio.sleep(0)
        assert self.may_go_on()
        if self.asked <= self.failures:
            raise LLMConnectionError("broken off")
        yield Completed(CompletionResult(tool_calls=tuple(self.calls), finish_reason="tool_calls"))


def run(model: LLMProvider, *tools: FakeTool) -> AsyncGenerator[LoopEvent]:
    return AgenticLoop(model).stream("Go", [], guarded(*tools))


def results(events: Sequence[LoopEvent]) -> list[tuple[str, str, bool]]:
    """Return the ids and names of the finished calls, and whether they failed."""
    finished = [event.result for event in only(ToolFinished, events)]
    return [(result.call.id, result.call.name, result.error) for result in finished]


async def test_reads_run_once_and_before_the_answer_is_complete() -> None:
    read, other = fake_tool("read"), fake_tool("other")
    model = Arriving([READ, OTHER], may_go_on=lambda: bool(read.finished and other.finished))
    events = await collect(run(model, read, other))
    assert results(events) == [("1", "read", False), ("2", "other", False)]
    assert len(read.calls) == len(other.calls) == 1


async def test_read_that_is_still_running_is_waited_for() -> None:
    ready = asyncio.Event()
    read = fake_tool("read", waiting(ready))
    asyncio.get_running_loop().call_later(0.01, ready.set)
    assert results(await collect(run(Arriving([READ]), read))) == [("1", "read", False)]
    assert len(read.calls) == 1


@pytest.mark.parametrize("calls", [[WRITE], [WRITE, READ], [call("unknown"), READ]])
async def test_nothing_is_started_from_the_first_call_on_that_may_change_something(
    calls: list[ToolCall],
) -> None:
    """Such a call waits for the end of the answer, and what follows it for the change."""
    read, write = fake_tool("read"), fake_tool("write", annotations=WRITES)
    model = Arriving(calls, may_go_on=lambda: not (read.calls or write.calls))
    events = await collect(run(model, read, write))
    assert [name for _, name, _ in results(events)] == [made.name for made in calls]
    assert len(write.calls) == calls.count(WRITE)


async def test_read_is_repeated_after_a_change() -> None:
    read, write = fake_tool("read"), fake_tool("write", annotations=WRITES)
    again = replace(READ, id="4")
    model = Arriving([READ, WRITE, again], may_go_on=lambda: len(read.calls) == 1)
    events = await collect(run(model, read, write))
    assert [call_id for call_id, *_ in results(events)] == ["1", "3", "4"]
    assert len(read.calls) == 2


@pytest.mark.parametrize(
    "calls", [[], [OTHER], [replace(READ, invalid='{"where"')], [call("read", "1", where="x")]]
)
async def test_read_that_the_complete_answer_does_not_call_is_cancelled(
    calls: list[ToolCall],
) -> None:
    """Such as one of a truncated answer."""
    read, other = fake_tool("read", waiting(asyncio.Event())), fake_tool("other")
    stream = run(Arriving([READ], calls), read, other)
    async for event in stream:
        if isinstance(event, TurnFinished):
            break
        if len(read.calls) == 2:
            # The other call of the same tool would wait for ever.
            break
    await stream.aclose()
    await read.stopped.wait()


async def test_result_is_kept_when_the_request_is_retried() -> None:
    async def alive() -> None:
        """Answer the probe."""

    clock = FakeClock()
    read = fake_tool("read")
    model = Arriving([READ], failures=1)
    state = ServerState(alive, now=clock.now)
    retrying = RetryingProvider(model, state, now=clock.now, sleep=clock.sleep)
    events = await collect(run(retrying, read))
    assert model.asked == 3
    assert results(events) == [("1", "read", False)]
    assert len(read.calls) == 1


async def test_read_is_cancelled_when_the_stream_breaks_off() -> None:
    read = fake_tool("read", waiting(asyncio.Event()))
    with pytest.raises(LLMError):
        await collect(run(Arriving([READ], failures=1), read))
    await read.stopped.wait()


async def test_read_is_cancelled_with_the_turn() -> None:
    read = fake_tool("read", waiting(asyncio.Event()))
    task = asyncio.create_task(collect(run(Arriving([READ]), read)))
    await read.started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await read.stopped.wait()
