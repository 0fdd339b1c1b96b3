"""Tests of the traces of finished turns."""

import json
from dataclasses import replace

from custom_components.chatterbox.agent.events import LoopOutcome, LoopState, Step, TurnFinished
from custom_components.chatterbox.agent.messages import ToolCall, ToolResult
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.agent.trace import (
    ErrorDetail,
    ToolTrace,
    TurnTrace,
    typical_seconds,
)
from tests.agent.builders import turn_trace

USAGE = UsageStats(prompt_tokens=4, completion_tokens=1, total_tokens=5)
ERROR = ErrorDetail(
    code="server_error",
    message="The server failed.",
    type="LLMServerError",
    retryable=True,
    status=500,
)


def step(state: LoopState, started: float, seconds: float, **more: int | UsageStats) -> Step:
    return Step(state=state, iteration=1, started=started, seconds=seconds, **more)  # type: ignore[arg-type]


def finished_turn(*results: ToolResult) -> TurnFinished:
    return TurnFinished(
        outcome=LoopOutcome.FINAL,
        text="Secret.",
        messages=(),
        iterations=2,
        usage=USAGE,
        results=results,
        seconds=3.0004,
        steps=(
            step(LoopState.LLM_INFERENCE, 0, 1, usage=USAGE),
            step(LoopState.TOOL_EXECUTION, 1, 0.75, calls=len(results)),
            step(LoopState.LLM_INFERENCE, 1.75, 1.25),
        ),
        first_token=0.25,
    )


def look(*, ok: bool, seconds: float) -> ToolResult:
    call = ToolCall(
        id="1", name="look", arguments={"where": "Secret."}, repairs=("where: Secret.",)
    )
    if ok:
        return ToolResult(call=call, data="Secret.", seconds=seconds)
    return replace(ToolResult.failure(call, "Secret.", "timeout"), seconds=seconds)


def test_trace_has_steps_usage_and_tools_of_a_turn() -> None:
    """Numbers and names, and without the values nothing that was said."""
    finished = finished_turn(look(ok=True, seconds=0.5), look(ok=False, seconds=1.5))
    trace = TurnTrace.of("1", "kitchen", finished, model="m", profile="capable")
    shown = trace.as_dict()
    assert "Secret" not in json.dumps(shown)
    assert "kitchen" not in json.dumps(shown)
    assert (shown["trace_id"], shown["outcome"], shown["profile"]) == ("1", "final", "capable")
    assert (shown["seconds"], shown["time_to_first_token"]) == (3.0, 0.25)
    assert shown["usage"]["total_tokens"] == 5
    assert shown["error"] is None
    asked, called, answered = shown["steps"]
    assert asked["usage"]["prompt_tokens"] == 4
    assert called == {
        "state": "tool_execution",
        "iteration": 1,
        "started": 1,
        "seconds": 0.75,
        "tools": [
            {
                "name": "look",
                "arguments": 1,
                "ok": True,
                "error_type": None,
                "seconds": 0.5,
                "repairs": 1,
            },
            {
                "name": "look",
                "arguments": 1,
                "ok": False,
                "error_type": "timeout",
                "seconds": 1.5,
                "repairs": 1,
            },
        ],
    }
    assert "usage" not in answered
    assert trace.seconds_in(LoopState.LLM_INFERENCE) == 2.25
    assert trace.seconds_in(LoopState.OUTPUT) is None


def test_trace_with_values_has_arguments_and_their_repairs() -> None:
    trace = TurnTrace.of("1", "kitchen", finished_turn(look(ok=True, seconds=0.5)))
    shown = trace.as_dict(values=True)
    assert shown["conversation_id"] == "kitchen"
    (tool,) = shown["steps"][1]["tools"]
    assert tool["arguments"] == {"where": "Secret."}
    assert tool["repairs"] == ["where: Secret."]


def test_name_that_the_model_has_made_up_is_not_shown() -> None:
    call = ToolCall(id="1", name="tell_my_secret", arguments={})
    result = ToolResult.failure(call, "There is no such tool.", "unknown_tool")
    trace = TurnTrace.of("1", "kitchen", finished_turn(result), error=ERROR)
    assert trace.as_dict(values=True)["steps"][1]["tools"][0]["name"] == "tell_my_secret"
    assert trace.as_dict()["steps"][1]["tools"][0]["name"] == "unknown tool"
    assert trace.error is not None
    assert trace.error.tool == "unknown tool"


def test_error_names_the_tool_that_failed_last() -> None:
    """A tool that succeeded has nothing to do with the error."""
    failed = finished_turn(look(ok=True, seconds=1), look(ok=False, seconds=1))
    trace = TurnTrace.of("1", "kitchen", failed, error=ERROR)
    assert trace.as_dict()["error"] == {
        "code": "server_error",
        "message": "The server failed.",
        "type": "LLMServerError",
        "status": 500,
        "tool": "look",
        "retryable": True,
        "trace_id": "1",
    }
    fine = finished_turn(look(ok=True, seconds=1))
    assert TurnTrace.of("1", "kitchen", fine, error=ERROR).error == ERROR
    assert TurnTrace.of("1", "kitchen", finished_turn(), error=ERROR).error == ERROR


def test_trace_of_a_turn_that_never_began_has_no_steps() -> None:
    finished = TurnFinished.unbegun(LoopOutcome.CANCELLED, 0.5)
    trace = TurnTrace.of("1", "kitchen", finished)
    assert (trace.steps, trace.first_token, trace.tools) == ((), None, ())
    assert trace.as_dict()["time_to_first_token"] is None
    assert (trace.outcome, trace.seconds) == (LoopOutcome.CANCELLED, 0.5)


def turn_with(tool: str, *seconds: float) -> TurnTrace:
    call = ToolTrace(name=tool, arguments={}, ok=True, seconds=0)
    return turn_trace(tools=tuple(replace(call, seconds=each) for each in seconds))


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
