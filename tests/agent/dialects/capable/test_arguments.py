"""Tests of tool names and arguments in the capable profile."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.dialects.capable.arguments import ArgumentNormalizer
from custom_components.chatterbox.agent.dialects.parsing.pieces import ParsedCall
from custom_components.chatterbox.agent.messages import ToolCall
from tests.agent.builders import tool
from tests.agent.sample_tools import LIGHT_SET, TURN_ON, WEATHER

CONTACT = tool("crm__add_contact", name="string", note="string")
TYPED = tool(
    "typed",
    text="string",
    whole="integer",
    maybe={"type": ["string", "null"]},
    either={"anyOf": [{"type": "string"}, {"type": "integer"}]},
    choice={"enum": ["5", "6"]},
    level={"enum": [1, 2]},
    flag="boolean",
    object="object",
    free={},
    odd=True,
)


class Home:
    """Names by what else may be written for them."""

    def entity(self, written: str) -> str | None:
        return {"desk": "Desk", "light.desk": "Desk", "Café": "Cafe"}.get(written)

    def area(self, written: str) -> str | None:
        return {"kitchen": "Kitchen"}.get(written)

    def floor(self, written: str) -> str | None:
        return {"attic": "Attic"}.get(written)


NORMALIZER = ArgumentNormalizer([TURN_ON, LIGHT_SET, WEATHER, CONTACT, TYPED], Home())


def native(name: str, arguments: dict[str, Any], invalid: str | None = None) -> ToolCall:
    return NORMALIZER.native(ToolCall(id="1", name=name, arguments=arguments, invalid=invalid))


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("intent__HassTurnOn", "intent__HassTurnOn"),
        ("HassTurnOn", "intent__HassTurnOn"),
        ("functions.get_weather", "get_weather"),
        ("wire_1", "get_weather"),
        ("hassturnon", None),
        ("HassTurnOf", None),
        ("other__HassTurnOn", None),
        ("", None),
    ],
)
def test_tool_is_found_by_its_full_or_unique_short_name(written: str, name: str | None) -> None:
    normalizer = ArgumentNormalizer([TURN_ON, WEATHER], aliases={"wire_1": "get_weather"})
    assert normalizer.tool_name(written) == name
    call = normalizer.native(ToolCall(id="7", name=written, arguments={}))
    assert (call.id, call.name) == ("7", name or written)


def test_ambiguous_short_name_finds_no_tool() -> None:
    normalizer = ArgumentNormalizer([tool("a__run"), tool("b__run")])
    assert normalizer.tool_name("run") is None
    assert normalizer.tool_name("a__run") == "a__run"


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ({"name": "desk"}, {"name": "Desk"}),
        ({"name": "light.desk", "area": "kitchen"}, {"name": "Desk", "area": "Kitchen"}),
        ({"floor": "attic"}, {"floor": "Attic"}),
        ({"name": "Desk"}, {"name": "Desk"}),
        ({"name": "Desk lamp"}, {"name": "Desk lamp"}),
        ({"name": ["desk"]}, {"name": ["desk"]}),
        ({"name": None, "area": "null"}, {"name": None, "area": "null"}),
        ({"device": "desk", "domain": "light"}, {"device": "desk", "domain": "light"}),
        ({"brightness": "40%"}, {"brightness": "40%"}),
    ],
)
def test_only_unambiguous_names_are_resolved(
    arguments: dict[str, Any], meant: dict[str, Any]
) -> None:
    call = native("HassTurnOn", arguments)
    assert call.arguments == meant
    assert bool(call.repairs) == (arguments != meant)


def test_changes_are_recorded() -> None:
    call = native("HassTurnOn", {"name": "desk", "area": "kitchen"})
    assert call.repairs == ("area: 'kitchen' became 'Kitchen'", "name: 'desk' became 'Desk'")


@pytest.mark.parametrize("name", ["add_contact", "get_weather", "unknown"])
def test_names_in_calls_of_other_tools_are_not_resolved(name: str) -> None:
    arguments = {"name": "desk", "area": "kitchen"}
    if name == "add_contact":
        arguments = {"name": "desk", "note": "unknown"}
    call = native(name, arguments)
    assert (call.arguments, call.repairs) == (arguments, ())


def test_arguments_are_unchanged_without_a_name_resolver() -> None:
    call = ToolCall(id="1", name="intent__HassTurnOn", arguments={"name": "desk"})
    assert ArgumentNormalizer([TURN_ON]).native(call) == call


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("{'name': 'x'}", {"name": "x"}),
        ('{"name": "x",}', {"name": "x"}),
        ('{{"name": "x"}}', {"name": "x"}),
        ("{'name': None}", {"name": None}),
        ('{"name": "x"', None),
        ('{{"name": "x"}', None),
        ('{"name": "x', None),
        ('[{"name": "x"}]', None),
        ("5", None),
        ("x", None),
    ],
)
def test_arguments_are_parsed_where_they_are_complete(
    written: str, arguments: dict[str, Any] | None
) -> None:
    call = native("get_weather", {}, written)
    assert call.arguments == (arguments or {})
    assert call.invalid == (None if arguments else written)


def test_values_without_types_get_those_of_the_schema() -> None:
    arguments = {
        "text": "5",
        "whole": "5",
        "maybe": "null",
        "either": "5",
        "choice": "5",
        "level": "1",
        "flag": "true",
        "object": '{"a": 1}',
        "free": "[1]",
        "odd": "5",
        "other": "not json, at all",
    }
    call = NORMALIZER.parsed("1", ParsedCall("typed", arguments, typed=False))
    assert call.arguments == {
        "text": "5",
        "whole": 5,
        "maybe": None,
        "either": "5",
        "choice": "5",
        "level": 1,
        "flag": True,
        "object": {"a": 1},
        "free": [1],
        "odd": 5,
        "other": "not json, at all",
    }
    typed = NORMALIZER.parsed("1", ParsedCall("typed", {"whole": "5"}))
    assert typed.arguments == {"whole": "5"}
    assert NORMALIZER.parsed(
        "1", ParsedCall("typed", {"whole": 5, "text": "\ud83d"}, typed=False)
    ).arguments == {"whole": 5, "text": "\ufffd"}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
)


@given(st.dictionaries(st.text(max_size=8), ANYTHING))
def test_arguments_of_a_tool_outside_the_home_are_never_changed(arguments: dict[str, Any]) -> None:
    assert native("get_weather", arguments).arguments == arguments
