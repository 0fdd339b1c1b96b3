"""Tool calls of Llama and Liquid after a start token.

Sources:
- Llama 3.1 to 3.3, `<|python_tag|>{"name": …, "parameters": {…}}`: models/llama3_3/prompt_format.md
  of meta-llama/llama-models. Several calls have `;` between them, as in vLLM's parser
  `llama3_json`.
- Llama 4, `<|python_start|>[name(key="value")]<|python_end|>`: the list in
  models/llama4/prompt_format.md of meta-llama/llama-models, the tokens in the chat template of
  meta-llama/Llama-4-Scout-17B-16E-Instruct (chat_template.jinja).
- LFM2, such a list between `<|tool_call_start|>` and `<|tool_call_end|>`: model card of
  LiquidAI/LFM2-1.2B.
"""

import re

from .cursor import BlockParser, Cursor, MalformedBlock
from .json_call import read_json_calls
from .lenient_json import read_members
from .pieces import ParsedCall

_CALL = re.compile(r"\s*([A-Za-z_][\w.\-]{0,80})\(")
_BETWEEN = re.compile(r"\s*(?:,|\]\s*\Z)")


def python_tag(cursor: Cursor) -> list[ParsedCall]:
    """Read JSON calls that are separated by semicolons."""
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
    """Return the parser of a list of calls in Python syntax up to an end token."""

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
