"""Events, states and outcomes of a turn."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from .messages import Message, ToolCall, ToolResult
from .model.provider import ReasoningDelta, TextDelta
from .model.usage import UsageStats


class LoopState(StrEnum):
    """States of a turn; `steps.next_step` decides the transitions between them."""

    RECEIVE_INPUT = "receive_input"
    LLM_INFERENCE = "llm_inference"
    TOOL_DECISION = "tool_decision"
    TOOL_EXECUTION = "tool_execution"
    RESULT_AGGREGATION = "result_aggregation"
    RESPONSE_COMPOSITION = "response_composition"
    OUTPUT = "output"


class LoopOutcome(StrEnum):
    """Outcomes of a turn."""

    FINAL = "final"
    LIMIT = "limit"
    CANCELLED = "cancelled"
    FALLBACK = "fallback"
    """The model could not be reached, and the fallback agent answered."""
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class StateChanged:
    """Change of state.

    `LLM_INFERENCE` does not begin a new assistant message: that is what `ToolCallsRequested` does,
    for the text after it.
    """

    state: LoopState
    iteration: int
    """Number of the model call, from 1; 0 before the first."""


@dataclass(frozen=True, slots=True)
class ToolCallsRequested:
    """Tool calls about to be executed; their results follow in the same order."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """Result of a tool call."""

    result: ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A stay in a state."""

    state: LoopState
    iteration: int
    """Number of the model call, as in `StateChanged`."""
    started: float
    """Seconds after the start of the turn."""
    seconds: float
    usage: UsageStats | None = None
    """Tokens of the request that was sent in it, None without one or if the server sends none."""
    calls: int = 0
    """Tool calls that were executed in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFinished:
    """End of the turn; always the last event, also before an error is raised.

    The messages of a cancelled turn may lack results of calls.
    """

    outcome: LoopOutcome
    text: str
    messages: tuple[Message, ...]
    """Messages that the turn adds to the history after the user's."""
    iterations: int
    usage: UsageStats
    results: tuple[ToolResult, ...]
    seconds: float
    steps: tuple[Step, ...] = ()
    first_token: float | None = None
    """Seconds until the first token of the model, None if there was none."""
    truncated: bool = False
    """True if the token limit cut off the last answer."""

    @classmethod
    def unbegun(cls, outcome: LoopOutcome, seconds: float) -> Self:
        """Return the end of a turn that never reached the loop."""
        return cls(
            outcome=outcome,
            text="",
            messages=(),
            iterations=0,
            usage=UsageStats(),
            results=(),
            seconds=seconds,
        )


type LoopEvent = (
    StateChanged | TextDelta | ReasoningDelta | ToolCallsRequested | ToolFinished | TurnFinished
)
