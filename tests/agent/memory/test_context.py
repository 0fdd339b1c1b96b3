"""Tests of the history of a request: repair, summary and start."""

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.memory.context import (
    build_history,
    next_start,
    repair,
    shorten_old_turns,
)
from custom_components.chatterbox.agent.messages import Message, Role
from custom_components.chatterbox.agent.trimming import size, split_turns
from tests.agent.builders import (
    HISTORIES,
    call,
    stored_call,
    stored_conversation,
    stored_result,
    stored_turn,
)
from tests.fake_openai import history_problems

ASKED = Message.user("Lights?")
CALLED = Message.assistant(None, [call("look", "a"), call("turn_on", "b")])
RESULTS = [Message.tool("a", "one"), Message.tool("b", "two")]
ANSWERED = Message.assistant("On.")
TURN = [ASKED, CALLED, *RESULTS, ANSWERED]

ids = st.sampled_from("abc")
any_message = (
    st.just(Message.system("Be brief."))
    | st.builds(Message.user, st.sampled_from(["Hi", "Go on"]))
    | st.builds(Message.assistant, st.sampled_from(["Yes.", "No."]))
    | st.builds(
        lambda made: Message.assistant(None, [call("look", one) for one in made]),
        st.lists(ids, min_size=1, max_size=3),
    )
    | st.builds(Message.tool, ids, st.sampled_from(["one", "two"]))
)
histories = st.lists(any_message, max_size=14)


def lost(message: Message) -> bool:
    """Return whether a result is marked as lost."""
    return bool(json.loads(message.content or "")["error_type"] == "lost")


def test_valid_history_is_not_repaired() -> None:
    history = [*TURN, Message.user("Thanks"), Message.assistant("Welcome.")]
    assert repair(history) == history
    assert repair([]) == []


def test_missing_result_is_marked_as_lost() -> None:
    """The model is told that it is not known what came of the call."""
    repaired = repair([ASKED, CALLED, RESULTS[1], ANSWERED])
    assert [message.role for message in repaired] == [message.role for message in TURN]
    assert repaired[2].tool_call_id == "a"
    assert lost(repaired[2])
    assert repaired[3] == RESULTS[1]


def test_results_are_moved_behind_their_calls() -> None:
    """Results stand right behind their calls, in order, once each."""
    assert repair([ASKED, RESULTS[1], CALLED, ANSWERED, RESULTS[0], RESULTS[0]]) == TURN


def test_orphaned_results_are_dropped() -> None:
    """A result without a call goes, wherever it stands."""
    assert repair([RESULTS[0], ASKED, RESULTS[0], ANSWERED]) == [ASKED, ANSWERED]


def test_turn_without_an_answer_is_dropped() -> None:
    """A question that nobody answered is asked again by the user, if it matters."""
    assert repair([Message.user("Hello?"), *TURN, Message.user("Hello?")]) == TURN
    assert repair([ASKED, RESULTS[0]]) == []


def test_interrupted_turn_ends_with_a_text() -> None:
    """Behind results the assistant says something before the user speaks again."""
    repaired = repair([*TURN[:-1], *TURN])
    assert repaired[:4] == TURN[:-1]
    assert repaired[4].role is Role.ASSISTANT
    assert repaired[4].content
    assert repaired[5:] == TURN


def test_system_messages_are_dropped() -> None:
    """There is one, and it is not the history's."""
    system = Message.system("Be brief.")
    assert repair([system, ASKED, system, ANSWERED]) == [ASKED, ANSWERED]


def test_history_begins_with_the_user() -> None:
    """Messages before the first one of the user belong to no turn."""
    assert repair([ANSWERED, CALLED, *TURN]) == TURN


def test_reused_call_ids_are_kept_apart() -> None:
    """Where a server numbers the calls of each answer anew, each keeps its own result."""
    history = [
        ASKED,
        Message.assistant(None, [call("look", "0")]),
        Message.tool("0", "first"),
        Message.assistant(None, [call("look", "0")]),
        Message.tool("0", "second"),
        ANSWERED,
    ]
    assert repair(history) == history


@given(histories)
def test_every_call_has_its_result(history: list[Message]) -> None:
    """Each call has exactly one result, right behind it."""
    rest = repair(history)
    while rest:
        message, *rest = rest
        assert message.role not in {Role.TOOL, Role.SYSTEM}
        for made in message.tool_calls:
            result, *rest = rest
            assert (result.role, result.tool_call_id) == (Role.TOOL, made.id)


@given(histories)
def test_repaired_turns_are_complete(history: list[Message]) -> None:
    """Each turn begins with the user and ends with words of the assistant."""
    for turn in split_turns(repair(history)):
        assert turn[0].role is Role.USER
        assert len(turn) > 1
        assert turn[-1].role is Role.ASSISTANT
        assert not turn[-1].tool_calls


@given(histories)
def test_repaired_history_is_in_order(history: list[Message]) -> None:
    """There is nothing left to repair."""
    repaired = repair(history)
    assert repair(repaired) == repaired


@given(histories)
def test_repaired_history_is_accepted_by_a_strict_server(history: list[Message]) -> None:
    """A server that checks everything finds nothing."""
    sent = [Message.system("Be brief."), *repair(history), Message.user("And now?")]
    assert history_problems([message.to_wire() for message in sent]) == []


SYSTEM = Message.system("You are a test.")


def wire(messages: list[Message]) -> list[dict[str, Any]]:
    return [message.to_wire() for message in messages]


@given(HISTORIES)
def test_repaired_history_is_valid(messages: list[Message]) -> None:
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


def test_history_begins_with_the_summary() -> None:
    messages = build_history(
        stored_conversation(stored_turn(0), stored_turn(1), summary="Ann likes tea."), 1
    )
    assert "Ann likes tea." in (messages[0].content or "")
    assert [message.content for message in messages[2:]] == ["Question 1", "Answer 1"]
    assert history_problems(wire([SYSTEM, *messages, Message.user("Now")])) == []


def test_turns_beyond_the_maximum_are_not_sent() -> None:
    talk = stored_conversation(*(stored_turn(n) for n in range(25)))
    assert len(build_history(talk, next_start(talk, 20))) == 40


def test_no_history_is_sent_with_a_maximum_of_zero() -> None:
    talk = stored_conversation(stored_turn(0), stored_turn(1))
    assert build_history(talk, next_start(talk, 0)) == []


@pytest.mark.parametrize("limit", [1, 2, 5, 20])
def test_start_is_kept_for_most_turns(limit: int) -> None:
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
