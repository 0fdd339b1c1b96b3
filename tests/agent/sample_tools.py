"""Sample tools of a home."""

from dataclasses import replace

from custom_components.chatterbox.agent.messages import ToolAnnotations
from tests.agent.builders import tool

TURN_ON = tool(
    "intent__HassTurnOn",
    name="string",
    area="string",
    domain={"type": "array", "items": {"type": "string", "enum": ["light", "switch"]}},
)


LIGHT_SET = tool(
    "light__HassLightSet",
    name="string",
    area="string",
    domain={"type": "array", "items": {"type": "string", "enum": ["light"]}},
    brightness={"type": "integer", "minimum": 0, "maximum": 100},
    color="string",
)


WEATHER = tool("get_weather", city="string", days="integer")


CONTEXT = replace(
    tool("homeassistant__GetLiveContext", name="string", area="string"),
    annotations=ToolAnnotations(read_only=True),
)


TOOLS = (TURN_ON, LIGHT_SET, WEATHER)
