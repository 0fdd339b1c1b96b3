"""Tests of calls that a model speaks of instead of making them."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.dialects.dialect import Plain
from custom_components.chatterbox.agent.dialects.formats.prose import calls_in_prose
from custom_components.chatterbox.agent.dialects.reader import AnswerReader
from custom_components.chatterbox.agent.dialects.repair import Repairer
from custom_components.chatterbox.agent.provider import Completed, CompletionResult, TextDelta

from .reading import TOOLS

ON = ("intent__HassTurnOn", {"name": "Bed Light"})


def calls(text: str, *, prose: bool = True, reason: str = "stop") -> list[tuple[str, Any]]:
    """Return the calls that are made of a text."""
    reader = AnswerReader(Plain(), Repairer(TOOLS), prose=prose)
    list(reader.take(TextDelta(text)))
    [end] = reader.take(Completed(CompletionResult(finish_reason=reason)))
    assert isinstance(end, Completed)
    return [(call.name, call.arguments) for call in end.result.tool_calls]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ('You would call the intent__HassTurnOn tool with {"name": "Bed Light"}.', [ON]),
        ('Use the `HassTurnOn` tool with the arguments `{"name": "Bed Light"}`.', [ON]),
        ('Call intent__HassTurnOn with name="Bed Light".', [ON]),
        (
            """Call light__HassLightSet with name="Bed Light" and brightness=10, and
            intent__HassTurnOn with {"name": "Bed Light"}.""",
            [("light__HassLightSet", {"name": "Bed Light", "brightness": 10}), ON],
        ),
        ("I will use the get_weather tool.", []),
        ("The intent__HassTurnOn tool takes {broken]}.", []),
        ('It is {"name": "Bed Light"}.', []),
    ],
)
def test_what_is_named_with_its_arguments_is_called(text: str, made: Any) -> None:
    """A model that explains what could be done was asked to do it."""
    assert calls(text) == made


def test_only_where_it_is_wanted_and_whole() -> None:
    """Somebody may have asked how it works; and nobody knows what was cut off."""
    text = 'You would call the intent__HassTurnOn tool with {"name": "Bed Light"}.'
    assert calls(text, prose=False) == []
    assert list(calls_in_prose(text, ["goodnight"])) == []
    assert calls(text, reason="length") == []
