"""Sample home, and Home Assistant's tools for it."""

import json
from dataclasses import replace
from typing import Any

from custom_components.chatterbox.agent.assist import VERBS, short_name
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.mentions import Place
from custom_components.chatterbox.agent.messages import (
    Message,
    ToolAnnotations,
    ToolCall,
    ToolDefinition,
)
from tests.agent.builders import entity, tool

ON_OFF = frozenset({"on_off"})
DIMS = frozenset({"on_off", "brightness", "color"})
COVER = frozenset({"open", "close", "stop", "position"})


DESK = entity("Desk Lamp", "light", "Office", *DIMS, aliases=("Work light",), floor="Upstairs")
FLOOR_LAMP = entity("Floor Lamp", "light", "Office", *ON_OFF, floor="Upstairs")
COUNTER = entity("Counter Light", "light", "Kitchen", *DIMS, floor="Downstairs")
SINK = entity("Sink Light", "light", "Kitchen", *ON_OFF, floor="Downstairs")
LEFT = entity("Left Blind", "cover", "Office", *COVER, device_class="blind", floor="Upstairs")
RIGHT = entity("Right Blind", "cover", "Office", *COVER, device_class="blind", floor="Upstairs")
GARAGE = entity("Garage Door", "cover", None, "open", "close", device_class="garage")
LOCK = entity("Front Door", "lock", None, "lock", "unlock")
SENSOR = entity("Front Door", "binary_sensor", None, device_class="door")
KETTLE = entity("Kettle", "switch", "Kitchen", *ON_OFF, floor="Downstairs")
STOVE_K = entity("Stove", "climate", "Kitchen", "temperature", floor="Downstairs")
STOVE_O = entity("Stove", "climate", "Office", "temperature", floor="Upstairs")
RADIO = entity(
    "Radio", "media_player", "Kitchen", "pause", "volume", "mute", "search", floor="Downstairs"
)
SHOPPING = entity("Shopping List", "todo", None, "add_item", "update_item")
FILM = entity("Film Night", "scene", None, "activate")

HOME = HomeVocabulary(
    entities=(
        *(COUNTER, DESK, FILM, FLOOR_LAMP, LOCK, SENSOR, GARAGE, KETTLE, LEFT, RADIO, RIGHT),
        *(SHOPPING, SINK, STOVE_K, STOVE_O),
    ),
    areas=(Place(name="Kitchen"), Place(name="Office", aliases=("Study",))),
    floors=(Place(name="Downstairs"), Place(name="Upstairs", aliases=("Top floor",))),
    kinds={
        "light": ["light", "lights"],
        "cover": ["cover"],
        "cover.blind": ["blind"],
        "lock": ["lock"],
        "climate": ["heating"],
        "timer": ["timer"],
        "weather": ["weather"],
        "time": ["time"],
        "media_player": ["music"],
    },
    grammar=frozenset(
        (
            *("turn", "on", "off", "the", "is", "all", "in", "a", "and", "set", "to", "open"),
            *("please", "pause", "what", "which", "it"),
        )
    ),
    inflects=False,
)

_TARGET: dict[str, Any] = {
    "name": "string",
    "area": "string",
    "floor": "string",
    "domain": {"type": "array", "items": {"type": "string"}},
    "device_class": {"type": "array", "items": {"type": "string"}},
}
_VALUES: dict[str, Any] = {
    "brightness": {"type": "integer", "minimum": 0, "maximum": 100},
    "position": {"type": "integer", "minimum": 0, "maximum": 100},
    "volume_level": {"type": "integer", "minimum": 0, "maximum": 100},
    "temperature": "number",
    "percentage": "integer",
    "humidity": "integer",
}
READ_ONLY = ToolAnnotations(read_only=True)


def _tool_of(short: str) -> ToolDefinition:
    values = {
        verb.value: _VALUES.get(verb.value, "string")
        for verb in VERBS
        if verb.tool == short and verb.value
    }
    fixed = {key: "string" for verb in VERBS if verb.tool == short for key in verb.fixed}
    target = next(verb.target for verb in VERBS if verb.tool == short)
    if target != "name":
        return tool(f"assist__{short}", **{target: "string"}, **values)
    return tool(f"assist__{short}", **_TARGET, **values, **fixed)


def read_tool(name: str, /, **properties: Any) -> ToolDefinition:
    """Return a tool that changes nothing."""
    return replace(tool(name, **properties), annotations=READ_ONLY)


CONTEXT = read_tool(
    "assist__GetLiveContext",
    name="string",
    area="string",
    domain={"type": "array", "items": {"type": "string"}},
)
TIMER = tool("assist__HassStartTimer", ["minutes"], minutes="integer", name="string")
CLOCK = read_tool("get_current_datetime", location="string")
WEATHER = read_tool("get_weather", location="string", days="integer")
ITEMS = read_tool("assist__todo__get_items", todo_list="string", status="string")
PLAY = tool(
    "assist__play_media",
    media_content_id="string",
    media_content_type="string",
    player_name="string",
)
JOKE = replace(tool("tell_joke", topic="string"), annotations=READ_ONLY)
SWEEP = replace(tool("sweep_chimney"), description="Cleans the chimney.")
TOOLS = (
    *(_tool_of(short) for short in dict.fromkeys(verb.tool for verb in VERBS)),
    *(CONTEXT, TIMER, CLOCK, WEATHER, ITEMS, PLAY, JOKE, SWEEP),
)


def called(short: str, call_id: str = "1", /, **arguments: Any) -> ToolCall:
    """Return a call of the tool with this short name."""
    name = next(each.name for each in TOOLS if short_name(each) == short)
    return ToolCall(id=call_id, name=name, arguments=arguments)


def result(result: Any = "done", call_id: str = "1", *, success: bool = True) -> Message:
    """Return the message of a tool."""
    key = "result" if success else "error"
    return Message.tool(call_id, json.dumps({"success": success, key: result}))
