"""Arguments as they were meant: what a model wrote, brought into the form that a tool takes.

Only what can have one meaning is changed, and all of it is told. What is missing stays missing.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..messages import ToolCall, ToolDefinition, well_formed
from .lenient_json import loads
from .scanner import FoundCall
from .schemas import allowed_types
from .vocabulary import Vocabulary, clearly_nearest, nearest, plainest

# With three digits behind a separator, it may stand between the thousands.
_NUMBER = re.compile(r"(-?\d+(?:[.,](?!\d{3}(?!\d))\d+)?)(.*)")
_UNITS = {"", "%", "percent", "°", "°c", "°f"}
_TRUE = {"true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}
_NOTHING = {"", "null", "none", "n/a", "undefined", "any", "unknown"}
_VALUE_KEYS = ("value", "const", "default", "example")
_SCHEMA_KEYS = {"type", "description", "title", "enum", "items", "properties", "anyOf", "format"}

# What models call an argument that has another name.
_SYNONYMS = {
    "entity": "name",
    "entityid": "name",
    "entityname": "name",
    "device": "name",
    "devicename": "name",
    "target": "name",
    "room": "area",
    "location": "area",
    "level": "brightness",
}


def tool_named(written: str, names: Iterable[str]) -> str | None:
    """Return the name of the offered tool that is meant, None if it is not clear."""
    names = list(names)
    written = written.strip().removeprefix("functions.")
    if written in names:
        return written
    short = {name: name.rpartition("__")[2] for name in names}
    wanted = plainest(written.rpartition("__")[2])
    for forms in (
        {name: plainest(name) for name in names},
        {name: plainest(part) for name, part in short.items()},
    ):
        fitting = [name for name, form in forms.items() if form in {wanted, plainest(written)}]
        if len(fitting) == 1:
            return fitting[0]
    parts = {plainest(part): part for part in short.values()}
    near = clearly_nearest(written.rpartition("__")[2], parts, 0.85)
    fitting = [name for name, part in short.items() if near and plainest(part) == near]
    return fitting[0] if len(fitting) == 1 else None


@dataclass(slots=True)
class _Repairs:
    told: list[str] = field(default_factory=list)

    def tell(self, what: str, before: Any, after: Any) -> None:
        self.told.append(f"{what}: {before!r} became {after!r}")


class Repairer:
    """Makes calls of what was found, for the tools of a request."""

    def __init__(
        self,
        tools: Sequence[ToolDefinition],
        vocabulary: Vocabulary | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        """Take the tools on offer, the names of the home, and other names that the tools go by."""
        self._tools = {tool.name: tool for tool in tools}
        self._vocabulary = vocabulary
        self._aliases = aliases or {}

    @property
    def names(self) -> list[str]:
        """The names of the tools as a model may write them: whole, or without their prefix."""
        short = {name.rpartition("__")[2] for name in self._tools}
        return sorted({*self._tools, *short, *self._aliases})

    def knows(self, name: str) -> bool:
        """Tell whether it is clear which tool is meant."""
        return name in self._aliases or tool_named(name, self._tools) is not None

    def call(self, call_id: str, found: FoundCall) -> ToolCall:
        """Return the call that was found in a text."""
        return self._repaired(call_id, found.name, found.arguments, typed=found.typed)

    def native(self, call: ToolCall) -> ToolCall:
        """Return a call that came as the protocol wants it."""
        arguments: Any = call.arguments if call.invalid is None else call.invalid
        return self._repaired(call.id, call.name, arguments, typed=True)

    def _repaired(self, call_id: str, written: str, given: Any, *, typed: bool) -> ToolCall:
        repairs = _Repairs()
        written = self._aliases.get(written, written)
        name = tool_named(written, self._tools) or written
        if name != written:
            repairs.tell("tool", written, name)
        tool = self._tools.get(name)
        properties: Mapping[str, Any] = (tool.parameters.get("properties") or {}) if tool else {}
        arguments = self._object(given, properties, repairs)
        if arguments is None:
            return ToolCall(id=call_id, name=name, arguments={}, invalid=str(given))
        if tool is not None:
            required = tool.parameters.get("required") or ()
            arguments = _named_as(properties, arguments, repairs)
            arguments = {
                key: _fitted(key, value, properties.get(key), repairs, typed=typed)
                for key, value in arguments.items()
            }
            arguments = _without_nothing(arguments, required, properties, repairs)
            if self._vocabulary is not None:
                arguments = _in_words_of(self._vocabulary, arguments, properties, repairs)
        return ToolCall(
            id=call_id, name=name, arguments=_encodable(arguments), repairs=tuple(repairs.told)
        )

    def _object(
        self, given: Any, properties: Mapping[str, Any], repairs: _Repairs
    ) -> dict[str, Any] | None:
        """Return the arguments as an object, None if they cannot be one."""
        arguments = given
        if isinstance(arguments, str):
            if not arguments.strip():
                return {}
            try:
                arguments = loads(arguments, unclosed=True)
            except ValueError:
                return None
            repairs.tell("arguments", given, arguments)
        if isinstance(arguments, list):
            if len(arguments) == 1 and isinstance(arguments[0], dict):
                arguments = arguments[0]
            elif not arguments or len(arguments) > len(properties):
                return {} if not arguments else None
            else:
                arguments = dict(zip(properties, arguments, strict=False))
            repairs.tell("arguments", given, arguments)
        return _unwrapped(arguments, properties, repairs) if isinstance(arguments, dict) else None


def _unwrapped(
    arguments: dict[str, Any], properties: Mapping[str, Any], repairs: _Repairs
) -> dict[str, Any]:
    """Take arguments out of what models put around them: another object, or the schema."""
    for wrapper in ("arguments", "parameters", "properties", "args"):
        inner = arguments.get(wrapper)
        if wrapper not in properties and isinstance(inner, dict):
            rest = set(arguments) - {wrapper, "type", "required", "name", "title", "description"}
            if not rest:
                repairs.tell("arguments", arguments, inner)
                arguments = inner
    return arguments


def _named_as(
    properties: Mapping[str, Any], arguments: dict[str, Any], repairs: _Repairs
) -> dict[str, Any]:
    """Return the arguments under the names that the tool knows."""
    forms = {plainest(name): name for name in properties}
    named: dict[str, Any] = {key: value for key, value in arguments.items() if key in properties}
    for key, value in arguments.items():
        if key in properties:
            continue
        form = plainest(key)
        meant = forms.get(form) or forms.get(_SYNONYMS.get(form, ""))
        if meant is None and (near := clearly_nearest(key, forms, 0.85)) is not None:
            meant = forms[near]
        if meant is None or meant in named:
            named[key] = value
        else:
            named[meant] = value
            repairs.tell("argument", key, meant)
    return named


def _fitted(
    key: str, value: Any, schema: Mapping[str, Any] | None, repairs: _Repairs, *, typed: bool
) -> Any:
    """Return a value in the type that its schema wants, as far as that is clear."""
    if schema is None:
        return value if typed else _untyped(value, ())
    types = allowed_types(schema)
    fitted = value
    if isinstance(fitted, dict) and "object" not in types and types:
        fitted = _value_of_schema(fitted)
    if not typed and isinstance(fitted, str):
        fitted = _untyped(fitted, types)
    elif types and not _is_any(fitted, types):
        fitted = _converted(key, fitted, types, schema)
    fitted = _one_of(fitted, schema)
    if typed and (fitted != value or type(fitted) is not type(value)):
        repairs.tell(key, value, fitted)
    return fitted


def _value_of_schema(value: dict[str, Any]) -> Any:
    """Return the value from a piece of schema that stands in its place."""
    for key in _VALUE_KEYS:
        if key in value and not isinstance(value[key], dict):
            return value[key]
    return None if value.keys() <= _SCHEMA_KEYS and "type" in value else value


def _untyped(value: Any, types: Collection[str]) -> Any:
    """Read a value from a form that knows no types."""
    if not isinstance(value, str):
        return value
    if "string" in types:
        nothing = "null" in types and value.strip() == "null"
        return None if nothing else value
    try:
        return loads(value)
    except ValueError:
        return value


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def _is_any(value: Any, types: Iterable[str]) -> bool:
    return any(_KINDS.get(kind, lambda _: True)(value) for kind in types)


def _converted(key: str, value: Any, types: Sequence[str], schema: Mapping[str, Any]) -> Any:
    """Return the value as one of the types, itself if it is none of them."""
    if isinstance(value, list) and len(value) == 1 and "array" not in types:
        value = value[0]
    for kind in types:
        converted = _as_kind(key, value, kind, schema)
        if converted is not None and _is_any(converted, [kind]):
            return converted
    return value


def _as_kind(key: str, value: Any, kind: str, schema: Mapping[str, Any]) -> Any:
    match kind:
        case "integer" | "number":
            return _number(key, value, whole=kind == "integer")
        case "boolean":
            word = str(value).strip().casefold()
            return True if word in _TRUE else False if word in _FALSE else None
        case "array":
            return _as_list(key, value, schema)
        case "object":
            return _loaded(value, dict)
        case "string":
            return None if isinstance(value, dict | list) or value is None else str(value)
    return None


def _number(key: str, value: Any, *, whole: bool) -> int | float | None:
    """Return a number, which may have a unit if that is certainly the one of the argument."""
    if isinstance(value, float):
        return int(value) if whole and value.is_integer() else value
    if not isinstance(value, str) or (found := _NUMBER.fullmatch(value.strip())) is None:
        return None
    digits, unit = found[1], found[2].strip().casefold()
    if unit not in _UNITS and unit.removesuffix("s") != key.casefold().removesuffix("s"):
        return None
    number = float(digits.replace(",", "."))
    return int(number) if number.is_integer() and (whole or "." not in digits) else number


def _as_list(key: str, value: Any, schema: Mapping[str, Any]) -> list[Any] | None:
    if value is None or isinstance(value, dict):
        return None
    if (loaded := _loaded(value, list)) is not None:
        return loaded
    items = schema.get("items") or {}
    types = allowed_types(items)
    return [value if not types or _is_any(value, types) else _converted(key, value, types, items)]


def _loaded[T: (dict[str, Any], list[Any])](value: Any, kind: type[T]) -> T | None:
    if not isinstance(value, str) or value.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        loaded = loads(value)
    except ValueError:
        return None
    return loaded if isinstance(loaded, kind) else None


def _one_of(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return the allowed value that is meant."""
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [_one_of(item, schema["items"]) for item in value]
    allowed = [item for item in schema.get("enum") or () if isinstance(item, str)]
    if not allowed or not isinstance(value, str) or value in allowed:
        return value
    return nearest(value, allowed) or value


def _without_nothing(
    arguments: dict[str, Any],
    required: Collection[str],
    properties: Mapping[str, Any],
    repairs: _Repairs,
) -> dict[str, Any]:
    """Leave out what models fill in for an argument that they do not use."""
    kept = {}
    for key, value in arguments.items():
        schema = properties.get(key) or {}
        nothing = value in ([None], [""])
        if value is None:
            nothing = "null" not in allowed_types(schema)
        if isinstance(value, str) and schema:
            nothing = value.strip().casefold() in _NOTHING and value not in schema.get("enum", ())
        if nothing and key not in required:
            repairs.tell(key, value, "left out")
        else:
            kept[key] = value
    return kept


def _in_words_of(
    vocabulary: Vocabulary,
    arguments: dict[str, Any],
    properties: Mapping[str, Any],
    repairs: _Repairs,
) -> dict[str, Any]:
    """Return the arguments with the names that things, rooms and floors have in the home."""
    changed = vocabulary.corrected(arguments, properties)
    for key in {**arguments, **changed}:
        before, after = arguments.get(key), changed.get(key)
        if before != after:
            repairs.tell(key, before, "left out" if after is None else after)
    return changed


def _encodable(value: Any) -> Any:
    """Return the value without halves of characters, which no server takes."""
    match value:
        case str():
            return well_formed(value)
        case list():
            return [_encodable(item) for item in value]
        case dict():
            return {_encodable(key): _encodable(item) for key, item in value.items()}
    return value
