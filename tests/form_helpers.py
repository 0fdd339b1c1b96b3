"""Readers of forms, as the frontend gets them."""

from collections.abc import Mapping
from typing import Any

from probatio import to_field_list

from homeassistant.data_entry_flow import FlowResult
from homeassistant.helpers import config_validation as cv


def fields(result: Mapping[str, Any] | FlowResult[Any, Any]) -> dict[str, dict[str, Any]]:
    """Return the serialized fields of a form by name."""
    assert result["type"] == "form"
    schema = result["data_schema"]
    assert schema is not None
    form: Any = to_field_list(schema, custom_serializer=cv.custom_serializer)
    return {field["name"]: field for field in form}


def suggested(result: Mapping[str, Any] | FlowResult[Any, Any]) -> dict[str, Any]:
    """Return the suggested and default values of a form, those of a section as one value."""
    return _suggested(fields(result))


def _suggested(form: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    values = {}
    for name, field in form.items():
        if "suggested_value" in (description := field.get("description") or {}):
            values[name] = description["suggested_value"]
        elif "default" in field:
            values[name] = field["default"]
        elif field.get("type") == "expandable":
            values[name] = _suggested({inner["name"]: inner for inner in field["schema"]})
    return values
