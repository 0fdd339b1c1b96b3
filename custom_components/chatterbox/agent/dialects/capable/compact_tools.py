"""Compact tool definitions, for models with a small context window."""

import re
from dataclasses import replace

from ...assist import RARE_ARGUMENTS
from ...messages import ToolDefinition

_FIRST_SENTENCE = re.compile(r"^(.{20,160}?[.!?])(?:\s|$)", re.DOTALL)
_LONGEST_DESCRIPTION = 160


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
