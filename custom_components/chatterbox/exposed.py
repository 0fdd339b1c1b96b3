"""Exposed entities, and the vocabulary of their names, areas and floors."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import IntFlag
from functools import lru_cache

from homeassistant.components.climate.const import (
    ATTR_MAX_TEMP,
    ATTR_MIN_TEMP,
    ClimateEntityFeature,
)
from homeassistant.components.climate.const import DOMAIN as CLIMATE_DOMAIN
from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.cover.const import CoverEntityFeature
from homeassistant.components.fan.const import FanEntityFeature
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.components.humidifier.const import HumidifierEntityFeature
from homeassistant.components.lawn_mower.const import LawnMowerEntityFeature
from homeassistant.components.light.const import DOMAIN as LIGHT_DOMAIN
from homeassistant.components.light.const import LightEntityCapabilityAttribute
from homeassistant.components.light.helper import (
    brightness_supported,
    color_supported,
    color_temp_supported,
)
from homeassistant.components.media_player.const import MediaPlayerEntityFeature
from homeassistant.components.siren.const import SirenEntityFeature
from homeassistant.components.switch.const import DOMAIN as SWITCH_DOMAIN
from homeassistant.components.todo.const import DATA_COMPONENT as TODO_COMPONENT
from homeassistant.components.todo.const import DOMAIN as TODO_DOMAIN
from homeassistant.components.todo.const import TodoItemStatus, TodoListEntityFeature
from homeassistant.components.vacuum.const import VacuumEntityFeature
from homeassistant.components.valve.const import ValveEntityFeature
from homeassistant.components.water_heater.const import WaterHeaterEntityFeature
from homeassistant.const import ATTR_DEVICE_CLASS, ATTR_SUPPORTED_FEATURES, ATTR_TEMPERATURE
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import intent

from .agent.assist import SWITCH
from .agent.directions import Directions, Pair
from .agent.home import HomeVocabulary
from .agent.mentions import ExposedEntity, Place, SetPoint
from .agent.text_match import normalize
from .home_cache import home_cache
from .intents.kind_words import INTENT_KINDS
from .intents.language_words import LanguageWords, async_language_words

# Capabilities of every entity of a domain.
_ALWAYS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        ("automation", "group", "input_boolean", "light", "remote", "switch"),
        frozenset({"on_off"}),
    ),
    **dict.fromkeys(("button", "input_button", "scene", "script"), frozenset({"activate"})),
    "humidifier": frozenset({"on_off", "humidity"}),
    "lock": frozenset({"lock", "unlock"}),
}
# Capabilities of entities that support the features.
_BY_FEATURES: Mapping[str, Mapping[IntFlag, str]] = {
    "climate": {
        ClimateEntityFeature.TURN_ON: "on_off",
        ClimateEntityFeature.TURN_OFF: "on_off",
        ClimateEntityFeature.TARGET_TEMPERATURE: "temperature",
        ClimateEntityFeature.TARGET_TEMPERATURE_RANGE: "temperature",
        ClimateEntityFeature.FAN_MODE: "fan_mode",
    },
    "cover": {
        CoverEntityFeature.OPEN: "open",
        CoverEntityFeature.CLOSE: "close",
        CoverEntityFeature.STOP: "stop",
        CoverEntityFeature.SET_POSITION: "position",
    },
    "fan": {
        FanEntityFeature.TURN_ON: "on_off",
        FanEntityFeature.TURN_OFF: "on_off",
        FanEntityFeature.SET_SPEED: "speed",
    },
    "humidifier": {HumidifierEntityFeature.MODES: "mode"},
    "lawn_mower": {
        LawnMowerEntityFeature.START_MOWING: "start",
        LawnMowerEntityFeature.DOCK: "return",
    },
    "media_player": {
        MediaPlayerEntityFeature.TURN_ON: "on_off",
        MediaPlayerEntityFeature.TURN_OFF: "on_off",
        MediaPlayerEntityFeature.PLAY: "play",
        MediaPlayerEntityFeature.PAUSE: "pause",
        MediaPlayerEntityFeature.NEXT_TRACK: "next",
        MediaPlayerEntityFeature.PREVIOUS_TRACK: "previous",
        MediaPlayerEntityFeature.VOLUME_SET: "volume",
        MediaPlayerEntityFeature.VOLUME_MUTE: "mute",
        MediaPlayerEntityFeature.SEARCH_MEDIA | MediaPlayerEntityFeature.PLAY_MEDIA: "search",
    },
    "siren": {
        SirenEntityFeature.TURN_ON: "on_off",
        SirenEntityFeature.TURN_OFF: "on_off",
    },
    "todo": {
        TodoListEntityFeature.CREATE_TODO_ITEM: "add_item",
        TodoListEntityFeature.UPDATE_TODO_ITEM: "update_item",
        TodoListEntityFeature.DELETE_TODO_ITEM: "remove_item",
    },
    "vacuum": {
        VacuumEntityFeature.START: "start",
        VacuumEntityFeature.RETURN_HOME: "return",
        VacuumEntityFeature.CLEAN_AREA: "clean_area",
    },
    "valve": {
        ValveEntityFeature.OPEN: "open",
        ValveEntityFeature.CLOSE: "close",
        ValveEntityFeature.STOP: "stop",
        ValveEntityFeature.SET_POSITION: "position",
    },
    "water_heater": {
        WaterHeaterEntityFeature.ON_OFF: "on_off",
        WaterHeaterEntityFeature.TARGET_TEMPERATURE: "temperature",
    },
}
_BY_COLOR_MODES = {
    "brightness": brightness_supported,
    "color": color_supported,
    "color_temperature": color_temp_supported,
}
_STATE = "state"
# Kinds that tools serve without an entity.
_WITHOUT_ENTITIES = frozenset({*INTENT_KINDS.values(), "weather"})


async def async_home_vocabulary(hass: HomeAssistant, language: str) -> HomeVocabulary:
    """Return the vocabulary of the home in a language.

    It is the same object until the home changes.
    """

    async def make() -> HomeVocabulary:
        return _vocabulary(hass, language, await async_language_words(hass, language))

    return await home_cache(hass).async_get((async_home_vocabulary, language), make)


def _vocabulary(hass: HomeAssistant, language: str, known_words: LanguageWords) -> HomeVocabulary:
    entities = exposed_entities(hass)
    return HomeVocabulary(
        entities=entities,
        areas=_places([*ar.async_get(hass).async_list_areas()], known_words.rooms),
        floors=_places([*fr.async_get(hass).async_list_floors()], {}),
        kinds={
            kind: known_words.kinds[kind]
            for kind in sorted(_kinds_of(entities))
            if kind in known_words.kinds
        },
        states={
            kind: known_words.states[kind]
            for kind in sorted(_kinds_of(entities))
            if kind in known_words.states
        },
        actions={
            domain: known_words.actions[domain]
            for domain in sorted({entity.domain for entity in entities})
            if domain in known_words.actions
        },
        grammar=known_words.grammar,
        directions=dict(_directions(entities, known_words)),
        number_words=known_words.numbers,
        colors=known_words.colors,
        questions=known_words.questions,
        negations=known_words.negations,
        qualifiers=known_words.qualifiers,
        prepositions=known_words.prepositions,
        all_devices=known_words.all_devices,
        everything=known_words.everything,
        all_of_kind=known_words.all_of_kind,
        inflects=not language.startswith("en"),
    )


def _directions(
    entities: Collection[ExposedEntity], known_words: LanguageWords
) -> Iterator[tuple[Pair, Directions]]:
    """Yield the phrases of the pairs of commands for entities.

    What is turned on and off, and has no sentences of its own, has those for switches.
    """
    for domain in {entity.domain for entity in entities}:
        own = {pair: each for pair, each in known_words.directions.items() if pair[0] == domain}
        yield from own.items()
        shared = known_words.directions.get((SWITCH_DOMAIN, SWITCH))
        is_switched = any(e.domain == domain and "on_off" in e.capabilities for e in entities)
        if shared and is_switched and (domain, SWITCH) not in own:
            yield (domain, SWITCH), shared


@callback
def exposed_states(
    hass: HomeAssistant, domain: str | None = None, *, assistant: str = CONVERSATION_DOMAIN
) -> list[State]:
    """Return the states of the exposed entities, of all domains or of one."""
    return [
        state
        for state in hass.states.async_all(domain)
        if async_should_expose(hass, assistant, state.entity_id)
    ]


@callback
def set_points(hass: HomeAssistant) -> dict[str, SetPoint]:
    """Return the set points of the exposed thermostats that have one, by entity id."""
    keys = (ATTR_TEMPERATURE, ATTR_MIN_TEMP, ATTR_MAX_TEMP)
    found = {
        state.entity_id: [state.attributes.get(key) for key in keys]
        for state in exposed_states(hass, CLIMATE_DOMAIN)
    }
    return {
        entity_id: SetPoint(value=value, lowest=lowest, highest=highest)
        for entity_id, (value, lowest, highest) in found.items()
        if value is not None and lowest is not None and highest is not None
    }


@callback
def open_items(hass: HomeAssistant) -> dict[str, tuple[str, ...]]:
    """Return the open items of the exposed to-do lists by entity id."""
    component = hass.data.get(TODO_COMPONENT)
    entities = (
        component.get_entity(state.entity_id) if component else None
        for state in exposed_states(hass, TODO_DOMAIN)
    )
    return {
        entity.entity_id: tuple(
            item.summary
            for item in entity.todo_items or ()
            if item.summary and item.status is not TodoItemStatus.COMPLETED
        )
        for entity in entities
        if entity is not None
    }


@callback
def exposed_entities(
    hass: HomeAssistant, assistant: str = CONVERSATION_DOMAIN
) -> tuple[ExposedEntity, ...]:
    """Return the entities that are exposed to an assistant, sorted by name."""
    entities = [_exposed_entity(hass, state) for state in exposed_states(hass, assistant=assistant)]
    return tuple(sorted(entities, key=lambda entity: (entity.name, entity.entity_id)))


def capabilities(state: State) -> frozenset[str]:
    """Return the capabilities of an entity."""
    modes = state.attributes.get(LightEntityCapabilityAttribute.SUPPORTED_COLOR_MODES)
    return _capabilities(
        state.domain,
        int(state.attributes.get(ATTR_SUPPORTED_FEATURES) or 0),
        tuple(modes) if modes and state.domain == LIGHT_DOMAIN else (),
    )


@lru_cache(maxsize=1024)
def _capabilities(domain: str, supported: int, color_modes: tuple[str, ...]) -> frozenset[str]:
    by_features = _BY_FEATURES.get(domain, {}).items()
    return frozenset(
        {
            _STATE,
            *_ALWAYS.get(domain, ()),
            *(
                capability
                for features, capability in by_features
                if supported & features == features
            ),
            *(capability for capability, is_in in _BY_COLOR_MODES.items() if is_in(color_modes)),
        }
    )


def _exposed_entity(hass: HomeAssistant, state: State) -> ExposedEntity:
    entry = er.async_get(hass).async_get(state.entity_id)
    names = intent.async_get_entity_aliases(hass, entry, state=state)
    # An entity without a name cannot be matched by name, but it is listed.
    name, *aliases = dict.fromkeys(filter(None, names)) or [str(state.name)]
    area = effective_area(hass, entry, entry.device_id if entry else None)
    floor = fr.async_get(hass).async_get_floor(area.floor_id) if area and area.floor_id else None
    return ExposedEntity(
        name=name,
        domain=state.domain,
        entity_id=state.entity_id,
        area=area.name if area else None,
        floor=floor.name if floor else None,
        aliases=tuple(aliases),
        device_class=state.attributes.get(ATTR_DEVICE_CLASS),
        capabilities=capabilities(state),
    )


def effective_area(
    hass: HomeAssistant, entry: er.RegistryEntry | None, device_id: str | None
) -> ar.AreaEntry | None:
    """Return an entity's own area, else the effective area of a device, None without either."""
    area_id = entry.area_id if entry else None
    if area_id is None and (device := dr.async_get(hass).async_get(device_id or "")):
        area_id = dr.async_get_effective_area_id(hass, device)
    return ar.async_get(hass).async_get_area(area_id) if area_id else None


def _places(
    entries: Collection[ar.AreaEntry | fr.FloorEntry], translated: Mapping[str, str]
) -> tuple[Place, ...]:
    """Return the places, with what their names mean in the user's language as aliases."""
    given = {normalize(name) for entry in entries for name in (entry.name, *entry.aliases)}
    places = []
    for entry in entries:
        name = translated.get(normalize(entry.name), entry.name)
        # Another place may have that name.
        aliases = {*entry.aliases, *(() if normalize(name) in given else (name,))}
        places.append(Place(name=entry.name, aliases=tuple(sorted(aliases))))
    return tuple(sorted(places, key=lambda place: place.name))


def _kinds_of(entities: Iterable[ExposedEntity]) -> frozenset[str]:
    return _WITHOUT_ENTITIES.union(
        kind
        for entity in entities
        for kind in (entity.domain, f"{entity.domain}.{entity.device_class}")
    )


class ExposedNames:
    """Resolver of names that differ in case, accents, alias or entity id only.

    Each method returns None unless exactly one name matches.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass

    def entity(self, name: str) -> str | None:
        """Return the name of the exposed entity with this name, alias or entity id."""
        return self._find("entity", name)

    def area(self, name: str) -> str | None:
        """Return the name of the area with this name or alias."""
        return self._find("area", name)

    def floor(self, name: str) -> str | None:
        """Return the name of the floor with this name or alias."""
        return self._find("floor", name)

    def _find(self, kind: str, name: str) -> str | None:
        known = home_cache(self._hass).get(ExposedNames, lambda: _names(self._hass))
        return known[kind].get(normalize(name).strip())


def _names(hass: HomeAssistant) -> Mapping[str, Mapping[str, str | None]]:
    """Return the names by what is written for them, None for several; for each kind of name."""
    entities = exposed_entities(hass)
    return {
        "entity": _only_names(
            [(entity.name, (*entity.names, entity.entity_id)) for entity in entities]
        ),
        "area": _only_names(_with_aliases(ar.async_get(hass).async_list_areas())),
        "floor": _only_names(_with_aliases(fr.async_get(hass).async_list_floors())),
    }


def _with_aliases(
    entries: Iterable[ar.AreaEntry | fr.FloorEntry],
) -> list[tuple[str, Iterable[str]]]:
    return [(entry.name, (entry.name, *entry.aliases)) for entry in entries]


def _only_names(known: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for name, written in known:
        for each in map(normalize, written):
            wanted = each.strip()
            found[wanted] = name if found.get(wanted, name) == name else None
    return found
