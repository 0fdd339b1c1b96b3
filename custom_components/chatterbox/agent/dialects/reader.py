"""Reads one answer of a model, whatever form its calls have, as the events that the loop knows."""

import uuid
from collections.abc import Iterable, Iterator, Sequence

from ..messages import ToolCall
from ..provider import Completed, CompletionResult, ProviderEvent, ReasoningDelta, TextDelta
from .dialect import Unwrapper
from .formats.families import openers
from .formats.prose import calls_in_prose
from .repair import Repairer
from .scanner import FoundCall, Mode, Piece, Said, Scanner, Thought
from .structured import AnswerUnwrapper


class AnswerReader:
    """Reads one answer.

    A call in the text is made, and what is said behind it is not passed on: the model cannot know
    yet what came of it. A call in the reasoning counts only where nothing else was said or called.
    """

    def __init__(
        self,
        unwrapper: Unwrapper,
        repairer: Repairer,
        *,
        calls: bool = True,
        starts_thinking: bool = False,
        prose: bool = False,
    ) -> None:
        """Take what reads the dialect, and whether calls are wanted at all.

        With `prose` a call that the model only speaks of is made, too.
        """
        self._unwrapper = unwrapper
        self._repairer = repairer
        self._calls_wanted = calls
        self._prose = prose
        self._text = self._scanner(Mode.REASONING if starts_thinking else Mode.TEXT)
        self._reasoning = self._scanner(Mode.REASONING)
        self._said: list[str] = []
        self._found: list[FoundCall] = []
        self._mused: list[FoundCall] = []
        # What is thought first is the answer after all if nothing follows it.
        self._first_thought: list[str] | None = [] if starts_thinking else None
        self._text_came = False
        self.over = False
        """Whether calls are complete and the model goes on talking: the rest is not needed."""

    def _scanner(self, mode: Mode) -> Scanner:
        names = self._repairer.names
        return Scanner(openers(tuple(names)), names=names, knows=self._repairer.knows, mode=mode)

    @property
    def thought_unopened(self) -> bool:
        """Whether the answer began within the reasoning, which was taken for text."""
        return self._text.closed_unopened

    @property
    def _nothing_said(self) -> bool:
        # Space at the beginning is never kept.
        return not self._said

    @property
    def _is_answer(self) -> bool:
        return isinstance(self._unwrapper, AnswerUnwrapper) and self._unwrapper.inside

    def take(self, event: ProviderEvent) -> Iterator[ProviderEvent]:
        """Take an event of the server; yield what is certain now."""
        if isinstance(event, TextDelta):
            yield from self._hear(event.text)
        elif isinstance(event, ReasoningDelta):
            if event.text and self._first_thought is not None and not self._text_came:
                # The server takes the reasoning out of the text: there the answer stands alone.
                self._text, self._first_thought = self._scanner(Mode.TEXT), None
            yield from self._tell(self._reasoning.feed(event.text))
        else:
            yield from self.finish(event.result)

    def finish(self, result: CompletionResult) -> Iterator[ProviderEvent]:
        """Take the end of the answer; yield the rest and `Completed`."""
        cut_off = result.finish_reason == "length"
        yield from self._tell_text(self._text.feed(self._unwrapper.finish()))
        yield from self._tell_text(self._text.finish(cut_off=cut_off))
        yield from self._tell(self._reasoning.finish(cut_off=cut_off))
        unanswered = self._text.thinks and self._nothing_said
        if self._first_thought and unanswered and not (cut_off or self._mused):
            # This time the model has not thought.
            yield from self._say("".join(self._first_thought))
        calls = self._calls(result.tool_calls, cut_off=cut_off) if self._calls_wanted else ()
        reason = result.finish_reason
        if calls:
            reason = "tool_calls"
        elif reason == "tool_calls":
            reason = "stop"
        yield Completed(
            CompletionResult(
                content="".join(self._said).strip() or None,
                tool_calls=calls,
                finish_reason=reason,
                usage=result.usage,
            )
        )

    def _hear(self, text: str) -> Iterator[ProviderEvent]:
        self._text_came = self._text_came or bool(text.strip())
        was_answer = self._is_answer
        inner = self._unwrapper.feed(text)
        if self._is_answer and not was_answer:
            # It says of itself that it is for the user, even if something in it looks like a call.
            self._text = self._scanner(Mode.ANSWER)
        yield from self._tell_text(self._text.feed(inner))

    def _tell_text(self, pieces: list[Piece]) -> Iterator[ProviderEvent]:
        if self._first_thought is not None:
            self._first_thought += [piece.text for piece in pieces if isinstance(piece, Thought)]
        yield from self._tell(pieces)

    def _tell(self, pieces: Iterable[Piece]) -> Iterator[ProviderEvent]:
        for piece in pieces:
            if self.over:
                # However much came at once.
                return
            match piece:
                case Thought(text):
                    yield ReasoningDelta(text)
                case Said(text):
                    yield from self._say(text)
                case _:
                    self._note(piece)

    def _note(self, call: FoundCall) -> None:
        calls = self._mused if call.thought else self._found
        # Small models write the same call again and again.
        if self._calls_wanted and call not in calls:
            calls.append(call)

    def _say(self, text: str) -> Iterator[ProviderEvent]:
        if self._found:
            self.over = self.over or bool(text.strip())
            return
        if self._nothing_said:
            text = text.lstrip()
        if text:
            self._said.append(text)
            yield TextDelta(text)

    def _calls(self, native: Sequence[ToolCall], *, cut_off: bool) -> tuple[ToolCall, ...]:
        if native:
            return tuple(self._repairer.native(call) for call in native)
        found = self._found
        if not found and self._nothing_said and not cut_off:
            found = self._mused
        if not found and self._prose and not cut_off:
            found = list(calls_in_prose("".join(self._said), self._repairer.names))
        return tuple(self._repairer.call(f"call_{uuid.uuid4().hex[:24]}", call) for call in found)
