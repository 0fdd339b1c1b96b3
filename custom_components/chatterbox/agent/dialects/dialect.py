"""Changes that the dialects make to a request."""

from collections.abc import Sequence
from dataclasses import replace

from ..messages import Message


def with_instructions(messages: Sequence[Message], instructions: str) -> tuple[Message, ...]:
    """Return the messages with instructions at the end of the system prompt."""
    if messages and messages[0].role == "system":
        opening = messages[0]
        content = f"{opening.content or ''}\n\n{instructions}".lstrip()
        return (replace(opening, content=content), *messages[1:])
    return (Message.system(instructions), *messages)
