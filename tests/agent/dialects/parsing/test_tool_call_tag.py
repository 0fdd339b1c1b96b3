"""Tests of tool calls in `<tool_call>` and `<function=…>` tags."""

import pytest

from custom_components.chatterbox.agent.dialects.parsing.cursor import MalformedBlock
from tests.agent.dialects.parsing.blocks import TYPED, UNTYPED, assert_waits_for_rest, parse_block
from tests.agent.dialects.sample_calls import MARKED

every_form = pytest.mark.parametrize(
    "form",
    ["qwen-coder", "qwen-coder without the outer tag", "qwen-coder with the outer end tag", "glm"],
)


@every_form
def test_block_is_parsed_and_the_text_behind_it_is_left(form: str) -> None:
    assert parse_block(f"{MARKED[form]}\nDone.") == ([UNTYPED], "\nDone.")


@every_form
def test_streamed_block_waits_for_its_end(form: str) -> None:
    assert_waits_for_rest(MARKED[form])


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>?</tool_call>",
        "<tool_call>{}</tool_call>",
        "<tool_call>HassTurnOn name</tool_call>",
        "<function=HassTurnOn><argument=name>",
    ],
)
def test_malformed_block_is_rejected(text: str) -> None:
    with pytest.raises(MalformedBlock):
        parse_block(text)


@pytest.mark.parametrize(
    "form", ["hermes", "hermes with a wrapped object", "hermes in a list", "llama function"]
)
def test_json_between_the_tags_is_parsed_with_types(form: str) -> None:
    assert parse_block(MARKED[form]) == ([TYPED], "")
    assert_waits_for_rest(MARKED[form])


def test_missing_end_tag_of_the_last_value_is_tolerated_at_the_end() -> None:
    glm = MARKED["glm"].replace("</arg_value>\n", "")
    assert parse_block(glm) == ([UNTYPED], "")
    qwen = MARKED["qwen-coder"].replace("</parameter>\n", "")
    assert parse_block(qwen) == ([UNTYPED], "")
