"""What the loop asks of a model: a protocol, its results and its stream of events."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from .errors import LLMResponseError
from .messages import Message, ToolCall, ToolDefinition
from .usage import UsageStats

type ToolChoice = Literal["auto", "none", "required"]
type ResponseFormat = Mapping[str, Any]
"""A `response_format` of the OpenAI API: a JSON schema that the answer has to follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionResult:
    """One whole answer of the model."""

    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    """`stop` or `tool_calls` in the normal case; else what the server said, such as `length`."""
    usage: UsageStats | None = None

    @property
    def message(self) -> Message:
        """The answer as a message that can be sent again."""
        return Message.assistant(self.content, self.tool_calls)

    @property
    def raw_message(self) -> dict[str, Any]:
        """The answer in the OpenAI form."""
        return self.message.to_wire()


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of what the model thinks; never spoken."""

    text: str


@dataclass(frozen=True, slots=True)
class Completed:
    """The end of the answer, always the last event."""

    result: CompletionResult


type ProviderEvent = TextDelta | ReasoningDelta | Completed


@runtime_checkable
class LLMProvider(Protocol):
    """A model that can be asked. Both methods raise an `LLMError` when there is no whole answer."""

    async def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None = None,
        *,
        tool_choice: ToolChoice = "auto",
    ) -> CompletionResult:
        """Return the whole answer: what the stream ends with."""
        async with aclosing(self.stream(messages, tools, tool_choice=tool_choice)) as events:
            async for event in events:
                if isinstance(event, Completed):
                    return event.result
        raise LLMResponseError("the answer ended without its end")

    def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None = None,
        *,
        tool_choice: ToolChoice = "auto",
    ) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`.

        Closing the generator ends the request.
        """


class FormattingProvider(Protocol):
    """A model that can be held to a form. Raises an `LLMError` when there is no whole answer."""

    def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None = None,
        *,
        tool_choice: ToolChoice = "auto",
        response_format: ResponseFormat | None = None,
    ) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`."""
