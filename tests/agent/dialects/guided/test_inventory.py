"""Inventory of the sample home: verbs, labels, groups and stances."""

from dataclasses import replace

import pytest

from custom_components.chatterbox.agent.dialects.guided.catalogue import Catalogue
from custom_components.chatterbox.agent.dialects.guided.inventory import IN_USE, Action
from custom_components.chatterbox.agent.dialects.guided.stance import Stance, Stances
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.mentions import Mentions, SetPoint
from tests.agent.builders import entity
from tests.agent.sample_home import HOME, KETTLE, LEFT, TOOLS

CATALOGUE = Catalogue(TOOLS, HOME)
COVERS = ("cover", "HassTurnOn")


def test_verbs_with_an_opposite_have_a_direction() -> None:
    assert CATALOGUE.direction("open") == ("HassTurnOn", True)
    assert CATALOGUE.direction("lock") == ("HassTurnOn", True)
    assert CATALOGUE.direction("unlock") == ("HassTurnOn", False)
    assert CATALOGUE.direction("volume_down") == ("volume_step", False)
    assert CATALOGUE.direction("activate") is None
    assert CATALOGUE.direction("set_brightness") is None
    assert CATALOGUE.direction("dance") is None


def test_verbs_and_entities_that_take_a_number_are_known() -> None:
    assert LEFT in CATALOGUE.numbered
    assert KETTLE not in CATALOGUE.numbered


@pytest.mark.parametrize(
    ("action", "stance"),
    [
        ({"verb": "open", "device": "Left Blind"}, Stance.FREE),
        ({"verb": "close", "device": "Left Blind"}, Stance.NO),
        ({"verb": "open", "device": "all blinds"}, Stance.FREE),
        ({"verb": "close", "device": "all blinds"}, Stance.NO),
        ({"verb": "pause", "device": IN_USE}, Stance.ASK),
        ({"verb": "open", "device": "not in this home"}, Stance.FREE),
        ({"verb": "play", "device": "Blue Train"}, Stance.FREE),
    ],
)
def test_stance_is_that_on_the_devices_of_an_action(action: Action, stance: Stance) -> None:
    directions = {COVERS: frozenset({True})}
    mentions = Mentions(directions=directions, is_question=False)
    assert CATALOGUE.stance(action, Stances(mentions=mentions)) is stance


def test_state_after_an_action_has_the_name_of_the_most_specific_kind() -> None:
    states = {"cover": {"open": "offen", "closed": "zu"}, "cover.blind": {"open": "oben"}}
    catalogue = Catalogue(TOOLS, replace(HOME, states=states))
    for verb, name in (("open", "oben"), ("close", "zu"), ("stop_moving", None)):
        assert catalogue.state_after(verb, catalogue.targets("Left Blind")) == name
    assert catalogue.state_after("open", catalogue.targets("all blinds")) == "oben"
    assert catalogue.state_after("turn_on", catalogue.targets("Kettle")) is None


def test_wording_of_an_action_is_its_value_or_its_name() -> None:
    actions = {"cover": {"stop_cover": "Rollo stoppen"}, "media_player": {}}
    catalogue = Catalogue(TOOLS, replace(HOME, actions=actions))
    left, both = catalogue.targets("Left Blind"), catalogue.targets("all blinds")
    stop = {"verb": "stop_moving"}
    assert catalogue.wording(stop, left) == "Rollo stoppen"
    assert catalogue.wording(stop, both) == "Rollo stoppen"
    assert catalogue.wording(stop, ()) is None
    assert catalogue.wording({"verb": "set_position", "position": 5}, left) == "5"
    assert catalogue.wording({"verb": "set_position"}, left) is None
    assert catalogue.wording({"verb": "turn_on"}, catalogue.targets("Kettle")) is None


def test_difference_of_temperature_is_a_temperature() -> None:
    stove = entity("Stove", "climate", "Kitchen", "temperature")
    catalogue = Catalogue(TOOLS, HomeVocabulary(entities=(replace(stove, entity_id="climate.s"),)))
    set_points = {"climate.s": SetPoint(value=20, lowest=7, highest=30)}
    for name, temperature in (("warmer", 22.0), ("cooler", 18.0)):
        action = {"verb": name, "device": "Stove", "degrees": 2}
        found = catalogue.absolute(action, set_points, 0)
        assert found == {
            "verb": "set_temperature",
            "device": "Stove",
            "temperature": temperature,
        }
        assert catalogue.absolute(found, set_points, 0) == found
    play = {"verb": "play", "device": "Blue Train"}
    assert catalogue.absolute(play, set_points, 0) == play


@pytest.mark.parametrize(
    ("day", "weekday", "days"),
    [
        ("now", 0, 0),
        ("this week", 0, 0),
        ("today", 0, 1),
        ("tomorrow", 6, 2),
        ("Monday", 0, 1),
        ("Monday", 6, 2),
        ("Sunday", 0, 7),
    ],
)
def test_day_of_a_look_up_is_counted_from_today(day: str, weekday: int, days: int) -> None:
    action = {"verb": "look_up", "device": "weather", "day": day}
    assert CATALOGUE.absolute(action, {}, weekday) == {**action, "days": days}
