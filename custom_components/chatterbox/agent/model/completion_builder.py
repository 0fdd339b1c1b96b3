"""Assemble a completion from stream chunks."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import LLMResponseError
from ..messages import ToolCall, new_call_id
from .provider import CompletionResult, ProviderEvent, ReasoningDelta, TextDelta
from .usage import UsageStats


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

    def add(
        self, delta: Mapping[str, Any] | None, finish_reason: str | None, *, whole: bool = False
    ) -> list[ProviderEvent]:
        """Add a delta; return its events.

        `whole` marks the message of an answer that is not streamed.
        """
        self.finish_reason = finish_reason or self.finish_reason
        events: list[ProviderEvent] = []
        if delta is None:
            return events
        reasoning = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(reasoning, str) and reasoning:
            events.append(ReasoningDelta(reasoning))
        text = delta.get("content")
        if isinstance(text, str) and text:
            self.text.append(text)
            events.append(TextDelta(text))
        for fragment in delta.get("tool_calls") or ():
            self._add_fragment(fragment, self._begin() if whole else self._call_of(fragment))
        self.begun = self.begun or bool(events or self.calls)
        return events

    @staticmethod
    def _add_fragment(fragment: Mapping[str, Any], call: _CallFragments) -> None:
        call.id = call.id or fragment.get("id") or ""
        function = fragment.get("function") or {}
        # Some servers repeat the name in every fragment, none sends it in pieces.
        call.name = call.name or function.get("name") or ""
        call.arguments += function.get("arguments") or ""

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
