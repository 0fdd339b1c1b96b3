"""Validation of the arguments of built-in tools."""

import math
from collections.abc import Mapping
from typing import Any

from ..errors import ToolArgumentError


def read_arguments(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments converted to the types of the schema, without null and blank ones.

    Small models write `null` or `""` for arguments that they leave out, and numbers as strings. The
    types `string` (with `enum`) and `integer` (with `minimum` and `maximum`) are supported.

    Raises `ToolArgumentError` for a wrong value and for an unknown name: if it were ignored, the
    answer to another question (`city`: the weather at home) would sound right.
    """
    properties: Mapping[str, Mapping[str, Any]] = schema["properties"]
    if unknown := sorted(set(arguments) - set(properties)):
        raise ToolArgumentError(
            f"Unknown argument {', '.join(unknown)}. Use only: {', '.join(properties)}."
        )
    return {
        name: _integer(name, value, properties[name])
        if properties[name]["type"] == "integer"
        else _text(name, value, properties[name])
        for name, value in arguments.items()
        if value is not None and (not isinstance(value, str) or value.strip())
    }


def _text(name: str, value: Any, schema: Mapping[str, Any]) -> str:
    if not isinstance(value, str):
        raise ToolArgumentError(f"{name} must be text.")
    text = value.strip()
    if (choices := schema.get("enum")) and text not in choices:
        raise ToolArgumentError(f"{name} must be one of: {', '.join(choices)}.")
    return text


def _integer(name: str, value: Any, schema: Mapping[str, Any]) -> int:
    low, high = schema["minimum"], schema["maximum"]
    try:
        number = float(value)
    except TypeError, ValueError, OverflowError:
        number = math.nan
    if isinstance(value, bool) or not number.is_integer() or not low <= number <= high:
        raise ToolArgumentError(f"{name} must be a whole number from {low} to {high}.")
    return int(number)
