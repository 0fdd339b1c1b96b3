"""Tests of the trace of a turn."""

from dataclasses import replace

from custom_components.chatterbox.agent.events import LoopOutcome, LoopState, TurnFinished
from custom_components.chatterbox.agent.messages import ToolResult
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.agent.trace import ToolTrace, TurnTrace, typical_seconds
from tests.agent.builders import call


def test_trace_has_times_usage_and_tools_of_a_turn() -> None:
    """Numbers and tools, and nothing that was said."""
    usage = UsageStats(total_tokens=5)
    made = call(where="here")
    finished = TurnFinished(
        outcome=LoopOutcome.FINAL,
        text="Secret.",
        messages=(),
        iterations=2,
        usage=usage,
        results=(
            ToolResult(call=made, data="Secret.", seconds=0.5),
            ToolResult(call=made, data={"error": "Secret."}, error=True, seconds=1.5),
        ),
        seconds=3.0,
        timings={LoopState.LLM_INFERENCE: 1.0},
        first_token=0.25,
    )
    trace = TurnTrace.of("1", "kitchen", finished)
    assert trace == TurnTrace(
        id="1",
        conversation_id="kitchen",
        outcome=LoopOutcome.FINAL,
        iterations=2,
        seconds=3.0,
        first_token=0.25,
        usage=usage,
        tools=(
            ToolTrace(name="look", arguments={"where": "here"}, ok=True, seconds=0.5),
            ToolTrace(name="look", arguments={"where": "here"}, ok=False, seconds=1.5),
        ),
        timings={LoopState.LLM_INFERENCE: 1.0},
    )
    assert "Secret" not in repr(trace)


def test_trace_of_a_turn_without_times_has_none() -> None:
    """A turn that ended at once has no times of its states, and no first word."""
    finished = TurnFinished(
        outcome=LoopOutcome.ERROR,
        text="",
        messages=(),
        iterations=0,
        usage=UsageStats(),
        results=(),
        seconds=0.0,
    )
    trace = TurnTrace.of("1", "kitchen", finished)
    assert (trace.timings, trace.first_token, trace.tools) == ({}, None, ())


def turn_with(tool: str, *seconds: float) -> TurnTrace:
    call = ToolTrace(name=tool, arguments={}, ok=True, seconds=0)
    return TurnTrace(
        id="1",
        conversation_id="kitchen",
        outcome=LoopOutcome.FINAL,
        iterations=1,
        seconds=1,
        first_token=None,
        usage=UsageStats(),
        tools=tuple(replace(call, seconds=each) for each in seconds),
        timings={},
    )


def test_typical_duration_is_the_median_of_the_last_calls() -> None:
    turns = [
        turn_with("look", 90, 90, 90),
        turn_with("look", 1, 2),
        turn_with("other", 7),
        turn_with("look", 3, 4, 50),
    ]
    assert typical_seconds(turns, "look") == 3
    assert typical_seconds(turns, "other") == 7
    assert typical_seconds(turns, "new") == 0
