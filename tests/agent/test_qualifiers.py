"""Words that qualify a command."""

import pytest

from custom_components.chatterbox.agent.qualifiers import Qualifiers
from custom_components.chatterbox.agent.text_match import MessageText

ENGLISH = Qualifiers(
    conditions=frozenset({"if", "when"}),
    delays=frozenset({frozenset({"in", "minute"})}),
    refusals=frozenset({"no"}),
)


@pytest.mark.parametrize(
    ("text", "limited"),
    [
        ("close it if it pours", True),
        ("When she leaves, close it", True),
        ("close it in five minutes", True),
        ("close the one in the attic", False),
        ("this minute", False),
    ],
)
def test_condition_and_delay_limit_a_command(text: str, *, limited: bool) -> None:
    assert ENGLISH.limit(MessageText(text, inflects=False)) is limited


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("the kettle no the radio", [2]),
        ("no kettle and no radio", [3]),
        ("no the kettle", []),
        ("the kettle please no", []),
        ("the kettle, no, in the attic", [2]),
        ("the kettle has no lid", []),
        ("the kettle and the radio", []),
    ],
)
def test_no_between_two_names_is_a_correction(text: str, places: list[int]) -> None:
    message = MessageText(text, inflects=False)
    anchors = [span for name in ("kettle", "radio") for span in message.spans(name)]
    assert [*ENGLISH.corrections(message, anchors)] == places
