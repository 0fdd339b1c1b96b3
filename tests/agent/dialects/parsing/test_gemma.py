"""Tests of tool calls of Gemma 4."""

import pytest

from custom_components.chatterbox.agent.dialects.parsing.cursor import MalformedBlock
from tests.agent.dialects.parsing.blocks import TYPED, assert_waits_for_rest, parse_block
from tests.agent.dialects.sample_calls import MARKED

every_form = pytest.mark.parametrize("form", ["gemma 4"])


@every_form
def test_block_is_parsed_and_the_text_behind_it_is_left(form: str) -> None:
    assert parse_block(f"{MARKED[form]}\nDone.") == ([TYPED], "\nDone.")


@every_form
def test_streamed_block_waits_for_its_end(form: str) -> None:
    assert_waits_for_rest(MARKED[form])


@pytest.mark.parametrize(
    "text",
    [
        "<|tool_call>call:HassTurnOn{name:}<tool_call|>",
        "<|tool_call>call:HassTurnOn{5}<tool_call|>",
        "<|tool_call>call:HassTurnOn{}</tool_call>",
    ],
)
def test_malformed_block_is_rejected(text: str) -> None:
    with pytest.raises(MalformedBlock):
        parse_block(text)
