"""What happens in a turn, as the loop tells it."""

from dataclasses import dataclass, field
from enum import StrEnum

from .messages import Message, ToolCall, ToolResult
from .provider import ReasoningDelta, TextDelta
from .usage import UsageStats


class LoopState(StrEnum):
    """The states of a turn."""

    RECEIVE_INPUT = "receive_input"
    LLM_INFERENCE = "llm_inference"
    TOOL_DECISION = "tool_decision"
    TOOL_EXECUTION = "tool_execution"
    RESULT_AGGREGATION = "result_aggregation"
    RESPONSE_COMPOSITION = "response_composition"
    OUTPUT = "output"


class LoopOutcome(StrEnum):
    """How a turn ended."""

    FINAL = "final"
    LIMIT = "limit"
    CANCELLED = "cancelled"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The turn went into a state. `LLM_INFERENCE` begins a new message of the assistant."""

    state: LoopState
    iteration: int
    """The number of the model call, from 1; 0 before the first."""


@dataclass(frozen=True, slots=True)
class ToolCallsRequested:
    """The model wants these calls made; their results follow in the same order."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A call has its result."""

    result: ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFinished:
    """The turn is over; always the last event, also before an error is raised."""

    outcome: LoopOutcome
    text: str
    messages: tuple[Message, ...]
    """What the turn adds to the history behind the user's message."""
    iterations: int
    usage: UsageStats
    results: tuple[ToolResult, ...]
    seconds: float
    timings: dict[LoopState, float] = field(default_factory=dict)
    """Seconds spent in each state."""
    first_token: float | None = None
    """Seconds until the model's first word, None if there was none."""


type LoopEvent = (
    StateChanged | TextDelta | ReasoningDelta | ToolCallsRequested | ToolFinished | TurnFinished
)
