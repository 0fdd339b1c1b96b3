"""Cursor over streamed text, shared by the parsers of all families."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .lenient_json import find_end, loads
from .pieces import ParsedCall

_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[A-Za-z_][\w.\-]{0,80}")


def space_end(text: str, position: int) -> int:
    """Return the end of the white space at a position."""
    # The pattern matches an empty string as well, so there is always a match.
    return next(_SPACE.finditer(text, position)).end()


class IncompleteBlock(Exception):  # noqa: N818 - the block is incomplete, nothing is wrong
    """The text ends within the block."""


class MalformedBlock(Exception):  # noqa: N818 - to the caller it is text, not an error
    """The text does not continue as a block of this family."""


@dataclass(slots=True)
class Cursor:
    """A position in streamed text.

    Every method raises `IncompleteBlock` if the result depends on text that has not arrived.
    """

    text: str
    position: int
    final: bool
    """Whether the text has arrived completely."""

    def skip_space(self) -> None:
        """Skip white space."""
        self.position = space_end(self.text, self.position)

    def accept(self, literal: str) -> bool:
        """Skip a literal at the position; return whether there was one."""
        if self.text.startswith(literal, self.position):
            self.position += len(literal)
            return True
        rest = self.text[self.position :]
        if literal.startswith(rest) and (rest or not self.final):
            raise IncompleteBlock
        return False

    def expect(self, literal: str) -> None:
        """Skip a literal; raise `MalformedBlock` if there is something else."""
        if not self.accept(literal):
            raise self.mismatch()

    def match(self, pattern: re.Pattern[str], longest: int = 0) -> re.Match[str]:
        """Skip a match of a pattern and return it; raise `MalformedBlock` if there is none.

        Up to `longest` characters may be the beginning of a match.
        """
        if (found := pattern.match(self.text, self.position)) is None:
            unclear = len(self.text) - self.position < longest
            raise IncompleteBlock if unclear else self.mismatch()
        self.position = found.end()
        return found

    def name(self) -> str:
        """Read the name of a tool."""
        return self.match(_NAME).group()

    def until(self, literal: str) -> str:
        """Read the text up to a literal, and skip the literal."""
        if (end := self.text.find(literal, self.position)) < 0:
            raise IncompleteBlock
        found = self.text[self.position : end]
        self.position = end + len(literal)
        return found

    def bracketed(self) -> str:
        """Read the text between brackets, with the brackets."""
        if (end := find_end(self.text, self.position)) is None:
            raise IncompleteBlock
        found = self.text[self.position : end]
        self.position = end
        return found

    def json(self, brackets: str = "{") -> Any:
        """Read a JSON value that begins with one of these brackets."""
        if self.text[self.position : self.position + 1] not in tuple(brackets):
            raise self.mismatch()
        try:
            return loads(self.bracketed())
        except ValueError:
            raise MalformedBlock from None

    def arguments(self) -> dict[str, Any]:
        """Read the JSON object of the arguments."""
        arguments: dict[str, Any] = self.json()
        return arguments

    def mismatch(self) -> Exception:
        """Return the exception for text that does not match at the position."""
        at_end = self.position >= len(self.text)
        return IncompleteBlock() if at_end else MalformedBlock()


type BlockParser = Callable[[Cursor], list[ParsedCall]]
"""Function that reads the rest of a block after its start token, and returns its calls."""
