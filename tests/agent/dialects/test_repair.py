"""Tests of arguments brought into the form that a tool takes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.dialects.repair import Repairer, tool_named
from custom_components.chatterbox.agent.dialects.scanner import FoundCall
from custom_components.chatterbox.agent.messages import ToolCall

from .reading import LIGHT_SET, TURN_ON, tool

NAMES = ["intent__HassTurnOn", "intent__HassTurnOff", "light__HassLightSet", "get_weather"]
ALL = tool(
    "all",
    ["text"],
    text="string",
    number="number",
    whole={"allOf": [{"type": "integer"}, {"type": "number", "maximum": 100}]},
    flag="boolean",
    list={"type": "array", "items": {"type": "string", "enum": ["light", "media_player"]}},
    numbers={"type": "array", "items": {"type": "integer"}},
    object="object",
    choice={"type": "string", "enum": ["heat", "cool", "off"]},
    either={"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    maybe={"type": ["string", "null"]},
    free={},
    minutes="integer",
    state={"type": "string", "enum": ["lock", "active"]},
    level={"enum": [1, 2]},
)


def repaired(arguments: Any, *, typed: bool = True) -> ToolCall:
    """Return a call of the tool that takes everything."""
    return Repairer([ALL]).call("1", FoundCall("all", arguments, typed))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("intent__HassTurnOn", "intent__HassTurnOn"),
        ("functions.get_weather", "get_weather"),
        ("HassTurnOn", "intent__HassTurnOn"),
        ("hass_turn_on", "intent__HassTurnOn"),
        ("homeassistant__HassTurnOff", "intent__HassTurnOff"),
        ("HassLightSett", "light__HassLightSet"),
        ("getWeather", "get_weather"),
        ("HassTurn", None),
        ("launch_rocket", None),
        ("", None),
    ],
)
def test_a_tool_is_found_under_nearly_its_name(written: str, meant: str | None) -> None:
    """Only where it is clear which one is meant."""
    assert tool_named(written, NAMES) == meant


@pytest.mark.parametrize(
    ("written", "offered"),
    [
        ("HassTurnOff", "intent__HassTurnOn"),
        ("hass_turn_off", "HassTurnOn"),
        ("HassTurnOnLeft", "HassTurnOn"),
        ("unlock_door", "lock_door"),
        ("lock_door", "unlock_door"),
        ("HassMediaPause", "HassMediaUnpause"),
        ("HassIncreaseTimer", "HassDecreaseTimer"),
        ("enable_alarm", "disable_alarm"),
        ("open_the_blind", "close_the_blind"),
        ("timer_1_start", "timer_2_start"),
    ],
)
def test_a_tool_does_not_become_its_opposite(written: str, offered: str) -> None:
    """Even where the other one is not there."""
    assert tool_named(written, [offered]) is None


def test_two_tools_of_the_same_name_are_none() -> None:
    """Whoever they belong to."""
    assert tool_named("HassLightSett", ["a__HassLightSet", "b__HassLightSet"]) is None


@pytest.mark.parametrize(
    ("given_value", "meant"),
    [
        ({"number": "40%"}, {"number": 40}),
        ({"number": "21,5 °C"}, {"number": 21.5}),
        ({"whole": "40 percent"}, {"whole": 40}),
        ({"whole": " -5 "}, {"whole": -5}),
        ({"whole": "about 40 percent"}, {"whole": "about 40 percent"}),
        ({"whole": "minus 5"}, {"whole": "minus 5"}),
        ({"whole": "level-5"}, {"whole": "level-5"}),
        ({"whole": "+10%"}, {"whole": "+10%"}),
        ({"whole": "1,000"}, {"whole": "1,000"}),
        ({"number": "1.000"}, {"number": "1.000"}),
        ({"minutes": "5 minutes"}, {"minutes": 5}),
        ({"minutes": "1 minute"}, {"minutes": 1}),
        ({"minutes": "1 hour"}, {"minutes": "1 hour"}),
        ({"whole": 40.0}, {"whole": 40}),
        ({"whole": "3 or 4"}, {"whole": "3 or 4"}),
        ({"flag": "on"}, {"flag": True}),
        ({"flag": "False"}, {"flag": False}),
        ({"flag": "perhaps"}, {"flag": "perhaps"}),
        ({"list": "light"}, {"list": ["light"]}),
        ({"list": "Lights"}, {"list": ["light"]}),
        ({"list": '["light"]'}, {"list": ["light"]}),
        ({"list": ["mediaplayer"]}, {"list": ["media_player"]}),
        ({"numbers": "5"}, {"numbers": [5]}),
        ({"numbers": 5}, {"numbers": [5]}),
        ({"object": '{"a": 1}'}, {"object": {"a": 1}}),
        ({"object": "{broken"}, {"object": "{broken"}),
        ({"text": 5}, {"text": "5"}),
        ({"text": ["a"]}, {"text": "a"}),
        ({"text": ["a", "b"]}, {"text": ["a", "b"]}),
        ({"choice": "Heating"}, {"choice": "Heating"}),
        ({"choice": "HEAT"}, {"choice": "heat"}),
        ({"state": "unlock"}, {"state": "unlock"}),
        ({"state": "inactive"}, {"state": "inactive"}),
        ({"state": "locks"}, {"state": "lock"}),
        ({"either": "a"}, {"either": "a"}),
        ({"either": ["a"]}, {"either": ["a"]}),
        ({"maybe": None, "text": "x"}, {"maybe": None, "text": "x"}),
        ({"number": "null", "text": "null"}, {"text": "null"}),
        ({"list": [None]}, {}),
        ({"text": {"type": "string", "value": "x"}}, {"text": "x"}),
        ({"text": {"type": "string", "description": "what"}}, {"text": None}),
        ({"text": {"other": 1}}, {"text": {"other": 1}}),
        ({"free": {"a": 1}}, {"free": {"a": 1}}),
        ({"level": 1}, {"level": 1}),
        ({"Text": "x"}, {"text": "x"}),
        ({"numbr": 1}, {"number": 1}),
        ({"unknown": 1}, {"unknown": 1}),
        ({"text": "x", "Text": "y"}, {"text": "x", "Text": "y"}),
        ({"properties": {"text": "x"}, "type": "object"}, {"text": "x"}),
        ({"arguments": {"text": "x"}}, {"text": "x"}),
        ({"arguments": {"text": "x"}, "number": 1}, {"arguments": {"text": "x"}, "number": 1}),
        ('{"text": "x"', {"text": "x"}),
        ("", {}),
        ([], {}),
        (["x", 1], {"text": "x", "number": 1}),
        ([{"text": "x"}], {"text": "x"}),
        ({"text": "\ud83d"}, {"text": "\ufffd"}),
        ({"list": {"a": 1}}, {"list": {"a": 1}}),
    ],
)
def test_arguments_are_read_as_they_are_meant(given_value: Any, meant: dict[str, Any]) -> None:
    """What can be meant in one way only is changed, the rest is left to the tool."""
    call = repaired(given_value)
    assert call.arguments == meant
    assert call.invalid is None


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ({"text": "5", "number": "5", "flag": "true"}, {"text": "5", "number": 5, "flag": True}),
        ({"maybe": "null", "unknown": "[1]"}, {"maybe": None, "unknown": [1]}),
        ({"object": "not json"}, {"object": "not json"}),
        ({"number": "[1, 2"}, {"number": "[1, 2"}),
        ({"list": ["light"], "other": 3}, {"list": ["light"], "other": 3}),
    ],
)
def test_values_without_types_get_them(value: dict[str, Any], meant: dict[str, Any]) -> None:
    """In the XML forms everything is text."""
    call = repaired(value, typed=False)
    assert call.arguments == meant


@pytest.mark.parametrize("given_value", ["no object", ["x"] * 20, "[1, 2"])
def test_what_cannot_be_arguments_is_told(given_value: Any) -> None:
    """The guard says to the model what is wrong."""
    call = repaired(given_value)
    assert call.invalid is not None or call.arguments
    assert Repairer([]).call("1", FoundCall("x", "no object")).invalid == "no object"
    assert repaired(5).invalid == "5"
    assert repaired("{a b").invalid == "{a b"
    assert repaired("5").invalid == "5"
    assert Repairer([]).call("1", FoundCall("x", ["a"])).invalid == "['a']"


def test_nothing_is_invented() -> None:
    """A required argument that is missing stays missing; the tool says so."""
    assert repaired({"number": 1}).arguments == {"number": 1}
    assert repaired({}).arguments == {}
    assert Repairer([]).call("1", FoundCall("x", {"a": "1"})).arguments == {"a": "1"}


def test_it_is_told_what_was_repaired() -> None:
    """So that it can be seen in the trace."""
    call = Repairer([LIGHT_SET]).call("1", FoundCall("HassLightSet", {"Brightness": "40%"}))
    assert call.name == "light__HassLightSet"
    assert call.repairs == (
        "tool: 'HassLightSet' became 'light__HassLightSet'",
        "argument: 'Brightness' became 'brightness'",
        "brightness: '40%' became 40",
    )


def test_native_calls_are_repaired_as_well() -> None:
    """Also those whose arguments no parser could read."""
    repairer = Repairer([TURN_ON])
    broken = ToolCall.parse("7", "HassTurnOn", "{'name': 'Bed', 'domain': 'light'")
    call = repairer.native(broken)
    assert (call.id, call.name) == ("7", "intent__HassTurnOn")
    assert call.arguments == {"name": "Bed", "domain": ["light"]}
    fine = ToolCall(id="8", name="intent__HassTurnOn", arguments={"name": "Bed"})
    assert repairer.native(fine) == fine
    assert repairer.native(fine).repairs == ()


def test_synonyms_of_arguments_are_known() -> None:
    """Models say device or room."""
    call = Repairer([TURN_ON]).call(
        "1", FoundCall("HassTurnOn", {"device": "Bed", "room": "Attic"})
    )
    assert call.arguments == {"name": "Bed", "area": "Attic"}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
)


@given(
    st.dictionaries(st.sampled_from([*ALL.parameters["properties"], "x"]), ANYTHING), st.booleans()
)
def test_repairing_never_fails_and_is_done_once(arguments: dict[str, Any], typed: bool) -> None:  # noqa: FBT001
    """A repaired call is one that needs no repair."""
    call = repaired(arguments, typed=typed)
    again = Repairer([ALL]).native(call)
    assert set(again.arguments) <= set(call.arguments)
