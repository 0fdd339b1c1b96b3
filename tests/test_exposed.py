"""Vocabulary of exposed entities, areas and floors."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.mentions import ExposedEntity, Place, SetPoint
from custom_components.chatterbox.exposed import (
    ExposedNames,
    async_home_vocabulary,
    capabilities,
    exposed_entities,
    open_items,
    set_points,
)
from homeassistant.components import demo
from homeassistant.components.climate.const import ClimateEntityFeature
from homeassistant.components.cover.const import CoverEntityFeature
from homeassistant.components.fan.const import FanEntityFeature
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.humidifier.const import HumidifierEntityFeature
from homeassistant.components.lawn_mower.const import LawnMowerEntityFeature
from homeassistant.components.light.const import ColorMode
from homeassistant.components.media_player.const import MediaPlayerEntityFeature
from homeassistant.components.siren.const import SirenEntityFeature
from homeassistant.components.todo.const import DATA_COMPONENT as TODO_COMPONENT
from homeassistant.components.todo.const import TodoItemStatus, TodoListEntityFeature
from homeassistant.components.vacuum.const import VacuumEntityFeature
from homeassistant.components.valve.const import ValveEntityFeature
from homeassistant.components.water_heater.const import WaterHeaterEntityFeature
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.setup import async_setup_component

ASSISTANT = "conversation"


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    """Set up what decides which entities are exposed."""
    assert await async_setup_component(hass, "homeassistant", {})
    return hass


def _add(
    hass: HomeAssistant, entity_id: str, name: str, *, exposed: bool = True, **attributes: Any
) -> None:
    """Add a state, without an entry in the registry."""
    hass.states.async_set(entity_id, "on", {"friendly_name": name, **attributes})
    async_expose_entity(hass, ASSISTANT, entity_id, should_expose=exposed)


def _register(hass: HomeAssistant, name: str, domain: str = "light", **details: Any) -> str:
    """Add an entity with an entry in the registry, and return its id."""
    entry = er.async_get(hass).async_get_or_create(
        domain, "test", name, suggested_object_id=name, original_name=name, **details
    )
    _add(hass, entry.entity_id, name)
    return entry.entity_id


def _device(hass: HomeAssistant) -> dr.DeviceEntry:
    config_entry = MockConfigEntry()
    config_entry.add_to_hass(hass)
    return dr.async_get(hass).async_get_or_create(
        config_entry_id=config_entry.entry_id, identifiers={("test", "1")}, name="Hub"
    )


def _only(hass: HomeAssistant) -> ExposedEntity:
    (entity,) = exposed_entities(hass)
    return entity


def test_only_exposed_entities_are_returned_sorted_by_name(home: HomeAssistant) -> None:
    """Entities of the same name are sorted by their id."""
    _add(home, "switch.pump", "Pump")
    _add(home, "light.z", "Lamp")
    _add(home, "light.a", "Lamp")
    _add(home, "light.secret", "Attic", exposed=False)
    assert [entity.entity_id for entity in exposed_entities(home)] == [
        "light.a",
        "light.z",
        "switch.pump",
    ]


def test_each_assistant_has_its_own_entities(home: HomeAssistant) -> None:
    """What is exposed to one is not to another."""
    _add(home, "light.desk", "Desk")
    assert exposed_entities(home, "cloud.alexa") == ()


def test_entity_without_an_entry_has_the_name_and_device_class_of_its_state(
    home: HomeAssistant,
) -> None:
    """Entities from YAML have neither aliases nor areas."""
    _add(home, "cover.gate", " Gate ", device_class="gate")
    assert _only(home) == ExposedEntity(
        name="Gate",
        domain="cover",
        entity_id="cover.gate",
        device_class="gate",
        capabilities=frozenset({"state"}),
    )


def test_entity_without_a_friendly_name_is_called_by_its_id(home: HomeAssistant) -> None:
    """Home Assistant shows it so."""
    home.states.async_set("light.desk_lamp", "on")
    async_expose_entity(home, ASSISTANT, "light.desk_lamp", should_expose=True)
    assert _only(home).name == "desk lamp"


def test_aliases_follow_the_name_once_each(home: HomeAssistant) -> None:
    """The first name of an entity is what Home Assistant calls it."""
    entity_id = _register(home, "Desk")
    aliases: list[Any] = [er.COMPUTED_NAME, "Reading light", "Desk", "Bureau"]
    er.async_get(home).async_update_entity(entity_id, aliases=aliases)
    entity = _only(home)
    assert (entity.name, entity.aliases) == ("Desk", ("Reading light", "Bureau"))


def test_entity_without_any_name_for_assistants_has_that_of_its_state(home: HomeAssistant) -> None:
    """A user may remove all of them."""
    entity_id = _register(home, "Desk")
    er.async_get(home).async_update_entity(entity_id, aliases=[])
    assert (_only(home).name, _only(home).aliases) == ("Desk", ())


def test_area_and_floor_are_those_of_the_entity(home: HomeAssistant) -> None:
    """They go before those of its device."""
    floor = fr.async_get(home).async_create("Upstairs")
    areas = ar.async_get(home)
    study, cellar = (
        areas.async_create("Study", floor_id=floor.floor_id),
        areas.async_create("Cellar"),
    )
    device = _device(home)
    dr.async_get(home).async_update_device(device.id, area_id=cellar.id)
    entity_id = _register(home, "Desk", device_id=device.id)
    assert (_only(home).area, _only(home).floor) == ("Cellar", None)
    er.async_get(home).async_update_entity(entity_id, area_id=study.id)
    assert (_only(home).area, _only(home).floor) == ("Study", "Upstairs")


def test_entity_of_a_device_without_an_area_has_none(home: HomeAssistant) -> None:
    """Nothing is guessed from names."""
    _register(home, "Desk", device_id=_device(home).id)
    assert _only(home).area is None


COVER, VALVE, FAN = CoverEntityFeature, ValveEntityFeature, FanEntityFeature
MEDIA, CLIMATE, TODO = MediaPlayerEntityFeature, ClimateEntityFeature, TodoListEntityFeature
HEATER, VACUUM, MOWER = WaterHeaterEntityFeature, VacuumEntityFeature, LawnMowerEntityFeature


@pytest.mark.parametrize(
    ("domain", "features", "expected"),
    [
        *(
            (domain, 0, {"on_off"})
            for domain in ("automation", "group", "input_boolean", "light", "remote", "switch")
        ),
        *((domain, 0, {"activate"}) for domain in ("button", "input_button", "scene", "script")),
        *((domain, 0, set()) for domain in ("sensor", "person", "weather", "alarm_control_panel")),
        ("climate", 0, set()),
        ("climate", CLIMATE.TURN_ON | CLIMATE.TURN_OFF, {"on_off"}),
        ("climate", CLIMATE.TARGET_TEMPERATURE | CLIMATE.FAN_MODE, {"temperature", "fan_mode"}),
        ("climate", CLIMATE.TARGET_TEMPERATURE_RANGE, {"temperature"}),
        ("cover", 0, set()),
        ("cover", COVER.OPEN | COVER.CLOSE, {"open", "close"}),
        ("cover", COVER.STOP | COVER.SET_POSITION, {"stop", "position"}),
        ("cover", COVER.OPEN_TILT | COVER.SET_TILT_POSITION, set()),
        ("valve", VALVE.OPEN | VALVE.CLOSE, {"open", "close"}),
        ("valve", VALVE.STOP | VALVE.SET_POSITION, {"stop", "position"}),
        ("fan", 0, set()),
        ("fan", FAN.TURN_ON | FAN.TURN_OFF | FAN.SET_SPEED, {"on_off", "speed"}),
        ("humidifier", 0, {"on_off", "humidity"}),
        ("humidifier", HumidifierEntityFeature.MODES, {"on_off", "humidity", "mode"}),
        ("lawn_mower", 0, set()),
        ("lawn_mower", MOWER.START_MOWING, {"start"}),
        ("lawn_mower", MOWER.DOCK, {"return"}),
        ("lock", 0, {"lock", "unlock"}),
        ("media_player", 0, set()),
        ("media_player", MEDIA.TURN_OFF, {"on_off"}),
        ("media_player", MEDIA.PLAY | MEDIA.PAUSE, {"play", "pause"}),
        ("media_player", MEDIA.NEXT_TRACK | MEDIA.PREVIOUS_TRACK, {"next", "previous"}),
        ("media_player", MEDIA.VOLUME_SET | MEDIA.VOLUME_MUTE, {"volume", "mute"}),
        ("media_player", MEDIA.VOLUME_STEP, set()),
        ("media_player", MEDIA.PLAY_MEDIA, set()),
        ("media_player", MEDIA.SEARCH_MEDIA, set()),
        ("media_player", MEDIA.SEARCH_MEDIA | MEDIA.PLAY_MEDIA, {"search"}),
        ("siren", 0, set()),
        ("siren", SirenEntityFeature.TURN_ON | SirenEntityFeature.TURN_OFF, {"on_off"}),
        ("todo", 0, set()),
        ("todo", TODO.CREATE_TODO_ITEM, {"add_item"}),
        ("todo", TODO.UPDATE_TODO_ITEM | TODO.DELETE_TODO_ITEM, {"update_item", "remove_item"}),
        ("vacuum", 0, set()),
        ("vacuum", VACUUM.START | VACUUM.RETURN_HOME, {"start", "return"}),
        ("vacuum", VACUUM.CLEAN_AREA, {"clean_area"}),
        ("water_heater", HEATER.OPERATION_MODE, set()),
        ("water_heater", HEATER.ON_OFF | HEATER.TARGET_TEMPERATURE, {"on_off", "temperature"}),
    ],
)
def test_capabilities_follow_domain_and_features(
    domain: str, features: int, expected: set[str]
) -> None:
    """Every entity has a state, what else it can do is what it supports."""
    state = State(f"{domain}.one", "on", {"supported_features": int(features)})
    assert capabilities(state) == {"state", *expected}


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        (None, set()),
        ([ColorMode.ONOFF], set()),
        ([ColorMode.BRIGHTNESS], {"brightness"}),
        ([ColorMode.COLOR_TEMP], {"brightness", "color_temperature"}),
        ([ColorMode.COLOR_TEMP, ColorMode.HS], {"brightness", "color_temperature", "color"}),
        ([ColorMode.RGBWW], {"brightness", "color"}),
        ([ColorMode.WHITE, ColorMode.BRIGHTNESS], {"brightness"}),
    ],
)
def test_capabilities_of_lights_follow_their_color_modes(modes: Any, expected: set[str]) -> None:
    """A light that only switches cannot be dimmed."""
    state = State("light.one", "on", {"supported_color_modes": modes})
    assert capabilities(state) == {"state", "on_off", *expected}


def test_unavailable_entity_without_features_has_only_what_its_domain_has() -> None:
    """Some integrations have features that are None."""
    assert capabilities(State("fan.one", "unavailable", {"supported_features": None})) == {"state"}


async def test_demo_entities_have_the_capabilities_of_their_services(home: HomeAssistant) -> None:
    """The attributes are those of real entities."""
    platforms = [
        *(Platform.CLIMATE, Platform.COVER, Platform.HUMIDIFIER, Platform.LIGHT, Platform.LOCK),
        *(Platform.MEDIA_PLAYER, Platform.VACUUM),
    ]
    with patch.object(demo, "COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM", platforms):
        assert await async_setup_component(home, "demo", {})
        await home.async_block_till_done()
    states = {state.entity_id: capabilities(state) for state in home.states.async_all()}
    assert states["light.bed_light"] >= {"on_off", "brightness", "color", "color_temperature"}
    assert states["cover.garage_door"] == {"state", "open", "close"}
    assert states["cover.hall_window"] >= {"open", "close", "stop", "position"}
    assert states["lock.front_door"] == {"state", "lock", "unlock"}
    assert states["vacuum.demo_vacuum_1_first_floor"] >= {"start", "return"}
    assert states["climate.heatpump"] >= {"on_off", "temperature"}


async def test_vocabulary_has_areas_and_floors_with_their_aliases(home: HomeAssistant) -> None:
    """They are sorted by name, as the entities are."""
    fr.async_get(home).async_create("Upstairs", aliases={"top", "first floor"})
    ar.async_get(home).async_create("Study", aliases={"office"})
    ar.async_get(home).async_create("Attic")
    vocabulary = await async_home_vocabulary(home, "en")
    assert vocabulary.areas == (Place(name="Attic"), Place(name="Study", aliases=("office",)))
    assert vocabulary.floors == (Place(name="Upstairs", aliases=("first floor", "top")),)


async def test_rooms_of_another_language_have_their_name_in_that_of_the_user(
    home: HomeAssistant,
) -> None:
    ar.async_get(home).async_create("Wohnzimmer")
    ar.async_get(home).async_create("Kitchen")
    english = await async_home_vocabulary(home, "en")
    assert english.areas == (
        Place(name="Kitchen"),
        Place(name="Wohnzimmer", aliases=("Living Room",)),
    )
    assert english.mentions("Lights off in the living room").areas == ("Wohnzimmer",)
    ar.async_get(home).async_create("Living room")
    both = await async_home_vocabulary(home, "en")
    assert [area.aliases for area in both.areas] == [(), (), ()]
    polish = await async_home_vocabulary(home, "pl")
    assert polish.mentions("zgaś światło w kuchni").areas == ("Kitchen",)


async def test_vocabulary_has_kinds_of_exposed_entities_and_of_what_needs_none(
    home: HomeAssistant,
) -> None:
    """A kind that the home does not have cannot be meant."""
    _add(home, "light.couch", "Couch")
    _add(home, "cover.left", "Left", device_class="curtain")
    _add(home, "lock.door", "Door", exposed=False)
    vocabulary = await async_home_vocabulary(home, "de")
    assert set(vocabulary.kinds) == {
        *("cover", "cover.curtain", "light"),
        *("date", "time", "timer", "weather"),
    }
    assert vocabulary.mentions("Mach die Vorhänge zu").kinds == {"cover.curtain"}
    assert vocabulary.mentions("Wie wird das Wetter?").kinds == {"weather"}
    assert not vocabulary.mentions("Was ist der Sinn des Lebens?")


@pytest.mark.parametrize(("language", "inflects"), [("en", False), ("en-GB", False), ("pl", True)])
async def test_words_of_languages_but_english_inflect(
    home: HomeAssistant, language: str, *, inflects: bool
) -> None:
    """In English only the plural matters."""
    assert (await async_home_vocabulary(home, language)).inflects is inflects


def _rename_area(hass: HomeAssistant, ids: Mapping[str, str]) -> None:
    ar.async_get(hass).async_update(ids["area"], name="Office")


def _add_area_alias(hass: HomeAssistant, ids: Mapping[str, str]) -> None:
    ar.async_get(hass).async_update(ids["area"], aliases={"den"})


def _rename_floor(hass: HomeAssistant, ids: Mapping[str, str]) -> None:
    fr.async_get(hass).async_update(ids["floor"], name="First")


def _move_device(hass: HomeAssistant, ids: Mapping[str, str]) -> None:
    dr.async_get(hass).async_update_device(ids["device"], area_id=None)


def _rename_entity(hass: HomeAssistant, ids: Mapping[str, str]) -> None:
    er.async_get(hass).async_update_entity(ids["entity"], name="Bureau")


def _hide_entity(hass: HomeAssistant, ids: Mapping[str, str]) -> None:
    async_expose_entity(hass, ASSISTANT, ids["entity"], should_expose=False)


def _add_entity(hass: HomeAssistant, ids: Mapping[str, str]) -> None:
    _add(hass, "switch.new", "New")


def _remove_entity(hass: HomeAssistant, ids: Mapping[str, str]) -> None:
    hass.states.async_remove(ids["entity"])


def _change_features(hass: HomeAssistant, ids: Mapping[str, str]) -> None:
    hass.states.async_set(ids["entity"], "on", {"supported_color_modes": ["hs"]})


@pytest.mark.parametrize(
    "change",
    [
        *(_rename_area, _add_area_alias, _rename_floor, _move_device, _rename_entity),
        *(_hide_entity, _add_entity, _remove_entity, _change_features),
    ],
)
async def test_vocabulary_is_the_same_object_until_the_home_changes(
    home: HomeAssistant, change: Any
) -> None:
    """Another state is no change, everything that it is made of is."""
    floor = fr.async_get(home).async_create("Upstairs")
    area = ar.async_get(home).async_create("Study", floor_id=floor.floor_id)
    device = _device(home)
    dr.async_get(home).async_update_device(device.id, area_id=area.id)
    entity_id = _register(home, "Desk", device_id=device.id)
    before = await async_home_vocabulary(home, "en")
    home.states.async_set(entity_id, "off", {"friendly_name": "Desk"})
    assert before is await async_home_vocabulary(home, "en")
    change(
        home,
        {"floor": floor.floor_id, "area": area.id, "device": device.id, "entity": entity_id},
    )
    assert before != await async_home_vocabulary(home, "en")


async def test_open_items_are_those_of_exposed_lists(home: HomeAssistant) -> None:
    assert open_items(home) == {}
    entity = MagicMock(
        entity_id="todo.chores",
        todo_items=[
            SimpleNamespace(summary="Feed the cat", status=TodoItemStatus.NEEDS_ACTION),
            SimpleNamespace(summary="Sweep", status=TodoItemStatus.COMPLETED),
            SimpleNamespace(summary=None, status=None),
        ],
    )
    empty = MagicMock(entity_id="todo.empty", todo_items=None)
    lists = {each.entity_id: each for each in (entity, empty)}
    component: Any = MagicMock(get_entity=lists.get)
    home.data[TODO_COMPONENT] = component
    for name in ("chores", "empty", "gone"):
        _add(home, f"todo.{name}", name)
    assert open_items(home) == {"todo.chores": ("Feed the cat",), "todo.empty": ()}


async def test_set_points_are_those_of_thermostats_with_limits(home: HomeAssistant) -> None:
    limits = {"min_temp": 7, "max_temp": 30}
    for name, attributes in (("a", {"temperature": 20.5, **limits}), ("b", limits), ("c", {})):
        _add(home, f"climate.{name}", name)
        home.states.async_set(f"climate.{name}", "heat", attributes)
    assert set_points(home) == {"climate.a": SetPoint(value=20.5, lowest=7, highest=30)}


async def test_each_language_has_a_vocabulary(home: HomeAssistant) -> None:
    """Two agents may speak different languages."""
    english, german = [await async_home_vocabulary(home, each) for each in ("en", "de")]
    assert english != german
    assert english is await async_home_vocabulary(home, "en")


# Names that a model writes nearly right.


def test_entity_is_found_by_case_accents_alias_and_id(home: HomeAssistant) -> None:
    cafe = _register(home, "Café")
    aliases: list[Any] = [er.COMPUTED_NAME, "Coffee bar"]
    er.async_get(home).async_update_entity(cafe, aliases=aliases)
    names = ExposedNames(home)
    for written in ("Café", " cafe ", "CAFE", "coffee BAR", cafe):
        assert names.entity(written) == "Café", written
    for written in ("Caf", "Cafe light", "", "light.other"):
        assert names.entity(written) is None, written


def test_name_of_several_entities_is_that_name_and_an_ambiguous_alias_none(
    home: HomeAssistant,
) -> None:
    _add(home, "light.one", "Lamp")
    _add(home, "switch.two", "lamp")
    _add(home, "fan.three", "Fan")
    _add(home, "fan.four", "Fan")
    names = ExposedNames(home)
    assert names.entity("LAMP") is None
    assert names.entity("fan") == "Fan"


def test_entity_that_is_not_exposed_is_not_found(home: HomeAssistant) -> None:
    _add(home, "light.hidden", "Hidden", exposed=False)
    assert ExposedNames(home).entity("hidden") is None


def test_areas_and_floors_are_found_by_their_names_and_aliases(home: HomeAssistant) -> None:
    ar.async_get(home).async_create("Küche", aliases={"Kitchen"})
    fr.async_get(home).async_create("Erdgeschoß", aliases={"ground"})
    names = ExposedNames(home)
    assert [names.area(written) for written in ("kuche", "KITCHEN", "ground")] == [
        *("Küche", "Küche", None)
    ]
    assert [names.floor(written) for written in ("erdgeschoss", "Ground ", "kitchen")] == [
        *("Erdgeschoß", "Erdgeschoß", None)
    ]


def test_alias_of_two_areas_means_none(home: HomeAssistant) -> None:
    for name in ("Study", "Attic"):
        ar.async_get(home).async_create(name, aliases={"upstairs"})
    assert ExposedNames(home).area("upstairs") is None
