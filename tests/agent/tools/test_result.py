"""Tests of the serialization of tool results."""

import json
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.messages import canonical_json
from custom_components.chatterbox.agent.tools.result import mask_secrets, to_jsonable
from custom_components.chatterbox.agent.trimming import prune


@dataclass
class Place:
    """A place."""

    name: str
    visited: date | None = None


class Colour(Enum):
    """A colour that JSON does not know."""

    RED = 1


def circle() -> list[Any]:
    """Return a list that holds itself."""
    ring: list[Any] = [1]
    ring.append(ring)
    return ring


def strict_json(text: str) -> Any:
    """Read JSON as a strict server does."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ({"a": [1, 2.5, True, "x"]}, {"a": [1, 2.5, True, "x"]}),
        (datetime(2026, 11, 5, 14, 15, tzinfo=UTC), "2026-11-05T14:15:00+00:00"),
        ([date(2026, 11, 5), time(14, 15)], ["2026-11-05", "14:15:00"]),
        (timedelta(minutes=5), "0:05:00"),
        (Place("Utrecht", date(2026, 11, 5)), {"name": "Utrecht", "visited": "2026-11-05"}),
        (Place, "<class '" + Place.__module__ + ".Place'>"),
        ({"places": (Place("Ulm"),)}, {"places": [{"name": "Ulm", "visited": None}]}),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset({"b", "a"}), ["a", "b"]),
        ({1: "a", "b": 2}, {"1": "a", "b": 2}),
        (OrderedDict(b=Colour.RED), {"b": "Colour.RED"}),
        ([float("nan"), float("inf"), 1.5], ["nan", "inf", 1.5]),
        (b"raw", "b'raw'"),
        (circle(), [1, "…"]),
    ],
)
def test_value_is_converted_to_json(value: Any, expected: Any) -> None:
    assert to_jsonable(value) == expected


def test_json_values_are_unchanged() -> None:
    """Nothing is copied that need not be."""
    value = {"a": [1]}
    assert to_jsonable(value) is value


def test_repeated_object_is_no_cycle() -> None:
    """Only what holds itself is cut."""
    place = Place("Ulm")
    assert to_jsonable([place, place]) == [to_jsonable(place), to_jsonable(place)]


scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary(max_size=5)
    | st.datetimes()
    | st.text("x", min_size=100, max_size=700)
)
keys = st.text(max_size=5) | st.integers() | st.none() | st.booleans()
nested = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=15)
        | st.dictionaries(keys, inner, max_size=15)
        | st.tuples(inner, inner)
        | st.builds(Place, st.text(max_size=5), st.none())
        | st.lists(inner, max_size=3).map(lambda items: items * 10)
    ),
    max_leaves=25,
)


@given(nested, st.integers(200, 3000))
def test_any_result_is_short_json(value: Any, limit: int) -> None:
    """Any nesting of anything becomes valid JSON within the limit."""
    text = canonical_json(prune(value, limit, to_jsonable))
    assert len(text) <= limit
    strict_json(text)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Bearer abc.def", "Bearer ***"),
        ("Authorization: Bearer abc.def, then", "Authorization: Bearer ***, then"),
        ("authorization=Basic abc", "authorization=Basic ***"),
        ("?api_key=abc&city=Ulm", "?api_key=***&city=Ulm"),
        ("x-api-key: abc", "x-api-key: ***"),
        ("access_token=abc", "access_token=***"),
        ('{"password": "two words", "a": 1}', '{"password": ***, "a": 1}'),
        ("{'client_secret': 'abc'}", "{'client_secret': ***}"),
        ("the key is sk-abcdefgh12345", "the key is ***"),
        ("http://user:pass@host/path", "http://***@host/path"),
        ("password must have 8 characters", "password must have 8 characters"),
        ("max_tokens=5 in http://host/@here", "max_tokens=5 in http://host/@here"),
    ],
)
def test_secrets_are_masked(text: str, masked: str) -> None:
    """Keys, tokens and passwords are not shown; what only speaks of them is."""
    assert mask_secrets(text) == masked
