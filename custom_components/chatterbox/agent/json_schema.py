"""JSON schemas, reduced to what small models understand and servers compile to grammars."""

from collections.abc import Collection, Mapping
from typing import Any

_DEFAULT_MAX_ITEMS = 8


def object_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema as an object schema that every server accepts.

    Servers reject alternatives (`oneOf`, …) at the top level. They are removed: the tool validates
    its arguments anyway.
    """
    kept = {key: value for key, value in schema.items() if key not in {"oneOf", "anyOf", "allOf"}}
    return {
        **kept,
        "type": "object",
        "properties": dict(kept.get("properties") or {}),
        "required": list(kept.get("required") or ()),
    }


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these properties, in this order."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def first_type(schema: Mapping[str, Any]) -> str | None:
    """Return the first JSON type that a schema names beside null, None if it names none."""
    types = allowed_types(schema)
    return next((kind for kind in types if kind != "null"), None)


def allowed_types(schema: Mapping[str, Any]) -> list[str]:
    """Return the JSON types that a schema allows, in its order; none if it does not say."""
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


def plain_schema(
    schema: Mapping[str, Any], max_items: int | None = _DEFAULT_MAX_ITEMS
) -> dict[str, Any]:
    """Return a schema of one type, without keywords that only some servers support.

    `max_items` is the length of lists without a limit.
    """
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
            plain["items"] = plain_schema(items, max_items)
            # Some models never end a list without a limit.
            if (longest := schema.get("maxItems", max_items)) is not None:
                plain["maxItems"] = longest
            plain["minItems"] = schema.get("minItems", 0)
        case "object":
            plain |= plain_object(schema, max_items)
    return plain


def _array_of(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    parts = [*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    return next((part for part in parts if part.get("type") == "array"), {})


def plain_object(
    schema: Mapping[str, Any], max_items: int | None = _DEFAULT_MAX_ITEMS
) -> dict[str, Any]:
    """Return the schema of an object with plain properties and no others."""
    whole = object_schema(schema)
    return {
        "type": "object",
        "properties": {
            name: plain_schema(part, max_items) for name, part in whole["properties"].items()
        },
        "required": whole["required"],
        "additionalProperties": False,
    }


def without_keywords(schema: Any, keywords: Collection[str]) -> Any:
    """Return a plain schema without these keywords; properties of the same names are kept."""
    if not isinstance(schema, Mapping):
        return schema
    return {
        key: {name: without_keywords(part, keywords) for name, part in value.items()}
        if key == "properties"
        else without_keywords(value, keywords)
        for key, value in schema.items()
        if key not in keywords
    }


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the schema as the strict mode of the OpenAI API has it.

    Every property is required, and one that is optional may be null. Returns None for a schema that
    this mode cannot express, as it allows objects with any properties.
    """
    plain = plain_schema(schema, max_items=None)
    return None if _is_open(plain) else _strict(plain)


def _is_open(plain: Mapping[str, Any]) -> bool:
    """Return whether an object of a plain schema has no properties of its own."""
    if "items" in plain:
        return _is_open(plain["items"])
    if plain.get("type") != "object":
        return False
    return not plain["properties"] or any(map(_is_open, plain["properties"].values()))


def _strict(plain: Mapping[str, Any]) -> dict[str, Any]:
    if "items" in plain:
        return {**plain, "items": _strict(plain["items"])}
    if "properties" not in plain:
        values = plain.get("enum") or [plain.get("const")]
        # Strict servers require a type beside the values.
        texts = all(isinstance(value, str) for value in values)
        return {"type": "string", **plain} if texts else dict(plain)
    required = plain["required"]
    return object_of(
        {
            name: _strict(part)
            if name in required
            else {"anyOf": [_strict(part), {"type": "null"}]}
            for name, part in plain["properties"].items()
        }
    )


def without_nulls(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value of a schema without those of its optional properties that are null."""
    match value:
        case dict():
            properties, required = schema.get("properties") or {}, schema.get("required") or ()
            return {
                name: without_nulls(item, properties.get(name) or {})
                for name, item in value.items()
                if item is not None or name in required or name not in properties
            }
        case list():
            return [without_nulls(item, schema.get("items") or {}) for item in value]
    return value
