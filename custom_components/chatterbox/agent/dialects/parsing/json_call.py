"""Tool calls as JSON objects, `{"name": …, "arguments": {…}}`, between the markers of a family.

The shape is the one that the OpenAI API has for a function call; Llama's template calls the
arguments `parameters`, and some models put the object under `function`.
"""

from typing import Any

from ..lenient_json import loads
from .cursor import Cursor, MalformedBlock, ParsedCall


def read_json_calls(cursor: Cursor) -> list[ParsedCall]:
    """Read one call, or a list of calls."""
    value = cursor.json("{[")
    return [json_call(item) for item in (value if isinstance(value, list) else [value])]


def json_call(value: Any) -> ParsedCall:
    """Return the call that an object describes; raise `MalformedBlock` if it describes none."""
    if isinstance(value, dict) and isinstance(inner := value.get("function"), dict):
        value = inner
    if not isinstance(value, dict) or not isinstance(name := value.get("name"), str):
        raise MalformedBlock
    arguments = value.get("arguments", value.get("parameters"))
    if isinstance(arguments, str) and arguments.strip():
        try:
            arguments = loads(arguments)
        except ValueError:
            raise MalformedBlock from None
    if not isinstance(arguments := arguments or {}, dict):
        raise MalformedBlock
    return ParsedCall(name, arguments)
