"""Request to a model, before a dialect puts it into its form."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..messages import Message, ToolDefinition
from ..provider import ResponseFormat, ToolChoice


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the model is asked."""

    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...] = ()
    tool_choice: ToolChoice = "auto"
    response_format: ResponseFormat | None = None


def with_instructions(messages: Sequence[Message], instructions: str) -> tuple[Message, ...]:
    """Return the messages with instructions at the end of the system prompt."""
    if messages and messages[0].role == "system":
        opening = messages[0]
        content = f"{opening.content or ''}\n\n{instructions}".lstrip()
        return (replace(opening, content=content), *messages[1:])
    return (Message.system(instructions), *messages)
