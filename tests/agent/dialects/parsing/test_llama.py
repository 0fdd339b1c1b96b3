"""Tests of tool calls of Llama and Liquid."""

import pytest

from custom_components.chatterbox.agent.dialects.parsing.cursor import MalformedBlock
from tests.agent.dialects.parsing.blocks import TYPED, assert_waits_for_rest, parse_block
from tests.agent.dialects.sample_calls import MARKED

every_form = pytest.mark.parametrize("form", ["llama 4", "liquid"])


@every_form
def test_block_is_parsed_and_the_text_behind_it_is_left(form: str) -> None:
    assert parse_block(f"{MARKED[form]}\nDone.") == ([TYPED], "\nDone.")


@every_form
def test_streamed_block_waits_for_its_end(form: str) -> None:
    assert_waits_for_rest(MARKED[form])


@pytest.mark.parametrize(
    "text",
    [
        "<|python_start|>[HassTurnOn('Kitchen')]<|python_end|>",
        "<|python_start|>[]<|python_end|>",
        "<|python_start|>HassTurnOn()<|python_end|>",
        "<|python_start|>[HassTurnOn(a=)]<|python_end|>",
        "<|python_tag|>print(1)",
    ],
)
def test_malformed_block_is_rejected(text: str) -> None:
    with pytest.raises(MalformedBlock):
        parse_block(text)


def test_json_calls_behind_the_python_tag_end_with_the_last_call() -> None:
    text = MARKED["llama 3"]
    assert parse_block(f"{text}\nDone.") == ([TYPED], "\nDone.")
    two = text + "; " + text.removeprefix("<|python_tag|>")
    assert parse_block(two) == ([TYPED, TYPED], "")
    assert_waits_for_rest(text)
