"""JSON schemas made plain: what a small model understands, and what servers compile to grammars."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..assist import RARE_ARGUMENTS
from ..messages import ToolDefinition, object_schema

_FIRST_SENTENCE = re.compile(r"^(.{20,160}?[.!?])(?:\s|$)", re.DOTALL)
_LONGEST_DESCRIPTION = 160
_LONGEST_LIST = 8


def first_type(schema: Mapping[str, Any]) -> str | None:
    """Return the first JSON type that a schema names, None if it does not say."""
    types = allowed_types(schema)
    return next((kind for kind in types if kind != "null"), None)


def allowed_types(schema: Mapping[str, Any]) -> list[str]:
    """Return the JSON types that a schema allows, in its order; nothing if it does not say."""
    types = schema.get("type")
    found = [types] if isinstance(types, str) else list(types or ())
    for part in schema.get("allOf") or ():
        # All of them hold: the first that names a type is the narrowest that Home Assistant makes.
        found = found or allowed_types(part)
    for alternatives in ("anyOf", "oneOf"):
        for part in schema.get(alternatives) or ():
            found += [kind for kind in allowed_types(part) if kind not in found]
    if not found and "enum" in schema:
        found = ["string"] if all(isinstance(item, str) for item in schema["enum"]) else []
    return found


def plain_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema of one type, without anything that only some servers understand."""
    if (constant := schema.get("const")) is not None:
        return {"const": constant}
    if allowed := schema.get("enum"):
        return {"enum": list(allowed)}
    kind = first_type(schema)
    plain: dict[str, Any] = {"type": kind} if kind else {"type": "string"}
    for part in (schema, *(schema.get("allOf") or ())):
        plain |= {key: part[key] for key in ("minimum", "maximum") if key in part}
    match kind:
        case "array":
            items = schema.get("items") or _array_of(schema).get("items") or {}
            plain["items"] = plain_schema(items)
            # Without an end some models find none.
            plain["maxItems"] = schema.get("maxItems", _LONGEST_LIST)
            plain["minItems"] = schema.get("minItems", 0)
        case "object":
            plain |= plain_object(schema)
    return plain


def _array_of(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    parts = [*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    return next((part for part in parts if part.get("type") == "array"), {})


def plain_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with plain members and no others."""
    whole = object_schema(schema)
    return {
        "type": "object",
        "properties": {name: plain_schema(part) for name, part in whole["properties"].items()},
        "required": whole["required"],
        "additionalProperties": False,
    }


def compact_tool(tool: ToolDefinition) -> ToolDefinition:
    """Return the tool with a short description and without descriptions of its arguments.

    Rarely used arguments are left out, unless they are required.
    """
    properties = tool.parameters.get("properties") or {}
    required = tool.parameters.get("required") or ()
    kept = {
        name: {key: value for key, value in schema.items() if key != "description"}
        for name, schema in properties.items()
        if name in required or name not in RARE_ARGUMENTS
    }
    # Required arguments come first, as models pay most attention to the beginning.
    ordered = {name: kept[name] for name in sorted(kept, key=lambda name: name not in required)}
    if "name" in ordered:
        ordered = {"name": ordered.pop("name"), **ordered}
    return replace(
        tool,
        description=_short(tool.description),
        parameters={**tool.parameters, "properties": ordered},
    )


def _short(description: str) -> str:
    text = " ".join(description.split())
    if (sentence := _FIRST_SENTENCE.match(text)) is not None:
        return sentence[1]
    return text if len(text) <= _LONGEST_DESCRIPTION else f"{text[:_LONGEST_DESCRIPTION]}…"


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these properties, in this order."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
