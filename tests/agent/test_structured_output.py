"""Answers that are JSON of a schema."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.structured_output import (
    StructuredOutput,
    StructuredOutputProvider,
)
from tests.agent.builders import request, tool
from tests.agent.fake_provider import Answer, ScriptedProvider

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Name of the animal"},
        "legs": {"type": "number", "minimum": 0},
    },
    "required": ["name"],
}


def validate(data: Any) -> None:
    if not isinstance(data, dict) or "name" not in data:
        raise ValueError("name is missing")


STRUCTURE = StructuredOutput(SCHEMA, validate)


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "cat", "legs": 4}',
        ' {"name": "cat", "legs": 4}\n',
        '```json\n{"name": "cat", "legs": 4}\n```',
        '```\n{"name": "cat", "legs": 4}```',
    ],
)
def test_data_are_the_whole_answer_or_its_only_code_fence(text: str) -> None:
    assert STRUCTURE.parse(text) == {"name": "cat", "legs": 4}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A cat.",
        'Here you are: {"name": "cat"}',
        '{"name": "cat"',
        "```",
        '{"legs": 4}',
        "[]",
    ],
)
def test_anything_else_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of JSON, or of the validation
        STRUCTURE.parse(text)


def test_optional_property_may_be_null() -> None:
    """The strict mode requires every property."""
    assert STRUCTURE.parse('{"name": "cat", "legs": null}') == {"name": "cat"}
    assert STRUCTURE.response_format == {
        "type": "json_schema",
        "json_schema": {
            "name": "answer",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "legs": {"anyOf": [{"type": "number", "minimum": 0}, {"type": "null"}]},
                },
                "required": ["name", "legs"],
                "additionalProperties": False,
            },
        },
    }


@pytest.mark.parametrize("levels", [5_000, 100_000])
def test_answer_that_is_nested_too_deeply_is_not_valid(levels: int) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        STRUCTURE.parse("[" * levels + "]" * levels)


def test_open_object_is_requested_as_any_json() -> None:
    schema = {"type": "object", "properties": {"more": {"type": "object"}}}
    assert StructuredOutput(schema, validate).response_format == {"type": "json_object"}


def test_instructions_have_the_descriptions() -> None:
    assert "Name of the animal" in STRUCTURE.instructions


def test_correction_has_the_error() -> None:
    text = STRUCTURE.correction(ValueError("name is missing"))
    assert "name is missing" in text
    assert STRUCTURE.instructions in text


async def test_only_requests_without_tools_have_the_format() -> None:
    scripted = ScriptedProvider(Answer("{}"))
    provider = StructuredOutputProvider(scripted, STRUCTURE.response_format)
    await provider.complete(request([Message.user("A cat")]))
    await provider.complete(request([Message.user("A cat")], [tool("look")]))
    formats = [asked.response_format for asked in scripted.asked]
    assert formats == [STRUCTURE.response_format, None]
