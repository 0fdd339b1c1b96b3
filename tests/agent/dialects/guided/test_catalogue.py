"""Tests of the catalogue: verbs, labels, and their translation to tool calls and back."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent import assist
from custom_components.chatterbox.agent.dialects.guided.catalogue import Catalogue, find_catalogue
from custom_components.chatterbox.agent.dialects.guided.inventory import Action
from custom_components.chatterbox.agent.dialects.guided.scope import find_groups, find_scope
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.mentions import ExposedEntity, Mentions, RecognizedIntent
from custom_components.chatterbox.agent.messages import ToolCall, ToolDefinition
from tests.agent.builders import entity
from tests.agent.dialects.guided.sample_catalogue import CATALOGUE, scope, to_call
from tests.agent.sample_home import (
    CLOCK,
    CONTEXT,
    COUNTER,
    DESK,
    FILM,
    HOME,
    ITEMS,
    JOKE,
    KETTLE,
    LEFT,
    LOCK,
    PLAY,
    RIGHT,
    SENSOR,
    SHOPPING,
    SINK,
    STOVE_K,
    STOVE_O,
    TOOLS,
    WEATHER,
    called,
)

VALUES: Mapping[str, Any] = {
    "brightness": 40,
    "color": "red",
    "position": 30,
    "temperature": 21,
    "volume_level": 25,
    "item": "milk",
    "search_query": "jazz",
}


def items() -> Iterator[Action]:
    """Yield every action that the home has: each verb for each entity and each group.

    A difference is none: it becomes a value before the call.
    """
    differences = {verb.name for verb in assist.VERBS if verb.step}
    for verb in filter(lambda name: name not in differences, CATALOGUE.verbs):
        entities = CATALOGUE.entities_for(verb)
        labels = [CATALOGUE.label(each) for each in entities]
        if any(each.name == verb and each.groups for each in assist.VERBS):
            labels += [group.label for group in find_groups(entities)]
        key = CATALOGUE.value_key(verb)
        for label in labels:
            yield {"verb": verb, "device": label, **({key: VALUES[key]} if key else {})}


@pytest.mark.parametrize("item", items(), ids=lambda item: f"{item['verb']} {item['device']}")
def test_action_survives_the_round_trip_through_a_call(item: Action) -> None:
    call = to_call(item)
    [tool] = [tool for tool in TOOLS if tool.name == call.name]
    assert call.arguments.keys() <= tool.parameters["properties"].keys()
    assert CATALOGUE.to_action(call) == item
    assert CATALOGUE.entities_of(call)


def test_verbs_are_supported_ones_and_names_of_other_tools() -> None:
    verbs = set(CATALOGUE.verbs)
    assert {"lock", "close", "set_temperature", "tell_joke", "HassStartTimer"} <= verbs
    assert verbs.isdisjoint({"set_speed", "start_cleaning", "resume", "HassTurnOn"})
    lamps = Catalogue(TOOLS, HomeVocabulary(entities=(KETTLE,)))
    assert [verb for verb in lamps.verbs if verb.startswith("turn")] == ["turn_on", "turn_off"]
    assert Catalogue((), HOME).verbs == []


def test_only_entities_with_the_capability_and_domain_are_offered() -> None:
    assert SINK not in CATALOGUE.entities_for("set_brightness")
    assert CATALOGUE.entities_for("unlock") == (LOCK,)
    assert CATALOGUE.entities_for("stop_moving") == (LEFT, RIGHT)
    assert CATALOGUE.entities_for("fly") == ()
    assert CATALOGUE.value_key("fly") is None


def test_labels_distinguish_entities_of_the_same_name() -> None:
    labels = {each: CATALOGUE.label(each) for each in HOME.entities}
    assert len(set(labels.values())) == len(HOME.entities)
    assert labels[LOCK] == "Front Door (lock)"
    assert labels[SENSOR] == "Front Door (binary sensor)"
    assert labels[STOVE_K] == "Stove (climate, Kitchen)"
    assert labels[DESK] == "Desk Lamp"


def test_labels_distinguish_entities_of_the_same_name_and_place() -> None:
    one, two, other = (
        entity(name, "light", "Kitchen", "on_off", entity_id=f"light.{number}")
        for number, name in enumerate(["Lamp", "Lamp", "Lamp (light.0)"])
    )
    labels = HomeVocabulary(entities=(one, two)).labels
    assert labels == {one: "Lamp (light.0)", two: "Lamp (light.1)"}
    assert HomeVocabulary(entities=(one, other)).labels[one] == "Lamp"
    homeless = Catalogue(
        TOOLS,
        HomeVocabulary(
            entities=tuple(entity("Lamp", "light", None, "on_off", entity_id=i) for i in "ab")
        ),
    )
    assert [homeless.label(each) for each in homeless.entities] == [
        *("Lamp (light, a)", "Lamp (light, b)")
    ]


@pytest.mark.parametrize(
    ("item", "short", "arguments"),
    [
        (
            {"verb": "lock", "device": "Front Door (lock)"},
            "HassTurnOn",
            {"name": "Front Door", "domain": ["lock"]},
        ),
        (
            {"verb": "set_temperature", "device": "Stove (climate, Kitchen)", "temperature": 21},
            "HassClimateSetTemperature",
            {"name": "Stove", "domain": ["climate"], "area": "Kitchen", "temperature": 21},
        ),
        (
            {"verb": "turn_off", "device": "all lights in Kitchen"},
            "HassTurnOff",
            {"domain": ["light"], "area": "Kitchen"},
        ),
        (
            {"verb": "close", "device": "all blinds on Upstairs"},
            "HassTurnOff",
            {"domain": ["cover"], "device_class": ["blind"], "floor": "Upstairs"},
        ),
        (
            {"verb": "volume_up", "device": "Radio"},
            "HassSetVolumeRelative",
            {"name": "Radio", "domain": ["media_player"], "volume_step": "up"},
        ),
        (
            {"verb": "search_media", "device": "Radio", "search_query": "jazz"},
            "search_media",
            {"player_name": "Radio", "search_query": "jazz"},
        ),
        ({"verb": "turn_on", "device": "Toaster"}, "HassTurnOn", {"name": "Toaster"}),
        (
            {"verb": "HassStartTimer", "arguments": {"minutes": 5}},
            "HassStartTimer",
            {"minutes": 5},
        ),
        ({"verb": "tell_joke"}, "tell_joke", {}),
        ({"verb": "look_up", "device": "time"}, "get_current_datetime", {}),
        ({"verb": "look_up", "device": "date"}, "get_current_datetime", {}),
        ({"verb": "look_up", "device": "weather"}, "get_weather", {}),
        ({"verb": "look_up", "device": "weather", "days": 0}, "get_weather", {}),
        ({"verb": "look_up", "device": "weather", "days": 3}, "get_weather", {"days": 3}),
        (
            {"verb": "look_up", "device": "Desk Lamp"},
            "GetLiveContext",
            {"name": "Desk Lamp", "domain": ["light"]},
        ),
        (
            {"verb": "look_up", "device": "Stove (climate, Office)"},
            "GetLiveContext",
            {"name": "Stove", "domain": ["climate"], "area": "Office"},
        ),
        (
            {"verb": "look_up", "device": "all lights in Kitchen"},
            "GetLiveContext",
            {"domain": ["light"], "area": "Kitchen"},
        ),
        ({"verb": "look_up", "device": "Kitchen"}, "GetLiveContext", {"area": "Kitchen"}),
        (
            {"verb": "look_up", "device": "Shopping List"},
            "get_items",
            {"todo_list": "Shopping List"},
        ),
    ],
)
def test_action_is_translated_to_a_call(
    item: Action, short: str, arguments: dict[str, Any]
) -> None:
    assert to_call(item) == called(short, **arguments)


def test_unknown_verb_is_translated_to_a_call_of_that_name() -> None:
    """The loop tells the model that there is no such tool."""
    assert Catalogue((), HOME).to_call({"verb": "fly", "arguments": [1]}) == ("fly", {})
    assert Catalogue((), HOME).to_call({"verb": "look_up", "device": "time"}) == (
        "GetLiveContext",
        {"area": "time"},
    )


def test_list_is_looked_up_as_any_entity_without_its_own_tool() -> None:
    tools = [tool for tool in TOOLS if tool is not ITEMS]
    name, _ = Catalogue(tools, HOME).to_call({"verb": "look_up", "device": "Shopping List"})
    assert name == CONTEXT.name


def test_found_medium_is_played() -> None:
    media = [{"title": "Blue", "media_content_id": "b", "player_name": "Radio"}]
    item = {"verb": "play", "device": "Blue"}
    assert CATALOGUE.to_call(item, media) == (
        PLAY.name,
        {"media_content_id": "b", "player_name": "Radio"},
    )
    assert Catalogue((), HOME).to_call(item, media) == ("play", {})
    schema = CATALOGUE.play_schema([*media, *media])
    assert schema is not None
    assert schema["properties"]["device"] == {"enum": ["Blue"]}
    assert CATALOGUE.play_schema([]) is None


@pytest.mark.parametrize(
    ("call", "item"),
    [
        (called("get_current_datetime"), {"verb": "look_up", "device": "time"}),
        (
            called("get_current_datetime", location="Rome"),
            {"verb": "get_current_datetime", "arguments": {"location": "Rome"}},
        ),
        (called("get_weather"), {"verb": "look_up", "device": "weather", "day": "now"}),
        (called("get_weather", days=1), {"verb": "look_up", "device": "weather", "day": "today"}),
        (
            called("get_weather", days=2),
            {"verb": "look_up", "device": "weather", "day": "tomorrow"},
        ),
        (
            called("get_weather", location="Rome"),
            {"verb": "get_weather", "arguments": {"location": "Rome"}},
        ),
        (called("GetLiveContext"), {"verb": "look_up", "device": "home"}),
        (called("GetLiveContext", area="Kitchen"), {"verb": "look_up", "device": "Kitchen"}),
        (
            called("get_items", todo_list="Shopping List"),
            {"verb": "look_up", "device": "Shopping List"},
        ),
        (
            called("HassTurnOn", name="Toaster"),
            {"verb": "HassTurnOn", "arguments": {"name": "Toaster"}},
        ),
        (
            called("HassTurnOn", area="Kitchen"),
            {"verb": "HassTurnOn", "arguments": {"area": "Kitchen"}},
        ),
        (
            called("HassSetVolumeRelative", name="Radio", volume_step="sideways"),
            {
                "verb": "HassSetVolumeRelative",
                "arguments": {"name": "Radio", "volume_step": "sideways"},
            },
        ),
        (called("HassTurnOn", name="Film Night"), {"verb": "activate", "device": "Film Night"}),
    ],
)
def test_call_of_the_history_is_shown_as_an_action(call: ToolCall, item: Action) -> None:
    assert CATALOGUE.to_action(call) == item


@pytest.mark.parametrize(
    ("call", "entities"),
    [
        (called("HassTurnOn", name="Desk Lamp"), (DESK,)),
        (called("HassTurnOn", name="Front Door", domain=["lock"]), (LOCK,)),
        (called("GetLiveContext", name="Stove", area="Office"), (STOVE_O,)),
        (called("HassTurnOff", domain=["light"], area="Kitchen"), (COUNTER, SINK)),
        (called("HassTurnOn", name="Toaster"), ()),
        (called("tell_joke", topic="x"), ()),
    ],
)
def test_entities_of_a_call_are_found(call: ToolCall, entities: tuple[ExposedEntity, ...]) -> None:
    assert CATALOGUE.entities_of(call) == entities


@pytest.mark.parametrize(
    ("name", "slots", "verbs"),
    [
        ("HassTurnOn", {"name": "x"}, {"turn_on", "open", "lock", "activate"}),
        ("HassLightSet", {"brightness": 40}, {"set_brightness"}),
        ("HassLightSet", {}, set()),
        ("HassSetVolumeRelative", {"volume_step": "up"}, {"volume_up"}),
        ("HassStartTimer", {}, {"HassStartTimer"}),
        ("HassGetState", {}, set()),
    ],
)
def test_recognized_command_stands_for_verbs(
    name: str, slots: dict[str, Any], verbs: set[str]
) -> None:
    assert CATALOGUE.commands(RecognizedIntent(name=name, slots=slots)) == verbs


def test_nothing_recognized_stands_for_no_verb() -> None:
    assert CATALOGUE.commands(None) == frozenset()
    unknown = RecognizedIntent(name="HassTurnOn", unknown_name=True)
    assert CATALOGUE.commands(unknown) == frozenset()


def test_devices_areas_and_groups_can_be_looked_up() -> None:
    """Of a kind in a place all are meant unless one is named."""
    labels = CATALOGUE.look_ups(scope("the lights in the kitchen"))
    assert labels == ["all lights in Kitchen"]
    named = CATALOGUE.look_ups(scope("the lights and the counter light in the kitchen"))
    assert "Counter Light" in named
    assert not any("but" in label for label in named)
    unknown = CATALOGUE.look_ups(scope("the fancy lights in the kitchen"))
    assert unknown == ["all lights in Kitchen", "Kitchen"]
    assert "Kitchen" in CATALOGUE.look_ups(scope("what is in the kitchen"))
    assert CATALOGUE.look_ups(scope("hello")) == []
    blind = Catalogue([WEATHER], HOME)
    assert not blind.reads_states
    assert blind.look_ups(scope("the kettle")) == []


def test_group_that_one_call_cannot_select_is_read_entity_by_entity() -> None:
    assert CATALOGUE.read_by("all lights in Kitchen", Mentions()) == ["all lights in Kitchen"]
    assert CATALOGUE.read_by("all blinds in Office", Mentions()) == ["Left Blind", "Right Blind"]
    assert CATALOGUE.read_by("all lights on Upstairs", Mentions()) == ["Desk Lamp", "Floor Lamp"]
    assert CATALOGUE.read_by("Kettle", Mentions()) == ["Kettle"]


def test_sensor_of_what_a_thermostat_controls_can_be_looked_up() -> None:
    near, far = (
        entity(
            f"Thermometer {where}",
            "sensor",
            where,
            device_class="temperature",
            entity_id=f"sensor.{where}",
        )
        for where in ("Kitchen", "Office")
    )
    vocabulary = replace(
        HOME, entities=(*HOME.entities, near, far), kinds={**HOME.kinds, "climate": ["warm"]}
    )
    catalogue = Catalogue(TOOLS, vocabulary)
    asked = find_scope(
        vocabulary, catalogue.groups, vocabulary.mentions("how warm is it in the kitchen")
    )
    assert near.name in catalogue.look_ups(asked)
    assert far.name not in catalogue.look_ups(asked)


def test_topics_are_those_of_the_offered_tools() -> None:
    assert CATALOGUE.topics == ["time", "date", "weather"]
    assert Catalogue([CLOCK, CONTEXT], HOME).topics == ["time", "date"]
    assert Catalogue([WEATHER], HOME).topics == ["weather"]


def test_enumerations_of_a_large_home_are_bounded() -> None:
    many = tuple(entity(f"Lamp {number}", "light", None, "on_off") for number in range(200))
    home = HomeVocabulary(entities=many, kinds={"light": ["lamp"]})
    catalogue = Catalogue(TOOLS, home)
    found = find_scope(home, catalogue.groups, home.mentions("lamp"))
    assert len(found.targets.entities) == 200
    schema = catalogue.actions(found)[0]
    devices = schema["properties"]["device"]["enum"]
    assert len(devices) < 100
    assert "all lights" in devices
    assert len(catalogue.look_ups(found)) < 100


def test_entities_are_found_by_their_labels() -> None:
    assert CATALOGUE.entity("Film Night") == FILM
    assert CATALOGUE.entity("Front Door") is None
    assert CATALOGUE.entities_for("add_to_list") == (SHOPPING,)
    group = CATALOGUE.group("all lights in Kitchen")
    assert group is not None
    assert group.entities == (COUNTER, SINK)
    assert CATALOGUE.group("all trees") is None


def test_tool_without_properties_takes_the_target_alone() -> None:
    bare = ToolDefinition(name="HassTurnOn", description="", parameters={})
    catalogue = Catalogue([bare], HOME)
    assert catalogue.to_call({"verb": "turn_on", "device": "Kettle"}) == (
        "HassTurnOn",
        {"name": "Kettle"},
    )


# Names that stand for something else already.


@pytest.mark.parametrize("name", ["look_up", "mcp__look_up", "play", "turn_on", "mcp__unlock"])
def test_tool_named_like_a_verb_has_another_verb(name: str) -> None:
    other = replace(JOKE, name=name)
    catalogue = Catalogue((*TOOLS, other), HOME)
    call = ToolCall(id="1", name=other.name, arguments={"topic": "cats"})
    item = {"verb": f"use_{name}", "arguments": {"topic": "cats"}}
    assert catalogue.to_action(call) == item
    assert catalogue.to_call(item) == (other.name, {"topic": "cats"})
    assert CATALOGUE.to_action(call) == item
    verbs = [schema["properties"]["verb"] for schema in catalogue.actions(scope("hello"))]
    assert {"const": f"use_{name}"} in verbs


def test_tools_of_the_same_short_name_keep_their_whole_names() -> None:
    one, two = (replace(JOKE, name=f"{server}__search") for server in ("web", "music"))
    catalogue = Catalogue((one, two), HOME)
    assert catalogue.verbs == ["web__search", "music__search"]
    assert catalogue.to_call({"verb": "web__search", "arguments": {}}) == ("web__search", {})


def test_entity_named_like_a_group_is_no_group() -> None:
    lights = [entity(name, "light", None, "on_off") for name in ("all lights", "B", "C")]
    catalogue = Catalogue(TOOLS, HomeVocabulary(entities=tuple(lights)))
    assert catalogue.groups == ()
    assert to_call({"verb": "turn_on", "device": "all lights"}, catalogue).arguments == {
        "name": "all lights",
        "domain": ["light"],
    }


def test_catalogue_is_made_once_for_tools_and_home() -> None:
    tools = tuple(TOOLS)
    catalogue = find_catalogue(tools, HOME)
    assert find_catalogue((*tools,), replace(HOME)) is catalogue
    assert find_catalogue(tools[1:], HOME) is not catalogue
    renamed = (replace(HOME.entities[0], name="Renamed"), *HOME.entities[1:])
    other = find_catalogue(tools, replace(HOME, entities=renamed))
    assert other is not catalogue
    assert other.entities == renamed
    described = (replace(tools[0], description="Changed."), *tools[1:])
    assert find_catalogue(described, HOME) is not catalogue
