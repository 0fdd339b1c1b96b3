"""Tests of the matching of values against schemas."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.dialects.guided.schema_match import matches, only_value
from custom_components.chatterbox.agent.json_schema import object_of, plain_schema

STRING, INTEGER, NUMBER = ({"type": kind} for kind in ("string", "integer", "number"))
PERCENT = {"type": "integer", "minimum": 0, "maximum": 100}
NAMES = {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 2}
ACTION = object_of({"verb": {"const": "lock"}, "device": {"enum": ["Front Door"]}})
OPTIONAL = {
    "type": "object",
    "properties": {"minutes": INTEGER, "name": STRING},
    "required": ["minutes"],
}


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ("", STRING),
        ("x", {"anyOf": [INTEGER, STRING]}),
        ("home", {"const": "home"}),
        (50.0, {"enum": [20, 50]}),
        (True, {"enum": [True]}),
        (False, {"type": "boolean"}),
        (10**400, INTEGER),
        (3.0, INTEGER),
        (0, PERCENT),
        (100, PERCENT),
        (2.5, NUMBER),
        (-2, NUMBER),
        (["a"], NAMES),
        (["b", "b"], NAMES),
        (["b"], {**NAMES, "minItems": 2}),
        ({"verb": "lock", "device": "Front Door"}, ACTION),
        ({"device": "Front Door", "verb": "lock"}, ACTION),
        ({"minutes": 5}, OPTIONAL),
        ({"minutes": 5, "name": "Tea"}, OPTIONAL),
    ],
)
def test_allowed_value_matches(value: Any, schema: dict[str, Any]) -> None:
    assert matches(value, schema)


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (1, STRING),
        (None, STRING),
        (None, {"anyOf": [INTEGER, STRING]}),
        ("Home", {"const": "home"}),
        (True, {"const": 1}),
        (1, {"enum": [True]}),
        (30, {"enum": [20, 50]}),
        (0, {"type": "boolean"}),
        (True, INTEGER),
        ("3", INTEGER),
        (2.5, INTEGER),
        (float("inf"), INTEGER),
        (float("nan"), NUMBER),
        (float("inf"), NUMBER),
        (True, NUMBER),
        (-1, PERCENT),
        (101, PERCENT),
        ("a", NAMES),
        ([], NAMES),
        ([], {**NAMES, "minItems": 2}),
        (["a", "b", "a"], NAMES),
        (["a", "c"], NAMES),
        ([], ACTION),
        ({"verb": "lock"}, ACTION),
        ({"verb": "unlock", "device": "Front Door"}, ACTION),
        ({"verb": "lock", "device": "Back Door"}, ACTION),
        ({"verb": "lock", "device": "Front Door", "code": "1234"}, ACTION),
        ({"name": "Tea"}, OPTIONAL),
        ("x", {"type": "unheard of"}),
        ("x", {}),
    ],
)
def test_other_value_does_not_match(value: Any, schema: dict[str, Any]) -> None:
    assert not matches(value, schema)


ACTION = {
    "type": "object",
    "properties": {"verb": {"enum": ["lock"]}, "device": {"const": "Door"}},
    "required": ["verb", "device"],
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (ACTION, {"verb": "lock", "device": "Door"}),
        ({"anyOf": [ACTION]}, {"verb": "lock", "device": "Door"}),
        (
            {"type": "array", "items": ACTION, "minItems": 1, "maxItems": 2},
            [{"verb": "lock", "device": "Door"}],
        ),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, None),
        ({"enum": ["lock", "unlock"]}, None),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, None),
        ({"type": "object", "properties": {"answer": {"type": "string"}}}, None),
        ({"type": "boolean"}, None),
        ({}, None),
    ],
)
def test_only_value_is_that_of_a_schema_without_a_choice(
    schema: dict[str, Any], value: Any
) -> None:
    assert only_value(schema) == value


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(value=json_values, schema=st.dictionaries(st.text(), json_values))
def test_every_constant_matches_itself_alone(value: Any, schema: dict[str, Any]) -> None:
    # A number that is none is not equal to itself.
    assert matches(value, {"const": value}) == (value == value)  # noqa: PLR0124
    assert not matches([value], {"const": value})
    assert isinstance(matches(value, plain_schema({"enum": [schema]})), bool)
