"""Reader of a streamed answer: text, reasoning and validated tool calls as provider events."""

from collections.abc import Iterable, Iterator, Sequence

from ...messages import CallKey, ToolCall, new_call_id
from ...model.provider import (
    CallCompleted,
    Completed,
    CompletionResult,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
)
from ..parsing.pieces import CallPiece, ParsedCall, Piece, ReasoningPiece, TextPiece
from .arguments import ArgumentNormalizer
from .quoted_calls import QuotedCalls
from .scanner import AnswerScanner


class AnswerReader:
    """Reader of one answer.

    Tool calls are those of the protocol. Without any, the blocks of calls in the text count, if
    their tools are offered and no message contains the same call. Text after such a block is
    withheld: the model wrote it without knowing the result.
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
        self._parses_calls = calls
        self._scanner = AnswerScanner(self._accepts, starts_thinking=starts_thinking)
        self._text: list[str] = []
        self._blocks: list[CallPiece] = []
        self._withheld: list[TextPiece | CallPiece] = []
        """The pieces from the first block on."""
        self._has_begun = False

    @property
    def unopened_reasoning(self) -> bool | None:
        """Return whether reasoning ended without a beginning; None if there was no text."""
        return self._scanner.closed_unopened if self._has_begun else None

    def read(self, event: ProviderEvent) -> Iterator[ProviderEvent]:
        """Process an event of the server; yield the events that are complete."""
        match event:
            case TextDelta(text):
                self._has_begun = self._has_begun or bool(text.strip())
                yield from self._events(self._scanner.feed(text))
            case ReasoningDelta(text):
                if text and not self._has_begun:
                    # The server separates reasoning: the text does not begin within it.
                    self._scanner = AnswerScanner(self._accepts)
                yield event
            case CallCompleted(call):
                if self._parses_calls:
                    yield CallCompleted(self._normalizer.native(call))
            case _:
                yield from self._finish(event.result)

    def _finish(self, result: CompletionResult) -> Iterator[ProviderEvent]:
        truncated = result.finish_reason == "length"
        yield from self._events(self._scanner.finish(truncated=truncated))
        native = tuple(
            self._normalizer.native(call, truncated=truncated) for call in result.tool_calls
        )
        yield from self._release(native, truncated=truncated)
        calls = (native or self._parsed_calls(truncated=truncated)) if self._parses_calls else ()
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
        """Return whether the tools of a block are offered and no message contains its calls."""
        return all(
            self._normalizer.tool_name(call.name) is not None
            and not self._quoted.contains(call, raw)
            for call in calls
        )

    def _events(self, pieces: Iterable[Piece]) -> Iterator[ProviderEvent]:
        for piece in pieces:
            match piece:
                case TextPiece(text) if not self._blocks:
                    yield self._pass_on(text)
                case ReasoningPiece(text):
                    yield ReasoningDelta(text)
                case CallPiece(raw=raw):
                    if self._may_call:
                        self._blocks.append(piece)
                        self._withheld.append(piece)
                    else:
                        self._withheld.append(TextPiece(raw))
                case _:
                    self._withheld.append(piece)

    @property
    def _may_call(self) -> bool:
        """Return whether only blocks have been withheld so far."""
        return not any(
            isinstance(piece, TextPiece) and piece.text.strip() for piece in self._withheld
        )

    def _pass_on(self, text: str) -> TextDelta:
        self._text.append(text)
        return TextDelta(text)

    def _release(self, native: Sequence[ToolCall], *, truncated: bool) -> Iterator[TextDelta]:
        """Yield the withheld text if the calls in it are not made.

        A block with the same call as one of the protocol is dropped: the server parsed it.
        """
        if not native and not truncated:
            return
        # Arguments that the server could not parse do not tell calls apart.
        made = {call.key[:2] for call in native}
        for piece in self._withheld:
            if isinstance(piece, TextPiece):
                yield self._pass_on(piece.text)
            elif not all(call.key[:2] in made for call in self._tool_calls([piece])):
                yield self._pass_on(piece.raw)

    def _parsed_calls(self, *, truncated: bool) -> tuple[ToolCall, ...]:
        return () if truncated else tuple(self._tool_calls(self._blocks))

    def _tool_calls(self, blocks: Iterable[CallPiece]) -> Iterator[ToolCall]:
        """Yield the tool calls of blocks without repetitions."""
        seen: set[CallKey] = set()
        for parsed in (call for block in blocks for call in block.calls):
            call = self._normalizer.parsed(new_call_id(), parsed)
            if call.key not in seen:
                seen.add(call.key)
                yield call
