"""Tests of tool calls of Kimi K2."""

import pytest

from custom_components.chatterbox.agent.dialects.parsing.cursor import MalformedBlock
from tests.agent.dialects.parsing.blocks import TYPED, assert_waits_for_rest, parse_block
from tests.agent.dialects.sample_calls import MARKED

every_form = pytest.mark.parametrize("form", ["kimi 2"])


@every_form
def test_block_is_parsed_and_the_text_behind_it_is_left(form: str) -> None:
    assert parse_block(f"{MARKED[form]}\nDone.") == ([TYPED], "\nDone.")


@every_form
def test_streamed_block_waits_for_its_end(form: str) -> None:
    assert_waits_for_rest(MARKED[form])


@pytest.mark.parametrize(
    "text",
    [
        "<|tool_calls_section_begin|><|tool_calls_section_end|>",
        "<|tool_calls_section_begin|>functions.HassTurnOn:0",
        "<|tool_calls_section_begin|><|tool_call_begin|>HassTurnOn:0<|tool_call_argument_begin|>Kitchen<|tool_call_end|>",
    ],
)
def test_malformed_block_is_rejected(text: str) -> None:
    with pytest.raises(MalformedBlock):
        parse_block(text)


def test_name_without_namespace_and_index_is_parsed() -> None:
    text = MARKED["kimi 2"].replace("functions.HassTurnOn:0", "HassTurnOn")
    assert parse_block(text) == ([TYPED], "")
