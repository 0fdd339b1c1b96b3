"""Calls as invocations with their arguments in tags: DeepSeek since V3.2, Kimi K3, MiniMax."""

import re
from dataclasses import dataclass
from html import unescape
from typing import Any

from ..lenient_json import loads
from ..scanner import INCOMPLETE, Block, Context, FoundCall, Mode, Parser

_LONGEST_HEADER = 200


@dataclass(frozen=True, slots=True)
class Form:
    """How a family writes an invocation."""

    opener: str
    """What stands before the name of the tool."""
    name: re.Pattern[str]
    """The name (first group) and the rest of the opening tag; the second group if it has no end."""
    argument: re.Pattern[str]
    """The opening tag of an argument: its name, and its type where the tag tells it."""
    end_of_argument: str
    end_of_call: str

    @property
    def parser(self) -> Parser:
        """The parser of this form."""
        last = re.compile(
            re.escape(self.end_of_argument)
            + rf"(?=\s*(?:{re.escape(self.end_of_call)}|{self.argument.pattern}))"
        )

        def parse(text: str, _start: int, after: int, context: Context) -> Block | None:
            if (name := self.name.match(text, after)) is None:
                begun = len(text) - after < _LONGEST_HEADER
                return INCOMPLETE if begun else None
            if name[2]:
                return Block(name.end(), (FoundCall(name[1], {}),))
            return self._call(text, name, last, context)

        return parse

    def _call(
        self, text: str, name: re.Match[str], last: re.Pattern[str], context: Context
    ) -> Block:
        arguments: dict[str, Any] = {}
        typed = True
        position = name.end()
        while (found := self.argument.match(text, position)) is not None:
            # A value may name the tag that ends it; what has to follow tells which is meant.
            if (end := last.search(text, found.end())) is None:
                return INCOMPLETE
            value = text[found.end() : end.start()]
            typed = typed and found[2] is not None
            as_is = found[2] in {None, "true", "string"}
            arguments[unescape(found[1])] = value if as_is else _read(value)
            position = end.end()
        rest = text[position : position + _LONGEST_HEADER].lstrip()
        if rest.startswith(self.end_of_call):
            end_of_call = text.index(self.end_of_call, position) + len(self.end_of_call)
            return Block(end_of_call, (FoundCall(name[1], arguments, typed=typed),))
        if context.final or len(text) - position > _LONGEST_HEADER:
            return Block(position, mode=Mode.SILENT)
        return INCOMPLETE


def invocation(prefix: str) -> Form:
    """Return the form `<invoke name="…"><parameter name="…">`, with a prefix before the names."""
    begin = re.escape(prefix)
    return Form(
        opener=f'<{prefix}invoke name="',
        name=re.compile(r"([^\"<>]{1,80})\"\s*(/?)>"),
        argument=re.compile(
            rf"\s*<{begin}parameter name=\"([^\"<>]{{1,80}})\"(?:\s+string=\"(true|false)\")?\s*>"
        ),
        end_of_argument=f"</{prefix}parameter>",
        end_of_call=f"</{prefix}invoke>",
    )


KIMI_K3 = Form(
    opener='<|open|>call tool="',
    name=re.compile(r"([^\"<>]{1,80})\"[^<>]{0,80}(/?)<\|sep\|>"),
    argument=re.compile(
        r"\s*<\|open\|>argument key=\"([^\"<>]{1,80})\"(?:\s+type=\"(\w+)\")?[^<>]{0,80}<\|sep\|>"
    ),
    end_of_argument="<|close|>argument<|sep|>",
    end_of_call="<|close|>call<|sep|>",
)


def _read(value: str) -> Any:
    try:
        return loads(value)
    except ValueError:
        return value
