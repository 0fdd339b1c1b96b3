"""Next steps after an answer of the model."""

from dataclasses import dataclass

from .messages import ToolCall
from .provider import CompletionResult


@dataclass(frozen=True, slots=True)
class Decision:
    """Next step after an answer of the model."""

    calls: tuple[ToolCall, ...] = ()
    warning: str | None = None


def decide(result: CompletionResult) -> Decision:
    """Return whether tools are to be called, and what is odd about the answer.

    Calls are made whatever the server gives as the reason for stopping: some say `stop` beside
    them. An answer without calls is final.
    """
    if result.tool_calls:
        return Decision(calls=result.tool_calls)
    match result.finish_reason:
        case "stop":
            return Decision()
        case "tool_calls":
            return Decision(warning="announced tool calls and made none")
        case reason:
            return Decision(warning=f"stopped with the reason {reason}")
