"""Tests of Home Assistant's tools."""

import pytest

from custom_components.chatterbox.agent import assist
from tests.agent.builders import entity
from tests.agent.sample_home import JOKE, SWEEP, TIMER, TOOLS, read_tool

FOUND = {
    "results": [
        {"title": "Blue Train", "can_play": True, "media_content_id": "x", "thumbnail": "t"},
        {"title": "Albums", "can_play": False},
        {"can_play": True},
        "odd",
    ]
}


def test_names_of_verbs_are_unique() -> None:
    names = [verb.name for verb in assist.VERBS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("HassTurnOn", "HassTurnOn"),
        ("intent__HassTurnOn", "HassTurnOn"),
        ("assist__todo__get_items", "get_items"),
    ],
)
def test_short_name_has_no_prefix(name: str, short: str) -> None:
    assert assist.short_name(name) == assist.short_name(read_tool(name)) == short


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("light", "lights"),
        ("switch", "switches"),
        ("cover.garage", "garage doors"),
        ("lawn_mower", "lawn mowers"),
        ("cover.damper", "dampers"),
    ],
)
def test_groups_are_called_by_their_kind(kind: str, name: str) -> None:
    assert assist.plural(kind) == name


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("assist__HassStartTimer", "timer"),
        ("HassTimerStatus", "timer"),
        ("get_weather", "weather"),
        ("get_current_datetime", "time"),
        ("assist__GetDateTime", "time"),
        ("HassTurnOn", None),
        ("tell_joke", None),
    ],
)
def test_tools_without_entities_have_a_kind(name: str, kind: str | None) -> None:
    assert assist.kind_of_tool(read_tool(name)) == kind


def test_other_tools_have_no_verb_and_no_look_up() -> None:
    others = assist.other_tools(TOOLS)
    assert all(tool in others for tool in (TIMER, JOKE, SWEEP))
    shorts = {assist.short_name(tool) for tool in others}
    assert shorts.isdisjoint({"HassTurnOn", "GetLiveContext", "get_items", "play_media"})


@pytest.mark.parametrize(
    ("domain", "moves"), [("cover", True), ("valve", True), ("lock", True), ("light", False)]
)
def test_covers_valves_and_locks_move_or_grant_access(domain: str, *, moves: bool) -> None:
    assert assist.is_moving(domain) is moves


@pytest.mark.parametrize(
    ("domain", "device_class", "ways"),
    [
        ("lock", None, [False]),
        ("valve", "water", [True]),
        ("cover", "garage", [True]),
        ("cover", "blind", []),
        ("cover", None, []),
        ("light", None, []),
    ],
)
def test_somebody_is_let_in_by_one_direction(
    domain: str, device_class: str | None, ways: list[bool]
) -> None:
    found = entity("Way", domain, None, device_class=device_class)
    assert [way for way in (True, False) if assist.lets_in(found, is_first=way)] == ways


@pytest.mark.parametrize(
    ("name", "state", "changes"),
    [
        ("turn_on", "off", True),
        ("turn_on", "playing", False),
        ("turn_off", "heat", True),
        ("turn_off", "off", False),
        ("open", "closing", True),
        ("lock", "locked", False),
        ("open", "unavailable", None),
        ("open", None, None),
        ("next_track", "playing", None),
    ],
)
def test_verb_changes_what_is_not_in_its_state_yet(
    name: str, state: str | None, *, changes: bool | None
) -> None:
    [verb] = [each for each in assist.VERBS if each.name == name]
    assert assist.changes(verb, state) is changes


def test_players_have_several_pairs_of_commands() -> None:
    assert assist.has_several_pairs("media_player")
    assert not assist.has_several_pairs("light")


@pytest.mark.parametrize(
    ("domain", "device_class", "name"),
    [
        ("cover", "garage", "up"),
        ("cover", "blind", "open"),
        ("cover", None, "open"),
        ("lock", None, None),
    ],
)
def test_name_of_a_state_is_that_of_the_device_class_else_of_the_domain(
    domain: str, device_class: str | None, name: str | None
) -> None:
    names = {"cover": {"open": "open"}, "cover.garage": {"open": "up"}, "cover.blind": {}}
    assert assist.state_name(names, domain, device_class, "open") == name
