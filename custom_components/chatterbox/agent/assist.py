"""Home Assistant's own tools: the verbs, domains and targets behind them.

Names and arguments as in the `llm.py` and `intent.py` modules of Home Assistant's components.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .home import ExposedEntity
from .messages import ToolDefinition


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
    Verb(name="return_to_base", tool="HassVacuumReturnToBase", capability="return", domains=_VACUUM),
    Verb(name="start_mowing", tool="HassLawnMowerStartMowing", capability="start", domains=_MOWER),
    Verb(name="return_to_dock", tool="HassLawnMowerDock", capability="return", domains=_MOWER),
    Verb(name="pause", tool="HassMediaPause", capability="pause", domains=_MEDIA),
    Verb(name="resume", tool="HassMediaUnpause", capability="play", domains=_MEDIA),
    Verb(name="next_track", tool="HassMediaNext", capability="next", domains=_MEDIA),
    Verb(name="previous_track", tool="HassMediaPrevious", capability="previous", domains=_MEDIA),
    Verb(
        name="set_volume",
        tool="HassSetVolume",
        capability="volume",
        domains=_MEDIA,
        value=Value(key="volume_level"),
    ),
    Verb(
        name="volume_up",
        tool="HassSetVolumeRelative",
        capability="volume",
        domains=_MEDIA,
        fixed={"volume_step": "up"},
    ),
    Verb(
        name="volume_down",
        tool="HassSetVolumeRelative",
        capability="volume",
        domains=_MEDIA,
        fixed={"volume_step": "down"},
    ),
    Verb(name="mute", tool="HassMediaPlayerMute", capability="mute", domains=_MEDIA),
    Verb(name="unmute", tool="HassMediaPlayerUnmute", capability="mute", domains=_MEDIA),
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
TODO_ITEMS = "get_items"
CALENDAR_EVENTS = "get_events"
WEATHER = "get_weather"
DATE_TIME = ("get_current_datetime", "GetDateTime")
PLAY_MEDIA = "play_media"
# Tools that the verbs or `look_up` stand for, or that only continue another one.
_COVERED = frozenset(
    {
        *(verb.tool for verb in VERBS),
        *(LIVE_CONTEXT, TODO_ITEMS, CALENDAR_EVENTS, WEATHER, *DATE_TIME, PLAY_MEDIA),
    }
)

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


def short_name(tool: ToolDefinition | str) -> str:
    """Return a tool's name without the prefixes of its platform and API."""
    name = tool if isinstance(tool, str) else tool.name
    return name.rpartition("__")[2]


def plural(kind: str) -> str:
    """Return what all entities of a kind (a domain or `domain.device_class`) are called."""
    return PLURALS.get(kind) or f"{kind.rpartition('.')[2].replace('_', ' ')}s"


def other_tools(tools: Sequence[ToolDefinition]) -> list[ToolDefinition]:
    """Return the tools that no verb stands for."""
    return [tool for tool in tools if short_name(tool) not in _COVERED]


def arguments_for(
    verb: Verb, tool: ToolDefinition, entity: ExposedEntity, *, name_is_unique: bool
) -> dict[str, Any]:
    """Return the arguments of the tool for one entity."""
    properties = tool.parameters.get("properties") or {}
    arguments: dict[str, Any] = {verb.target: entity.name}
    if "domain" in properties:
        arguments["domain"] = [entity.domain]
    if not name_is_unique and entity.area and "area" in properties:
        arguments["area"] = entity.area
    return arguments | verb.fixed
