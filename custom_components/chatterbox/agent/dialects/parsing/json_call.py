"""Tool calls as JSON objects, `{"name": …, "arguments": {…}}`, between the tokens of a family.

The object is that of a function call in the OpenAI API. Some models put it under `function`, as the
API has it in a list of calls. Sources:
- Llama, `parameters` instead of `arguments`: chat template of meta-llama/Llama-3.1-8B-Instruct
  (tokenizer_config.json).
- Granite 3, `<|tool_call|>[{…}]`: chat template of ibm-granite/granite-3.3-8b-instruct
  (tokenizer_config.json).
- Granite function calling, `<function_call> {…}`: model card of
  ibm-granite/granite-20b-functioncalling.
- Phi-4-mini, `<|tool_call|>…<|/tool_call|>`: chat template for microsoft/Phi-4-mini-instruct in
  models/templates of ggml-org/llama.cpp.
- Nemotron, `<TOOLCALL>[{…}]</TOOLCALL>`: chat templates of
  nvidia/Llama-3_3-Nemotron-Super-49B-v1_5 and nvidia/NVIDIA-Nemotron-Nano-9B-v2
  (tokenizer_config.json).
"""

from typing import Any

from .cursor import BlockParser, Cursor, MalformedBlock
from .lenient_json import loads
from .pieces import ParsedCall


def read_json_calls(cursor: Cursor) -> list[ParsedCall]:
    """Read one call, or a list of calls."""
    value = cursor.json("{[")
    return [json_call(item) for item in (value if isinstance(value, list) else [value])]


def tagged(end: str) -> BlockParser:
    """Return the parser of JSON calls up to an end tag."""

    def parse(cursor: Cursor) -> list[ParsedCall]:
        cursor.skip_space()
        calls = read_json_calls(cursor)
        cursor.skip_space()
        cursor.expect(end)
        return calls

    return parse


def granite_block(cursor: Cursor) -> list[ParsedCall]:
    """Read JSON calls up to their last bracket, and the end token of Phi."""
    cursor.skip_space()
    calls = read_json_calls(cursor)
    cursor.accept("<|/tool_call|>")
    return calls


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
