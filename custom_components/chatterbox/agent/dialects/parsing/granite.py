"""Calls of Granite, Nemotron and Phi: JSON behind one marker.

Granite 3 writes `<|tool_call|>[{…}]` (chat template of ibm-granite/granite-3.3-8b-instruct),
Granite Code `<function_call> {…}` (ibm-granite/granite-20b-functioncalling), Phi-4-mini closes with
`<|/tool_call|>` (chat template of microsoft/Phi-4-mini-instruct), Nemotron writes
`<TOOLCALL>[{…}]</TOOLCALL>` (chat template of nvidia/Llama-3.1-Nemotron-Nano-8B-v1).
"""

from .cursor import Cursor, ParsedCall
from .json_call import read_json_calls


def granite_block(cursor: Cursor) -> list[ParsedCall]:
    """Read JSON calls that end with their last bracket."""
    cursor.skip_space()
    calls = read_json_calls(cursor)
    cursor.accept("<|/tool_call|>")
    return calls
