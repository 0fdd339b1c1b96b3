"""Tests of the state of a turn."""

from collections.abc import Iterable
from typing import Any

import pytest

from custom_components.chatterbox.agent.messages import Message, ToolResult
from custom_components.chatterbox.agent.model.provider import (
    CallCompleted,
    CompletionResult,
    TextDelta,
)
from custom_components.chatterbox.agent.turn import FinalReply, SpokenResults, Turn
from tests.agent.builders import call

ASKED = Message.user("Hello?")


def text(deltas: Iterable[TextDelta]) -> str:
    return "".join(delta.text for delta in deltas)


@pytest.mark.parametrize(
    ("spoken", "failed", "closing"),
    [
        ("", False, "Stuck."),
        ("", True, "Stuck."),
        ("So far.", True, " … Stuck."),
        ("So far.", False, " Go on?"),
        ("More? ", False, ""),
    ],
)
def test_closing_text_completes_the_words_of_the_model(
    spoken: str, closing: str, *, failed: bool
) -> None:
    reply = FinalReply(fallback_text="Stuck.", question="Go on?")
    assert reply.closing_text(spoken, failed=failed) == closing


def test_final_reply_without_a_question_adds_nothing() -> None:
    assert FinalReply(fallback_text="Stuck.").closing_text("Done.", failed=False) == ""


def test_hint_is_appended_to_the_message_of_the_user() -> None:
    turn = Turn(history=[ASKED], hint="Be quick.")
    [message] = turn.messages
    assert message == ASKED.with_suffix("Be quick.")
    assert turn.history == [ASKED]


def test_hint_behind_results_is_a_message_of_the_user_with_alternating_roles() -> None:
    turn = Turn(history=[ASKED], added=[Message.tool("1", "fine")], hint="Be quick.")
    *before, placeholder, hint = turn.messages
    assert before == [ASKED, Message.tool("1", "fine")]
    assert (placeholder.role, hint) == ("assistant", Message.user("(Be quick.)"))


@pytest.mark.parametrize(
    ("values", "choice"),
    [
        ({}, "auto"),
        ({"must_call": True}, "required"),
        ({"must_call": True, "final_reply": FinalReply(fallback_text="Stuck.")}, "none"),
    ],
)
def test_tool_choice_follows_the_state_of_the_turn(values: dict[str, Any], choice: str) -> None:
    assert Turn(history=[ASKED], **values).tool_choice == choice


def test_retry_can_require_a_call_and_discards_the_withheld_text() -> None:
    turn = Turn(history=[ASKED], withheld_text="Done!")
    turn.retry("Call it.", must_call=True, extended=False)
    assert (turn.hint, turn.must_call, turn.withheld_text) == ("Call it.", True, "")


def test_retries_do_not_count_as_steps() -> None:
    turn = Turn(history=[ASKED], iterations=3)
    turn.retry("Again.", must_call=False, extended=False)
    turn.retry(None, must_call=False, extended=True)
    assert turn.steps == 1
    assert turn.extended


def test_call_without_tools_is_not_spoken() -> None:
    turn = Turn(history=[ASKED])
    turn.begin_request()
    assert list(turn.receive(CallCompleted(call()))) == []
    assert turn.spoken_text == ""


def test_leading_white_space_is_not_spoken() -> None:
    turn = Turn(history=[ASKED])
    assert text(turn.say(" \n")) == ""
    assert text(turn.say(" Hi")) == "Hi"
    assert text(turn.say(" there")) == " there"
    assert turn.spoken_text == "Hi there"


def test_answer_to_a_command_is_withheld_until_a_tool_is_called() -> None:
    turn = Turn(history=[ASKED], is_command=lambda: True, withholds=None)
    assert text(turn.say("One moment.")) == ""
    assert turn.withheld_text == "One moment."
    result = CompletionResult(content="One moment.", tool_calls=(call(),))
    assert text(turn.complete_request(result)) == "One moment.One moment."


def test_interim_confirmation_is_spoken_with_a_space_before_the_next_text() -> None:
    turn = Turn(
        history=[ASKED], speak_results=lambda _: SpokenResults("The light is on.", final=False)
    )
    turn.begin_calls((call(),))
    turn.add_result(ToolResult(call=call(), data="on", error=False), read_only=False)
    assert text(turn.aggregate_results()) == "The light is on."
    assert turn.state_changed
    assert text(turn.say(" More.")) == " More."
