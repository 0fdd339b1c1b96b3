"""Tests of tool calls as JSON objects."""

import pytest

from custom_components.chatterbox.agent.dialects.parsing.cursor import MalformedBlock
from custom_components.chatterbox.agent.dialects.parsing.json_call import json_call
from custom_components.chatterbox.agent.dialects.parsing.pieces import ParsedCall
from tests.agent.dialects.parsing.blocks import TYPED, assert_waits_for_rest, parse_block
from tests.agent.dialects.sample_calls import MARKED

every_form = pytest.mark.parametrize("form", ["granite 3", "granite code", "phi", "nemotron"])


@every_form
def test_block_is_parsed_and_the_text_behind_it_is_left(form: str) -> None:
    assert parse_block(f"{MARKED[form]}\nDone.") == ([TYPED], "\nDone.")


@every_form
def test_streamed_block_waits_for_its_end(form: str) -> None:
    assert_waits_for_rest(MARKED[form])


@pytest.mark.parametrize(
    "text",
    [
        "<TOOLCALL>5</TOOLCALL>",
        '<TOOLCALL>[{"arguments": {}}]</TOOLCALL>',
        '<TOOLCALL>[{"name": 5}]</TOOLCALL>',
        '<TOOLCALL>[{"name": "look", "arguments": "{broken"}]</TOOLCALL>',
        '<TOOLCALL>[{"name": "look", "arguments": [1]}]</TOOLCALL>',
        "<TOOLCALL>[]</TOOLCALLS>",
    ],
)
def test_malformed_block_is_rejected(text: str) -> None:
    with pytest.raises(MalformedBlock):
        parse_block(text)


@pytest.mark.parametrize(
    "value",
    [
        {"name": "HassTurnOn", "arguments": {"name": "Kitchen"}},
        {"name": "HassTurnOn", "parameters": {"name": "Kitchen"}},
        {"name": "HassTurnOn", "arguments": '{"name": "Kitchen"}'},
        {"type": "function", "function": {"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}},
    ],
)
def test_object_of_every_shape_is_a_call(value: object) -> None:
    assert json_call(value) == TYPED


@pytest.mark.parametrize("arguments", [None, "", {}])
def test_missing_arguments_are_empty(arguments: object) -> None:
    assert json_call({"name": "look", "arguments": arguments}) == ParsedCall("look", {})
