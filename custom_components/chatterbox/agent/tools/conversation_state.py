"""State of a conversation that outlives a turn."""

from dataclasses import dataclass, field

from ..circuit_breaker import ToolBreaker
from ..messages import ToolCall


@dataclass(slots=True)
class ConversationState:
    """State of a conversation, beside its messages. Its owner starts the turns."""

    tools: ToolBreaker = field(default_factory=ToolBreaker)
    pending: ToolCall | None = None
    """The call that the user was asked to confirm at the end of the last turn."""
