"""Tests of tool calls of DeepSeek up to V3.1."""

import pytest

from custom_components.chatterbox.agent.dialects.parsing.cursor import MalformedBlock
from tests.agent.dialects.parsing.blocks import TYPED, assert_waits_for_rest, parse_block
from tests.agent.dialects.sample_calls import MARKED

every_form = pytest.mark.parametrize("form", ["deepseek 3", "deepseek 3.1"])


@every_form
def test_block_is_parsed_and_the_text_behind_it_is_left(form: str) -> None:
    assert parse_block(f"{MARKED[form]}\nDone.") == ([TYPED], "\nDone.")


@every_form
def test_streamed_block_waits_for_its_end(form: str) -> None:
    assert_waits_for_rest(MARKED[form])


@pytest.mark.parametrize(
    "text",
    [
        "<｜tool▁calls▁begin｜><｜tool▁calls▁end｜>",
        "<｜tool▁calls▁begin｜>HassTurnOn{}<｜tool▁calls▁end｜>",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>HassTurnOn<｜tool▁sep｜>Kitchen<｜tool▁call▁end｜>",
    ],
)
def test_malformed_block_is_rejected(text: str) -> None:
    with pytest.raises(MalformedBlock):
        parse_block(text)


@pytest.mark.parametrize(("bar", "gap"), [("｜", "_"), ("|", "▁"), ("|", "_")])
def test_other_spellings_of_the_tokens_are_parsed(bar: str, gap: str) -> None:
    text = MARKED["deepseek 3.1"].replace("｜", bar).replace("▁", gap)
    assert parse_block(text) == ([TYPED], "")
