"""Tests of schemas made plain."""

from dataclasses import replace

from custom_components.chatterbox.agent.dialects.schemas import (
    allowed_types,
    compact_tool,
    first_type,
    plain_object,
    plain_schema,
)

from .reading import tool


def test_the_types_of_a_schema_are_found() -> None:
    """However it says them."""
    assert allowed_types({"type": ["null", "string"]}) == ["null", "string"]
    assert first_type({"type": ["null", "string"]}) == "string"
    assert allowed_types({"allOf": [{"type": "integer"}, {"type": "number"}]}) == ["integer"]
    assert allowed_types({"anyOf": [{"type": "string"}, {"type": "array"}]}) == ["string", "array"]
    assert allowed_types({"enum": ["a"]}) == ["string"]
    assert allowed_types({"enum": [1]}) == []
    assert first_type({}) is None


def test_a_plain_schema_has_one_type_and_nothing_special() -> None:
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


def test_a_compact_tool_is_short() -> None:
    """The first sentence, what is needed first, and nothing that is seldom used."""
    long = replace(
        tool("a", ["level"], area="string", name="string", level="integer", device_class="string"),
        description="Does something with a thing. And a lot more\nthat is to be known. " * 3,
    )
    short = compact_tool(long)
    assert short.description == "Does something with a thing."
    assert list(short.parameters["properties"]) == ["name", "level", "area"]
    assert len(compact_tool(replace(long, description="x" * 500)).description) < 200
    assert compact_tool(replace(long, description="Short")).description == "Short"
