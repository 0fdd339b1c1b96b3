"""Calls as invocations with their arguments in tags.

- DeepSeek from V3.2 on: `<｜DSML｜invoke name="…">` within `<｜DSML｜function_calls>` (V4:
  `tool_calls`, V4.1: ` calls`), by `encoding/encoding_dsv32.py` of deepseek-ai/DeepSeek-V3.2.
- MiniMax M2: `<invoke name="…">` within `<minimax:tool_call>` (chat template of
  MiniMaxAI/MiniMax-M2).
- Kimi K3: `<|open|>call tool="…"<|sep|>` within `<|open|>tools<|sep|>` (its chat template).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any

from ..lenient_json import loads
from .cursor import BlockParser, Cursor, IncompleteBlock, MalformedBlock, ParsedCall

_DSML = "｜DSML｜"
_LONGEST_HEADER = 300


@dataclass(frozen=True)
class _Form:
    """How a family writes an invocation."""

    opener: str
    """What stands before the name of the tool."""
    name: re.Pattern[str]
    """The name, and a slash where the tag closes itself, up to the end of the opening tag."""
    argument: re.Pattern[str]
    """The opening tag of an argument: its name, and its type where the tag tells it."""
    end_of_argument: str
    end_of_call: str

    @cached_property
    def end_of_value(self) -> re.Pattern[str]:
        """The end of a value: it may contain the tag that ends it, but not what has to follow."""
        return re.compile(
            re.escape(self.end_of_argument)
            + rf"(?=\s*(?:{re.escape(self.end_of_call)}|{self.argument.pattern}))"
        )

    def section(self, end: str) -> BlockParser:
        """Return the parser of a section of invocations."""

        def parse(cursor: Cursor) -> list[ParsedCall]:
            calls: list[ParsedCall] = []
            cursor.skip_space()
            while not cursor.accept(end):
                cursor.expect(self.opener)
                calls += self.call(cursor)
                cursor.skip_space()
            if not calls:
                raise MalformedBlock
            return calls

        return parse

    def call(self, cursor: Cursor) -> list[ParsedCall]:
        """Read one invocation behind its opener."""
        header = cursor.match(self.name, _LONGEST_HEADER)
        if header[2]:
            return [ParsedCall(header[1], {})]
        arguments: dict[str, Any] = {}
        typed = True
        cursor.skip_space()
        while not cursor.accept(self.end_of_call):
            tag = cursor.match(self.argument, _LONGEST_HEADER)
            if (end := self.end_of_value.search(cursor.text, cursor.position)) is None:
                raise IncompleteBlock
            value = cursor.text[cursor.position : end.start()]
            typed = typed and tag[2] is not None
            is_text = tag[2] in {None, "true", "string"}
            arguments[unescape(tag[1])] = value if is_text else _typed(value)
            cursor.position = end.end()
            cursor.skip_space()
        return [ParsedCall(header[1], arguments, typed=typed)]


def _typed(value: str) -> Any:
    try:
        return loads(value)
    except ValueError:
        return value


def _xml_form(prefix: str) -> _Form:
    begin = re.escape(prefix)
    return _Form(
        opener=f'<{prefix}invoke name="',
        name=re.compile(r"([^\"<>]{1,80})\"\s*(/?)>"),
        argument=re.compile(
            rf"<{begin}parameter name=\"([^\"<>]{{1,80}})\"(?:\s+string=\"(true|false)\")?\s*>"
        ),
        end_of_argument=f"</{prefix}parameter>",
        end_of_call=f"</{prefix}invoke>",
    )


_KIMI_K3 = _Form(
    opener='<|open|>call tool="',
    name=re.compile(r"([^\"<>]{1,80})\"[^<>/]{0,80}(/?)<\|sep\|>"),
    argument=re.compile(
        r"<\|open\|>argument key=\"([^\"<>]{1,80})\"(?:\s+type=\"(\w+)\")?[^<>]{0,80}<\|sep\|>"
    ),
    end_of_argument="<|close|>argument<|sep|>",
    end_of_call="<|close|>call<|sep|>",
)


def invoke_blocks() -> Iterator[tuple[str, BlockParser]]:
    """Yield the opening markers and their parsers."""
    plain, dsml, spaced = map(_xml_form, ("", _DSML, f"{_DSML} "))
    for tag in ("minimax:tool_call", "function_calls"):
        yield f"<{tag}>", plain.section(f"</{tag}>")
    for tag in ("function_calls", "tool_calls"):
        yield f"<{_DSML}{tag}>", dsml.section(f"</{_DSML}{tag}>")
    yield f"<{_DSML} calls>", spaced.section(f"</{_DSML} calls>")
    for form in (plain, dsml, spaced):
        yield form.opener, form.call
    yield "<|open|>tools<|sep|>", _KIMI_K3.section("<|close|>tools<|sep|>")
