"""Tests of tool calls as invocations."""

from tests.agent.dialects.answer_reader import read


def test_values_with_types_are_read_where_they_can_be() -> None:
    text = (
        '<｜DSML｜invoke name="get_weather"><｜DSML｜parameter name="days" string="false">{}'
        "</｜DSML｜parameter></｜DSML｜invoke>"
    )
    for value, read_value in (("3", 3), ("two days, a", "two days, a"), ("[1, ", "[1, ")):
        assert read(text.format(value)).calls == [("get_weather", {"days": read_value})]
