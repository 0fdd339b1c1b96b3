"""Incremental scanner: splits a streamed answer into text, reasoning and tool calls.

The result does not depend on the chunks of the stream. Reasoning opens only at the beginning of an
answer, and a block of calls only at the beginning of a line, outside code fences and quotations.
Everything else is text, byte for byte.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..parsing.cursor import Cursor, IncompleteBlock, MalformedBlock, space_end
from ..parsing.families import (
    ANSWER_STARTS,
    BLOCK_PREFIX,
    BLOCK_STARTS,
    BLOCKS,
    END_TOKENS,
    HARMONY_STARTS,
    LEADING_TOKENS,
    REASONING_ENDS,
    REASONING_TAGS,
    TokenSet,
)
from ..parsing.harmony import HarmonyScanner
from ..parsing.pieces import CallPiece, ParsedCall, Piece, ReasoningPiece, TextPiece
from .quotation import LineTracker

type AcceptsCalls = Callable[[Sequence[ParsedCall], str], bool]
"""Returns whether the calls of a block, given with its raw text, may be made."""

# An incomplete block is parsed again when it has grown by this factor: parsing it with every chunk
# would take quadratic time.
_REPARSE_GROWTH = 1.25
_CLOSER = re.compile(r"[}\])>]")
_SMALL_BUFFER = 4000


class AnswerScanner:
    """Scanner of one answer."""

    def __init__(self, accepts: AcceptsCalls, *, starts_thinking: bool = False) -> None:
        self._accepts = accepts
        self._starts_thinking = starts_thinking
        self._buffer = ""
        self._text = TextScanner(accepts)
        self._harmony = HarmonyScanner()
        self._reasoning_end = REASONING_ENDS
        self._unopened: list[str] = []
        """Reasoning without an opening tag."""
        self._stage: Callable[[bool], Iterator[Piece]] = self._start
        self._closed_unopened = False
        self._opened = False

    @property
    def closed_unopened(self) -> bool:
        """Return whether reasoning ended without an opening tag."""
        return self._closed_unopened or (self._text.has_reasoning_end and not self._opened)

    def feed(self, text: str) -> list[Piece]:
        """Process a chunk of the answer; return the pieces that are complete."""
        if self._stage == self._answer:
            return self._text.feed(text)
        self._buffer += text
        return list(self._advance(final=False))

    def finish(self, *, truncated: bool = False) -> list[Piece]:
        """Return the remaining pieces."""
        pieces = list(self._advance(final=True))
        if self._stage == self._harmony_message:
            return [*pieces, *self._accepted(self._harmony.finish())]
        if self._stage == self._unopened_reasoning:
            # There was no reasoning in this answer.
            pieces += self._text.feed("".join(self._unopened).lstrip())
        return [*pieces, *self._text.finish(truncated=truncated)]

    def _advance(self, *, final: bool) -> Iterator[Piece]:
        stage = None
        while self._buffer and stage != self._stage:
            stage = self._stage
            yield from stage(final)

    def _start(self, final: bool) -> Iterator[Piece]:  # noqa: FBT001 - all stages have it
        """Select the next stage by the beginning of the answer; drop white space before it."""
        yield from ()
        rest = self._buffer.lstrip()
        if (token := LEADING_TOKENS.pattern.match(rest)) is None:
            if not rest or (rest in LEADING_TOKENS.prefixes and not final):
                return
            self._buffer = rest
            self._stage = self._unopened_reasoning if self._starts_thinking else self._answer
        elif token.group() in HARMONY_STARTS:
            self._buffer, self._stage = rest, self._harmony_message
        elif token.group() in ANSWER_STARTS:
            self._buffer, self._stage = rest[token.end() :], self._answer_start
        else:
            self._buffer = rest[token.end() :]
            self._reasoning_end = TokenSet([REASONING_TAGS[token.group()]])
            self._stage, self._opened = self._opened_reasoning, True

    def _opened_reasoning(self, final: bool) -> Iterator[Piece]:  # noqa: FBT001
        yield from self._reasoning(self._reasoning_end, final=final)

    def _unopened_reasoning(self, final: bool) -> Iterator[Piece]:  # noqa: FBT001
        for piece in self._reasoning(REASONING_ENDS, final=final):
            self._unopened.append(piece.text)
            yield piece
        self._closed_unopened = self._stage == self._answer_start

    def _reasoning(self, ends: TokenSet, *, final: bool) -> Iterator[ReasoningPiece]:
        end = ends.pattern.search(self._buffer)
        held = 0 if end or final else ends.partial(self._buffer)
        length = end.start() if end else len(self._buffer) - held
        if length:
            yield ReasoningPiece(self._buffer[:length])
        self._buffer = self._buffer[end.end() if end else length :]
        if end:
            self._stage = self._answer_start

    def _answer_start(self, final: bool) -> Iterator[Piece]:  # noqa: FBT001
        """Drop white space and start tokens between the reasoning and the answer."""
        yield from ()
        rest = self._buffer.lstrip()
        for start in ANSWER_STARTS:
            if rest.startswith(start):
                self._buffer = rest.removeprefix(start)
                self._stage = self._answer
                return
        if rest and (final or not any(start.startswith(rest) for start in ANSWER_STARTS)):
            self._buffer, self._stage = rest, self._answer

    def _answer(self, _final: bool) -> Iterator[Piece]:  # noqa: FBT001
        text, self._buffer = self._buffer, ""
        yield from self._text.feed(text)

    def _harmony_message(self, _final: bool) -> Iterator[Piece]:  # noqa: FBT001
        text, self._buffer = self._buffer, ""
        yield from self._accepted(self._harmony.feed(text))

    def _accepted(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        for piece in pieces:
            if isinstance(piece, CallPiece) and not self._accepts(piece.calls, piece.raw):
                yield TextPiece(piece.raw)
            else:
                yield piece


class TextScanner:
    """Scanner for blocks of calls in the text of an answer."""

    def __init__(self, accepts: AcceptsCalls) -> None:
        self._accepts = accepts
        self._buffer = ""
        self._wait_for = 0
        self._line = LineTracker()
        self._at_boundary = False
        """Whether only white space separates the position from a preceding block or end token."""
        self.has_reasoning_end = False
        """Whether a line outside code fences began with the end of reasoning."""

    def feed(self, text: str) -> list[Piece]:
        """Process a chunk of the text; return the pieces that are complete."""
        self._buffer += text
        size = len(self._buffer)
        if size < self._wait_for and not (size < _SMALL_BUFFER and _CLOSER.search(text)):
            return []
        return list(self._advance(final=False, truncated=False))

    def finish(self, *, truncated: bool = False) -> list[Piece]:
        """Return the remaining pieces; an incomplete block of a truncated answer is dropped."""
        return list(self._advance(final=True, truncated=truncated))

    def _advance(self, *, final: bool, truncated: bool) -> Iterator[Piece]:
        self._wait_for = 0
        is_held = False
        while self._buffer and not is_held:
            if self._at_boundary or self._line.may_begin_block:
                piece, is_held = self._block(final=final, truncated=truncated)
            else:
                piece, is_held = self._plain_text(final=final)
            if piece is not None:
                yield piece

    def _plain_text(self, *, final: bool) -> tuple[Piece | None, bool]:
        """Return the text up to the next line or end token, and whether the rest is held back."""
        line_end = self._buffer.find("\n") + 1 or len(self._buffer)
        token = END_TOKENS.pattern.search(self._buffer, 0, line_end)
        if token is not None and not token.start():
            return self._end_token(final=final)
        if token is not None:
            return self._pass(token.start()), False
        held = 0 if final else END_TOKENS.partial(self._buffer[:line_end])
        return self._pass(line_end - held), bool(held)

    def _end_token(self, *, final: bool) -> tuple[Piece | None, bool]:
        """Drop the tokens at the end of the answer or before a block; others are text."""
        position = 0
        while (token := END_TOKENS.pattern.match(self._buffer, position)) is not None:
            position = space_end(self._buffer, token.end())
        rest = self._buffer[position:]
        if self._buffer.startswith(BLOCK_PREFIX) and BLOCK_STARTS.pattern.match(rest):
            self._buffer, self._at_boundary = rest, True
            return None, False
        if not rest or (not final and rest in BLOCK_STARTS.prefixes | END_TOKENS.prefixes):
            self._buffer = "" if final else self._buffer
            return None, True
        return self._pass(position), False

    def _block(self, *, final: bool, truncated: bool) -> tuple[Piece | None, bool]:
        """Return the block at this position, or text, and whether the rest is held back."""
        if space := space_end(self._buffer, 0):
            return self._pass(space), False
        if (start := BLOCK_STARTS.pattern.match(self._buffer)) is None:
            if truncated and self._buffer in BLOCK_STARTS.prefixes:
                self._buffer = ""
            if not final and self._buffer in BLOCK_STARTS.prefixes | REASONING_ENDS.prefixes:
                return None, True
            if not self._line.in_fence and REASONING_ENDS.pattern.match(self._buffer):
                self.has_reasoning_end = True
            self._line.begin()
            self._at_boundary = False
            return None, False
        cursor = Cursor(self._buffer, start.end(), final)
        try:
            calls = BLOCKS[start.group()](cursor)
        except MalformedBlock:
            return self._pass(start.end()), False
        except IncompleteBlock:
            return self._incomplete(final=final, truncated=truncated)
        raw = self._buffer[: cursor.position]
        accepted = not truncated and self._accepts(calls, raw)
        self._buffer = self._buffer[cursor.position :]
        self._line.follow(raw, is_block=True)
        self._at_boundary = True
        return CallPiece(tuple(calls), raw) if accepted else TextPiece(raw), False

    def _incomplete(self, *, final: bool, truncated: bool) -> tuple[Piece | None, bool]:
        if not final:
            self._wait_for = int(len(self._buffer) * _REPARSE_GROWTH)
            return None, True
        if truncated:
            self._buffer = ""
        return self._pass(len(self._buffer)), False

    def _pass(self, length: int) -> Piece | None:
        text, self._buffer = self._buffer[:length], self._buffer[length:]
        self._line.follow(text)
        self._at_boundary = self._at_boundary and text.isspace()
        return TextPiece(text) if text else None
