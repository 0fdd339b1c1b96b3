"""Figures over the last turns: outcomes, durations, tools, retries and context size."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any

from .events import LoopOutcome, LoopState
from .trace import ErrorDetail, ToolTrace, TurnTrace

_TURNS_KEPT = 100


class TurnStats:
    """The last turns, and the number of all by outcome."""

    def __init__(self) -> None:
        self.turns: deque[TurnTrace] = deque(maxlen=_TURNS_KEPT)
        """The last turns, oldest first."""
        self.outcomes: Counter[LoopOutcome] = Counter()
        """All turns by outcome."""
        self._last_error: tuple[str, ErrorDetail] | None = None
        """The last error, with the id of its turn."""

    def add(self, trace: TurnTrace) -> None:
        """Add a finished turn."""
        self.turns.append(trace)
        self.outcomes[trace.outcome] += 1
        if trace.error is not None:
            self._last_error = trace.id, trace.error

    def summary(self) -> dict[str, Any]:
        """Return the figures as JSON: durations in seconds, rates from 0 to 1.

        The outcomes are those of all turns, everything else is of the last ones.
        """
        turns = self.turns
        trace_id, error = self._last_error or ("", None)
        return {
            "outcomes": {outcome.value: self.outcomes[outcome] for outcome in LoopOutcome},
            "turns": len(turns),
            "last_error": None if error is None else error.as_dict(trace_id),
            "seconds": {
                "turn": _spread(turn.seconds for turn in turns),
                "first_token": _spread(turn.first_token for turn in turns),
                "model": _spread(turn.seconds_in(LoopState.LLM_INFERENCE) for turn in turns),
                "tools": _spread(turn.seconds_in(LoopState.TOOL_EXECUTION) for turn in turns),
            },
            "tools": _tools(turns),
            "retries": sum(turn.requests.retries for turn in turns),
            "argument_repairs": sum(len(tool.repairs) for turn in turns for tool in turn.tools),
            "context": {
                "prompt_tokens": _spread(_largest_prompt(turn) for turn in turns),
                "characters": _spread(turn.requests.chars or None for turn in turns),
                "turns_with_history_left_out": sum(
                    turn.requests.turns_left_out > 0 for turn in turns
                ),
            },
        }


def _largest_prompt(turn: TurnTrace) -> int | None:
    """Return the tokens of the largest prompt of a turn, None if the server reports none."""
    prompts = (step.usage.prompt_tokens for step in turn.steps if step.usage is not None)
    return max(prompts, default=0) or None


def _tools(turns: Iterable[TurnTrace]) -> dict[str, Any]:
    calls: dict[str, list[ToolTrace]] = {}
    for turn in turns:
        for tool in turn.tools:
            calls.setdefault(tool.public_name, []).append(tool)
    return {
        name: {
            "calls": len(made),
            "success_rate": round(sum(tool.ok for tool in made) / len(made), 3),
            "errors": dict(Counter(tool.error_type for tool in made if tool.error_type)),
            "seconds": _spread(tool.seconds for tool in made),
        }
        for name, made in sorted(calls.items())
    }


def _spread(values: Iterable[float | None]) -> dict[str, float] | None:
    """Return the 50th and the 95th percentile, None without a value."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    return {"p50": _percentile(known, 50), "p95": _percentile(known, 95)}


def _percentile(ordered: Sequence[float], percent: int) -> float:
    """Return the smallest value that so many percent of the values do not exceed."""
    return round(ordered[-(-len(ordered) * percent // 100) - 1], 3)
