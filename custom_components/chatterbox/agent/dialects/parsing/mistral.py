"""Calls of Mistral behind `[TOOL_CALLS]`.

A JSON list of calls up to the tokenizer V7, then `name[ARGS]{…}`, with `[CALL_ID]` in some versions
(mistral-common, `mistral_common/tokens/tokenizers/instruct.py`).
"""

import re

from .cursor import Cursor, ParsedCall
from .json_call import read_json_calls

_HEADER = re.compile(
    r"([A-Za-z_][\w.\-]{0,80})\s*(?:\[CALL_ID\]\s*[\w\-]{0,80}\s*)?(?:\[ARGS\])?\s*(?=\{)"
)
_LONGEST_HEADER = 250


def mistral_block(cursor: Cursor) -> list[ParsedCall]:
    """Read a list of objects, or one name with its arguments."""
    cursor.skip_space()
    if cursor.text.startswith(("[", "{"), cursor.position):
        return read_json_calls(cursor)
    name = cursor.match(_HEADER, _LONGEST_HEADER)[1]
    return [ParsedCall(name, cursor.arguments())]
