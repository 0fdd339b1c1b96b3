"""Reads one answer of a capable model as the events that the loop knows."""

from collections.abc import Iterable, Iterator, Sequence

from ..messages import CallKey, ToolCall, new_call_id
from ..provider import Completed, CompletionResult, ProviderEvent, ReasoningDelta, TextDelta
from .arguments import ArgumentNormalizer
from .parsing.cursor import ParsedCall
from .parsing.pieces import CallPiece, Piece, ReasoningPiece, TextPiece
from .quoted_calls import QuotedCalls
from .scanner import AnswerScanner


class AnswerReader:
    """Reads one answer.

    Calls are those of the protocol. Without any, a complete block in the markers of a family is one
    where its tools are offered and it quotes nobody. What follows such a block is withheld: the
    model cannot know yet what came of it.
    """

    def __init__(
        self,
        normalizer: ArgumentNormalizer,
        quoted: QuotedCalls,
        *,
        calls: bool = True,
        starts_thinking: bool = False,
    ) -> None:
        self._normalizer = normalizer
        self._quoted = quoted
        self._calls_wanted = calls
        self._scanner = AnswerScanner(self._accepts, starts_thinking=starts_thinking)
        self._text: list[str] = []
        self._blocks: list[CallPiece] = []
        self._withheld: list[TextPiece | CallPiece] = []
        """Everything from the first block on."""
        self._has_begun = False

    @property
    def unopened_reasoning(self) -> bool | None:
        """Whether reasoning was closed that was not opened; None where there was no text."""
        return self._scanner.closed_unopened if self._has_begun else None

    def read(self, event: ProviderEvent) -> Iterator[ProviderEvent]:
        """Process an event of the server; yield what is certain."""
        match event:
            case TextDelta(text):
                self._has_begun = self._has_begun or bool(text.strip())
                yield from self._events(self._scanner.feed(text))
            case ReasoningDelta(text):
                if text and not self._has_begun:
                    # The server separates the reasoning from the text.
                    self._scanner = AnswerScanner(self._accepts)
                yield event
            case _:
                yield from self._finish(event.result)

    def _finish(self, result: CompletionResult) -> Iterator[ProviderEvent]:
        truncated = result.finish_reason == "length"
        yield from self._events(self._scanner.finish(truncated=truncated))
        native = tuple(
            self._normalizer.native(call, truncated=truncated) for call in result.tool_calls
        )
        yield from self._release(native, truncated=truncated)
        calls = (native or self._parsed_calls(truncated=truncated)) if self._calls_wanted else ()
        reason = result.finish_reason
        if calls:
            reason = "tool_calls"
        elif reason == "tool_calls":
            reason = "stop"
        yield Completed(
            CompletionResult(
                content="".join(self._text) or None,
                tool_calls=calls,
                finish_reason=reason,
                usage=result.usage,
            )
        )

    def _accepts(self, calls: Sequence[ParsedCall], raw: str) -> bool:
        """Return whether the calls of a block may be made."""
        return all(
            self._normalizer.tool_name(call.name) is not None
            and not self._quoted.contain(call, raw)
            for call in calls
        )

    def _events(self, pieces: Iterable[Piece]) -> Iterator[ProviderEvent]:
        for piece in pieces:
            match piece:
                case ReasoningPiece(text):
                    yield ReasoningDelta(text)
                case CallPiece(raw=raw):
                    if self._may_call:
                        self._blocks.append(piece)
                        self._withheld.append(piece)
                    else:
                        self._withheld.append(TextPiece(raw))
                case TextPiece() if self._blocks:
                    self._withheld.append(piece)
                case _:
                    yield from self._tell(piece.text)

    @property
    def _may_call(self) -> bool:
        """Whether nothing but blocks has been withheld so far."""
        return not any(
            isinstance(piece, TextPiece) and piece.text.strip() for piece in self._withheld
        )

    def _tell(self, text: str) -> Iterator[TextDelta]:
        self._text.append(text)
        yield TextDelta(text)

    def _release(self, native: Sequence[ToolCall], *, truncated: bool) -> Iterator[TextDelta]:
        """Yield what was withheld, where the calls in it are not made.

        A block that says what a call of the protocol says is where the server has it from.
        """
        if not native and not truncated:
            return
        made = {call.key for call in native}
        for piece in self._withheld:
            if isinstance(piece, TextPiece):
                yield from self._tell(piece.text)
            elif not all(call.key in made for call in self._made([piece])):
                yield from self._tell(piece.raw)

    def _parsed_calls(self, *, truncated: bool) -> tuple[ToolCall, ...]:
        return () if truncated else tuple(self._made(self._blocks))

    def _made(self, blocks: Iterable[CallPiece]) -> Iterator[ToolCall]:
        """Yield the calls of blocks; a repeated call is one call."""
        seen: set[CallKey] = set()
        for parsed in (call for block in blocks for call in block.calls):
            call = self._normalizer.parsed(new_call_id(), parsed)
            if call.key not in seen:
                seen.add(call.key)
                yield call
