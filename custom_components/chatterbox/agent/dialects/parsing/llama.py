"""Calls of Llama and Liquid behind a marker.

Llama 3.1 writes `<|python_tag|>{"name": …, "parameters": {…}}`, several with `;` between them,
Llama 4 `<|python_start|>[name(key="value")]<|python_end|>` (Meta's prompt formats of Llama 3.1 and
Llama 4); LFM2 writes such a list between `<|tool_call_start|>` and `<|tool_call_end|>` (chat
template of LiquidAI/LFM2-1.2B).
"""

import re

from ..lenient_json import read_members
from .cursor import BlockParser, Cursor, MalformedBlock, ParsedCall
from .json_call import read_json_calls

_CALL = re.compile(r"\s*([A-Za-z_][\w.\-]{0,80})\(")
_BETWEEN = re.compile(r"\s*(?:,|\]\s*\Z)")


def python_tag(cursor: Cursor) -> list[ParsedCall]:
    """Read JSON calls with semicolons between them."""
    cursor.skip_space()
    calls = read_json_calls(cursor)
    end = cursor.position
    cursor.skip_space()
    while cursor.accept(";"):
        cursor.skip_space()
        calls += read_json_calls(cursor)
        end = cursor.position
        cursor.skip_space()
    cursor.position = end
    return calls


def call_list(end: str) -> BlockParser:
    """Return the parser of a list of calls in Python's notation up to an end marker."""

    def parse(cursor: Cursor) -> list[ParsedCall]:
        cursor.skip_space()
        if not cursor.text.startswith("[", cursor.position):
            raise cursor.mismatch()
        calls = _calls(cursor.bracketed())
        cursor.skip_space()
        cursor.expect(end)
        return calls

    return parse


def _calls(text: str) -> list[ParsedCall]:
    calls: list[ParsedCall] = []
    position = 1
    while (found := _CALL.match(text, position)) is not None:
        cursor = Cursor(text, found.end() - 1, final=True)
        try:
            arguments, others = read_members(cursor.bracketed()[1:], ")")
        except ValueError:
            raise MalformedBlock from None
        between = _BETWEEN.match(text, cursor.position)
        if others or between is None:
            raise MalformedBlock
        calls.append(ParsedCall(found[1], arguments))
        position = between.end()
    if not calls or position < len(text):
        raise MalformedBlock
    return calls
