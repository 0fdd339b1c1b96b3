"""Tests of tool calls of Mistral."""

import pytest

from custom_components.chatterbox.agent.dialects.parsing.cursor import MalformedBlock
from tests.agent.dialects.parsing.blocks import TYPED, assert_waits_for_rest, parse_block
from tests.agent.dialects.sample_calls import MARKED

every_form = pytest.mark.parametrize(
    "form",
    ["mistral", "mistral with arguments", "mistral with an id"],
)


@every_form
def test_block_is_parsed_and_the_text_behind_it_is_left(form: str) -> None:
    assert parse_block(f"{MARKED[form]}\nDone.") == ([TYPED], "\nDone.")


@every_form
def test_streamed_block_waits_for_its_end(form: str) -> None:
    assert_waits_for_rest(MARKED[form])


@pytest.mark.parametrize(
    "text",
    [
        f"[TOOL_CALLS] nothing is called{' here' * 60}",
        '[TOOL_CALLS] [{"name": "HassTurnOn", "arguments": [1]}]',
        '[TOOL_CALLS] [{"arguments": {}}]',
    ],
)
def test_malformed_block_is_rejected(text: str) -> None:
    with pytest.raises(MalformedBlock):
        parse_block(text)
