"""Tests of reading tool arguments."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import ToolArgumentError
from custom_components.chatterbox.agent.tools.arguments import read_arguments

SCHEMA = {
    "type": "object",
    "properties": {
        "location": {"type": "string"},
        "days": {"type": "integer", "minimum": 0, "maximum": 16},
    },
}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({}, {}),
        ({"location": " Oslo "}, {"location": "Oslo"}),
        ({"location": None, "days": None}, {}),
        ({"location": "", "days": "  "}, {}),
        ({"days": 0}, {"days": 0}),
        ({"days": 16}, {"days": 16}),
        ({"days": 3.0}, {"days": 3}),
        ({"days": "3"}, {"days": 3}),
        ({"days": "3.0"}, {"days": 3}),
    ],
)
def test_arguments_are_coerced_to_their_types(
    written: dict[str, Any], read: dict[str, Any]
) -> None:
    """Nothing, null and blank are the same, and a number may come as text."""
    result = read_arguments(written, SCHEMA)

    assert result == read
    assert all(type(value) is type(read[name]) for name, value in result.items())


@pytest.mark.parametrize(
    "days", [-1, 17, 1.5, True, "three", "nan", "inf", float("inf"), 10**400, [3], {"count": 3}]
)
def test_invalid_number_is_rejected(days: Any) -> None:
    """The model is told the range."""
    with pytest.raises(ToolArgumentError, match="days must be a whole number from 0 to 16"):
        read_arguments({"days": days}, SCHEMA)


@pytest.mark.parametrize("location", [5, ["Oslo"], {"city": "Oslo"}, False])
def test_invalid_text_is_rejected(location: Any) -> None:
    """The model is told what is wanted."""
    with pytest.raises(ToolArgumentError, match="location must be text"):
        read_arguments({"location": location}, SCHEMA)


def test_unknown_argument_is_rejected() -> None:
    """The model is told which arguments there are."""
    with pytest.raises(
        ToolArgumentError, match=r"Unknown argument city, day\. Use only: location, days"
    ):
        read_arguments({"day": 1, "city": "Oslo"}, SCHEMA)
