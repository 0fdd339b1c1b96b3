"""Tool calls of DeepSeek up to V3.1, between special tokens; later versions are in `invoke`.

Sources:
- V3 and R1, `function<｜tool▁sep｜>name` and the arguments in a code fence: chat template of
  deepseek-ai/DeepSeek-V3-0324 (tokenizer_config.json).
- V3.1, `name<｜tool▁sep｜>{…}`: chat template of deepseek-ai/DeepSeek-V3.1 (tokenizer_config.json).
"""

import re
from collections.abc import Iterator
from itertools import product

from .cursor import BlockParser, Cursor, MalformedBlock
from .pieces import ParsedCall

_FENCE = "```"
_FENCE_OPEN = re.compile(r"```\w{0,10}\s*(?=\{)")
_MAX_FENCE_LENGTH = 30


def deepseek_blocks() -> Iterator[tuple[str, BlockParser]]:
    """Yield the start token and the parser for each spelling of the tokens."""
    for bar, gap in product("｜|", "▁_"):
        yield f"<{bar}tool{gap}calls{gap}begin{bar}>", _block(bar, gap)


def _block(bar: str, gap: str) -> BlockParser:
    def token(*words: str) -> str:
        return f"<{bar}tool{gap}{gap.join(words)}{bar}>"

    def parse(cursor: Cursor) -> list[ParsedCall]:
        calls: list[ParsedCall] = []
        cursor.skip_space()
        while not cursor.accept(token("calls", "end")):
            cursor.expect(token("call", "begin"))
            calls.append(_call(cursor, token("sep")))
            cursor.skip_space()
            cursor.expect(token("call", "end"))
            cursor.skip_space()
        if not calls:
            raise MalformedBlock
        return calls

    return parse


def _call(cursor: Cursor, separator: str) -> ParsedCall:
    name = cursor.name()
    cursor.expect(separator)
    cursor.skip_space()
    if name == "function" and not cursor.text.startswith("{", cursor.position):
        name = cursor.name()
        cursor.skip_space()
    fenced = cursor.text.startswith("`", cursor.position)
    if fenced:
        cursor.match(_FENCE_OPEN, _MAX_FENCE_LENGTH)
    call = ParsedCall(name, cursor.arguments())
    if fenced:
        cursor.skip_space()
        cursor.expect(_FENCE)
    return call
