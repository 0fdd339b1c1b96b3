"""Cursor over streamed text, shared by the parsers of all families."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..lenient_json import find_end, loads

_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[A-Za-z_][\w.\-]{0,80}")


def space_end(text: str, position: int) -> int:
    """Return where the white space at a position ends."""
    # It may be of no length, so there is always one.
    return next(_SPACE.finditer(text, position)).end()


class IncompleteBlock(Exception):  # noqa: N818 - the block is incomplete, nothing is wrong
    """The text ends within the block."""


class MalformedBlock(Exception):  # noqa: N818 - to the caller it is text, not an error
    """The text does not continue as a block of this family."""


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """A tool call as the model wrote it."""

    name: str
    arguments: dict[str, Any]
    typed: bool = True
    """Whether the values have types; in the XML formats every value is text."""


@dataclass(slots=True)
class Cursor:
    """A position in a text that may still grow.

    Every method raises `IncompleteBlock` where the outcome depends on text that is still to come.
    """

    text: str
    position: int
    final: bool
    """Whether the text is at its end."""

    def skip_space(self) -> None:
        """Move behind white space."""
        self.position = space_end(self.text, self.position)

    def accept(self, literal: str) -> bool:
        """Move behind a literal if it stands here; return whether it does."""
        if self.text.startswith(literal, self.position):
            self.position += len(literal)
            return True
        rest = self.text[self.position :]
        if literal.startswith(rest) and (rest or not self.final):
            raise IncompleteBlock
        return False

    def expect(self, literal: str) -> None:
        """Move behind a literal; raise `MalformedBlock` if something else stands here."""
        if not self.accept(literal):
            raise self.mismatch()

    def match(self, pattern: re.Pattern[str], longest: int = 0) -> re.Match[str]:
        """Move behind a pattern; raise `MalformedBlock` if it does not match here.

        Up to `longest` characters the text may be the beginning of a match.
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
        """Read the text up to a literal, and move behind it."""
        if (end := self.text.find(literal, self.position)) < 0:
            raise IncompleteBlock
        found = self.text[self.position : end]
        self.position = end + len(literal)
        return found

    def bracketed(self) -> str:
        """Read what stands between brackets, with them."""
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
        """Return the exception for text that does not match here."""
        at_end = self.position >= len(self.text)
        return IncompleteBlock() if at_end else MalformedBlock()


type BlockParser = Callable[[Cursor], list[ParsedCall]]
"""Reads the rest of a block behind its opening marker; returns its calls."""
