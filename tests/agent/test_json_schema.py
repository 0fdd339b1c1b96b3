"""Tests of reduced JSON schemas."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.json_schema import (
    allowed_types,
    first_type,
    object_schema,
    plain_object,
    plain_schema,
    strict_schema,
    without_keywords,
    without_nulls,
)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, {"type": "object", "properties": {}, "required": []}),
        (
            {"properties": None, "required": None},
            {"type": "object", "properties": {}, "required": []},
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"anyOf": [{"type": "string"}]}},
                "required": ("a",),
                "additionalProperties": False,
                "oneOf": [],
                "anyOf": [],
                "allOf": [],
            },
            {
                "type": "object",
                "properties": {"a": {"anyOf": [{"type": "string"}]}},
                "required": ["a"],
                "additionalProperties": False,
            },
        ),
    ],
)
def test_object_schema_has_no_alternatives_at_the_top(
    schema: dict[str, Any], expected: dict[str, Any]
) -> None:
    """Parameters are always an object, without alternatives at the top."""
    before = dict(schema)
    assert object_schema(schema) == expected
    assert schema == before


def test_allowed_types_are_found_in_every_notation() -> None:
    assert allowed_types({"type": ["null", "string"]}) == ["null", "string"]
    assert first_type({"type": ["null", "string"]}) == "string"
    assert allowed_types({"allOf": [{"type": "integer"}, {"type": "number"}]}) == ["integer"]
    assert allowed_types({"anyOf": [{"type": "string"}, {"type": "array"}]}) == ["string", "array"]
    assert allowed_types({"enum": ["a"]}) == ["string"]
    assert allowed_types({"enum": [1]}) == []
    assert first_type({}) is None


def test_plain_schema_has_one_type_and_common_keywords_only() -> None:
    """So that every server can make a grammar of it."""
    whole = {
        "allOf": [{"type": "integer"}, {"type": "number", "minimum": 0, "maximum": 100}],
        "description": "how much",
    }
    assert plain_schema(whole) == {"type": "integer", "minimum": 0, "maximum": 100}
    assert plain_schema({"const": 1, "title": "x"}) == {"const": 1}
    assert plain_schema({"enum": ["a"], "type": "string"}) == {"enum": ["a"]}
    assert plain_schema({}) == {"type": "string"}
    listed = {"oneOf": [{"type": "array", "items": {"type": "integer"}}]}
    assert plain_schema(listed) == {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 0,
        "maxItems": 8,
    }
    nested = {"type": "object", "properties": {"a": {"pattern": "x"}}, "required": ["a"]}
    assert plain_schema(nested) == plain_object(nested)
    assert plain_object(nested) == {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }


def test_keywords_are_removed_at_any_depth_but_not_properties_of_their_names() -> None:
    limits = {"type": "integer", "minimum": 0, "maximum": 9}
    schema = plain_object(
        {"properties": {"minimum": limits, "levels": {"type": "array", "items": limits}}}
    )
    assert without_keywords(schema, {"minimum", "maximum", "additionalProperties"}) == {
        "type": "object",
        "properties": {
            "minimum": {"type": "integer"},
            "levels": {
                "type": "array",
                "items": {"type": "integer"},
                "minItems": 0,
                "maxItems": 8,
            },
        },
        "required": [],
    }


NULL = {"type": "null"}
ITEMS = {"type": "array", "items": {"type": "string"}}
PET = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        ({"type": "string", "format": "date"}, {"type": "string"}),
        ({"const": 1}, {"const": 1}),
        ({"const": "a"}, {"type": "string", "const": "a"}),
        (ITEMS, {**ITEMS, "minItems": 0}),
        ({**ITEMS, "maxItems": 3}, {**ITEMS, "minItems": 0, "maxItems": 3}),
        (
            {"type": "array", "items": PET},
            {"type": "array", "items": {**PET, "additionalProperties": False}, "minItems": 0},
        ),
        (
            {"type": "object", "properties": {"size": {"enum": ["s", "l"]}, "pet": PET}},
            {
                "type": "object",
                "properties": {
                    "size": {"anyOf": [{"type": "string", "enum": ["s", "l"]}, NULL]},
                    "pet": {"anyOf": [{**PET, "additionalProperties": False}, NULL]},
                },
                "required": ["size", "pet"],
                "additionalProperties": False,
            },
        ),
        ({"type": "object"}, None),
        ({"type": "array", "items": {"type": "object"}}, None),
        ({"type": "object", "properties": {"more": {"type": "object"}}}, None),
    ],
)
def test_strict_schema_requires_everything(
    schema: dict[str, Any], strict: dict[str, Any] | None
) -> None:
    assert strict_schema(schema) == strict


@pytest.mark.parametrize(
    ("value", "schema", "clean"),
    [
        ({"name": None, "legs": None}, {**PET, "properties": {"legs": {}}}, {"name": None}),
        ({"legs": None}, {}, {"legs": None}),
        ([{"a": None}], {"items": {"properties": {"a": {}}}}, [{}]),
        ({"pet": {"a": None}}, {"properties": {"pet": {"properties": {"a": {}}}}}, {"pet": {}}),
        ("text", {}, "text"),
        ([None], {}, [None]),
    ],
)
def test_null_stands_for_no_optional_property(
    value: Any, schema: dict[str, Any], clean: Any
) -> None:
    assert without_nulls(value, schema) == clean
