"""JSON schemas made plain: what a small model understands, and what servers compile to grammars."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..messages import ToolDefinition, object_schema
from .vocabulary import Mentioned, Vocabulary

_FIRST_SENTENCE = re.compile(r"^(.{20,160}?[.!?])(?:\s|$)", re.DOTALL)
_LONGEST_DESCRIPTION = 160
# Tools of Home Assistant that do not say which kinds of things they are for.
_DOMAINS = {
    "HassSetPosition": ("cover", "valve"),
    "HassStopMoving": ("cover", "valve"),
}
_LONGEST_ENUM = 200
_LONGEST_LIST = 8
_ALL = 100  # percent
# What a tool is about, the most exact first.
_TARGETS = ("name", "area", "floor", "domain")
_NARROWING = {*_TARGETS, "device_class"}
# Tools that find by themselves what they are about: what is playing, the one thermostat.
_OWN_TARGET = re.compile(r"HassMedia|HassClimate")


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


def call_schemas(tool: ToolDefinition) -> list[dict[str, Any]]:
    """Return the schemas of a tool's arguments, one for each way to say what it is about.

    Home Assistant's tools that change things take a name, a room, a floor or a kind of things, and
    fail without any of them; their own schema does not say so.
    """
    schema = plain_object(tool.parameters)
    properties, required = schema["properties"], schema["required"]
    targets = [key for key in _TARGETS if key in properties]
    needed = {"name", "area"} <= set(targets) and not (
        tool.annotations.read_only or _OWN_TARGET.search(tool.name)
    )
    if not needed or set(targets) & set(required):
        return [schema]
    alternatives = []
    for number, target in enumerate(targets):
        rest = {key: part for key, part in properties.items() if key not in targets[: number + 1]}
        alternatives.append(
            {
                **schema,
                "properties": {target: properties[target], **rest},
                "required": [target, *required],
            }
        )
    return alternatives


def with_names(tool: ToolDefinition, vocabulary: Vocabulary) -> ToolDefinition:
    """Return the tool with the names of the home as the only values of its arguments."""
    properties = dict(tool.parameters.get("properties") or {})
    if "area" not in properties:
        # What has a name and no room is something else, such as a timer.
        return tool
    domains = _domains(tool)
    things = [thing for thing in vocabulary.things if not domains or thing.domain in domains]
    # Where a tool is for one kind of thing, only the rooms with such a thing make sense.
    areas = {thing.area for thing in things if thing.area} if domains else vocabulary.areas
    for key, names in (
        ("name", sorted({thing.name for thing in things})),
        ("area", sorted(areas)),
        ("floor", sorted(vocabulary.floors)),
    ):
        if first_type(properties.get(key) or {}) == "string" and "enum" not in properties[key]:
            if 0 < len(names) <= _LONGEST_ENUM:
                properties[key] = {**properties[key], "enum": names}
            elif not names and key not in (tool.parameters.get("required") or ()):
                del properties[key]
    if "domain" in properties and not domains:
        kinds = sorted({thing.domain for thing in vocabulary.things})
        properties["domain"] = {"type": "array", "items": {"type": "string", "enum": kinds}}
    return replace(tool, parameters={**tool.parameters, "properties": properties})


def for_meant(tool: ToolDefinition, meant: Mentioned) -> ToolDefinition | None:
    """Return the tool as it is called for what is meant and nothing else, None if it is not."""
    properties = tool.parameters.get("properties") or {}
    if "area" not in properties:
        return tool
    targets = _targets(tool, meant)
    numbers = []
    if meant.percentage and not tool.annotations.read_only:
        # It has to go somewhere: into the argument that takes one.
        numbers = [
            key for key, part in properties.items() if plain_schema(part).get("maximum") == _ALL
        ]
        targets = targets if numbers else {}
    if not targets.keys() <= properties.keys() or not targets:
        return None
    rest = {key: part for key, part in properties.items() if key not in _NARROWING}
    required = [*targets, *(tool.parameters.get("required") or ())]
    return replace(
        tool,
        parameters={
            **tool.parameters,
            "properties": {**targets, **rest},
            "required": [*required, *(key for key in numbers if key not in required)],
        },
    )


def _targets(tool: ToolDefinition, meant: Mentioned) -> dict[str, dict[str, Any]]:
    """Return the arguments that tell what a call is about, none if the tool is not for that."""
    domains = _domains(tool)
    if meant.domain is not None:
        if domains and meant.domain not in domains:
            return {}
        kind = {"type": "array", "items": {"enum": [meant.domain]}, "minItems": 1, "maxItems": 1}
        return {"area": {"type": "string", "enum": [meant.area]}, "domain": kind}
    names = sorted({thing.name for thing in meant.things if not domains or thing.domain in domains})
    return {"name": {"type": "string", "enum": names}} if names else {}


def _domains(tool: ToolDefinition) -> Sequence[str]:
    """Return the domains that a tool is for, nothing if it does not say."""
    if known := _DOMAINS.get(tool.name.rpartition("__")[2]):
        return known
    properties = tool.parameters.get("properties") or {}
    items = (properties.get("domain") or {}).get("items") or {}
    if allowed := items.get("enum"):
        return list(allowed)
    prefix, found, _ = tool.name.partition("__")
    return [prefix] if found and prefix not in {"intent", "homeassistant", "llm"} else []


def compact(tool: ToolDefinition) -> ToolDefinition:
    """Return the tool with less to read: a short description, and no seldom used arguments."""
    properties = tool.parameters.get("properties") or {}
    required = tool.parameters.get("required") or ()
    kept = {
        name: {key: value for key, value in schema.items() if key != "description"}
        for name, schema in properties.items()
        if name in required or name not in {"device_class", "floor"}
    }
    # What a tool cannot do without comes first: it is what the model has to think of.
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


def chosen(tools: Sequence[ToolDefinition], limit: int) -> list[ToolDefinition]:
    """Return at most so many tools, in their order; those that are about the home come first."""
    if len(tools) <= limit:
        return list(tools)

    def rank(tool: ToolDefinition) -> tuple[bool, bool, int]:
        properties = tool.parameters.get("properties") or {}
        return ("name" not in properties, bool(properties), tools.index(tool))

    kept = sorted(tools, key=rank)[:limit]
    return [tool for tool in tools if tool in kept]
