"""Questions and commands by their form."""

import pytest

from custom_components.chatterbox.agent.questions import Questions
from custom_components.chatterbox.agent.text_match import MessageText

ENGLISH = Questions(
    asked=frozenset({"is", "what"}),
    commanded=frozenset({"open", "turn"}),
    polite=frozenset({("please",), ("could", "you"), ()}),
    states=frozenset({"locked"}),
    queried=frozenset({"still"}),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("is it open", True),
        ("open it", False),
        ("could you please open it?", False),
        ("it is dark, could you open it?", False),
        ("could you check it?", None),
        ("could it be off?", None),
        ("could it be locked?", True),
        ("could you see it locked?", None),
        ("did you do it?", True),
        ("did I leave the door locked", None),
        ("the lamp still", None),
        ("blinds up", False),
        ("please", False),
    ],
)
def test_form_of_a_message_tells_a_question(text: str, *, expected: bool | None) -> None:
    message = MessageText(text, inflects=False)
    assert ENGLISH.is_question(message, is_directed=False) is expected


def test_stated_direction_makes_a_name_of_a_state_a_command() -> None:
    message = MessageText("I want it locked up", inflects=False)
    assert ENGLISH.is_question(message, is_directed=True) is False


def test_language_without_words_for_questions_does_not_tell() -> None:
    message = MessageText("is it open?", inflects=False)
    assert Questions().is_question(message, is_directed=False) is None


def test_question_may_end_in_the_name_of_a_state() -> None:
    questions = Questions(states=frozenset({"on"}))
    assert questions.ends_in_state(MessageText("is it on", inflects=False))
    assert not questions.ends_in_state(MessageText("was it on the moon", inflects=False))
    assert not questions.ends_in_state(MessageText("", inflects=False))
