"""Tool calls of Mistral after `[TOOL_CALLS]`.

They are a JSON list up to tokenizer V7, later `name[ARGS]{…}`, with `[CALL_ID]` in some versions.

Source: src/mistral_common/tokens/tokenizers/instruct.py of mistralai/mistral-common.
"""

import re

from .cursor import Cursor
from .json_call import read_json_calls
from .pieces import ParsedCall

_HEADER = re.compile(
    r"([A-Za-z_][\w.\-]{0,80})\s*(?:\[CALL_ID\]\s*[\w\-]{0,80}\s*)?(?:\[ARGS\])?\s*(?=\{)"
)
_MAX_HEADER_LENGTH = 250


def mistral_block(cursor: Cursor) -> list[ParsedCall]:
    """Read a JSON list of calls, or the name and the arguments of one."""
    cursor.skip_space()
    if cursor.text.startswith(("[", "{"), cursor.position):
        return read_json_calls(cursor)
    name = cursor.match(_HEADER, _MAX_HEADER_LENGTH)[1]
    return [ParsedCall(name, cursor.arguments())]
