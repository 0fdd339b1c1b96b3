"""Validation against the subset of JSON schema that the action grammar uses."""

import math
from collections.abc import Callable, Mapping
from typing import Any

type _Schema = Mapping[str, Any]


def matches(value: Any, schema: _Schema) -> bool:
    """Return whether a value is valid; objects have the properties of the schema and no others."""
    if "anyOf" in schema:
        return any(matches(value, part) for part in schema["anyOf"])
    if "const" in schema:
        return _is_same(value, schema["const"])
    if "enum" in schema:
        return any(_is_same(value, each) for each in schema["enum"])
    is_of_type = _TYPES.get(schema.get("type", ""))
    return is_of_type is not None and is_of_type(value, schema)


def only_value(schema: _Schema) -> Any:
    """Return the only valid value of a schema, None if there are several or if it is not known.

    Repeated items of an array are left out, as in `matches`.
    """
    if "anyOf" in schema:
        parts = schema["anyOf"]
        return only_value(parts[0]) if len(parts) == 1 else None
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0] if len(schema["enum"]) == 1 else None
    match schema.get("type"):
        case "array":
            item = only_value(schema["items"])
            return None if item is None else [item]
        case "object":
            values = {key: only_value(each) for key, each in schema["properties"].items()}
            return None if None in values.values() else values
    return None


def _is_same(value: Any, other: Any) -> bool:
    """Return whether two values are equal in JSON, where true is not 1."""
    return bool(value == other) and isinstance(value, bool) == isinstance(other, bool)


def _is_string(value: Any, _: _Schema) -> bool:
    return isinstance(value, str)


def _is_boolean(value: Any, _: _Schema) -> bool:
    return isinstance(value, bool)


def _is_integer(value: Any, schema: _Schema) -> bool:
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return is_whole and _is_number(value, schema)


def _is_number(value: Any, schema: _Schema) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    is_finite = isinstance(value, int) or math.isfinite(value)
    return is_finite and _is_within(value, schema, "minimum", "maximum")


def _is_array(value: Any, schema: _Schema) -> bool:
    # Each item is valid by itself: of several that are wanted, repeated ones are left out.
    least = min(schema.get("minItems", 0), 1)
    return (
        isinstance(value, list)
        and least <= len(value) <= schema.get("maxItems", len(value))
        and all(matches(item, schema["items"]) for item in value)
    )


def _is_object(value: Any, schema: _Schema) -> bool:
    properties = schema["properties"]
    return (
        isinstance(value, dict)
        and set(schema["required"]) <= value.keys() <= properties.keys()
        and all(matches(member, properties[key]) for key, member in value.items())
    )


def _is_within(value: float, schema: _Schema, least: str, most: str) -> bool:
    return bool(schema.get(least, value) <= value <= schema.get(most, value))


_TYPES: Mapping[str, Callable[[Any, _Schema], bool]] = {
    "string": _is_string,
    "boolean": _is_boolean,
    "integer": _is_integer,
    "number": _is_number,
    "array": _is_array,
    "object": _is_object,
}
