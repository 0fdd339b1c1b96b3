"""Tests of the history that is sent to the model."""

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.context import (
    SHORTEST_RESULT,
    fit,
    history,
    next_start,
    repair,
    shorten_old_turns,
    shorten_results,
    size,
    split_turns,
)
from custom_components.chatterbox.agent.messages import Message, Role, envelope
from tests.fake_openai.history import history_problems

from .conversations import call, conversation, result, turn

SYSTEM = Message.system("You are a test.")


def wire(messages: list[Message]) -> list[dict[str, Any]]:
    return [message.to_wire() for message in messages]


# Histories as they may be found: nothing about them is right for sure.
IDS = st.sampled_from(["", "a", "b", "a_2"])
TEXTS = st.one_of(st.none(), st.sampled_from(["", "Yes.", "Error: cancelled", "x" * 300]))
CALLS = st.lists(st.builds(call, IDS), max_size=3)
MESSAGES = st.one_of(
    st.builds(Message.user, st.sampled_from(["", "Turn it on", "And now?"])),
    st.builds(Message.assistant, TEXTS, CALLS),
    st.builds(Message.tool, IDS, st.one_of(TEXTS.filter(bool), st.just('{"success":true}'))),
    st.builds(Message.system, st.just("Another one.")),
)
HISTORIES = st.lists(MESSAGES, max_size=30)


@given(HISTORIES)
def test_a_repaired_history_is_valid(messages: list[Message]) -> None:
    repaired = repair(messages)
    assert history_problems(wire([SYSTEM, *repaired, Message.user("Now")])) == []
    assert repair(repaired) == repaired


def test_a_valid_history_is_left_alone() -> None:
    messages = [
        Message.user("Rain?"),
        Message.assistant("One moment.", [call("a"), call("b")]),
        result("a"),
        result("b"),
        Message.assistant("No."),
        Message.user("Thanks"),
        Message.assistant("You are welcome."),
    ]
    assert repair(messages) == messages


def test_a_lost_result_is_told_and_an_orphan_left_out() -> None:
    repaired = repair(
        [
            Message.user("Rain?"),
            result("x"),
            Message.assistant(None, [call("a")]),
            Message.assistant("No."),
        ]
    )
    assert [message.role for message in repaired] == ["user", "assistant", "tool", "assistant"]
    assert json.loads(repaired[2].content or "")["error_type"] == "lost"


def test_interrupted_turn_gets_an_end() -> None:
    repaired = repair([Message.user("Rain?"), Message.assistant(None, [call()]), result()])
    assert repaired[-1].role is Role.ASSISTANT
    assert "interrupted" in (repaired[-1].content or "")


def test_a_silent_answer_gets_a_word() -> None:
    repaired = repair([Message.user("Light!"), Message.assistant("")])
    assert repaired[-1].content == "Done."


def test_what_home_assistant_said_of_an_error_is_left_out() -> None:
    messages = [Message.user("One"), Message.assistant("Error: TimeoutError")]
    assert repair(messages) == []


def test_two_answers_become_one() -> None:
    messages = [Message.user("One"), Message.assistant("Well."), Message.assistant("Two.")]
    assert repair(messages)[1:] == [Message.assistant("Well.\nTwo.")]


# Long results.


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
def test_a_long_result_becomes_short_and_stays_json(content: str, limit: int) -> None:
    (short,) = shorten_results([Message.tool("a", content)], limit)
    assert short.tool_call_id == "a"
    assert len(short.content or "") <= limit
    json.loads(short.content or "")


def test_a_shortened_result_is_still_a_success() -> None:
    (short,) = shorten_results([result("a", ["x" * 100] * 50)], 500)
    data = json.loads(short.content or "")
    assert data["success"] is True
    assert "more)" in data["result"][-1]


def test_a_megabyte_is_shortened() -> None:
    huge = result("a", [{"row": number, "text": "x" * 1_000} for number in range(1_000)])
    assert len(huge.content or "") > 1_000_000
    (short,) = shorten_results([huge], 2_000)
    assert len(short.content or "") <= 2_000


def test_the_results_of_old_turns_are_shortened_several_at_once() -> None:
    long = [
        turn(n, "Rain?", Message.assistant(None, [call()]), result(data=["x" * 400] * 20))
        for n in range(13)
    ]
    shortened = [
        [
            len(each.messages[1].content or "") <= 2_000
            for each in shorten_old_turns(conversation(*long[:count])).turns
        ].count(True)
        for count in range(14)
    ]
    assert shortened == [0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8]


# What is sent.


def test_the_history_begins_with_the_summary() -> None:
    messages = history(conversation(turn(0), turn(1), summary="Ann likes tea."), 1)
    assert "Ann likes tea." in (messages[0].content or "")
    assert [message.content for message in messages[2:]] == ["Question 1", "Answer 1"]
    assert history_problems(wire([SYSTEM, *messages, Message.user("Now")])) == []


def test_of_25_turns_20_are_sent() -> None:
    talk = conversation(*(turn(n) for n in range(25)))
    assert len(history(talk, next_start(talk, 20))) == 40


def test_no_history_is_sent_if_none_is_wanted() -> None:
    talk = conversation(turn(0), turn(1))
    assert history(talk, next_start(talk, 0)) == []


@pytest.mark.parametrize("limit", [1, 2, 5, 20])
def test_most_turns_leave_the_beginning_alone(limit: int) -> None:
    talk = conversation()
    starts = []
    for number in range(100):
        talk = talk.with_turn(turn(number), keep=1_000)
        talk = replace(talk, start=next_start(talk, limit))
        starts.append(talk.start)
        assert talk.count - talk.start <= limit
    changes = sum(before != after for before, after in itertools.pairwise(starts))
    assert changes <= 100 / max(1, limit // 4)


def test_turns_are_dropped_several_at_once() -> None:
    talk = conversation(*(turn(n) for n in range(20)))
    each = size(turn(10).all_messages)
    assert next_start(talk, 50, each * 30) == 0
    start = next_start(talk, 50, each * 12)
    assert 20 - start <= 9
    assert next_start(replace(talk, start=start), 50, each * 12) == start
    assert next_start(talk, 50, 0) == 20


def test_ten_thousand_turns_are_counted_from_the_first() -> None:
    talk = conversation(*(turn(n) for n in range(100)), dropped=9_900)
    assert talk.count == 10_000
    start = next_start(talk, 20)
    assert start == 9_980
    assert [m.content for m in history(talk, start)][:1] == ["Question 80"]


# Windows.


@given(HISTORIES, st.text(max_size=200), HISTORIES, st.integers(0, 5_000), st.integers(0, 3))
def test_fitted_messages_are_valid_and_within_the_budget(
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
    assert history_problems(wire(fitted.messages)) == []
    assert fitted.left_out >= min(left_out, fitted.left_out)
    if len(kept) > 1:
        assert size(fitted.messages) <= limit
    else:
        assert size(fitted.messages) <= max(
            limit, size([SYSTEM, *shorten_results(current, SHORTEST_RESULT)])
        )


def _unanswered(messages: list[Message]) -> list[Message]:
    """Return the messages of a turn without its last words, as they stand between two requests."""
    while messages and messages[-1].role is not Role.TOOL:
        messages = messages[:-1]
    return messages


def test_a_huge_result_does_not_push_out_the_history() -> None:
    messages = [
        SYSTEM,
        *history(conversation(turn(0), turn(1)), 0),
        Message.user("Rain?"),
        Message.assistant(None, [call()]),
        result(data=["x" * 1_000] * 1_000),
    ]
    fitted = fit(messages, 20_000)
    assert fitted.left_out == 0
    assert fitted.messages[:-1] == messages[:-1]
    assert len(fitted.messages[-1].content or "") <= 10_000


def test_dropped_turns_stay_dropped() -> None:
    messages = [SYSTEM, *history(conversation(*map(turn, range(10))), 0), Message.user("Now")]
    fitted = fit(messages, 800)
    assert fitted.left_out > 0
    assert size(fitted.messages) <= 800
    more = [*messages, Message.assistant(None, [call()]), result()]
    again = fit(more, 5_000, fitted.left_out)
    assert again.messages[: len(fitted.messages)] == fitted.messages
