"""Takes the text of a model apart while it comes: what is said, what is thought, what is called.

The text is cut anywhere. What is certain is told at once; what may still become a call, or the end
of a thought, is held back until it is clear. The outcome does not depend on the cuts.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

# A block that is not complete yet is looked at again when it has grown by this factor: looking at
# it with every piece would take time that grows with the square of its length.
_GROWTH = 1.25
# What may close a block. While little is waiting, it is looked at as soon as one of these comes.
_CLOSER = re.compile(r"[}\])`>]")
_LITTLE = 4000
_WORD = re.compile(r"\w")


class Mode(Enum):
    """What the text is at a place."""

    TEXT = auto()
    """Said to the user, if no call is in it."""
    ANSWER = auto()
    """Said to the user, even if it looks like a call."""
    REASONING = auto()
    """Thought, and not said."""
    SILENT = auto()
    """Neither: it stands around calls."""
    OUTER = auto()
    """What it was before it was silent."""


@dataclass(frozen=True, slots=True)
class Said:
    """Text for the user."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class FoundCall:
    """A call as it was written."""

    name: str
    arguments: Any
    """Usually an object; a string where they could not be read, a list where they have no names."""
    typed: bool = True
    """Whether the values have types; in the XML forms everything is text."""
    thought: bool | None = None
    """Whether it stood in the reasoning; None until the scanner has told."""


type Piece = Said | Thought | FoundCall


@dataclass(frozen=True, slots=True)
class Block:
    """What a parser found at a place."""

    end: int | None
    """Where the text goes on; None while the block is not complete."""
    calls: tuple[FoundCall, ...] = ()
    mode: Mode | None = None
    """What the text is after the block, if that changes."""
    text: str | None = None
    """What is to be said instead of the block."""
    ends_thought: bool = False
    """Whether it is sure to end a thought."""


INCOMPLETE = Block(end=None)


@dataclass(frozen=True, slots=True)
class Context:
    """What a parser has to know beside the text."""

    names: Collection[str]
    """The names of the offered tools, as a model may write them."""
    knows: Callable[[str], bool]
    """Whether a tool of about that name is offered."""
    mode: Mode
    previous: str
    """The character before the place, empty at the start and after another block."""
    alone: bool
    """Whether nothing was said before."""
    in_line: bool
    """Whether words stand before it in its line."""
    final: bool
    """Whether the text ends here."""
    cut_off: bool
    """Whether it ends because the model may not write more."""

    @property
    def whole(self) -> bool:
        """Whether what is there at the end is all that the model wanted to write."""
        return self.final and not self.cut_off


type Parser = Callable[[str, int, int, Context], Block | None]
"""Takes the text, where an opener of the parser begins and ends, and what else is to be known.

Returns the block that begins there, None if none does, which has to be clear from a few characters.
It never finds another block because the text got longer, except where it was incomplete.
"""


def marker(mode: Mode, *, ends_thought: bool = False) -> Parser:
    """Return the parser of a marker that only says what the text is from there on."""

    def parse(_text: str, _start: int, after: int, _context: Context) -> Block | None:
        return Block(after, mode=mode, ends_thought=ends_thought)

    return parse


class Openers:
    """What blocks can begin with; made once, as it is large."""

    def __init__(self, parsers: Mapping[str, Parser]) -> None:
        """Take the parsers by the text that they begin with."""
        self.parsers = parsers
        longest_first = sorted(parsers, key=lambda opener: (-len(opener), opener))
        self.pattern = re.compile("|".join(map(re.escape, longest_first)))
        self.beginnings = frozenset(
            opener[:length] for opener in parsers for length in range(1, len(opener))
        )
        self.longest = max(map(len, parsers))

    def held(self, text: str, position: int) -> int:
        """Return how many characters at the end of a text may be the beginning of an opener."""
        longest = min(self.longest - 1, len(text) - position)
        return next((n for n in range(longest, 0, -1) if text[-n:] in self.beginnings), 0)


class Scanner:
    """Takes one answer of a model apart."""

    def __init__(
        self,
        openers: Openers,
        *,
        names: Collection[str] = (),
        knows: Callable[[str], bool] = lambda _name: False,
        mode: Mode = Mode.TEXT,
        alone: bool = True,
    ) -> None:
        """Take what blocks begin with, the names of the tools, and whether nothing was said yet."""
        self._openers = openers
        self._names = names
        self._knows = knows
        self._mode = self._outer = mode
        self._untouched = mode is Mode.TEXT
        self._waiting: list[str] = []
        self._waiting_size = 0
        self._text = ""
        self._look_again_at = 0
        self._previous = ""
        self._nothing_said = alone
        self._in_line = False
        self._after_call = False
        self.closed_unopened = False
        """Whether the end of a thought came whose beginning did not: the prompt had begun it."""

    @property
    def thinks(self) -> bool:
        """Whether the text is within the reasoning."""
        return self._outer is Mode.REASONING

    def feed(self, text: str) -> list[Piece]:
        """Take a piece of the text; return what is certain now."""
        self._waiting.append(text)
        self._waiting_size += len(text)
        closes = self._waiting_size < _LITTLE and _CLOSER.search(text)
        if self._waiting_size < self._look_again_at and not closes:
            return []
        return list(self._advance(final=False))

    def finish(self, *, cut_off: bool = False) -> list[Piece]:
        """Take the end of the text; return the rest."""
        return list(self._advance(final=True, cut_off=cut_off))

    def _advance(self, *, final: bool, cut_off: bool = False) -> Iterator[Piece]:
        text = self._text = "".join(self._waiting)
        position = self._look_again_at = 0
        while position < len(text):
            found = self._openers.pattern.search(text, position)
            if found is None:
                held = self._openers.held(text, position)
                yield from self._tell(text[position : len(text) - held])
                position = len(text) - held
                if final:
                    rest = text[position:]
                    if not _is_marker(rest) and not (cut_off and rest[:1] == "<"):
                        yield from self._tell(rest)
                    position = len(text)
                break
            yield from self._tell(text[position : found.start()])
            position = found.start()
            rest = text[position : position + self._openers.longest]
            if rest in self._openers.beginnings and (not final or _is_marker(rest)):
                position = len(text) if final else position
                break
            block = self._parse(found, final=final, cut_off=cut_off)
            if block is None:
                yield from self._tell(text[position])
                position += 1
                continue
            yield from self._told_by(block)
            if block.end is None:
                if final:
                    position = len(text)
                else:
                    self._look_again_at = int((len(text) - position) * _GROWTH)
                break
            position = block.end
        self._waiting = [text[position:]]
        self._waiting_size = len(text) - position

    def _parse(self, found: re.Match[str], *, final: bool, cut_off: bool) -> Block | None:
        context = Context(
            names=self._names,
            knows=self._knows,
            mode=self._mode,
            previous=self._previous,
            alone=self._nothing_said,
            in_line=self._in_line,
            final=final,
            cut_off=cut_off,
        )
        parser = self._openers.parsers[found.group()]
        return parser(self._text, found.start(), found.end(), context)

    def _told_by(self, block: Block) -> Iterator[Piece]:
        for call in block.calls:
            thought = self._outer is Mode.REASONING if call.thought is None else call.thought
            yield replace(call, thought=thought)
        if block.text is not None:
            yield from self._tell(block.text)
        if block.calls:
            self._after_call = True
        if block.end is None:
            return
        if block.text is None:
            self._previous = ""
            self._in_line = False
        if block.mode is Mode.OUTER:
            self._mode = self._outer
        elif block.mode is not None:
            if block.ends_thought and self._untouched:
                self.closed_unopened = True
            self._untouched = False
            self._mode = block.mode
            if block.mode is not Mode.SILENT:
                self._outer = block.mode

    def _tell(self, text: str) -> Iterator[Piece]:
        if self._after_call:
            # Brackets and fences that close more than was opened.
            text = text.lstrip("}])`;, \t\n")
        if not text:
            return
        self._after_call = False
        self._previous = text[-1]
        _, line_break, line = text.rpartition("\n")
        self._in_line = bool(_WORD.search(line)) or (self._in_line and not line_break)
        match self._mode:
            case Mode.REASONING:
                yield Thought(text)
            case Mode.TEXT | Mode.ANSWER:
                self._nothing_said = self._nothing_said and text.isspace()
                yield Said(text)


def _is_marker(beginning: str) -> bool:
    """Tell whether the beginning of an opener can be nothing else: nobody has to hear it."""
    return len(beginning) > 1 and beginning[0] in "<[◁"
