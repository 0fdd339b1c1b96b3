"""Home Assistant's own tools: verbs, domains, targets, and the format of their results.

Names and arguments as in the `llm.py` and `intent.py` modules of Home Assistant's components.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from .mentions import ExposedEntity, RecognizedIntent
from .messages import ToolDefinition


@dataclass(frozen=True, slots=True)
class Verb:
    """An action on entities that have a capability, and the tool behind it."""

    name: str
    tool: str
    """Short name of the tool."""
    capability: str
    domains: frozenset[str] = frozenset()
    """The domains that it is limited to; empty for all."""
    _: KW_ONLY
    value: str | None = None
    """Argument of the tool that holds the value of the action, None if it has none."""
    choices: tuple[str, ...] = ()
    """The only values, where the tool's own schema does not list them."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that are always the same."""
    groups: bool = False
    """Whether one call can act on all entities of a kind."""
    target: str = "name"
    """Argument of the tool that names the entity."""
    of_list: bool = False
    """Whether the value is one of the open items of a list."""
    step: int = 0
    """1 or -1 if the value is added to or subtracted from the current one."""
    untargeted: bool = False
    """Whether Home Assistant finds the entity itself: what is playing, the one in this area."""


# The colors that `home-assistant-intents` has words for in every language.
_COLORS = (
    *("white", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "turquoise"),
)

_LIGHT, _COVERS, _LOCK = frozenset({"light"}), frozenset({"cover", "valve"}), frozenset({"lock"})
_MOVING = _COVERS | _LOCK
_DOORS = frozenset({"door", "garage", "gate"})
_VACUUM, _MOWER = frozenset({"vacuum"}), frozenset({"lawn_mower"})
_MEDIA, _CLIMATE, _FAN = frozenset({"media_player"}), frozenset({"climate"}), frozenset({"fan"})
_HUMIDIFIER, _TODO = frozenset({"humidifier"}), frozenset({"todo"})
_SET_TEMPERATURE = "HassClimateSetTemperature"
SET_TEMPERATURE = "set_temperature"
_UP, _DOWN = {"volume_step": "up"}, {"volume_step": "down"}

ON_OFF = "on_off"
"""The capability of being turned on and off."""
TURN_OFF = "turn_off"
ACTIVATE = "activate"
LIST = "todo"

LIVE_CONTEXT = "GetLiveContext"
WEATHER = "get_weather"
DATE_TIME = ("get_current_datetime", "GetDateTime")
SEARCH_MEDIA, PLAY_MEDIA = "search_media", "play_media"
# Tools that read the state of the home, the time and the weather, with the intents of that name.
STATE_TOOLS = frozenset({LIVE_CONTEXT, "HassGetState"})
TIME_TOOLS = frozenset({*DATE_TIME, "HassGetCurrentTime"})
WEATHER_TOOLS = frozenset({WEATHER, "HassGetWeather"})

VERBS = (
    Verb("turn_on", "HassTurnOn", ON_OFF, groups=True),
    Verb(TURN_OFF, "HassTurnOff", ON_OFF, groups=True),
    Verb("set_brightness", "HassLightSet", "brightness", _LIGHT, value="brightness", groups=True),
    Verb("set_color", "HassLightSet", "color", _LIGHT, value="color", choices=_COLORS, groups=True),
    Verb("open", "HassTurnOn", "open", _COVERS, groups=True),
    Verb("close", "HassTurnOff", "close", _COVERS, groups=True),
    Verb("set_position", "HassSetPosition", "position", _COVERS, value="position", groups=True),
    Verb("stop_moving", "HassStopMoving", "stop", _COVERS, groups=True),
    Verb("lock", "HassTurnOn", "lock", _LOCK, groups=True),
    Verb("unlock", "HassTurnOff", "unlock", _LOCK, groups=True),
    Verb("start_cleaning", "HassVacuumStart", "start", _VACUUM),
    Verb("return_to_base", "HassVacuumReturnToBase", "return", _VACUUM),
    Verb("start_mowing", "HassLawnMowerStartMowing", "start", _MOWER),
    Verb("return_to_dock", "HassLawnMowerDock", "return", _MOWER),
    Verb("pause", "HassMediaPause", "pause", _MEDIA, untargeted=True),
    Verb("resume", "HassMediaUnpause", "play", _MEDIA, untargeted=True),
    Verb("next_track", "HassMediaNext", "next", _MEDIA, untargeted=True),
    Verb("previous_track", "HassMediaPrevious", "previous", _MEDIA, untargeted=True),
    Verb("set_volume", "HassSetVolume", "volume", _MEDIA, value="volume_level", untargeted=True),
    Verb("volume_up", "HassSetVolumeRelative", "volume", _MEDIA, fixed=_UP, untargeted=True),
    Verb("volume_down", "HassSetVolumeRelative", "volume", _MEDIA, fixed=_DOWN, untargeted=True),
    Verb("mute", "HassMediaPlayerMute", "mute", _MEDIA, untargeted=True),
    Verb("unmute", "HassMediaPlayerUnmute", "mute", _MEDIA, untargeted=True),
    Verb(SEARCH_MEDIA, SEARCH_MEDIA, "search", _MEDIA, value="search_query", target="player_name"),
    Verb(
        SET_TEMPERATURE,
        _SET_TEMPERATURE,
        "temperature",
        _CLIMATE,
        value="temperature",
        untargeted=True,
    ),
    Verb("warmer", _SET_TEMPERATURE, "temperature", _CLIMATE, value="degrees", step=1),
    Verb("cooler", _SET_TEMPERATURE, "temperature", _CLIMATE, value="degrees", step=-1),
    Verb("set_fan_mode", "HassClimateSetFanMode", "fan_mode", _CLIMATE, value="fan_mode"),
    Verb("set_speed", "HassFanSetSpeed", "speed", _FAN, value="percentage", groups=True),
    Verb("set_humidity", "HassHumidifierSetpoint", "humidity", _HUMIDIFIER, value="humidity"),
    Verb("set_mode", "HassHumidifierMode", "mode", _HUMIDIFIER, value="mode"),
    Verb(ACTIVATE, "HassTurnOn", "activate"),
    Verb("add_to_list", "HassListAddItem", "add_item", _TODO, value="item"),
    Verb("complete_item", "HassListCompleteItem", "update_item", _TODO, value="item", of_list=True),
    Verb("remove_item", "HassListRemoveItem", "remove_item", _TODO, value="item", of_list=True),
)


@dataclass(frozen=True, slots=True)
class Listing:
    """A tool that returns the contents of an entity, such as the items of a to-do list."""

    tool: str
    target: str
    """Argument of the tool that names the entity."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that are always the same."""


LISTINGS: Mapping[str, Listing] = {
    "todo": Listing("get_items", "todo_list"),
    "calendar": Listing("get_events", "calendar", {"range": "week"}),
}
"""The tools that list the contents of entities, by domain."""

# Intents that only answer: they are no tools, or `look_up` stands for them.
_TOPICS_OF_INTENTS: Mapping[str, str] = {
    "HassGetCurrentTime": "time",
    "HassGetCurrentDate": "date",
    "HassGetWeather": "weather",
}
QUERY_INTENTS = frozenset(
    {"HassGetState", "HassClimateGetTemperature", "HassTimerStatus", *_TOPICS_OF_INTENTS}
)
# The kinds that a question without a domain is about: the first one that is found, as in Home
# Assistant.
KINDS_OF_QUERIES: Mapping[str, Sequence[str]] = {
    "HassClimateGetTemperature": ("climate", "sensor.temperature"),
}
# Intents that only reply to the user.
REPLY_INTENTS = frozenset({"HassNevermind", "HassRespond"})
LOOK_UP_TOOLS = frozenset({LIVE_CONTEXT, *(listing.tool for listing in LISTINGS.values())})
# Tools that the verbs or `look_up` stand for, or that only continue another one.
_COVERED = frozenset({*(verb.tool for verb in VERBS), *LOOK_UP_TOOLS, PLAY_MEDIA, "GetDateTime"})
_TIMER_TOOL = re.compile(r"Hass\w*Timer")
OPPOSITES = (
    ("HassTurnOn", "HassTurnOff"),
    ("HassVacuumStart", "HassVacuumReturnToBase"),
    ("HassLawnMowerStartMowing", "HassLawnMowerDock"),
    ("HassMediaUnpause", "HassMediaPause"),
    ("HassMediaNext", "HassMediaPrevious"),
    ("HassMediaPlayerMute", "HassMediaPlayerUnmute"),
)
"""Intents that reverse each other."""
SWITCH = OPPOSITES[0][0]
"""The pair of commands to turn on and off, which also open and close, and lock and unlock."""
VOLUME_STEP = "volume_step"
TEMPERATURE_STEP = "temperature_step"
_DIRECTION_OF_TOOLS: Mapping[str, tuple[str, bool]] = {
    tool: (pair[0], tool == pair[0]) for pair in OPPOSITES for tool in pair
}
# States in which a verb changes nothing; of an entity that is on, the state may be anything else.
_OFF = frozenset({"off", "standby"})
_REACHED: Mapping[str, frozenset[str]] = {
    "turn_off": _OFF,
    "open": frozenset({"open", "opening"}),
    "close": frozenset({"closed", "closing"}),
    "lock": frozenset({"locked", "locking"}),
    "unlock": frozenset({"unlocked", "unlocking"}),
    "start_cleaning": frozenset({"cleaning"}),
    "return_to_base": frozenset({"docked", "returning"}),
    "start_mowing": frozenset({"mowing"}),
    "return_to_dock": frozenset({"docked", "returning"}),
    "pause": frozenset({"paused", "idle", *_OFF}),
    "resume": frozenset({"playing"}),
}
_STATE_AFTER: Mapping[str, str] = {
    "turn_on": "on",
    "turn_off": "off",
    "open": "open",
    "close": "closed",
    "lock": "locked",
    "unlock": "unlocked",
}
# Home Assistant's actions behind verbs that leave no plain state; `{domain}` is that of the entity.
_ACTIONS: Mapping[str, str] = {
    "stop_moving": "stop_{domain}",
    "start_cleaning": "start",
    "return_to_base": "return_to_base",
    "start_mowing": "start_mowing",
    "return_to_dock": "dock",
    "pause": "media_pause",
    "resume": "media_play",
    "next_track": "media_next_track",
    "previous_track": "media_previous_track",
    "volume_up": "volume_up",
    "volume_down": "volume_down",
    ACTIVATE: "turn_on",
}
_NO_STATE = frozenset({"unavailable", "unknown"})
# Irregular names for all entities of a kind.
_PLURALS: Mapping[str, str] = {
    "switch": "switches",
    "cover.garage": "garage doors",
    "climate": "thermostats",
}


# Tools and verbs.


def short_name(tool: ToolDefinition | str) -> str:
    """Return the name of a tool without the prefixes of its platform and API."""
    name = tool if isinstance(tool, str) else tool.name
    return name.rpartition("__")[2]


def direction(verb: Verb) -> tuple[str, bool] | None:
    """Return the pair of commands that a verb is one of, and whether it is the first; else None.

    The first is the one that turns on, opens, locks or starts.
    """
    if verb.name == ACTIVATE:
        return None
    if VOLUME_STEP in verb.fixed:
        return VOLUME_STEP, verb.fixed == _UP
    if verb.step:
        return TEMPERATURE_STEP, verb.step > 0
    return _DIRECTION_OF_TOOLS.get(verb.tool)


def changes(verb: Verb, state: str | None) -> bool | None:
    """Return whether a verb changes an entity in a state, None if that is not known."""
    if state is None or state in _NO_STATE:
        return None
    if verb.name == "turn_on":
        return state in _OFF
    return state not in _REACHED[verb.name] if verb.name in _REACHED else None


def has_several_pairs(domain: str) -> bool:
    """Return whether a domain has several pairs of opposite commands."""
    return domain in _MEDIA


def state_after(verb: str) -> str | None:
    """Return the state in which a verb leaves an entity, None if that is no plain state."""
    return _STATE_AFTER.get(verb)


def state_name(
    names: Mapping[str, Mapping[str, str]], domain: str, device_class: str | None, state: str
) -> str | None:
    """Return the name of a state, None if unknown: that of the device class, else of the domain.

    `names` holds the names of states by kind and state.
    """
    found = (names.get(kind, {}).get(state) for kind in (f"{domain}.{device_class}", domain))
    return next(filter(None, found), None)


def action_of(verb: str, domain: str) -> str:
    """Return the action of Home Assistant behind a verb, empty if its state or value says more."""
    return _ACTIONS.get(verb, "").format(domain=domain)


def is_moving(domain: str) -> bool:
    """Return whether entities of a domain move or grant access, which a question must not cause."""
    return domain in _MOVING


def lets_in(entity: ExposedEntity, *, is_first: bool) -> bool:
    """Return whether a direction lets somebody or something in: by a lock, a door or a valve."""
    if entity.domain in _LOCK:
        return not is_first
    is_way = entity.domain != "cover" or entity.device_class in _DOORS
    return is_first and is_way and is_moving(entity.domain)


def only_turns_on(verb: str) -> bool:
    """Return whether a verb turns on or opens without setting a value."""
    return verb in {"turn_on", "open"}


def plural(kind: str) -> str:
    """Return the English name of all entities of a kind: a domain or `domain.device_class`."""
    return _PLURALS.get(kind) or f"{kind.rpartition('.')[2].replace('_', ' ')}s"


def kind_of_tool(tool: ToolDefinition) -> str | None:
    """Return the kind that a message must mention for a tool without entities of its own."""
    short = short_name(tool)
    if _TIMER_TOOL.match(short):
        return "timer"
    if short == WEATHER:
        return "weather"
    return "time" if short in DATE_TIME else None


def topics_of(recognized: RecognizedIntent | None) -> Iterator[str]:
    """Yield the topic of a recognized question, if it has one."""
    if recognized is not None and recognized.name in _TOPICS_OF_INTENTS:
        yield _TOPICS_OF_INTENTS[recognized.name]


def other_tools(tools: Sequence[ToolDefinition]) -> list[ToolDefinition]:
    """Return the tools that no verb represents."""
    return [tool for tool in tools if short_name(tool) not in _COVERED]


# Target arguments: those of an intent tool that select entities.

_GROUP_ARGUMENTS = frozenset({"domain", "device_class", "area", "floor"})
TARGET_ARGUMENTS = frozenset({"name", *_GROUP_ARGUMENTS})
RARE_ARGUMENTS = frozenset({"device_class", "floor"})
_NAME_ARGUMENTS = ("name", "player_name", *(listing.target for listing in LISTINGS.values()))


def selects_entities(arguments: Collection[str]) -> bool:
    """Return whether the arguments of a tool are names of the home."""
    return "domain" in arguments or {"name", "area"} <= set(arguments)


def target_name(arguments: Mapping[str, Any]) -> str | None:
    """Return the name of the entity in the arguments of a call, None if there is none."""
    names = (arguments.get(key) for key in _NAME_ARGUMENTS)
    return next((name for name in names if isinstance(name, str)), None)


def target_matches(arguments: Mapping[str, Any], entity: ExposedEntity) -> bool:
    """Return whether the domain and area in the arguments of a call are those of an entity."""
    domains = arguments.get("domain") or ()
    return (not domains or entity.domain in domains) and (
        arguments.get("area") in {None, entity.area}
    )


def entity_arguments(entity: ExposedEntity, *, with_area: bool) -> dict[str, Any]:
    """Return the arguments that distinguish an entity from others of the same name."""
    where = {"area": entity.area} if with_area and entity.area else {}
    return {"domain": [entity.domain], **where}


def group_arguments(kind: str, area: str | None, floor: str | None) -> dict[str, Any]:
    """Return the arguments that select all entities of a kind, in an area or on a floor."""
    domain, _, device_class = kind.partition(".")
    return {
        "domain": [domain],
        **({"device_class": [device_class]} if device_class else {}),
        **({"area": area} if area else {}),
        **({"floor": floor} if floor else {}),
    }


def group_part(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return those arguments of a call that can select a group."""
    return {key: value for key, value in arguments.items() if key in _GROUP_ARGUMENTS}


def is_read_at_once(group: Mapping[str, Any]) -> bool:
    """Return whether one call of `GetLiveContext` reads a group: by its domain and area alone."""
    return group.keys() <= {"domain", "area"}
