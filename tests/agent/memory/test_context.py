"""Repair of histories."""

import json

from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.memory.context import repair
from custom_components.chatterbox.agent.messages import Message, Role
from custom_components.chatterbox.agent.trimming import split_turns
from tests.agent.builders import call
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
    """Tell whether a result says that it was lost."""
    return bool(json.loads(message.content or "")["error_type"] == "lost")


def test_valid_history_stays() -> None:
    """What is in order is not touched."""
    history = [*TURN, Message.user("Thanks"), Message.assistant("Welcome.")]
    assert repair(history) == history
    assert repair([]) == []


def test_missing_result_is_made_up() -> None:
    """The model is told that it is not known what came of the call."""
    repaired = repair([ASKED, CALLED, RESULTS[1], ANSWERED])
    assert [message.role for message in repaired] == [message.role for message in TURN]
    assert repaired[2].tool_call_id == "a"
    assert lost(repaired[2])
    assert repaired[3] == RESULTS[1]


def test_results_are_put_in_their_place() -> None:
    """Results stand right behind their calls, in order, once each."""
    assert repair([ASKED, RESULTS[1], CALLED, ANSWERED, RESULTS[0], RESULTS[0]]) == TURN


def test_orphans_are_left_out() -> None:
    """A result without a call goes, wherever it stands."""
    assert repair([RESULTS[0], ASKED, RESULTS[0], ANSWERED]) == [ASKED, ANSWERED]


def test_turn_without_an_answer_is_left_out() -> None:
    """A question that nobody answered is asked again by the user, if it matters."""
    assert repair([Message.user("Hello?"), *TURN, Message.user("Hello?")]) == TURN
    assert repair([ASKED, RESULTS[0]]) == []


def test_turn_that_was_broken_off_ends_with_words() -> None:
    """Behind results the assistant says something before the user speaks again."""
    repaired = repair([*TURN[:-1], *TURN])
    assert repaired[:4] == TURN[:-1]
    assert repaired[4].role is Role.ASSISTANT
    assert repaired[4].content
    assert repaired[5:] == TURN


def test_system_messages_are_left_out() -> None:
    """There is one, and it is not the history's."""
    system = Message.system("Be brief.")
    assert repair([system, ASKED, system, ANSWERED]) == [ASKED, ANSWERED]


def test_history_begins_with_the_user() -> None:
    """What stands before the first message of the user is of no turn."""
    assert repair([ANSWERED, CALLED, *TURN]) == TURN


def test_ids_that_are_used_again() -> None:
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
    """Whatever a history holds: each call has one result right behind it, and no other is there."""
    rest = repair(history)
    while rest:
        message, *rest = rest
        assert message.role not in {Role.TOOL, Role.SYSTEM}
        for made in message.tool_calls:
            result, *rest = rest
            assert (result.role, result.tool_call_id) == (Role.TOOL, made.id)


@given(histories)
def test_turns_are_whole(history: list[Message]) -> None:
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
def test_strict_server_accepts_it(history: list[Message]) -> None:
    """A server that checks everything finds nothing."""
    sent = [Message.system("Be brief."), *repair(history), Message.user("And now?")]
    assert history_problems([message.to_wire() for message in sent]) == []
