"""Tests of the scope of a message."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.assist import SWITCH
from custom_components.chatterbox.agent.dialects.guided.scope import (
    Group,
    PreviousTurn,
    Scope,
    find_groups,
    find_scope,
)
from custom_components.chatterbox.agent.directions import Directions
from custom_components.chatterbox.agent.mentions import ExposedEntity, Mentions, RecognizedIntent
from custom_components.chatterbox.agent.questions import Questions
from tests.agent.sample_home import (
    COUNTER,
    DESK,
    FLOOR_LAMP,
    GARAGE,
    HOME,
    KETTLE,
    LEFT,
    LOCK,
    RADIO,
    RIGHT,
    SENSOR,
    SHOPPING,
    SINK,
    STOVE_K,
    STOVE_O,
)

GROUPS = tuple(find_groups(HOME.entities))
BY_LABEL = {group.label: group for group in GROUPS}


def scope(
    text: str,
    area: str | None = None,
    previous: PreviousTurn | None = None,
    recognized: RecognizedIntent | None = None,
) -> Scope:
    mentions = HOME.mentions(text)
    return find_scope(HOME, GROUPS, mentions, area=area, previous=previous, recognized=recognized)


def labels(found: Scope) -> list[str]:
    return [group.label for group in found.groups]


DIRECTED = replace(
    HOME,
    directions={
        ("light", "HassTurnOn"): Directions(
            on=frozenset({frozenset({"on"})}), off=frozenset({frozenset({"off"})})
        )
    },
    questions=Questions(asked=frozenset({"is"})),
)


@pytest.mark.parametrize(
    ("text", "area", "possible"),
    [
        ("turn on the glim", None, {COUNTER, DESK, FLOOR_LAMP, SINK}),
        ("turn on the glim", "Kitchen", {COUNTER, DESK, FLOOR_LAMP, SINK, KETTLE, RADIO, STOVE_K}),
        # What has a name may be a word of other sentences.
        ("turn on", None, {COUNTER, DESK, FLOOR_LAMP, SINK}),
        ("is the glim on", None, set()),
        ("the glim", None, set()),
    ],
)
def test_command_that_names_nothing_may_be_for_all_that_it_is_stated_for(
    text: str, area: str | None, possible: set[ExposedEntity]
) -> None:
    found = find_scope(DIRECTED, GROUPS, DIRECTED.mentions(text), area=area)
    assert {*found.targets.possible} - {SHOPPING} == possible
    assert found.is_unnamed == bool(possible)


def test_groups_are_of_a_kind_everywhere_on_a_floor_and_in_an_area() -> None:
    assert [label for label in BY_LABEL if "light" in label] == [
        "all lights",
        "all lights on Downstairs",
        "all lights on Upstairs",
        "all lights in Kitchen",
        "all lights in Office",
    ]
    assert BY_LABEL["all lights in Kitchen"].entities == (COUNTER, SINK)
    assert BY_LABEL["all lights on Upstairs"].entities == (DESK, FLOOR_LAMP)


def test_single_entity_is_no_group() -> None:
    assert not any("switches" in label or "on None" in label for label in BY_LABEL)
    assert list(find_groups([KETTLE])) == []


def test_device_classes_make_groups_of_covers_only() -> None:
    assert {"all covers", "all blinds", "all blinds in Office"} <= BY_LABEL.keys()
    assert not any(group.kind == "binary_sensor.door" for group in GROUPS)


@pytest.mark.parametrize(
    ("label", "arguments"),
    [
        ("all lights", {"domain": ["light"]}),
        ("all lights on Upstairs", {"domain": ["light"], "floor": "Upstairs"}),
        (
            "all blinds in Office",
            {"domain": ["cover"], "device_class": ["blind"], "area": "Office"},
        ),
    ],
)
def test_arguments_of_a_group_select_all_its_entities(
    label: str, arguments: dict[str, Any]
) -> None:
    assert BY_LABEL[label].arguments == arguments
    assert BY_LABEL[label].domain == arguments["domain"][0]


def test_message_without_mentions_has_an_empty_scope() -> None:
    found = scope("hello there")
    assert not found
    assert found.mentions.unknown


@pytest.mark.parametrize(
    ("text", "area", "groups"),
    [
        ("all lights", None, ["all lights"]),
        ("all lights", "Kitchen", ["all lights in Kitchen"]),
        ("the lights in the office", "Kitchen", ["all lights in Office"]),
        ("the lights upstairs", None, ["all lights on Upstairs"]),
        ("close the blinds", None, ["all blinds"]),
        ("the desk lamp", None, []),
        ("the desk lamp and all lights", None, []),
        ("the counter light, sink light and all lights in the kitchen", None, []),
        ("everything in the kitchen", None, []),
        ("heating", None, ["all thermostats"]),
    ],
)
def test_group_is_in_scope_when_its_kind_and_place_are_mentioned(
    text: str, area: str | None, groups: list[str]
) -> None:
    assert labels(scope(text, area)) == groups


def test_group_without_the_named_entities_takes_a_call_for_each() -> None:
    found = scope("all lights upstairs except the desk lamp")
    group = found.with_exceptions("all lights on Upstairs but Desk Lamp")
    assert group is not None
    assert (group.entities, group.has_exceptions) == ((FLOOR_LAMP,), True)
    assert found.with_exceptions("all lights on Upstairs") is None
    whole = scope("all lights upstairs and the kettle")
    assert labels(whole) == ["all lights on Upstairs"]
    assert whole.with_exceptions("all lights on Upstairs") is None


def test_exception_outside_of_the_area_of_the_user_is_one_from_the_whole_home() -> None:
    home = replace(HOME, everything=frozenset({frozenset({"all"})}))
    mentions = home.mentions("all lights but the desk lamp")
    assert mentions.excepted == {DESK}
    found = find_scope(home, GROUPS, mentions, area="Kitchen")
    assert labels(found) == ["all lights but Desk Lamp"]


SWITCHED = replace(
    HOME,
    entities=tuple(
        replace(each, capabilities=frozenset({"on_off"}))
        if each.domain in {"light", "switch"}
        else each
        for each in HOME.entities
    ),
    directions={
        (domain, SWITCH): Directions(off=frozenset({frozenset({"off"})}))
        for domain in ("light", "switch")
    },
    all_devices=frozenset({"everything"}),
    prepositions=frozenset({"in"}),
    inflects=False,
)
SWITCHES = [each for each in SWITCHED.entities if "on_off" in each.capabilities]


@pytest.mark.parametrize(
    ("text", "area", "label", "entities"),
    [
        ("everything in the kitchen off", None, "everything in Kitchen", {"Kitchen"}),
        ("everything off", "Kitchen", "everything in Kitchen", {"Kitchen"}),
        ("everything upstairs off", "Kitchen", "everything in Upstairs", {"Office"}),
        ("everything off", None, "everything", {"Kitchen", "Office"}),
    ],
)
def test_everything_is_what_can_be_turned_off_there(
    text: str, area: str | None, label: str, entities: set[str]
) -> None:
    group = find_scope(SWITCHED, GROUPS, SWITCHED.mentions(text), area=area).with_exceptions(label)
    assert group is not None
    assert group.entities == tuple(each for each in SWITCHES if each.area in entities)


def test_everything_has_the_exceptions_that_are_apart() -> None:
    found = scope_of("off with everything except the desk lamp")
    group = found.with_exceptions("everything")
    assert group is not None
    assert [each.name for each in SWITCHES if each not in group.entities] == ["Desk Lamp"]


@pytest.mark.parametrize(
    "text",
    [
        "everything off, all lights",
        # Nothing is to be turned off.
        "everything on",
        "everything in the kitchen",
        "everything off in the attic",
        "everything off the desk lamp",
        "the kitchen off",
    ],
)
def test_everything_beside_another_target_is_no_group(text: str) -> None:
    assert not any(label.startswith("everything") for label in labels(scope_of(text)))


def scope_of(text: str) -> Scope:
    return find_scope(SWITCHED, GROUPS, SWITCHED.mentions(text))


def test_message_without_mentions_continues_with_entities_of_the_previous_turn() -> None:
    found = scope("and off again", previous=PreviousTurn(entities=(DESK,)))
    assert found.targets.certain == (DESK,)
    assert found.targets.possible == (FLOOR_LAMP,)
    assert labels(found) == []
    both = scope("off again", previous=PreviousTurn(entities=(COUNTER, SINK)))
    assert both.targets.certain == (COUNTER, SINK)
    assert "all lights in Kitchen" in labels(both)


def test_message_without_mentions_continues_with_previous_mentions() -> None:
    previous = PreviousTurn(user_text="Do you mean the desk lamp?")
    assert scope("that one", previous=previous).targets.certain == (DESK,)


def test_place_alone_continues_with_the_kind_of_the_previous_turn() -> None:
    found = scope("and in the kitchen", previous=PreviousTurn(entities=(DESK,)))
    assert found.targets.certain == (COUNTER, SINK)
    assert labels(found) == ["all lights in Kitchen"]
    assert not scope("and in the kitchen").targets.certain
    blinds = scope("and the blinds upstairs", previous=PreviousTurn(entities=(DESK,)))
    assert blinds.targets.certain == (LEFT, RIGHT)


def test_kind_alone_may_continue_with_entities_of_the_previous_turn() -> None:
    found = scope("turn the light off", previous=PreviousTurn(entities=(DESK,)))
    assert found.targets.certain == (DESK,)
    assert found.targets.possible == (COUNTER, FLOOR_LAMP, SINK)
    assert labels(found) == []
    here = scope("turn the lights off", "Kitchen", PreviousTurn(entities=(DESK,)))
    assert here.targets.certain == (COUNTER, SINK)


def test_message_without_mentions_may_concern_the_area_of_the_user() -> None:
    found = scope("turn it on", "Kitchen")
    assert found.targets.certain == ()
    # What is needed may be for a list, wherever that is.
    assert found.targets.possible == (COUNTER, KETTLE, RADIO, SHOPPING, SINK, STOVE_K)
    assert found.groups == ()


def test_message_about_an_unknown_place_does_not_concern_the_area_of_the_user() -> None:
    mentions = replace(HOME.mentions("turn the lights on in the attic"), is_elsewhere=True)
    found = find_scope(HOME, GROUPS, mentions, area="Kitchen")
    assert found.targets.certain == ()
    assert found.targets.possible == (COUNTER, DESK, FLOOR_LAMP, SINK)
    assert labels(found) == ["all lights"]


def test_recognized_kind_without_a_place_may_be_any_of_them() -> None:
    slots = {"domain": "light"}
    recognized = RecognizedIntent(name="HassTurnOn", slots=slots, without_area=True)
    found = scope("turn on the lights", recognized=recognized)
    assert found.targets.certain == ()
    assert found.targets.possible == (COUNTER, DESK, FLOOR_LAMP, SINK)
    only = replace(recognized, slots={"domain": "switch"})
    assert scope("the switch", recognized=only).targets.certain == (KETTLE,)


def recognize(slots: dict[str, Any], text: str = "x", area: str | None = None) -> Scope:
    recognized = RecognizedIntent(name="HassTurnOn", slots=slots)
    return scope(text, area, recognized=recognized)


@pytest.mark.parametrize(
    ("slots", "area", "entities"),
    [
        ({"name": "Desk Lamp"}, None, [DESK]),
        ({"name": "work LIGHT"}, None, [DESK]),
        ({"name": "Front Door", "domain": "lock"}, None, [LOCK]),
        ({"name": "Front Door", "domain": ["lock", "cover"]}, None, [LOCK]),
        ({"name": "Front Door"}, None, [LOCK, SENSOR]),
        ({"name": "Stove"}, None, [STOVE_K, STOVE_O]),
        ({"name": "Stove"}, "Kitchen", [STOVE_K]),
        ({"name": "Stove"}, "Attic", [STOVE_K, STOVE_O]),
        ({"area": "Kitchen", "domain": "light"}, None, [COUNTER, SINK]),
        ({"floor": "Upstairs", "domain": "light"}, None, [DESK, FLOOR_LAMP]),
        ({"domain": "cover", "device_class": ["garage"]}, None, [GARAGE]),
    ],
)
def test_recognized_slots_limit_the_scope(
    slots: dict[str, Any], area: str | None, entities: Sequence[ExposedEntity]
) -> None:
    found = recognize(slots, area=area)
    assert list(found.targets.certain) == entities
    assert found.targets.possible == ()


def test_recognized_kind_without_a_place_is_its_group_if_all_are_meant() -> None:
    recognized = RecognizedIntent(name="HassTurnOff", slots={"domain": "light"}, without_area=True)
    home = replace(HOME, all_of_kind=frozenset({"all"}))
    for text, has_group in (("all lights off", True), ("lights off", False)):
        found = find_scope(home, GROUPS, home.mentions(text), recognized=recognized)
        assert labels(found) == (["all lights"] if has_group else [])
        assert bool(found.targets.certain) is has_group


def test_recognized_kind_in_a_place_is_its_group() -> None:
    assert "all lights in Kitchen" in labels(recognize({"area": "Kitchen", "domain": "light"}))
    assert labels(recognize({"name": "Desk Lamp"})) == []


def test_question_for_a_temperature_is_about_thermostats_else_sensors() -> None:
    sensor = ExposedEntity(
        name="Warmth", domain="sensor", area="Kitchen", device_class="temperature"
    )
    recognized = RecognizedIntent(name="HassClimateGetTemperature", slots={"area": "Kitchen"})
    for entities, expected in (
        ((*HOME.entities, sensor), STOVE_K),
        ((KETTLE, sensor), sensor),
        ((KETTLE,), KETTLE),
    ):
        home = replace(HOME, entities=entities)
        found = find_scope(home, (), home.mentions("how warm is it"), recognized=recognized)
        assert found.targets.certain == (expected,)


def test_mentions_are_kept_beside_recognized_slots() -> None:
    found = recognize({"name": "Desk Lamp"}, text="turn on the kettle")
    assert found.targets.certain == (DESK,)
    assert found.mentions.named == (KETTLE,)


@pytest.mark.parametrize(
    "recognized",
    [
        RecognizedIntent(name="HassStartTimer", slots={"minutes": 5}),
        RecognizedIntent(name="HassTurnOn", slots={"name": "Toaster"}),
        RecognizedIntent(name="HassTurnOn", unknown_name=True),
    ],
)
def test_recognized_intent_without_entities_leaves_the_mentions(
    recognized: RecognizedIntent,
) -> None:
    assert scope("the kettle", recognized=recognized) == scope("the kettle")


def test_scope_of_groups_only_is_not_empty() -> None:
    assert Scope(groups=(Group(label="all lights", kind="light", entities=(DESK,)),))
    assert not Scope(mentions=Mentions(areas=("Kitchen",)))
