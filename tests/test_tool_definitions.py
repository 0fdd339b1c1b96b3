"""Definitions of Home Assistant's tools: converted once, and again when anything differs."""

import gc
import weakref
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, patch

import probatio as vol
import pytest

from custom_components.chatterbox import tool_definitions
from custom_components.chatterbox.tool_definitions import ToolDefinitions, tool_definition
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import intent, llm, selector

AREA = selector.AreaSelector()
PERCENT = vol.All(vol.Coerce(int), vol.Range(min=0, max=100))


def tool(schema: dict[Any, Any] | None = None, **attributes: Any) -> llm.Tool:
    """Return a new tool, by default one that is the same each time."""
    parts = {
        "name": "dim",
        "description": "Dims a light.",
        "annotations": llm.ToolAnnotations(idempotent=True),
        "parameters": vol.Schema(
            schema
            or {
                vol.Required("name", description="Its name"): vol.In(["Desk", "Lamp"]),
                vol.Optional("level", default=50): PERCENT,
                "area": AREA,
            }
        ),
        **attributes,
    }
    made: llm.Tool = SimpleNamespace(**parts)  # type: ignore[assignment]
    return made


def merged(*serializers: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return one serializer for several, as Home Assistant does for several APIs."""
    known = list(serializers)

    def serialize(value: Any) -> Any:
        for serializer in known:
            if (result := serializer(value)) is not None:
                return result
        return value

    return serialize


def other_serializer(value: Any) -> Any:
    return {"type": "string"} if value is AREA else vol.UNSUPPORTED


@pytest.fixture
def convert() -> Iterator[MagicMock]:
    """Count the conversions of schemas."""
    with patch.object(tool_definitions, "to_openapi", wraps=vol.to_openapi) as counted:
        yield counted


async def test_tools_that_are_made_anew_are_converted_once(convert: MagicMock) -> None:
    definitions = ToolDefinitions()
    first, second = [definitions.of(tool(), llm.selector_serializer) for _ in range(2)]
    assert first is second
    assert first.parameters["properties"]["name"]["enum"] == ["Desk", "Lamp"]
    assert convert.call_count == 1


@pytest.mark.parametrize("apis", [["assist"], ["assist", "kitchen"]])
async def test_tools_of_home_assistant_are_converted_once(
    home: HomeAssistant, convert: MagicMock, apis: list[str]
) -> None:
    class Kitchen(llm.API):
        async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
            return llm.APIInstance(self, "", llm_context, [], llm.selector_serializer)

    llm.async_register_api(home, Kitchen(hass=home, id="kitchen", name="Kitchen"))
    home.states.async_set("todo.groceries", "2", {"friendly_name": "Groceries"})
    for _ in range(2):
        context = llm.LLMContext("chatterbox", Context(), "en", "conversation", None)
        api = await llm.async_get_api(home, apis, context)
        assert len(api.tools) > 3
        for each in api.tools:
            assert tool_definition(home, each, api.custom_serializer).name == each.name
        assert convert.call_count == len(api.tools)


@pytest.mark.parametrize(
    "other",
    [
        tool(name="glow"),
        tool(description="Dims a lamp."),
        tool(annotations=llm.ToolAnnotations()),
        tool({vol.Required("name"): cv.string}),
        tool({vol.Optional("name"): cv.string}),
        tool({vol.Required("name", description="Its name"): cv.string}),
        tool({vol.Required("name", default="Desk"): cv.string}),
        tool({vol.Required("name", default=""): cv.string}),
        tool({vol.Required("name"): cv.boolean}),
        tool({vol.Required("name"): vol.In(["Desk"])}),
        tool({vol.Required("name"): vol.In(["Desk", "Lamp"])}),
        tool({vol.Required("name"): {vol.Required("first"): cv.string}}),
        tool(parameters=vol.Schema({vol.Required("name"): cv.string}, extra=vol.ALLOW_EXTRA)),
        tool(parameters=vol.Schema({"name": cv.string}, required=True)),
        tool(parameters=vol.Schema({"name": cv.string})),
        tool(parameters=vol.Schema({"name": intent.non_empty_string})),
        tool(parameters=vol.Schema({})),
    ],
)
async def test_tool_that_differs_is_converted_by_itself(
    convert: MagicMock, other: llm.Tool
) -> None:
    definitions = ToolDefinitions()
    definitions.of(tool(), llm.selector_serializer)
    found = definitions.of(other, llm.selector_serializer)
    assert convert.call_count == 2
    assert found == ToolDefinitions().of(other, llm.selector_serializer)


async def test_each_serializer_has_its_own_definitions(convert: MagicMock) -> None:
    serializers = [
        llm.selector_serializer,
        other_serializer,
        merged(other_serializer),
        merged(llm.selector_serializer, other_serializer),
        merged(other_serializer, llm.selector_serializer),
    ]
    definitions = ToolDefinitions()
    for serializer in serializers:
        definitions.of(tool(), serializer)
    assert convert.call_count == len(serializers)
    definitions.of(tool(), merged(other_serializer, llm.selector_serializer))
    assert convert.call_count == len(serializers)


async def test_parts_of_a_known_tool_keep_their_identity() -> None:
    """Another object must not get the id of one that tells tools apart."""

    class Level:
        def __call__(self, value: Any) -> int:
            return int(value)

    definitions = ToolDefinitions()
    level = Level()
    definitions.of(tool({"level": level}), None)
    kept = weakref.ref(level)
    del level
    gc.collect()
    assert kept() is not None


async def test_definitions_of_tools_that_are_gone_are_dropped(
    convert: MagicMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_definitions, "_SIZE", 2)
    definitions = ToolDefinitions()
    for name in ("one", "two", "one", "three"):
        definitions.of(tool(name=name), llm.selector_serializer)
    assert convert.call_count == 3
    definitions.of(tool(name="one"), llm.selector_serializer)
    assert convert.call_count == 3
    definitions.of(tool(name="two"), llm.selector_serializer)
    assert convert.call_count == 4
