"""Trace of a finished turn, for diagnostics."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any, Self

from .events import LoopOutcome, LoopState, TurnFinished
from .model.usage import UsageStats

# The last calls of a tool that tell its usual duration.
_RECENT_CALLS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolTrace:
    """Trace of a tool call."""

    name: str
    arguments: dict[str, Any]
    ok: bool
    seconds: float
    repairs: tuple[str, ...] = ()
    """Changes made to the model's arguments before the tool was called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTrace:
    """Trace of a finished turn."""

    id: str
    """Id of the turn; log lines begin with it."""
    conversation_id: str
    outcome: LoopOutcome
    iterations: int
    seconds: float
    first_token: float | None
    usage: UsageStats
    tools: tuple[ToolTrace, ...]
    timings: dict[LoopState, float]

    @classmethod
    def of(cls, trace_id: str, conversation_id: str, event: TurnFinished) -> Self:
        """Return the trace of a turn, made from its last event."""
        return cls(
            id=trace_id,
            conversation_id=conversation_id,
            outcome=event.outcome,
            iterations=event.iterations,
            seconds=event.seconds,
            first_token=event.first_token,
            usage=event.usage,
            tools=tuple(
                ToolTrace(
                    name=result.call.name,
                    arguments=result.call.arguments,
                    ok=not result.error,
                    seconds=result.seconds,
                    repairs=result.call.repairs,
                )
                for result in event.results
            ),
            timings=event.timings,
        )


def typical_seconds(turns: Iterable[TurnTrace], tool: str) -> float:
    """Return the median duration of the last calls of a tool, 0 if there is none."""
    seconds = [call.seconds for turn in turns for call in turn.tools if call.name == tool]
    return median(seconds[-_RECENT_CALLS:]) if seconds else 0
