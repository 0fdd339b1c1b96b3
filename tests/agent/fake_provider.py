"""Scripted provider: answers that are known in advance."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterable
from dataclasses import dataclass
from typing import Any, override

from custom_components.chatterbox.agent.errors import LLMError
from custom_components.chatterbox.agent.messages import Message, ToolCall, ToolDefinition
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    ReasoningDelta,
    ResponseFormat,
    TextDelta,
    ToolChoice,
)
from custom_components.chatterbox.agent.model.usage import UsageStats
from tests.agent.builders import call


@dataclass(frozen=True)
class Answer:
    """Answer of the model to one request; an error is raised after the text."""

    text: str | None = None
    calls: tuple[ToolCall, ...] = ()
    reason: str = "stop"
    usage: UsageStats | None = None
    reasoning: str | None = None
    error: Exception | None = None
    hang: bool = False
    """Whether the answer never ends."""


@dataclass(frozen=True)
class Asked:
    """Request to the model."""

    messages: list[Message]
    tools: list[ToolDefinition]
    tool_choice: ToolChoice
    extended: bool
    response_format: ResponseFormat | None = None

    @property
    def wire(self) -> list[dict[str, Any]]:
        """The messages as they are sent."""
        return [message.to_wire() for message in self.messages]


class ScriptedProvider(LLMProvider):
    """Provider that gives one answer after the other, and the last one from then on."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = answers
        self.asked: list[Asked] = []
        self.hanging = asyncio.Event()
        self.closed = 0
        """Number of answers that have ended, complete or failed."""

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer word by word, then the whole result."""
        answer = self._answers[min(len(self.asked), len(self._answers) - 1)]
        asked = Asked(
            list(request.messages),
            list(request.tools),
            request.tool_choice,
            request.extended,
            request.response_format,
        )
        self.asked.append(asked)
        try:
            if answer.reasoning is not None:
                yield ReasoningDelta(answer.reasoning)
            for word in re.findall(r"\s*\S+|\s+", answer.text or ""):
                yield TextDelta(word)
            if answer.hang:
                self.hanging.set()
                await asyncio.get_running_loop().create_future()
            if answer.error is not None:
                raise answer.error
            yield Completed(
                CompletionResult(
                    content=answer.text,
                    tool_calls=answer.calls,
                    finish_reason=answer.reason,
                    usage=answer.usage,
                )
            )
        finally:
            self.closed += 1


def calls(*names: str) -> Answer:
    """Return an answer that calls these tools, with the ids `call_1`, `call_2`, …."""
    made = [call(name, f"call_{number}") for number, name in enumerate(names, start=1)]
    return Answer(calls=tuple(made), reason="tool_calls")


async def heard(events: AsyncIterable[ProviderEvent]) -> tuple[list[str], LLMError | None]:
    """Return the pieces of text in a stream, and the error that ends it."""
    pieces: list[str] = []
    try:
        async for event in events:
            match event:
                case TextDelta(text):
                    pieces.append(text)
    except LLMError as err:
        return pieces, err
    return pieces, None
