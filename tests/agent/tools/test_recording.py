"""Tests of the record of calls."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.messages import (
    Message,
    Role,
    ToolAnnotations,
    ToolCall,
    ToolResult,
)
from custom_components.chatterbox.agent.tools.recording import RecordingDispatcher
from tests.agent.builders import call
from tests.agent.fake_tools import (
    READS,
    WRITES,
    FakeTool,
    RaisingDispatcher,
    fake_tool,
    guarded,
    waiting,
)


async def broken_off(recorder: RecordingDispatcher, tool: FakeTool, made: ToolCall) -> None:
    """Make a call and give up waiting for it."""
    task = asyncio.create_task(recorder.dispatch(made))
    await tool.started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_result_of_a_call_is_recorded() -> None:
    tool, made = fake_tool(), call()
    recorder = RecordingDispatcher(guarded(tool))
    assert [definition.name for definition in recorder.definitions] == ["look"]
    result = await recorder.dispatch(made)
    assert result.data == "fine"
    assert recorder.outcome(made) == result
    assert not recorder.writing


async def test_cancelled_write_runs_to_its_end() -> None:
    released = asyncio.Event()
    tool = fake_tool("dim", waiting(released), annotations=WRITES)
    recorder, made = RecordingDispatcher(guarded(tool)), call("dim")
    await broken_off(recorder, tool, made)
    assert recorder.writing
    assert recorder.outcome(made).data == {"status": "still running"}
    released.set()
    await recorder.wait()
    assert recorder.outcome(made).data == "fine"
    assert (len(tool.calls), tool.finished) == (1, 1)


async def test_cancelled_read_is_stopped_and_recorded_as_interrupted() -> None:
    tool = fake_tool("look", waiting(asyncio.Event()))
    recorder, made = RecordingDispatcher(guarded(tool)), call()
    await broken_off(recorder, tool, made)
    assert not recorder.writing
    assert recorder.outcome(made).error_type == "interrupted"
    await tool.stopped.wait()
    assert recorder.outcome(made).error_type == "interrupted"


async def test_call_that_was_not_made_is_recorded_as_interrupted() -> None:
    outcome = RecordingDispatcher(guarded(fake_tool())).outcome(call())
    assert (outcome.error, outcome.error_type) == (True, "interrupted")
    assert outcome.error_text == "look was not called."


async def test_equal_call_that_shared_a_result_is_recorded_with_it() -> None:
    recorder, made = RecordingDispatcher(guarded(fake_tool())), call()
    result = await recorder.dispatch(made)
    await recorder.dispatch(call(where="here"))
    duplicate = replace(made, id="call_2")
    assert recorder.outcome(duplicate) == replace(result, call=duplicate)


async def test_equal_calls_that_were_both_made_have_their_own_results() -> None:
    results = iter(["first", "second"])

    async def look(_arguments: dict[str, Any]) -> str:
        return next(results)

    recorder = RecordingDispatcher(guarded(fake_tool(behavior=look)))
    made = [call(call_id="call_1"), call(call_id="call_2")]
    for each in made:
        await recorder.dispatch(each)
    assert [(recorder.outcome(each)).data for each in made] == ["first", "second"]


async def test_equal_call_after_another_write_is_recorded_as_interrupted() -> None:
    """It would not have shared the earlier result."""
    tools = guarded(fake_tool(), fake_tool("dim", annotations=WRITES))
    recorder, made = RecordingDispatcher(tools), call()
    await recorder.dispatch(made)
    await recorder.dispatch(call("dim"))
    outcome = recorder.outcome(replace(made, id="call_3"))
    assert outcome.error_text == "look was not called."


async def test_call_that_raises_is_recorded_as_interrupted() -> None:
    recorder, made = RecordingDispatcher(RaisingDispatcher(KeyError())), call()
    with pytest.raises(KeyError):
        await recorder.dispatch(made)
    assert recorder.outcome(made).error_type == "interrupted"


async def test_messages_of_a_cancelled_turn_get_the_results_of_their_calls() -> None:
    released = asyncio.Event()
    tool = fake_tool("dim", waiting(released), annotations=WRITES)
    recorder = RecordingDispatcher(guarded(fake_tool(), tool))
    looked, dimmed, missed = call(call_id="a"), call("dim", call_id="b"), call(call_id="c")
    told = Message.tool("a", "what the model was told")
    await recorder.dispatch(looked)
    await broken_off(recorder, tool, dimmed)
    messages = [
        Message.assistant(None, [looked]),
        told,
        Message.assistant("One moment.", [dimmed, missed]),
        Message.assistant("(interrupted)"),
    ]

    def results() -> list[str]:
        complete = recorder.with_results(messages)
        assert [each for each in complete if each.role is not Role.TOOL] == [
            each for each in messages if each.role is not Role.TOOL
        ]
        assert [each.tool_call_id for each in complete] == [None, "a", None, "b", "c", None]
        return [each.content or "" for each in complete if each.role is Role.TOOL]

    first, running, never = results()
    assert first == told.content
    assert "still running" in running
    assert "was not called" in never
    released.set()
    await recorder.wait()
    assert json.loads(results()[1]) == {"success": True, "result": "fine"}


async def test_result_of_a_call_that_the_turn_did_not_wait_for_is_replaced() -> None:
    released = asyncio.Event()
    tool = fake_tool("dim", waiting(released), annotations=WRITES)
    recorder, made = RecordingDispatcher(guarded(tool)), call("dim")
    await broken_off(recorder, tool, made)
    released.set()
    await recorder.wait()
    told = [Message.assistant(None, [made]), Message.tool(made.id, "It took too long.")]
    (_, result) = recorder.with_results(told)
    assert json.loads(result.content or "")["result"] == "fine"


async def test_call_that_takes_too_long_goes_on_in_the_background() -> None:
    released = asyncio.Event()
    tool = fake_tool("dim", waiting(released), annotations=WRITES)
    recorder = RecordingDispatcher(guarded(fake_tool(), tool), patience=lambda: 0)
    made = call("dim", call_id="b")
    result = await recorder.dispatch(made)
    assert result.running
    assert result.data == {"status": "still running"}
    assert recorder.in_background == [made]
    assert not recorder.writing
    released.set()
    await recorder.wait(made)
    assert recorder.outcome(made).data == "fine"
    told = [Message.assistant(None, [made]), Message.tool("b", result.content)]
    assert recorder.with_results(told) == told


@pytest.mark.parametrize("annotations", [READS, WRITES])
async def test_call_in_the_background_that_is_given_up_is_no_longer_told(
    annotations: ToolAnnotations,
) -> None:
    released = asyncio.Event()
    tool = fake_tool("dim", waiting(released), annotations=annotations)
    recorder, made = RecordingDispatcher(guarded(tool), patience=lambda: -1), call("dim")
    told = [Message.assistant(None, [made]), Message.tool(made.id, "still running")]
    await recorder.dispatch(made)
    recorder.give_up()
    recorder.give_up()
    assert recorder.in_background == []
    assert recorder.writing is (annotations is WRITES)
    released.set()
    await recorder.wait()
    (_, result) = recorder.with_results(told)
    assert ("fine" if annotations is WRITES else "interrupted") in (result.content or "")


async def test_call_that_ends_in_time_is_not_in_the_background() -> None:
    recorder, made = RecordingDispatcher(guarded(fake_tool()), patience=lambda: 30), call()
    assert (await recorder.dispatch(made)).data == "fine"
    assert recorder.in_background == []


async def test_waiting_for_no_calls_returns_at_once() -> None:
    await RecordingDispatcher(guarded()).wait()


def test_result_without_an_error_object_has_no_error_type() -> None:
    assert ToolResult(call=call(), data="fine").error_type is None
    assert ToolResult(call=call(), data="broken", error=True).error_text == "broken"
