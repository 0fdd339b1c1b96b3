"""Tests of the schemas of offered verbs."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.dialects.guided.catalogue import Catalogue
from custom_components.chatterbox.agent.dialects.guided.scope import find_scope
from custom_components.chatterbox.agent.number_words import NumberWords
from tests.agent.dialects.guided.sample_catalogue import CATALOGUE, actions, scope
from tests.agent.sample_home import HOME, TOOLS


def test_group_is_offered_only_for_verbs_that_support_groups() -> None:
    assert actions("music").get("pause") == ["Radio"]
    heating = actions("the heating at 20")
    assert "all thermostats" not in heating["set_temperature"]
    narrow = [
        replace(tool, parameters={**tool.parameters, "properties": {"name": {"type": "string"}}})
        for tool in TOOLS
    ]
    catalogue = Catalogue(narrow, HOME)
    found = find_scope(HOME, catalogue.groups, HOME.mentions("the lights in the kitchen"))
    enums = [s["properties"].get("device", {}).get("enum", ()) for s in catalogue.actions(found)]
    devices = {device for enum in enums for device in enum}
    assert "Counter Light" in devices
    assert not any(device.startswith("all ") for device in devices)


def value(text: str, verb: str, key: str, **more: Any) -> Any:
    """Return the schema of the value of a verb, None if the verb is not offered."""
    for schema in CATALOGUE.actions(scope(text), **more):
        if verb in schema["properties"]["verb"].get("enum", ()):
            return schema["properties"][key]
    return None


def test_numeric_value_is_one_of_the_numbers_in_the_message() -> None:
    assert value("desk lamp to 40 or 55.5", "set_brightness", "brightness") == {"enum": [40, 55.5]}
    assert value("the heating", "set_temperature", "temperature") is None


def test_value_without_a_number_is_a_quarter_of_the_whole() -> None:
    assert value("half of the desk lamp", "set_brightness", "brightness") == {"enum": [25, 50, 75]}
    assert "Desk Lamp" in actions("desk lamp")["turn_on"]


def test_question_without_a_number_sets_none() -> None:
    mentions = replace(HOME.mentions("half of the desk lamp"), is_question=True)
    offered = CATALOGUE.actions(find_scope(HOME, CATALOGUE.groups, mentions))
    assert not any("brightness" in schema["properties"] for schema in offered)


def test_device_with_a_part_is_not_just_turned_on() -> None:
    home = replace(HOME, number_words=NumberWords(ordinals={"third": 3}))
    found = find_scope(home, CATALOGUE.groups, home.mentions("a third of the desk lamp"))
    verbs = {
        verb for s in CATALOGUE.actions(found) for verb in s["properties"]["verb"].get("enum", ())
    }
    assert "set_brightness" in verbs
    assert "turn_on" not in verbs


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        ("stove to nineteen and a half, not 21", [21, 19, 19.5]),
        ("21 or the stove to nineteen", [21, 19]),
    ],
)
def test_half_can_be_added_to_a_spelled_number(text: str, degrees: list[float]) -> None:
    home = replace(HOME, number_words=NumberWords(numbers={("nineteen",): 19}))
    mentions = home.mentions(text)
    found = find_scope(home, CATALOGUE.groups, mentions)
    [enum] = [
        schema["properties"]["temperature"]["enum"]
        for schema in CATALOGUE.actions(found)
        if "temperature" in schema["properties"]
    ]
    assert enum == degrees


def test_device_with_a_number_is_not_just_turned_on() -> None:
    offered = actions("desk lamp at 40")
    assert "turn_on" not in offered
    assert offered["turn_off"] == offered["set_brightness"] == ["Desk Lamp"]
    assert actions("desk lamp")["turn_on"] == ["Desk Lamp"]
    both = actions("desk lamp at 40, and the kettle")
    assert both["turn_on"] == ["Kettle"]


def test_text_value_needs_an_unknown_word_in_the_message() -> None:
    assert value("milk to the shopping list", "add_to_list", "item") == {"type": "string"}
    assert value("the shopping list", "add_to_list", "item") is None


def test_recognized_slot_is_the_only_value() -> None:
    slots = {"brightness": 40.0}
    assert value("desk lamp", "set_brightness", "brightness", slots=slots) == {"const": 40}
    assert value("stove", "set_temperature", "temperature", slots={"temperature": 20.5}) == {
        "const": 20.5
    }


def test_colors_are_the_choices_of_home_assistant() -> None:
    assert "purple" in value("mauve desk lamp", "set_color", "color")["enum"]
    assert value("desk lamp", "set_color", "color") is None
    home = replace(HOME, colors={"red": frozenset({"rot"}), "black": frozenset({"schwarz"})})
    mentions = home.mentions("schwarz or rot for the desk lamp")
    found = CATALOGUE.actions(find_scope(home, CATALOGUE.groups, mentions))
    assert [s["properties"]["color"]["enum"] for s in found if "color" in s["properties"]] == [
        ["red"]
    ]
