"""State of a conversation that outlives a turn."""

from dataclasses import dataclass, field

from ..circuit_breaker import ToolBreaker
from ..messages import ToolCall


@dataclass(slots=True)
class ConversationState:
    """State of a conversation besides its messages, kept by the owner of the turns."""

    tool_breakers: ToolBreaker = field(default_factory=ToolBreaker)
    found_tools: list[str] = field(default_factory=list)
    """Tools that the model has searched for, in the order in which they were found."""
    pending_calls: tuple[ToolCall, ...] = ()
    """Calls that the user was asked to confirm at the end of the last turn, by one question."""
    proposed_calls: tuple[ToolCall, ...] = ()
    """Those calls, where the model has to tell from the answer whether the user agrees."""
