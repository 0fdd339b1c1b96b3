"""Tests of trimming messages to a budget."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.memory.context import build_history, repair
from custom_components.chatterbox.agent.messages import Message, Role, envelope
from custom_components.chatterbox.agent.trimming import (
    MIN_RESULT_CHARS,
    fit,
    prune,
    shorten_results,
    size,
    split_turns,
    turns_to_drop,
)
from tests.agent.builders import (
    HISTORIES,
    stored_call,
    stored_conversation,
    stored_result,
    stored_turn,
)
from tests.fake_openai.history import history_problems

SYSTEM = Message.system("You are a test.")


@pytest.mark.parametrize(
    "content",
    [
        envelope({"days": [{"n": n, "text": "sunny " * 50} for n in range(500)]}, error=False),
        envelope({"error": "x" * 5_000}, error=True),
        "no JSON at all " * 500,
        json.dumps(["x" * 100] * 500),
        json.dumps({"result": 1, "around": "x" * 5_000}),
    ],
    ids=["result", "error", "text", "list", "around"],
)
@pytest.mark.parametrize("limit", [64, 500, 2_000])
def test_long_result_is_shortened_to_valid_json(content: str, limit: int) -> None:
    (short,) = shorten_results([Message.tool("a", content)], limit)
    assert short.tool_call_id == "a"
    assert len(short.content or "") <= limit
    json.loads(short.content or "")


def test_shortened_result_keeps_its_success() -> None:
    (short,) = shorten_results([stored_result("a", ["x" * 100] * 50)], 500)
    data = json.loads(short.content or "")
    assert data["success"] is True
    assert "more)" in data["result"][-1]


def test_result_of_a_megabyte_is_shortened() -> None:
    huge = stored_result("a", [{"row": number, "text": "x" * 1_000} for number in range(1_000)])
    assert len(huge.content or "") > 1_000_000
    (short,) = shorten_results([huge], 2_000)
    assert len(short.content or "") <= 2_000


@given(HISTORIES, st.text(max_size=200), HISTORIES, st.integers(0, 5_000), st.integers(0, 3))
def test_fitted_messages_are_valid_and_within_the_limit(
    before: list[Message], asked: str, since: list[Message], limit: int, left_out: int
) -> None:
    """An interrupted turn counts as well: what its tools returned so far is part of it."""
    running = repair([Message.user("Now"), *(m for m in since if m.role is not Role.USER)])
    current = [Message.user(f"Now {asked}"), *_unanswered(running[1:])]
    messages = [SYSTEM, *repair(before), *current]
    fitted = fit(messages, limit, left_out)
    assert fitted.messages[0] == SYSTEM
    kept = split_turns(fitted.messages[1:])
    assert kept[-1][0] == current[0]
    assert [m.role for m in kept[-1]] == [m.role for m in current]
    assert history_problems([message.to_wire() for message in fitted.messages]) == []
    assert fitted.left_out >= min(left_out, fitted.left_out)
    if len(kept) > 1:
        assert size(fitted.messages) <= limit
    else:
        assert size(fitted.messages) <= max(
            limit, size([SYSTEM, *shorten_results(current, MIN_RESULT_CHARS)])
        )


def _unanswered(messages: list[Message]) -> list[Message]:
    """Return the messages of a turn without its last words, as they stand between two requests."""
    while messages and messages[-1].role is not Role.TOOL:
        messages = messages[:-1]
    return messages


def test_huge_result_does_not_displace_the_history() -> None:
    messages = [
        SYSTEM,
        *build_history(stored_conversation(stored_turn(0), stored_turn(1)), 0),
        Message.user("Rain?"),
        Message.assistant(None, [stored_call()]),
        stored_result(data=["x" * 1_000] * 1_000),
    ]
    fitted = fit(messages, 20_000)
    assert fitted.left_out == 0
    assert fitted.messages[:-1] == messages[:-1]
    assert len(fitted.messages[-1].content or "") <= 10_000


def test_results_of_the_current_turn_are_shortened_until_they_fit() -> None:
    calls = [stored_call(f"call_{number}") for number in range(20)]
    results = [stored_result(each.id, "x" * 10_000) for each in calls]
    messages = [SYSTEM, Message.user("Rain?"), Message.assistant(None, calls), *results]
    fitted = fit(messages, 10_000)
    assert size([*messages[:3], *shorten_results(results, 5_000)]) > 10_000
    assert size(fitted.messages) <= 10_000
    assert [message.role for message in fitted.messages] == [each.role for each in messages]


def test_dropped_turns_stay_dropped() -> None:
    messages = [
        SYSTEM,
        *build_history(stored_conversation(*map(stored_turn, range(10))), 0),
        Message.user("Now"),
    ]
    fitted = fit(messages, 800)
    assert fitted.left_out > 0
    assert size(fitted.messages) <= 800
    more = [*messages, Message.assistant(None, [stored_call()]), stored_result()]
    again = fit(more, 5_000, fitted.left_out)
    assert again.messages[: len(fitted.messages)] == fitted.messages


@pytest.mark.parametrize(
    ("count", "max_turns", "dropped"),
    [(20, 20, 0), (21, 20, 5), (26, 20, 10), (4, 3, 1), (3, 0, 3), (0, 20, 0)],
)
def test_excess_turns_are_dropped_in_steps_of_a_quarter(
    count: int, max_turns: int, dropped: int
) -> None:
    turns = [stored_turn(number).all_messages for number in range(count)]
    assert turns_to_drop(turns, max_turns) == dropped


@pytest.mark.parametrize(("budget", "dropped"), [(10, 0), (9, 4), (0, 10), (-1, 10)])
def test_turns_over_the_budget_are_dropped_down_to_three_quarters(
    budget: int, dropped: int
) -> None:
    turns = [stored_turn().all_messages] * 10
    assert turns_to_drop(turns, 20, budget * size(turns[0])) == dropped


@pytest.mark.parametrize(
    ("value", "limit", "expected"),
    [
        ("x" * 500, 600, "x" * 500),
        ("x" * 700, 600, "x" * 500 + "… (200 more characters)"),
        (list(range(40)), 60, [*range(10), "… (30 more)"]),
        ({"rows": list(range(100))}, 100, {"rows": [*range(10), "… (90 more)"]}),
        (
            {"number": 5, "text": "x" * 600, "rows": ["y" * 600]},
            700,
            {
                "number": 5,
                "text": "x" * 250 + "… (350 more characters)",
                "rows": ["y" * 250 + "… (350 more characters)"],
            },
        ),
        (
            {f"key{number:03}": number for number in range(150)},
            1500,
            {f"key{number:03}": number for number in range(100)} | {"…": "50 more"},
        ),
        ({"x" * 300: 1}, 200, {f"{'x' * 125}…": 1}),
        ({"x" * 300: 1}, 50, "too long"),
    ],
)
def test_long_value_is_pruned_to_the_limit(value: Any, limit: int, expected: Any) -> None:
    """Long texts and lists are shortened as far as needed; what is left out is told."""
    assert prune(value, limit) == expected


def test_short_value_is_not_pruned() -> None:
    """The same object is returned."""
    value = {"a": list(range(30))}
    assert prune(value, 10_000) is value
