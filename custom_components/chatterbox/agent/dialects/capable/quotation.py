"""Tracker of code fences and quotations in streamed text."""

import re

from ..parsing.families import BLOCK_STARTS

_FENCE = re.compile(
    r"\s{0,12}(?:>\s?)*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?P<mark>`{3,}|~{3,})(?P<rest>.*)"
)
_MAX_INDENT = 3
# Closing quotation marks by the opening one; a run of backticks is closed by one of its length.
_CLOSERS = {
    '"': '"',
    "“": "”",
    "”": "”",
    "„": "“”",
    "«": "»",
    "»": "«",
    "「": "」",
    "『": "』",
}
_QUOTE = re.compile(r'`+|["“”„«»「」『』]')


class LineTracker:
    """Tracker of the code fence, the quotation and the line at the end of a text."""

    def __init__(self) -> None:
        self._line = ""
        self._begun = False
        self._fence = ""
        self._closers: tuple[str, ...] = ()
        self._plain = ""
        self._mentions_start = False

    @property
    def in_fence(self) -> bool:
        """Return whether the current line is in a code fence."""
        return bool(self._fence)

    @property
    def may_begin_block(self) -> bool:
        """Return whether a block of calls may begin at this position."""
        if self._begun or self._fence or self._closers or self._mentions_start:
            return False
        return "\t" not in self._line and len(self._line) <= _MAX_INDENT

    def begin(self) -> None:
        """Mark the line as begun with text."""
        self._begun = True

    def follow(self, text: str, *, is_block: bool = False) -> None:
        """Process a chunk of the text, or a complete block of calls."""
        *lines, rest = text.split("\n")
        for line in lines:
            self._plain += "" if is_block else line
            self._end_line(self._line + line)
            self._line, self._plain, self._begun = "", "", False
        self._line += rest
        self._plain += "" if is_block else rest
        self._begun = self._begun or bool(rest.strip())

    def _end_line(self, line: str) -> None:
        fence = _FENCE.match(line)
        if self._fence:
            if fence and fence["mark"].startswith(self._fence) and not fence["rest"].strip():
                self._fence = ""
        elif fence and "`" not in fence["rest"]:
            self._fence = fence["mark"]
        else:
            self._follow_quotes(line)
            # A start token after text in its line is a mention, as are those that follow.
            indent = len(self._plain) - len(self._plain.lstrip())
            if BLOCK_STARTS.pattern.search(self._plain, indent + 1):
                self._mentions_start = True

    def _follow_quotes(self, line: str) -> None:
        for found in _QUOTE.finditer(line):
            mark = found.group()
            if self._closers:
                self._closers = () if mark in self._closers else self._closers
            elif mark[0] == "`":
                self._closers = (mark,)
            # A straight quotation mark after a digit is a unit of length.
            elif mark in _CLOSERS and not (mark == '"' and line[: found.start()][-1:].isdigit()):
                self._closers = tuple(_CLOSERS[mark])
