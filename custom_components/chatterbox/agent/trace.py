"""Trace of a finished turn: what was done, how long it took, and why it failed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from statistics import median
from typing import Any, Self

from .errors import UnknownToolError
from .events import LoopOutcome, LoopState, Step, TurnFinished
from .messages import ToolResult
from .model.request_log import RequestLog
from .model.usage import UsageStats

# The last calls of a tool that tell its usual duration.
_RECENT_CALLS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorDetail:
    """Why a turn failed, without the words of a user or a server."""

    code: str
    """Key of the sentence that the user hears."""
    message: str
    """That sentence."""
    type: str
    """Class of the exception."""
    retryable: bool
    """Whether the same message may succeed later."""
    tool: str | None = None
    """The last tool that was called, if it failed."""
    status: int | None = None
    """HTTP status of the server, if it sent one."""

    def as_dict(self, trace_id: str) -> dict[str, Any]:
        """Return the details as JSON."""
        return {
            "code": self.code,
            "message": self.message,
            "type": self.type,
            "status": self.status,
            "tool": self.tool,
            "retryable": self.retryable,
            "trace_id": trace_id,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolTrace:
    """Trace of a tool call."""

    name: str
    arguments: dict[str, Any]
    ok: bool
    seconds: float
    repairs: tuple[str, ...] = ()
    """Changes made to the model's arguments before the tool was called."""
    error_type: str | None = None
    """Type of the error, of the agent's own ones; None for a success."""

    @classmethod
    def of(cls, result: ToolResult) -> Self:
        """Return the trace of a call, made from its result."""
        return cls(
            name=result.call.name,
            arguments=result.call.arguments,
            ok=not result.error,
            seconds=result.seconds,
            repairs=result.call.repairs,
            error_type=result.error_type,
        )

    @property
    def public_name(self) -> str:
        """The name of the tool; one that the model has made up may be any text."""
        return "unknown tool" if self.error_type == UnknownToolError.error_type else self.name

    def as_dict(self, *, values: bool) -> dict[str, Any]:
        """Return the trace as JSON; without `values`, without what the model wrote."""
        return {
            "name": self.name if values else self.public_name,
            "arguments": self.arguments if values else len(self.arguments),
            "ok": self.ok,
            "error_type": self.error_type,
            "seconds": round(self.seconds, 3),
            "repairs": list(self.repairs) if values else len(self.repairs),
        }


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
    steps: tuple[Step, ...] = ()
    agent: str = ""
    """Entity id."""
    model: str = ""
    profile: str | None = None
    """The profile at the end of the turn, None if it ended before one was selected."""
    requests: RequestLog = field(default_factory=RequestLog)
    error: ErrorDetail | None = None

    @classmethod
    def of(cls, trace_id: str, conversation_id: str, event: TurnFinished, **more: Any) -> Self:
        """Return the trace of a turn, made from its last event; `more` are other fields."""
        fields: dict[str, Any] = {
            "id": trace_id,
            "conversation_id": conversation_id,
            "outcome": event.outcome,
            "iterations": event.iterations,
            "seconds": event.seconds,
            "first_token": event.first_token,
            "usage": event.usage,
            "tools": tuple(map(ToolTrace.of, event.results)),
            "steps": event.steps,
        }
        trace = cls(**{**fields, **more})
        if trace.error is None or not trace.tools or trace.tools[-1].ok:
            return trace
        return replace(trace, error=replace(trace.error, tool=trace.tools[-1].public_name))

    def seconds_in(self, state: LoopState) -> float | None:
        """Return the seconds that were spent in a state, None if it was never entered."""
        spent = [step.seconds for step in self.steps if step.state is state]
        return sum(spent) if spent else None

    def as_dict(self, *, values: bool = False) -> dict[str, Any]:
        """Return the trace as JSON.

        Only with `values` it has the values of arguments and the id of the conversation, which may
        be private.
        """
        conversation = {"conversation_id": self.conversation_id} if values else {}
        return {
            "trace_id": self.id,
            **conversation,
            "agent": self.agent,
            "model": self.model,
            "profile": self.profile,
            "outcome": self.outcome.value,
            "error": None if self.error is None else self.error.as_dict(self.id),
            "seconds": round(self.seconds, 3),
            "time_to_first_token": _rounded(self.first_token),
            "iterations": self.iterations,
            "usage": self.usage.as_dict(),
            "requests": self.requests.as_dict(),
            "steps": list(self._steps(values=values)),
        }

    def _steps(self, *, values: bool) -> Iterator[dict[str, Any]]:
        """Yield the steps as JSON, each with the tool calls that were executed in it."""
        tools = iter(self.tools)
        for step in self.steps:
            details: dict[str, Any] = {
                "state": step.state.value,
                "iteration": step.iteration,
                "started": round(step.started, 3),
                "seconds": round(step.seconds, 3),
            }
            if step.usage is not None:
                details["usage"] = step.usage.as_dict()
            if step.calls:
                called = islice(tools, step.calls)
                details["tools"] = [tool.as_dict(values=values) for tool in called]
            yield details


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)


def typical_seconds(turns: Iterable[TurnTrace], tool: str) -> float:
    """Return the median duration of the last calls of a tool, 0 if there is none."""
    seconds = [call.seconds for turn in turns for call in turn.tools if call.name == tool]
    return median(seconds[-_RECENT_CALLS:]) if seconds else 0
