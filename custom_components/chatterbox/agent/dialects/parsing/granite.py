"""Tool calls of Granite and Phi: JSON behind a start token.

Sources:
- Granite 3, `<|tool_call|>[{…}]`: chat template of ibm-granite/granite-3.3-8b-instruct
  (tokenizer_config.json).
- Granite function calling, `<function_call> {…}`: model card of
  ibm-granite/granite-20b-functioncalling.
- Phi-4-mini, `<|tool_call|>…<|/tool_call|>`: chat template for microsoft/Phi-4-mini-instruct in
  models/templates of ggml-org/llama.cpp.
"""

from .cursor import Cursor, ParsedCall
from .json_call import read_json_calls


def granite_block(cursor: Cursor) -> list[ParsedCall]:
    """Read JSON calls up to their last bracket, and the end token of Phi."""
    cursor.skip_space()
    calls = read_json_calls(cursor)
    cursor.accept("<|/tool_call|>")
    return calls
