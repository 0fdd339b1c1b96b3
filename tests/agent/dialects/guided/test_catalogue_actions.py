"""Tests of the catalogue: the actions offered for a message."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from custom_components.chatterbox.agent.dialects.guided.catalogue import Catalogue
from custom_components.chatterbox.agent.dialects.guided.scope import find_scope
from tests.agent.builders import entity
from tests.agent.dialects.guided.sample_catalogue import CATALOGUE, actions, to_call
from tests.agent.sample_home import HOME, TOOLS, called


def test_actions_are_offered_for_mentioned_entities() -> None:
    assert actions("the kettle") == {
        "turn_on": ["Kettle"],
        "turn_off": ["Kettle"],
        "tell_joke": [],
    }
    assert actions("the front door").keys() == {"lock", "unlock", "tell_joke"}
    assert actions("hello").keys() == {"tell_joke"}


def test_kind_in_a_place_is_offered_as_a_group_unless_one_is_named() -> None:
    found = actions("the lights in the kitchen")
    assert found["turn_on"] == ["all lights in Kitchen"]
    named = actions("the counter light and all lights in the kitchen")
    assert named["turn_on"] == ["all lights in Kitchen but Counter Light", "Counter Light"]


TV = entity("TV", "media_player", "Office", "pause", "volume", "mute")
TWO_PLAYERS = replace(HOME, entities=(*HOME.entities, TV))
PLAYERS = Catalogue(TOOLS, TWO_PLAYERS)


@pytest.mark.parametrize(
    ("text", "verbs", "devices"),
    [
        ("pause the music", (), ["the one in use"]),
        ("pause", {"pause"}, ["the one in use"]),
        ("pause the music on the glim", (), ["Radio", "TV"]),
        ("pause the radio", (), ["Radio"]),
        ("pause the music in the kitchen", (), ["Radio"]),
        ("pause", (), []),
    ],
)
def test_devices_that_home_assistant_selects_are_one_device(
    text: str, verbs: Collection[str], devices: list[str]
) -> None:
    found = find_scope(TWO_PLAYERS, PLAYERS.groups, TWO_PLAYERS.mentions(text))
    schemas = [
        schema["properties"]["device"]["enum"]
        for schema in PLAYERS.actions(found, verbs)
        if "pause" in schema["properties"]["verb"].get("enum", ())
    ]
    assert schemas == ([devices] if devices else [])


def test_only_device_is_offered_by_its_name() -> None:
    found = find_scope(HOME, CATALOGUE.groups, HOME.mentions("pause"))
    [schema] = CATALOGUE.actions(found, {"pause"})
    assert schema["properties"]["device"]["enum"] == ["Radio"]


def test_call_without_a_target_is_for_the_device_in_use() -> None:
    item = {"verb": "set_volume", "device": "the one in use", "volume_level": 30}
    call = to_call(item)
    assert call == called("HassSetVolume", volume_level=30)
    assert CATALOGUE.entities_of(call) == ()


def test_writing_tool_is_offered_only_when_named() -> None:
    assert "sweep_chimney" in actions("clean my chimney")
    assert "sweep_chimney" not in actions("the kettle")
    assert "tell_joke" in actions("the kettle")


def test_tool_of_a_kind_is_offered_when_the_kind_is_mentioned() -> None:
    assert "HassStartTimer" in actions("set a timer")
    assert "HassStartTimer" not in actions("set the light")
    assert "get_weather" in actions("the weather of Paris")
    assert "get_weather" not in actions("the weather")


def test_recognized_verbs_are_the_only_actions() -> None:
    assert actions("the kettle", verbs={"turn_off"}) == {"turn_off": ["Kettle"]}
    assert actions("5 minutes", verbs={"HassStartTimer"}) == {"HassStartTimer": []}
