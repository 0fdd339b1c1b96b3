"""Tool calls of Gemma 4: `<|tool_call>call:name{key:<|"|>value<|"|>}<tool_call|>`.

Source: chat template of google/gemma-4-31B-it (chat_template.jinja).
"""

import re

from .cursor import Cursor, MalformedBlock
from .lenient_json import read_members
from .pieces import ParsedCall

_HEADER = re.compile(r"\s*call\s*:\s*([A-Za-z_][\w.\-]{0,80})\s*(?=\{)")
_MAX_HEADER_LENGTH = 150


def gemma_block(cursor: Cursor) -> list[ParsedCall]:
    """Read one call."""
    name = cursor.match(_HEADER, _MAX_HEADER_LENGTH)[1]
    try:
        arguments, others = read_members(cursor.bracketed()[1:], "}")
    except ValueError:
        raise MalformedBlock from None
    if others:
        raise MalformedBlock
    cursor.skip_space()
    cursor.expect("<tool_call|>")
    return [ParsedCall(name, arguments)]
