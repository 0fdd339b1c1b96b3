"""Definitions of Home Assistant's tools, converted once and kept from turn to turn."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from types import FunctionType, NoneType
from typing import Any

import voluptuous as vol
from probatio import to_openapi

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util.hass_dict import HassKey

from .agent.messages import ToolAnnotations, ToolDefinition

type Serializer = Callable[[Any], Any] | None
"""Serializer of an API for what probatio does not know, such as selectors."""

_SIZE = 1000
# Values of these types are the same if they are equal.
_VALUES = frozenset({str, int, float, bool, NoneType, llm.ToolAnnotations})
# Objects of these types are the same if their parts are: Home Assistant makes some for every turn,
# such as the names of the to-do lists.
_COMPOSED = frozenset({vol.Required, vol.Optional, vol.In})


class ToolDefinitions:
    """Cache of the definitions of Home Assistant's tools.

    Home Assistant makes its tools anew for every conversation, 2026.10 for every turn. Whether a
    tool is the same as an earlier one is told by everything that its definition depends on.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, tuple[ToolDefinition, list[Any]]] = OrderedDict()

    def of(self, tool: llm.Tool, serializer: Serializer) -> ToolDefinition:
        """Return the definition of a tool of an API with this serializer."""
        parts = [tool.name, tool.description, tool.annotations, tool.parameters, serializer]
        kept: list[Any] = []
        key = _key(parts, kept)
        if (known := self._known.get(key)) is not None:
            self._known.move_to_end(key)
            return known[0]
        definition = _convert(tool, serializer)
        # An id is unique as long as its object exists.
        self._known[key] = definition, kept
        if len(self._known) > _SIZE:
            self._known.popitem(last=False)
        return definition


_DEFINITIONS: HassKey[ToolDefinitions] = HassKey("chatterbox_tool_definitions")


def tool_definition(hass: HomeAssistant, tool: llm.Tool, serializer: Serializer) -> ToolDefinition:
    """Return the definition of a tool of an API with this serializer."""
    if (definitions := hass.data.get(_DEFINITIONS)) is None:
        definitions = hass.data[_DEFINITIONS] = ToolDefinitions()
    return definitions.of(tool, serializer)


def _convert(tool: llm.Tool, serializer: Serializer) -> ToolDefinition:
    annotations = tool.annotations
    return ToolDefinition(
        name=tool.name,
        description=tool.description or tool.name,
        parameters=to_openapi(
            tool.parameters, custom_serializer=serializer, openapi_version="3.1.0"
        ),
        annotations=ToolAnnotations(
            read_only=annotations.read_only,
            destructive=annotations.destructive,
            idempotent=annotations.idempotent,
            open_world=annotations.open_world,
        ),
    )


def _key(value: Any, kept: list[Any]) -> Hashable:
    """Return a key that equals that of another value only if both are the same.

    It holds the ids of the objects that are added to `kept`: it is valid as long as they exist.
    """
    kind = type(value)
    if kind in _VALUES:
        return kind, value
    if (parts := _parts(value)) is None:
        kept.append(value)
        return object, id(value)
    return kind, *[_key(part, kept) for part in parts]


def _parts(value: Any) -> Iterable[Any] | None:
    """Return what a value is made of, None if it is only the same as itself."""
    kind = type(value)
    if kind in {list, tuple}:
        return list(value)
    if kind is dict:
        return [*value, *value.values()]
    if kind is vol.Schema:
        return value.schema, value.required, value.extra
    if kind in _COMPOSED:
        return list(vars(value).values())
    if kind is FunctionType and value.__closure__:
        # A function made by another one, such as the serializer of several APIs.
        cells = [cell.cell_contents for cell in value.__closure__]
        return value.__code__, value.__defaults__, value.__kwdefaults__, *cells
    return None
