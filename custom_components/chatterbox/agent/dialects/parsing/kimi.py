"""Tool calls of Kimi K2, between special tokens; Kimi K3 is in `invoke`.

`<|tool_calls_section_begin|><|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}…`

Source: docs/tool_call_guidance.md of moonshotai/Kimi-K2-Instruct.
"""

import re

from .cursor import Cursor, MalformedBlock
from .pieces import ParsedCall

_HEADER = re.compile(
    r"\s*(?:functions\.)?([A-Za-z_][\w.\-]{0,80}?)(?::\d{1,6})?\s*<\|tool_call_argument_begin\|>\s*"
)
_MAX_HEADER_LENGTH = 250


def kimi_section(cursor: Cursor) -> list[ParsedCall]:
    """Read a section of calls."""
    calls: list[ParsedCall] = []
    cursor.skip_space()
    while not cursor.accept("<|tool_calls_section_end|>"):
        cursor.expect("<|tool_call_begin|>")
        name = cursor.match(_HEADER, _MAX_HEADER_LENGTH)[1]
        calls.append(ParsedCall(name, cursor.arguments()))
        cursor.skip_space()
        cursor.expect("<|tool_call_end|>")
        cursor.skip_space()
    if not calls:
        raise MalformedBlock
    return calls
