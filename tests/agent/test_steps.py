"""Tests of the state machine."""

from collections.abc import Sequence
from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import LLMConnectionError
from custom_components.chatterbox.agent.events import LoopOutcome, LoopState
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.loop_settings import LoopSettings, OnLimit, Phrases
from custom_components.chatterbox.agent.messages import Message, ToolResult
from custom_components.chatterbox.agent.model.provider import CompletionResult
from custom_components.chatterbox.agent.retry_budget import RetryBudget
from custom_components.chatterbox.agent.steps import (
    Answer,
    AskModel,
    CallTools,
    Finalize,
    Retry,
    Step,
    finish_warning,
    next_step,
)
from custom_components.chatterbox.agent.tools.confirmation import CONFIRMATION_NEEDED
from custom_components.chatterbox.agent.turn import FinalReply, SpokenResults, Turn
from tests.agent import fake_provider, state_diagram
from tests.agent.builders import call
from tests.agent.fake_provider import ScriptedProvider, calls
from tests.agent.fake_tools import WRITES, fake_tool, guarded
from tests.agent.turns import collect, states

PHRASES = Phrases()
NOW = 1000.0
SETTINGS = LoopSettings(max_iterations=2)
REPLY = FinalReply(hint="Stop.", fallback_text="Stuck.", question="Go on?")
CUT_OFF = f" … {PHRASES.cut_off}"


def spent(**values: Any) -> RetryBudget:
    budget = RetryBudget(**values)
    budget.use()
    budget.use()
    return budget


def step_of(
    turn: Turn, settings: LoopSettings = SETTINGS, now: float = NOW, *, has_tools: bool = True
) -> Step:
    """Return the next step of a turn, which stays as it is."""
    before = deepcopy(turn)
    step = next_step(turn, settings, PHRASES, now=now, has_tools=has_tools)
    assert turn == before
    return step


def turn_in(state: LoopState, **values: Any) -> Turn:
    return Turn(
        history=[Message.user("Hello?")], state=state, started=NOW, state_since=NOW, **values
    )


# The input.


@pytest.mark.parametrize(
    ("confirmed", "has_tools", "step"),
    [
        ((), True, AskModel()),
        ((call("unlock"), call("open")), True, CallTools((call("unlock"), call("open")))),
        ((call("unlock"),), False, AskModel()),
    ],
)
def test_confirmed_calls_precede_the_first_request(
    confirmed: Any,
    has_tools: bool,  # noqa: FBT001 - a parameter of the test
    step: Step,
) -> None:
    turn = turn_in(LoopState.RECEIVE_INPUT, confirmed_calls=confirmed)
    assert step_of(turn, has_tools=has_tools) == step


# An answer.


@pytest.mark.parametrize(
    ("result", "step", "warning"),
    [
        (CompletionResult(content="Hi."), Answer(), None),
        (CompletionResult(tool_calls=(call(),)), CallTools((call(),)), None),
        (
            CompletionResult(tool_calls=(call(),), finish_reason="tool_calls"),
            CallTools((call(),)),
            None,
        ),
        (
            CompletionResult(tool_calls=(call(),), finish_reason="length"),
            CallTools((call(),)),
            None,
        ),
        (
            CompletionResult(content="Hi.", finish_reason="tool_calls"),
            Answer(),
            "announced tool calls and made none",
        ),
        (
            CompletionResult(content="Hi.", finish_reason="weird"),
            Answer(),
            "stopped with the reason unknown",
        ),
        (
            CompletionResult(content="Hi.", finish_reason="length"),
            Answer(CUT_OFF),
            "stopped with the reason length",
        ),
    ],
)
def test_calls_are_made_whatever_the_finish_reason(
    result: CompletionResult, step: Step, warning: str | None
) -> None:
    turn = turn_in(LoopState.TOOL_DECISION, last=result, spoken_text=result.content or "")
    assert step_of(turn) == step
    assert finish_warning(result) == warning


@pytest.mark.parametrize(
    ("values", "finish_reason", "step"),
    [
        ({}, "stop", Retry),
        ({}, "tool_calls", Retry),
        ({"spoken_text": " \n"}, "stop", Retry),
        ({"withheld_text": "Done!"}, "stop", Retry),
        ({"retries": spent()}, "stop", Answer(PHRASES.no_answer)),
        ({}, "length", Retry),
        ({"extended": True}, "length", Answer(PHRASES.cut_off)),
        ({}, "content_filter", Answer(PHRASES.refused)),
        ({"state_changed": True}, "stop", Answer(PHRASES.done)),
        ({"state_changed": True}, "length", Answer(PHRASES.done)),
        ({"state_changed": True}, "content_filter", Answer(PHRASES.refused)),
        ({"must_call": True}, "stop", Answer(PHRASES.not_done)),
        ({"must_call": True, "withheld_text": "Done!"}, "stop", Answer(PHRASES.not_done)),
    ],
)
def test_unusable_answer_is_retried_or_replaced(
    values: dict[str, Any], finish_reason: str, step: Any
) -> None:
    last = CompletionResult(finish_reason=finish_reason)
    found = step_of(turn_in(LoopState.TOOL_DECISION, last=last, **values))
    if step is Retry:
        assert isinstance(found, Retry)
        assert found.must_call is ("withheld_text" in values)
    else:
        assert found == step


def test_call_without_tools_is_retried_within_the_budget() -> None:
    last = CompletionResult(tool_calls=(call(),))
    turn = turn_in(LoopState.TOOL_DECISION, last=last)
    assert isinstance(step_of(turn, has_tools=False), Retry)
    turn.retries = spent()
    assert step_of(turn, has_tools=False) == Answer(PHRASES.no_answer)


# Results.

CONFIRM = ToolResult.failure(call(), "ask first", CONFIRMATION_NEEDED)


@pytest.mark.parametrize(
    ("values", "seconds", "fallback_text"),
    [
        ({"latest_results": [CONFIRM], "retries": RetryBudget(blocked=True)}, 0, PHRASES.confirm),
        ({"retries": RetryBudget(blocked=True)}, 95, PHRASES.stuck),
        ({"iterations": 2}, 95, PHRASES.time_up),
        ({"iterations": 2}, 0, PHRASES.limit_ask.format(limit=2)),
        (
            {"iterations": 2, "spoken_results": SpokenResults("On.", final=False)},
            0,
            PHRASES.limit_ask.format(limit=2),
        ),
    ],
    ids=["confirmation", "blocked", "time", "limit", "interim confirmation"],
)
def test_final_reply_is_requested_when_due(
    values: dict[str, Any], seconds: float, fallback_text: str
) -> None:
    turn = turn_in(LoopState.RESULT_AGGREGATION, **values)
    step = step_of(turn, now=NOW + seconds)
    assert isinstance(step, Finalize)
    assert step.reply.hint
    assert step.reply.fallback_text == fallback_text
    late = step_of(turn, now=NOW + SETTINGS.turn_timeout)
    assert isinstance(late, Answer)


@pytest.mark.parametrize("values", [{}, {"iterations": 4, "retries": spent(used=1)}])
def test_model_is_requested_while_steps_are_left(values: dict[str, Any]) -> None:
    assert step_of(turn_in(LoopState.RESULT_AGGREGATION, **values)) == AskModel()


def test_call_that_still_runs_is_promised_without_a_request() -> None:
    turn = turn_in(
        LoopState.RESULT_AGGREGATION, latest_results=[ToolResult.unfinished(call("saw"))]
    )
    assert step_of(turn) == Answer(PHRASES.later)


def test_other_results_are_told_before_the_promise() -> None:
    results = [ToolResult.unfinished(call("saw")), ToolResult(call=call(), data="fine")]
    step = step_of(turn_in(LoopState.RESULT_AGGREGATION, latest_results=results))
    assert isinstance(step, Finalize)
    assert "still running" in step.reply.hint
    assert step.reply.closing_text("It is noon.", failed=False) == f" {PHRASES.later}"


def test_limit_with_stop_needs_no_request() -> None:
    turn = turn_in(LoopState.RESULT_AGGREGATION, iterations=1)
    step = step_of(turn, LoopSettings(max_iterations=1, on_limit=OnLimit.STOP))
    assert step == Answer(PHRASES.limit_stop.format(limit=1), LoopOutcome.LIMIT)


def test_final_confirmation_takes_precedence() -> None:
    spoken = SpokenResults("Turned on.", final=True)
    turn = turn_in(
        LoopState.RESULT_AGGREGATION,
        spoken_results=spoken,
        latest_results=[CONFIRM],
        retries=RetryBudget(blocked=True),
        iterations=9,
    )
    assert step_of(turn, now=NOW + 500) == Answer("Turned on.")


@pytest.mark.parametrize(
    ("spoken", "failed", "closing_text"),
    [
        ("", False, "Stuck."),
        ("", True, "Stuck."),
        ("So", True, " … Stuck."),
        ("So.", False, " Go on?"),
        ("So?\n", False, ""),
    ],
)
def test_turn_ends_after_the_final_reply(
    spoken: str,
    failed: bool,  # noqa: FBT001 - a parameter of the test
    closing_text: str,
) -> None:
    turn = turn_in(
        LoopState.LLM_INFERENCE,
        final_reply=REPLY,
        spoken_text=spoken,
        request_failed=failed,
        last=CompletionResult(tool_calls=(call(),)),
    )
    assert step_of(turn) == Answer(closing_text)


# The transitions.

SCENARIOS: dict[str, tuple[Sequence[fake_provider.Answer], dict[str, Any]]] = {
    "plain answer": ([fake_provider.Answer("Hi.")], {}),
    "tool": ([calls("look"), fake_provider.Answer("Hi.")], {}),
    "empty answer": ([fake_provider.Answer()], {}),
    "command without a call": ([fake_provider.Answer("Done!")], {"is_command": lambda: True}),
    "confirmed call": (
        [fake_provider.Answer("It is open.")],
        {"confirmed_calls": [call("unlock")]},
    ),
    "limit": ([calls("look")], {}),
    "final confirmation": (
        [calls("look")],
        {"speak_results": lambda _: SpokenResults("On.", final=True)},
    ),
    "failed final reply": (
        [calls("look"), calls("look"), fake_provider.Answer(error=LLMConnectionError("gone"))],
        {},
    ),
}


async def test_transitions_match_the_documented_diagram() -> None:
    seen = set()
    for answers, options in SCENARIOS.values():
        loop = AgenticLoop(ScriptedProvider(*answers), SETTINGS)
        tools = guarded(fake_tool(), fake_tool("unlock", annotations=WRITES))
        events = await collect(loop.stream("Go", [], tools, **options))
        seen |= {*pairwise(states(events))}
    assert seen == state_diagram.transitions()
