"""Tests of tool calls as invocations."""

import pytest

from custom_components.chatterbox.agent.dialects.parsing.cursor import MalformedBlock
from custom_components.chatterbox.agent.dialects.parsing.pieces import ParsedCall
from tests.agent.dialects.answer_reader import read
from tests.agent.dialects.parsing.blocks import TYPED, UNTYPED, assert_waits_for_rest, parse_block
from tests.agent.dialects.sample_calls import MARKED

every_form = pytest.mark.parametrize("form", ["minimax", "invoke"])


@every_form
def test_block_is_parsed_and_the_text_behind_it_is_left(form: str) -> None:
    assert parse_block(f"{MARKED[form]}\nDone.") == ([UNTYPED], "\nDone.")


@every_form
def test_streamed_block_waits_for_its_end(form: str) -> None:
    assert_waits_for_rest(MARKED[form])


@pytest.mark.parametrize(
    "text",
    [
        "<minimax:tool_call></minimax:tool_call>",
        "<minimax:tool_call>HassTurnOn</minimax:tool_call>",
    ],
)
def test_malformed_block_is_rejected(text: str) -> None:
    with pytest.raises(MalformedBlock):
        parse_block(text)


@pytest.mark.parametrize("form", ["deepseek 3.2", "kimi 3"])
def test_arguments_with_types_are_parsed_with_them(form: str) -> None:
    assert parse_block(MARKED[form]) == ([TYPED], "")
    assert_waits_for_rest(MARKED[form])


def test_self_closing_invocation_has_no_arguments() -> None:
    assert parse_block('<invoke name="look"/>') == ([ParsedCall("look", {})], "")


def test_untyped_values_are_parsed_as_json_when_valid() -> None:
    text = (
        '<｜DSML｜invoke name="get_weather"><｜DSML｜parameter name="days" string="false">{}'
        "</｜DSML｜parameter></｜DSML｜invoke>"
    )
    for value, read_value in (("3", 3), ("two days, a", "two days, a"), ("[1, ", "[1, ")):
        assert read(text.format(value)).calls == [("get_weather", {"days": read_value})]
