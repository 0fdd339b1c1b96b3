"""Tool calls as invocations with one tag for each argument.

Sources:
- DeepSeek V3.2, `<｜DSML｜invoke name="…">` within `<｜DSML｜function_calls>`:
  encoding/encoding_dsv32.py of deepseek-ai/DeepSeek-V3.2.
- DeepSeek V4, the same within `<｜DSML｜tool_calls>`: encoding/encoding_dsv4.py of
  deepseek-ai/DeepSeek-V4-Pro. V4.1 has a space before each name, such as in
  `<｜DSML｜ invoke name="…">` within `<｜DSML｜ calls>`: reference encoder of that version.
- MiniMax M2, `<invoke name="…">` within `<minimax:tool_call>`: chat_template.jinja and
  docs/tool_calling_guide.md of MiniMaxAI/MiniMax-M2.
- Kimi K3, `<|open|>call tool="…"<|sep|>` within `<|open|>tools<|sep|>`: its chat template, in
  models/templates/Kimi-K3.jinja of ggml-org/llama.cpp.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any

from .cursor import BlockParser, Cursor, IncompleteBlock, MalformedBlock
from .lenient_json import loads
from .pieces import ParsedCall

_DSML = "｜DSML｜"
_MAX_HEADER_LENGTH = 300


@dataclass(frozen=True)
class _Syntax:
    """Syntax of a family's invocations."""

    start: str
    """Text before the name of the tool."""
    name: re.Pattern[str]
    """The rest of the opening tag: the name, and a slash if the tag is self-closing."""
    argument: re.Pattern[str]
    """The opening tag of an argument: its name, and its type if the tag has one."""
    end_of_argument: str
    end_of_call: str

    @cached_property
    def end_of_value(self) -> re.Pattern[str]:
        """The end of a value: its closing tag, followed by an argument or the end of the call."""
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
                cursor.expect(self.start)
                calls += self.call(cursor)
                cursor.skip_space()
            if not calls:
                raise MalformedBlock
            return calls

        return parse

    def call(self, cursor: Cursor) -> list[ParsedCall]:
        """Read the rest of one invocation."""
        header = cursor.match(self.name, _MAX_HEADER_LENGTH)
        if header[2]:
            return [ParsedCall(header[1], {})]
        arguments: dict[str, Any] = {}
        typed = True
        cursor.skip_space()
        while not cursor.accept(self.end_of_call):
            tag = cursor.match(self.argument, _MAX_HEADER_LENGTH)
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


def _xml_syntax(prefix: str) -> _Syntax:
    begin = re.escape(prefix)
    return _Syntax(
        start=f'<{prefix}invoke name="',
        name=re.compile(r"([^\"<>]{1,80})\"\s*(/?)>"),
        argument=re.compile(
            rf"<{begin}parameter name=\"([^\"<>]{{1,80}})\"(?:\s+string=\"(true|false)\")?\s*>"
        ),
        end_of_argument=f"</{prefix}parameter>",
        end_of_call=f"</{prefix}invoke>",
    )


_KIMI_K3 = _Syntax(
    start='<|open|>call tool="',
    name=re.compile(r"([^\"<>]{1,80})\"[^<>/]{0,80}(/?)<\|sep\|>"),
    argument=re.compile(
        r"<\|open\|>argument key=\"([^\"<>]{1,80})\"(?:\s+type=\"(\w+)\")?[^<>]{0,80}<\|sep\|>"
    ),
    end_of_argument="<|close|>argument<|sep|>",
    end_of_call="<|close|>call<|sep|>",
)


def invoke_blocks() -> Iterator[tuple[str, BlockParser]]:
    """Yield the start tokens and their parsers."""
    plain, dsml, spaced = map(_xml_syntax, ("", _DSML, f"{_DSML} "))
    for tag in ("minimax:tool_call", "function_calls"):
        yield f"<{tag}>", plain.section(f"</{tag}>")
    for tag in ("function_calls", "tool_calls"):
        yield f"<{_DSML}{tag}>", dsml.section(f"</{_DSML}{tag}>")
    yield f"<{_DSML} calls>", spaced.section(f"</{_DSML} calls>")
    for syntax in (plain, dsml, spaced):
        yield syntax.start, syntax.call
    yield "<|open|>tools<|sep|>", _KIMI_K3.section("<|close|>tools<|sep|>")
