"""Home Assistant's own tools: verbs, domains, targets, and the format of their results.

Names and arguments as in the `llm.py` and `intent.py` modules of Home Assistant's components.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from .home import ExposedEntity, RecognizedIntent
from .messages import Message, ToolDefinition, canonical_json


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
    untargeted: bool = False
    """Whether Home Assistant finds the entity itself: what is playing, the one in this area."""


# The colors that `home-assistant-intents` has words for in every language.
_COLORS = (
    *("white", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "turquoise"),
)

_LIGHT, _COVERS, _LOCK = frozenset({"light"}), frozenset({"cover", "valve"}), frozenset({"lock"})
_MOVING = _COVERS | _LOCK
_VACUUM, _MOWER = frozenset({"vacuum"}), frozenset({"lawn_mower"})
_MEDIA, _CLIMATE, _FAN = frozenset({"media_player"}), frozenset({"climate"}), frozenset({"fan"})
_HUMIDIFIER, _TODO = frozenset({"humidifier"}), frozenset({"todo"})
_UP, _DOWN = {"volume_step": "up"}, {"volume_step": "down"}

LIVE_CONTEXT = "GetLiveContext"
WEATHER = "get_weather"
DATE_TIME = ("get_current_datetime", "GetDateTime")
SEARCH_MEDIA, PLAY_MEDIA = "search_media", "play_media"
# Tools that read the state of the home, the time and the weather, with the intents of that name.
STATE_TOOLS = frozenset({LIVE_CONTEXT, "HassGetState"})
TIME_TOOLS = frozenset({*DATE_TIME, "HassGetCurrentTime"})
WEATHER_TOOLS = frozenset({WEATHER, "HassGetWeather"})

VERBS = (
    Verb("turn_on", "HassTurnOn", "on_off", groups=True),
    Verb("turn_off", "HassTurnOff", "on_off", groups=True),
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
        "set_temperature",
        "HassClimateSetTemperature",
        "temperature",
        _CLIMATE,
        value="temperature",
        untargeted=True,
    ),
    Verb("set_fan_mode", "HassClimateSetFanMode", "fan_mode", _CLIMATE, value="fan_mode"),
    Verb("set_speed", "HassFanSetSpeed", "speed", _FAN, value="percentage", groups=True),
    Verb("set_humidity", "HassHumidifierSetpoint", "humidity", _HUMIDIFIER, value="humidity"),
    Verb("set_mode", "HassHumidifierMode", "mode", _HUMIDIFIER, value="mode"),
    Verb("activate", "HassTurnOn", "activate"),
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
# Intents that only reply to the user.
REPLY_INTENTS = frozenset({"HassNevermind", "HassRespond"})
LOOK_UP_TOOLS = frozenset({LIVE_CONTEXT, *(listing.tool for listing in LISTINGS.values())})
# Tools that the verbs or `look_up` stand for, or that only continue another one.
_COVERED = frozenset({*(verb.tool for verb in VERBS), *LOOK_UP_TOOLS, PLAY_MEDIA, "GetDateTime"})
# Spaces before the keys of an entity in the result of `GetLiveContext`, and an escape sequence of
# YAML that JSON does not have.
_INDENT = 2
_LONG_ESCAPE = re.compile(r"\\U([0-9A-F]{8})")
_TIMER_TOOL = re.compile(r"Hass\w*Timer")
_DIRECTION_OF_TOOLS: Mapping[str, bool] = {"HassTurnOn": True, "HassTurnOff": False}
_NEAR_DAYS = ("Today", "Tomorrow")
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


def direction(verb: Verb) -> bool | None:
    """Return True for a verb that turns on, opens or locks, False for its opposite, else None."""
    return _DIRECTION_OF_TOOLS.get(verb.tool)


def is_moving(domain: str) -> bool:
    """Return whether entities of a domain move or grant access, which a question must not cause."""
    return domain in _MOVING


def unlocks(domain: str, *, on: bool | None) -> bool:
    """Return whether an action in a direction on a domain grants access."""
    return domain in _LOCK and on is False


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


def live_context_arguments(group: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `GetLiveContext` for a group; it has no device class or floor."""
    return {key: value for key, value in group.items() if key in {"domain", "area"}}


# Results.


def result_of(message: Message) -> Any:
    """Return the result of a tool message, None if the call failed."""
    content = _envelope(message)
    return content.get("result") if content.get("success") is True else None


def is_failure(message: Message) -> bool:
    """Return whether a tool message reports a failure."""
    return _envelope(message).get("success") is False


def _envelope(message: Message) -> Mapping[str, Any]:
    """Return the object around a tool's result, an empty one if there is none."""
    try:
        content = json.loads(message.content or "")
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def result_text(message: Message, states: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Return a tool's result for a small model: without the envelope and the heading.

    `states` are the names of states, by kind and state.
    """
    match result_of(message):
        case {"result": str(text)}:
            heading, line_break, rest = text.partition("\n")
            is_list = line_break and heading.endswith(":")
            return _state_sentences(rest, states or {}) if is_list else text
        case {"daily": [*days], **now}:
            return "\n".join((canonical_json(now), *_forecast(days)))
        case None:
            return message.content or ""
        case result:
            return canonical_json(result)


def _forecast(days: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the days of a forecast; small models cannot tell which date is tomorrow."""
    for number, day in enumerate(days):
        name = _NEAR_DAYS[number] if number < len(_NEAR_DAYS) else f"In {number} days"
        details = (f"{key.replace('_', ' ')} {value}" for key, value in day.items())
        yield f"{name}: {', '.join(details)}."


def _state_sentences(listed: str, states: Mapping[str, Mapping[str, str]]) -> str:
    """Return the states that `GetLiveContext` lists as one sentence for each entity."""
    sentences = []
    for entity in _read_entities(listed):
        name, state = entity.pop("names", ""), entity.pop("state", "unknown")
        domain = entity.get("domain", "")
        kind = f"{domain}.{entity.get('device_class', '')}"
        state = states.get(kind, states.get(domain, {})).get(state, state)
        details = ", ".join(f"{_attribute(key, entity)} {value}" for key, value in entity.items())
        sentences.append(f"{name} is {state} ({details}).")
    return "\n".join(sentences) or listed


def _attribute(key: str, entity: Mapping[str, str]) -> str:
    """Return the words for an attribute; beside a measured value the plain one is the target."""
    words = key.replace("_", " ")
    return f"target {words}" if f"current_{key}" in entity else words


def _read_entities(listed: str) -> list[dict[str, str]]:
    """Return the values of each entity in the result of `GetLiveContext`, attributes included.

    The format is a YAML list of mappings whose first key is `names`. Keys are indented by two
    spaces, and by four in the mapping below a key without a value; lines that are indented deeper
    continue a value. All others are fragments: the end is missing where a long result is truncated.
    """
    entities: list[dict[str, str]] = []
    key, is_nested = "", False
    for line in listed.splitlines():
        if line.startswith("- names:"):
            entities.append({})
        if not entities:
            continue
        indent = len(line) - len(line.lstrip("- "))
        name, colon, value = line[indent:].partition(":")
        is_key = indent == _INDENT or (is_nested and indent == 2 * _INDENT)
        if is_key and colon and name.isidentifier():
            key, is_nested = name, indent > _INDENT or not value
            entities[-1][key] = value.strip()
        elif indent > (2 * _INDENT if is_nested else _INDENT):
            entities[-1][key] = f"{entities[-1][key]} {line.strip()}".strip()
    scalars = ({key: _scalar(value) for key, value in entity.items()} for entity in entities)
    return [{key: text for key, text in entity.items() if text} for entity in scalars]


def _scalar(text: str) -> str:
    """Return the text of a YAML scalar on one line."""
    return " ".join(_unquoted(text).split())


def _unquoted(text: str) -> str:
    if text.startswith('"'):
        # JSON has the same escape sequences but for those of characters beyond 16 bits.
        escaped = _LONG_ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
        with suppress(ValueError):
            return str(json.loads(escaped))
        return text.strip('"')
    if text.startswith("'"):
        return text[1:].removesuffix("'").replace("''", "'")
    return text


def found_media(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the playable media that the search at the end of these messages has found.

    Each has `title`, `media_content_id` and `media_content_type`, and `player_name` of the search.
    """
    ends = [message for message in messages if message.tool_calls]
    calls = {call.id: call for call in ends[-1].tool_calls} if ends else {}
    found: list[dict[str, Any]] = []
    for message in messages:
        call = calls.get(message.tool_call_id or "")
        result = result_of(message) if call and short_name(call.name) == SEARCH_MEDIA else None
        items = result.get("results") or () if isinstance(result, dict) else ()
        player = call.arguments.get("player_name") if call else None
        found += [
            {**item, "player_name": player}
            for item in items
            if isinstance(item, dict) and item.get("can_play") and item.get("title")
        ]
    return found


def play_arguments(media: Sequence[Mapping[str, Any]], title: str) -> dict[str, Any]:
    """Return the arguments that play the found medium with this title."""
    keys = ("media_content_id", "media_content_type", "player_name")
    item = next((item for item in media if item.get("title") == title), {})
    return {key: item[key] for key in keys if item.get(key) is not None}
