"""Clauses that report what is the case, and clauses that command."""

from dataclasses import replace

import pytest

from custom_components.chatterbox.agent.directions import Directions
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.questions import Questions
from tests.agent.builders import entity

TURN = Directions(
    on=frozenset({frozenset({"turn", "on"}), frozenset({"on"})}),
    off=frozenset({frozenset({"turn", "off"}), frozenset({"off"})}),
)
ENGLISH = HomeVocabulary(
    entities=(entity("Lamp", "light"), entity("Radio", "media_player")),
    directions={("light", "turn"): TURN, ("media_player", "turn"): TURN},
    questions=Questions(
        copulas=frozenset({"is"}),
        states=frozenset({"on", "off"}),
        polite=frozenset({("please",)}),
    ),
    inflects=False,
)


@pytest.mark.parametrize(
    ("text", "described"),
    [
        ("the lamp is on", True),
        ("the lamp is too bright", True),
        ("is the lamp on", True),
        # A command has no copula, or begins with its verb.
        ("lamp on", False),
        ("please turn on the lamp that is off", False),
        ("is it fine to turn the lamp on", False),
        # Another clause commands.
        ("the lamp is on, turn it off", False),
        ("it is late, the lamp please", False),
    ],
)
def test_clause_with_a_copula_describes_a_device(text: str, *, described: bool) -> None:
    assert ("light" in ENGLISH.mentions(text).described) is described


def test_language_without_copulas_describes_nothing() -> None:
    home = replace(ENGLISH, questions=Questions())
    assert not home.mentions("the lamp is on").described


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("the lamp is on, turn it off", {False}),
        ("turn it on, the lamp is off", {True}),
        ("the lamp is on", {True}),
    ],
)
def test_report_states_no_direction_beside_a_command(text: str, stated: set[bool]) -> None:
    assert ENGLISH.mentions(text).directions["light", "turn"] == stated
