"""Assemble a completion from stream chunks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import LLMResponseError, LLMResponseTooLargeError
from ..messages import ToolCall, new_call_id
from .provider import CallCompleted, CompletionResult, ProviderEvent, ReasoningDelta, TextDelta
from .usage import UsageStats

# Characters of an answer with its reasoning and calls, characters of a name, and number of calls.
_MAX_CHARACTERS = 2**19
_MAX_NAME = 256
_MAX_CALLS = 128
# Characters of arguments that are parsed before the answer is complete.
_MAX_EARLY_ARGUMENTS = 2000
# Characters of a delta: what follows splits and filters each of them in one go.
_MAX_DELTA = 2000


@dataclass(slots=True)
class _CallFragments:
    """A tool call that is still arriving."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class CompletionBuilder:
    """Builder of a completion from the chunks of a stream."""

    text: list[str] = field(default_factory=list)
    calls: list[_CallFragments] = field(default_factory=list)
    by_index: dict[int, _CallFragments] = field(default_factory=dict)
    finish_reason: str | None = None
    usage: UsageStats | None = None
    begun: bool = False
    size: int = 0
    """Characters so far."""
    passed_on: int = 0
    """The number of calls that were complete so far."""

    def add(
        self, delta: Mapping[str, Any] | None, finish_reason: str | None, *, whole: bool = False
    ) -> list[ProviderEvent]:
        """Add a delta; return its events.

        `whole` marks the message of an answer that is not streamed. Raises
        `LLMResponseTooLargeError` past a bound.
        """
        self.finish_reason = finish_reason or self.finish_reason
        events: list[ProviderEvent] = []
        if delta is None:
            return events
        reasoning = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(reasoning, str) and reasoning:
            self._count(reasoning)
            events += map(ReasoningDelta, _pieces(reasoning))
        text = delta.get("content")
        if isinstance(text, str) and text:
            self._count(text)
            self.text.append(text)
            events += map(TextDelta, _pieces(text))
        for fragment in delta.get("tool_calls") or ():
            self._add_fragment(fragment, self._begin() if whole else self._call_of(fragment))
        if self.calls and not whole:
            events += self._completed_calls()
        self.begun = self.begun or bool(events or self.calls)
        return events

    def _count(self, text: str) -> None:
        self.size += len(text)
        if self.size > _MAX_CHARACTERS:
            raise LLMResponseTooLargeError("the answer is too long")

    def _add_fragment(self, fragment: Mapping[str, Any], call: _CallFragments) -> None:
        if not call.id and (call_id := fragment.get("id")):
            self._count(call_id)
            call.id = call_id
        function = fragment.get("function") or {}
        # Some servers repeat the name in every fragment, none sends it in pieces.
        call.name = call.name or function.get("name") or ""
        if len(call.name) > _MAX_NAME:
            raise LLMResponseTooLargeError("the name of a tool is too long")
        if arguments := function.get("arguments"):
            self._count(arguments)
            call.arguments += arguments

    def _completed_calls(self) -> Iterator[CallCompleted]:
        """Yield the calls that have become complete, in their order."""
        while self.passed_on < len(self.calls):
            call = self.calls[self.passed_on]
            is_last = self.passed_on == len(self.calls) - 1
            if len(call.arguments) > _MAX_EARLY_ARGUMENTS:
                return
            if is_last and not call.arguments.rstrip().endswith("}"):
                return
            made = ToolCall.parse(call.id or new_call_id(), call.name, call.arguments)
            if not call.name or made.invalid is not None:
                return
            self.passed_on += 1
            yield CallCompleted(made)

    def _call_of(self, fragment: Mapping[str, Any]) -> _CallFragments:
        """Return the call that a fragment continues, or a new one."""
        index: int | None = fragment.get("index")
        if index is None:
            # Without an index an id begins a call, and a fragment without one continues the last.
            last = self.calls[-1] if self.calls else None
            begins = fragment.get("id")
        else:
            # Some servers give all calls the same index, others every fragment an id of its own:
            # only an id together with a name begins another call.
            last = self.by_index.get(index)
            begins = fragment.get("id") if (fragment.get("function") or {}).get("name") else None
        if last is not None and (not begins or begins == last.id):
            return last
        call = self._begin()
        if index is not None:
            self.by_index[index] = call
        return call

    def _begin(self) -> _CallFragments:
        if len(self.calls) == _MAX_CALLS:
            raise LLMResponseTooLargeError("there are too many tool calls")
        self.calls.append(_CallFragments())
        return self.calls[-1]

    def result(self) -> CompletionResult:
        """Return the completion; every call has a unique id.

        A call without text has no arguments, or invalid ones if the answer was truncated.

        Raises `LLMResponseError` if nothing has arrived, not even a finish reason.
        """
        if not self.begun and self.finish_reason is None:
            raise LLMResponseError("the answer is empty")
        calls: list[ToolCall] = []
        ids: set[str] = set()
        for call in self.calls:
            call_id = call.id
            while not call_id or call_id in ids:
                call_id = new_call_id()
            ids.add(call_id)
            made = ToolCall.parse(call_id, call.name, call.arguments)
            if self.finish_reason == "length" and not call.arguments.strip():
                made = replace(made, invalid=call.arguments)
            calls.append(made)
        return CompletionResult(
            content="".join(self.text) or None,
            tool_calls=tuple(calls),
            finish_reason=self.finish_reason or ("tool_calls" if calls else "stop"),
            usage=self.usage,
        )


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + _MAX_DELTA] for start in range(0, len(text), _MAX_DELTA))
