"""Normalization of tool calls: names of tools, types of values, names of the home.

Nothing is guessed: arguments that do not match the schema go back to the model as an error.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from ...assist import selects_entities, short_name
from ...messages import ToolCall, ToolDefinition, replace_lone_surrogates
from ..parsing.lenient_json import loads
from ..parsing.pieces import ParsedCall


class NameResolver(Protocol):
    """Resolver of names that differ from those of the home in case, accents, alias or entity id."""

    def entity(self, name: str) -> str | None:
        """Return the name of the entity, None unless exactly one matches."""

    def area(self, name: str) -> str | None:
        """Return the name of the area, None unless exactly one matches."""

    def floor(self, name: str) -> str | None:
        """Return the name of the floor, None unless exactly one matches."""


class ArgumentNormalizer:
    """Normalizer of a model's calls to those of the offered tools."""

    def __init__(
        self,
        tools: Sequence[ToolDefinition],
        names: NameResolver | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._names = names
        self._by_name = _tools_by_name(self._tools, aliases or {})

    def tool_name(self, name: str) -> str | None:
        """Return the offered tool with this name, short name or alias, None if there is none."""
        return self._by_name.get(name.removeprefix("functions."))

    def native(self, call: ToolCall, *, truncated: bool = False) -> ToolCall:
        """Return a normalized call of the protocol; in a truncated answer it must be valid JSON."""
        name = self.tool_name(call.name) or call.name
        arguments = call.arguments
        if call.invalid is not None:
            parsed = None if truncated else _parsed_object(call.invalid)
            if parsed is None:
                return replace(call, name=name)
            arguments = parsed
        return self._normalized(call.id, name, arguments)

    def parsed(self, call_id: str, call: ParsedCall) -> ToolCall:
        """Return a normalized call that was parsed from text."""
        name = self.tool_name(call.name) or call.name
        arguments = call.arguments if call.typed else self._typed(name, call.arguments)
        return self._normalized(call_id, name, _sendable(arguments))

    def _typed(self, name: str, arguments: Mapping[str, str]) -> dict[str, Any]:
        properties = self._properties(name)
        return {key: _value(text, properties.get(key)) for key, text in arguments.items()}

    def _normalized(self, call_id: str, name: str, arguments: Mapping[str, Any]) -> ToolCall:
        resolved = dict(arguments)
        changes = []
        if self._names is not None and selects_entities(self._properties(name)):
            resolvers = {
                "name": self._names.entity,
                "area": self._names.area,
                "floor": self._names.floor,
            }
            for key in resolvers.keys() & resolved.keys():
                given = resolved[key]
                resolved_name = resolvers[key](given) if isinstance(given, str) else None
                if resolved_name is not None and resolved_name != given:
                    resolved[key] = resolved_name
                    changes.append(f"{key}: {given!r} became {resolved_name!r}")
        return ToolCall(id=call_id, name=name, arguments=resolved, repairs=tuple(sorted(changes)))

    def _properties(self, name: str) -> Mapping[str, Any]:
        tool = self._tools.get(name)
        return (tool.parameters.get("properties") or {}) if tool else {}


def _tools_by_name(tools: Collection[str], aliases: Mapping[str, str]) -> dict[str, str]:
    """Return the tools by name, by alias and by unambiguous short name."""
    shortened = [short_name(name) for name in tools]
    short = {
        part: name
        for name, part in zip(tools, shortened, strict=True)
        if shortened.count(part) == 1
    }
    return {**short, **aliases, **{name: name for name in tools}}


def _parsed_object(text: str) -> dict[str, Any] | None:
    try:
        value = loads(text)
    except ValueError:
        return None
    return _sendable(value) if isinstance(value, dict) else None


def _value(text: Any, schema: Any) -> Any:
    """Return a text converted to a type of its schema, for formats without types."""
    if not isinstance(text, str):
        return text
    types = _types(schema)
    if "string" in types:
        return None if "null" in types and text.strip() == "null" else text
    try:
        return loads(text)
    except ValueError:
        return text


def _types(schema: Any) -> set[str]:
    if not isinstance(schema, Mapping):
        return set()
    kind = schema.get("type") or ()
    types = {kind} if isinstance(kind, str) else set(kind)
    for keyword in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(keyword) or ():
            types |= _types(part)
    if not types and schema.get("enum"):
        types = {"string" for allowed in schema["enum"] if isinstance(allowed, str)}
    return types


def _sendable(value: Any) -> Any:
    """Return a value without lone surrogates, which no server accepts."""
    match value:
        case str():
            return replace_lone_surrogates(value)
        case list():
            return [_sendable(item) for item in value]
        case dict():
            return {_sendable(key): _sendable(item) for key, item in value.items()}
    return value
