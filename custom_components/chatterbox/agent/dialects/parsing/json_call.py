"""Tool calls as JSON objects, `{"name": …, "arguments": {…}}`, between the tokens of a family.

The object is that of a function call in the OpenAI API. Llama has `parameters` instead of
`arguments`: chat template of meta-llama/Llama-3.1-8B-Instruct (tokenizer_config.json). Some models
put the object under `function`, as the API has it in a list of calls.
"""

from typing import Any

from ..lenient_json import loads
from .cursor import Cursor, MalformedBlock, ParsedCall


def read_json_calls(cursor: Cursor) -> list[ParsedCall]:
    """Read one call, or a list of calls."""
    value = cursor.json("{[")
    return [json_call(item) for item in (value if isinstance(value, list) else [value])]


def json_call(value: Any) -> ParsedCall:
    """Return the call of a JSON object; raise `MalformedBlock` if it is none."""
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
