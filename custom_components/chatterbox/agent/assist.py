"""Home Assistant's own tools: the verbs, domains and targets behind them.

Names and arguments as in the `llm.py` and `intent.py` modules of Home Assistant's components.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .home import RecognizedIntent
from .messages import Message, ToolDefinition, canonical_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """The argument of a verb beside its target."""

    key: str
    """The name of the tool's argument."""
    values: tuple[str, ...] = ()
    """The only values, where the tool's own schema does not list them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """Something that can be done to entities with a capability."""

    name: str
    tool: str
    """The short name of the tool."""
    capability: str
    domains: frozenset[str] = frozenset()
    """The only domains, none for all."""
    value: Value | None = None
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that are always the same."""
    groups: bool = False
    """Whether it can be done to all entities of a kind at once."""
    target: str = "name"
    """The argument that names the entity."""
    untargeted: bool = False
    """Whether Home Assistant finds the entity itself: what is playing, the one in this area."""


# The colors that `home-assistant-intents` has words for in every language.
_COLORS = (
    *("white", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "turquoise"),
)

_LIGHT, _COVERS, _LOCK = frozenset({"light"}), frozenset({"cover", "valve"}), frozenset({"lock"})
_VACUUM, _MOWER = frozenset({"vacuum"}), frozenset({"lawn_mower"})
_MEDIA, _CLIMATE, _FAN = frozenset({"media_player"}), frozenset({"climate"}), frozenset({"fan"})
_HUMIDIFIER, _TODO = frozenset({"humidifier"}), frozenset({"todo"})

VERBS = (
    Verb(name="turn_on", tool="HassTurnOn", capability="on_off", groups=True),
    Verb(name="turn_off", tool="HassTurnOff", capability="on_off", groups=True),
    Verb(
        name="set_brightness",
        tool="HassLightSet",
        capability="brightness",
        domains=_LIGHT,
        value=Value(key="brightness"),
        groups=True,
    ),
    Verb(
        name="set_color",
        tool="HassLightSet",
        capability="color",
        domains=_LIGHT,
        value=Value(key="color", values=_COLORS),
        groups=True,
    ),
    Verb(name="open", tool="HassTurnOn", capability="open", domains=_COVERS, groups=True),
    Verb(name="close", tool="HassTurnOff", capability="close", domains=_COVERS, groups=True),
    Verb(
        name="set_position",
        tool="HassSetPosition",
        capability="position",
        domains=_COVERS,
        value=Value(key="position"),
        groups=True,
    ),
    Verb(
        name="stop_moving", tool="HassStopMoving", capability="stop", domains=_COVERS, groups=True
    ),
    Verb(name="lock", tool="HassTurnOn", capability="lock", domains=_LOCK, groups=True),
    Verb(name="unlock", tool="HassTurnOff", capability="unlock", domains=_LOCK, groups=True),
    Verb(name="start_cleaning", tool="HassVacuumStart", capability="start", domains=_VACUUM),
    Verb(
        name="return_to_base", tool="HassVacuumReturnToBase", capability="return", domains=_VACUUM
    ),
    Verb(name="start_mowing", tool="HassLawnMowerStartMowing", capability="start", domains=_MOWER),
    Verb(name="return_to_dock", tool="HassLawnMowerDock", capability="return", domains=_MOWER),
    Verb(
        name="pause",
        tool="HassMediaPause",
        capability="pause",
        domains=_MEDIA,
        untargeted=True,
    ),
    Verb(
        name="resume", tool="HassMediaUnpause", capability="play", domains=_MEDIA, untargeted=True
    ),
    Verb(
        name="next_track", tool="HassMediaNext", capability="next", domains=_MEDIA, untargeted=True
    ),
    Verb(
        name="previous_track",
        tool="HassMediaPrevious",
        capability="previous",
        domains=_MEDIA,
        untargeted=True,
    ),
    Verb(
        name="set_volume",
        tool="HassSetVolume",
        capability="volume",
        domains=_MEDIA,
        value=Value(key="volume_level"),
        untargeted=True,
    ),
    Verb(
        name="volume_up",
        tool="HassSetVolumeRelative",
        capability="volume",
        domains=_MEDIA,
        fixed={"volume_step": "up"},
        untargeted=True,
    ),
    Verb(
        name="volume_down",
        tool="HassSetVolumeRelative",
        capability="volume",
        domains=_MEDIA,
        fixed={"volume_step": "down"},
        untargeted=True,
    ),
    Verb(
        name="mute", tool="HassMediaPlayerMute", capability="mute", domains=_MEDIA, untargeted=True
    ),
    Verb(
        name="unmute",
        tool="HassMediaPlayerUnmute",
        capability="mute",
        domains=_MEDIA,
        untargeted=True,
    ),
    Verb(
        name="search_media",
        tool="search_media",
        capability="search",
        domains=_MEDIA,
        value=Value(key="search_query"),
        target="player_name",
    ),
    Verb(
        name="set_temperature",
        tool="HassClimateSetTemperature",
        capability="temperature",
        domains=_CLIMATE,
        value=Value(key="temperature"),
        untargeted=True,
    ),
    Verb(
        name="set_fan_mode",
        tool="HassClimateSetFanMode",
        capability="fan_mode",
        domains=_CLIMATE,
        value=Value(key="fan_mode"),
    ),
    Verb(
        name="set_speed",
        tool="HassFanSetSpeed",
        capability="speed",
        domains=_FAN,
        value=Value(key="percentage"),
        groups=True,
    ),
    Verb(
        name="set_humidity",
        tool="HassHumidifierSetpoint",
        capability="humidity",
        domains=_HUMIDIFIER,
        value=Value(key="humidity"),
    ),
    Verb(
        name="set_mode",
        tool="HassHumidifierMode",
        capability="mode",
        domains=_HUMIDIFIER,
        value=Value(key="mode"),
    ),
    Verb(name="activate", tool="HassTurnOn", capability="activate"),
    Verb(
        name="add_to_list",
        tool="HassListAddItem",
        capability="add_item",
        domains=_TODO,
        value=Value(key="item"),
    ),
    Verb(
        name="complete_item",
        tool="HassListCompleteItem",
        capability="update_item",
        domains=_TODO,
        value=Value(key="item"),
    ),
    Verb(
        name="remove_item",
        tool="HassListRemoveItem",
        capability="remove_item",
        domains=_TODO,
        value=Value(key="item"),
    ),
)

LIVE_CONTEXT = "GetLiveContext"
WEATHER = "get_weather"
DATE_TIME = ("get_current_datetime", "GetDateTime")
SEARCH_MEDIA, PLAY_MEDIA = "search_media", "play_media"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A tool that returns what is in an entity, such as the items of a list."""

    tool: str
    target: str
    fixed: Mapping[str, Any] = field(default_factory=dict)


LISTINGS: Mapping[str, Listing] = {
    "todo": Listing(tool="get_items", target="todo_list"),
    "calendar": Listing(tool="get_events", target="calendar", fixed={"range": "week"}),
}
# Intents that only answer; they are no tools, or `look_up` stands for them.
_TOPICS_OF_INTENTS: Mapping[str, str] = {
    "HassGetCurrentTime": "time",
    "HassGetCurrentDate": "date",
    "HassGetWeather": "weather",
}
QUERY_INTENTS = frozenset(
    {"HassGetState", "HassClimateGetTemperature", "HassTimerStatus", *_TOPICS_OF_INTENTS}
)
# Intents that are no more than a word to the assistant.
REPLY_INTENTS = frozenset({"HassNevermind", "HassRespond"})
# An entity and a value in the result of `GetLiveContext`.
_ENTRY = re.compile(r"\n- (?=names:)")
_PAIR = re.compile(r"^\s*(\w+): ?(.*)$", re.MULTILINE)
_TIMER_TOOL = re.compile(r"Hass\w*Timer")
LOOK_UP_TOOLS = frozenset({LIVE_CONTEXT, *(listing.tool for listing in LISTINGS.values())})
# Tools that the verbs or `look_up` stand for, or that only continue another one.
_COVERED = frozenset({*(verb.tool for verb in VERBS), *LOOK_UP_TOOLS, PLAY_MEDIA, "GetDateTime"})

# How a group of entities of a kind is called.
PLURALS: Mapping[str, str] = {
    "switch": "switches",
    "cover": "covers",
    "cover.blind": "blinds",
    "cover.curtain": "curtains",
    "cover.door": "doors",
    "cover.garage": "garage doors",
    "cover.gate": "gates",
    "cover.shade": "shades",
    "cover.shutter": "shutters",
    "cover.window": "windows",
    "cover.awning": "awnings",
    "media_player": "media players",
    "binary_sensor": "binary sensors",
    "climate": "thermostats",
}


_DIRECTION_OF_TOOLS: Mapping[str, bool] = {"HassTurnOn": True, "HassTurnOff": False}


def direction(verb: Verb) -> bool | None:
    """Return whether a verb turns on, opens or locks; None if it has no direction."""
    return _DIRECTION_OF_TOOLS.get(verb.tool)


def turns_on(verb: str) -> bool:
    """Return whether a verb does no more than to turn on or open."""
    return verb in {"turn_on", "open"}


def short_name(tool: ToolDefinition | str) -> str:
    """Return a tool's name without the prefixes of its platform and API."""
    name = tool if isinstance(tool, str) else tool.name
    return name.rpartition("__")[2]


def plural(kind: str) -> str:
    """Return what all entities of a kind (a domain or `domain.device_class`) are called."""
    return PLURALS.get(kind) or f"{kind.rpartition('.')[2].replace('_', ' ')}s"


def kind_of_tool(tool: ToolDefinition) -> str | None:
    """Return the kind of which a message has to speak where a tool has no entities of its own."""
    short = short_name(tool)
    if _TIMER_TOOL.match(short):
        return "timer"
    if short == WEATHER:
        return "weather"
    return "time" if short in DATE_TIME else None


def topics_of(recognized: RecognizedIntent | None) -> Iterator[str]:
    """Yield the topic that a recognized question is about."""
    if recognized is not None and recognized.name in _TOPICS_OF_INTENTS:
        yield _TOPICS_OF_INTENTS[recognized.name]


def other_tools(tools: Sequence[ToolDefinition]) -> list[ToolDefinition]:
    """Return the tools that no verb stands for."""
    return [tool for tool in tools if short_name(tool) not in _COVERED]


def result_of(message: Message) -> Any:
    """Return what a tool returned, None if its call failed."""
    content = _envelope(message)
    return content.get("result") if content.get("success") is True else None


def is_failure(message: Message) -> bool:
    """Return whether the message of a tool tells of a failure."""
    return _envelope(message).get("success") is False


def _envelope(message: Message) -> Mapping[str, Any]:
    """Return the object around a tool's result, an empty one if there is none."""
    try:
        content = json.loads(message.content or "")
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def result_text(message: Message) -> str:
    """Return what a small model reads of a tool's result: no envelope, and no heading."""
    match result_of(message):
        case {"result": str(text)}:
            heading, line_break, rest = text.partition("\n")
            return _states(rest) if line_break and heading.endswith(":") else text
        case None:
            return message.content or ""
        case result:
            return canonical_json(result)


def _states(listed: str) -> str:
    """Return the states that `GetLiveContext` lists in YAML as one sentence for each entity."""
    lines = []
    for entry in _ENTRY.split(f"\n{listed}")[1:]:
        values = {key: value.strip("'\"") for key, value in _PAIR.findall(entry) if value}
        name, state = values.pop("names", ""), values.pop("state", "unknown")
        details = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in values.items())
        lines.append(f"{name} is {state} ({details}).")
    return "\n".join(lines) or listed


def found_media(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the media that the search at the end of these messages has found.

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
    """Return the arguments with which one of the found media is played."""
    keys = ("media_content_id", "media_content_type", "player_name")
    item = next((item for item in media if item.get("title") == title), {})
    return {key: item[key] for key in keys if item.get(key) is not None}
