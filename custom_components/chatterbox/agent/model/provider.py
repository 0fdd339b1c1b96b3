"""Interface of model providers: a request, and a stream of events that ends with a result."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Literal

from ..errors import LLMResponseError
from ..messages import Message, ToolCall, ToolDefinition
from .usage import UsageStats

type ToolChoice = Literal["auto", "none", "required"]
type ResponseFormat = Mapping[str, Any]
"""A `response_format` of the OpenAI API: a JSON schema that the answer has to follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """Request for one completion."""

    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...] = ()
    tool_choice: ToolChoice = "auto"
    response_format: ResponseFormat | None = None
    """None for free text."""
    extended: bool = False
    """True if the answer may have more tokens than usual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionResult:
    """Complete answer of the model."""

    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    """As in the OpenAI API: `stop`, `tool_calls`, `length`, …"""
    usage: UsageStats | None = None

    @property
    def message(self) -> Message:
        """The answer as a message of the history."""
        return Message.assistant(self.content, self.tool_calls)


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of the reasoning; never spoken."""

    text: str


@dataclass(frozen=True, slots=True)
class CallCompleted:
    """A tool call that has arrived completely, while the answer goes on.

    The result of the answer has it as well, unless the answer turns out otherwise: such a call may
    be executed at once only if it changes nothing.
    """

    call: ToolCall


@dataclass(frozen=True, slots=True)
class Completed:
    """End of the answer, always the last event."""

    result: CompletionResult


type ProviderEvent = TextDelta | ReasoningDelta | CallCompleted | Completed


class LLMProvider(ABC):
    """A model behind a server, or a middleware around another provider.

    Both methods raise an `LLMError` when there is no complete answer.
    """

    @abstractmethod
    def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`.

        Closing the generator ends the request.
        """

    async def complete(self, request: CompletionRequest) -> CompletionResult:
        """Return the complete answer: the result that the stream ends with."""
        async with aclosing(self.stream(request)) as events:
            async for event in events:
                if isinstance(event, Completed):
                    return event.result
        raise LLMResponseError("the stream ended without a completion")
