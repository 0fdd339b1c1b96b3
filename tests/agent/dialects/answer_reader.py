"""Reading of whole answers in the capable profile."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from custom_components.chatterbox.agent.dialects.capable.arguments import (
    ArgumentNormalizer,
    NameResolver,
)
from custom_components.chatterbox.agent.dialects.capable.quoted_calls import QuotedCalls
from custom_components.chatterbox.agent.dialects.capable.reader import AnswerReader
from custom_components.chatterbox.agent.messages import Message, ToolCall, ToolDefinition
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionResult,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
)
from custom_components.chatterbox.agent.model.usage import UsageStats
from tests.agent.sample_tools import TOOLS


@dataclass(frozen=True, slots=True)
class Reading:
    """Text, reasoning and calls of an answer."""

    text: str
    reasoning: str
    result: CompletionResult
    unopened: bool | None

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """The calls without their ids."""
        return [(call.name, call.arguments) for call in self.result.tool_calls]


def read(
    text: str | Iterable[str],
    tools: Sequence[ToolDefinition] = TOOLS,
    *,
    reasoning: Iterable[str] = (),
    native: Sequence[ToolCall] = (),
    finish_reason: str = "stop",
    starts_thinking: bool = False,
    messages: Sequence[Message] = (),
    names: NameResolver | None = None,
    aliases: Mapping[str, str] | None = None,
    calls: bool = True,
    usage: UsageStats | None = None,
) -> Reading:
    """Read an answer that comes in these pieces."""
    normalizer = ArgumentNormalizer(tools, names, aliases)
    reader = AnswerReader(
        normalizer,
        QuotedCalls(messages, normalizer.tool_name),
        calls=calls,
        starts_thinking=starts_thinking,
    )
    sent: list[ProviderEvent] = [
        *map(ReasoningDelta, reasoning),
        *map(TextDelta, [text] if isinstance(text, str) else text),
        Completed(
            CompletionResult(finish_reason=finish_reason, tool_calls=tuple(native), usage=usage)
        ),
    ]
    events = [told for event in sent for told in reader.read(event)]
    last = events[-1]
    assert isinstance(last, Completed)
    return Reading(
        "".join(event.text for event in events if isinstance(event, TextDelta)),
        "".join(event.text for event in events if isinstance(event, ReasoningDelta)),
        last.result,
        reader.unopened_reasoning,
    )


def passed_so_far(text: str) -> str:
    """Return the text that is passed on before the stream ends, character by character."""
    normalizer = ArgumentNormalizer(TOOLS)
    reader = AnswerReader(normalizer, QuotedCalls((), normalizer.tool_name))
    events = [told for character in text for told in reader.read(TextDelta(character))]
    return "".join(event.text for event in events if isinstance(event, TextDelta))
