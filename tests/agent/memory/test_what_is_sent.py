"""History as it is sent: repair, summary, start."""

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from custom_components.chatterbox.agent.memory.context import (
    build_history,
    next_start,
    repair,
    shorten_old_turns,
)
from custom_components.chatterbox.agent.messages import Message, Role
from custom_components.chatterbox.agent.trimming import size
from tests.agent.builders import (
    HISTORIES,
    stored_call,
    stored_conversation,
    stored_result,
    stored_turn,
)
from tests.fake_openai.history import history_problems

SYSTEM = Message.system("You are a test.")


def wire(messages: list[Message]) -> list[dict[str, Any]]:
    return [message.to_wire() for message in messages]


@given(HISTORIES)
def test_a_repaired_history_is_valid(messages: list[Message]) -> None:
    repaired = repair(messages)
    assert history_problems(wire([SYSTEM, *repaired, Message.user("Now")])) == []
    assert repair(repaired) == repaired


def test_valid_history_is_unchanged() -> None:
    messages = [
        Message.user("Rain?"),
        Message.assistant("One moment.", [stored_call("a"), stored_call("b")]),
        stored_result("a"),
        stored_result("b"),
        Message.assistant("No."),
        Message.user("Thanks"),
        Message.assistant("You are welcome."),
    ]
    assert repair(messages) == messages


def test_lost_result_is_replaced_and_an_orphan_dropped() -> None:
    repaired = repair(
        [
            Message.user("Rain?"),
            stored_result("x"),
            Message.assistant(None, [stored_call("a")]),
            Message.assistant("No."),
        ]
    )
    assert [message.role for message in repaired] == ["user", "assistant", "tool", "assistant"]
    assert json.loads(repaired[2].content or "")["error_type"] == "lost"


def test_interrupted_turn_gets_an_ending() -> None:
    repaired = repair(
        [Message.user("Rain?"), Message.assistant(None, [stored_call()]), stored_result()]
    )
    assert repaired[-1].role is Role.ASSISTANT
    assert "interrupted" in (repaired[-1].content or "")


def test_empty_answer_gets_a_text() -> None:
    repaired = repair([Message.user("Light!"), Message.assistant("")])
    assert repaired[-1].content == "Done."


def test_error_text_of_home_assistant_is_dropped() -> None:
    messages = [Message.user("One"), Message.assistant("Error: TimeoutError")]
    assert repair(messages) == []


def test_consecutive_answers_are_merged() -> None:
    messages = [Message.user("One"), Message.assistant("Well."), Message.assistant("Two.")]
    assert repair(messages)[1:] == [Message.assistant("Well.\nTwo.")]


def test_results_of_old_turns_are_shortened_in_batches() -> None:
    long = [
        stored_turn(
            n,
            "Rain?",
            Message.assistant(None, [stored_call()]),
            stored_result(data=["x" * 400] * 20),
        )
        for n in range(13)
    ]
    shortened = [
        [
            len(each.messages[1].content or "") <= 2_000
            for each in shorten_old_turns(stored_conversation(*long[:count])).turns
        ].count(True)
        for count in range(14)
    ]
    assert shortened == [0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8]


def test_the_history_begins_with_the_summary() -> None:
    messages = build_history(
        stored_conversation(stored_turn(0), stored_turn(1), summary="Ann likes tea."), 1
    )
    assert "Ann likes tea." in (messages[0].content or "")
    assert [message.content for message in messages[2:]] == ["Question 1", "Answer 1"]
    assert history_problems(wire([SYSTEM, *messages, Message.user("Now")])) == []


def test_of_25_turns_20_are_sent() -> None:
    talk = stored_conversation(*(stored_turn(n) for n in range(25)))
    assert len(build_history(talk, next_start(talk, 20))) == 40


def test_no_history_is_sent_with_a_maximum_of_zero() -> None:
    talk = stored_conversation(stored_turn(0), stored_turn(1))
    assert build_history(talk, next_start(talk, 0)) == []


@pytest.mark.parametrize("limit", [1, 2, 5, 20])
def test_most_turns_keep_the_start(limit: int) -> None:
    talk = stored_conversation()
    starts = []
    for number in range(100):
        talk = talk.with_turn(stored_turn(number), keep=1_000)
        talk = replace(talk, start=next_start(talk, limit))
        starts.append(talk.start)
        assert talk.turn_count - talk.start <= limit
    changes = sum(before != after for before, after in itertools.pairwise(starts))
    assert changes <= 100 / max(1, limit // 4)


def test_turns_are_dropped_down_to_three_quarters_of_the_budget() -> None:
    talk = stored_conversation(*(stored_turn(n) for n in range(20)))
    each = size(stored_turn(10).all_messages)
    assert next_start(talk, 50, each * 30) == 0
    start = next_start(talk, 50, each * 12)
    assert 20 - start <= 9
    assert next_start(replace(talk, start=start), 50, each * 12) == start
    assert next_start(talk, 50, 0) == 20


def test_start_counts_from_the_very_first_turn() -> None:
    talk = stored_conversation(*(stored_turn(n) for n in range(100)), dropped=9_900)
    assert talk.turn_count == 10_000
    start = next_start(talk, 20)
    assert start == 9_980
    assert [m.content for m in build_history(talk, start)][:1] == ["Question 80"]
