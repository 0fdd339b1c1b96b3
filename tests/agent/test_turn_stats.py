"""Tests of the figures over the last turns."""

from custom_components.chatterbox.agent.events import LoopOutcome, LoopState, Step
from custom_components.chatterbox.agent.model.request_log import RequestLog
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.agent.trace import ErrorDetail, ToolTrace, TurnTrace
from custom_components.chatterbox.agent.turn_stats import TurnStats
from tests.agent.builders import tool_trace, turn_trace


def asked(seconds: float, prompt_tokens: int | None = None) -> Step:
    usage = None if prompt_tokens is None else UsageStats(prompt_tokens=prompt_tokens)
    return Step(state=LoopState.LLM_INFERENCE, iteration=1, started=0, seconds=seconds, usage=usage)


def summary(*turns: TurnTrace) -> dict[str, object]:
    stats = TurnStats()
    for turn in turns:
        stats.add(turn)
    return stats.summary()


def test_each_outcome_is_counted() -> None:
    """Also the interrupted turns and those of the fallback agent; more than are kept."""
    found = summary(
        *[turn_trace(outcome=outcome) for outcome in LoopOutcome],
        *[turn_trace(outcome=LoopOutcome.CANCELLED)] * 100,
    )
    assert found["outcomes"] == {
        "final": 1,
        "limit": 1,
        "cancelled": 101,
        "fallback": 1,
        "error": 1,
    }
    assert found["turns"] == 100


def test_durations_are_percentiles() -> None:
    found = summary(
        *(turn_trace(seconds=n, first_token=None, steps=(asked(n / 2),)) for n in range(1, 101))
    )
    assert found["seconds"] == {
        "turn": {"p50": 50, "p95": 95},
        "first_token": None,
        "model": {"p50": 25, "p95": 47.5},
        "tools": None,
    }


def test_tools_have_their_success_rates() -> None:
    failed = ToolTrace(
        name="look", arguments={}, ok=False, seconds=2, error_type="timeout", repairs=("a: b",)
    )
    found = summary(turn_trace(tools=(tool_trace(), tool_trace())), turn_trace(tools=(failed,)))
    assert found["tools"] == {
        "look": {
            "calls": 3,
            "success_rate": 0.667,
            "errors": {"timeout": 1},
            "seconds": {"p50": 0.5, "p95": 2},
        }
    }
    assert found["argument_repairs"] == 1


def test_retries_and_context_size_are_summed_up() -> None:
    log = RequestLog(retries=2, chars=900, turns_left_out=1)
    found = summary(
        turn_trace(requests=log, steps=(asked(1, 300), asked(1, 400), asked(1))),
        turn_trace(),
    )
    assert found["retries"] == 2
    assert found["context"] == {
        "prompt_tokens": {"p50": 400, "p95": 400},
        "characters": {"p50": 900, "p95": 900},
        "turns_with_history_left_out": 1,
    }


def test_last_error_stays_until_the_next() -> None:
    """It has what an administrator needs, and the id that leads to the log."""
    assert summary(turn_trace())["last_error"] is None
    error = ErrorDetail(code="timeout", message="Too long.", type="LLMTimeoutError", retryable=True)
    found = summary(turn_trace(id="7", error=error), turn_trace(id="8"))
    assert found["last_error"] == error.as_dict("7")


def test_without_turns_there_are_no_durations() -> None:
    found = summary()
    assert found["turns"] == 0
    assert found["tools"] == {}
    assert found["seconds"] == dict.fromkeys(("turn", "first_token", "model", "tools"))
