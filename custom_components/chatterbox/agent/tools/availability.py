"""Leaving out the tools that fail all the time."""

from collections.abc import Sequence

from ..breaker import ToolBreaker
from ..errors import ToolError, ToolTimeoutError
from ..messages import ToolCall, ToolDefinition, ToolResult
from .guard import ToolDispatcher

_FAILURES = {ToolError.error_type, ToolTimeoutError.error_type}


class AvailableTools:
    """The tools of a turn without those that the conversation's breaker has taken away."""

    def __init__(self, tools: ToolDispatcher, breaker: ToolBreaker) -> None:
        """Take what makes the calls, and the breaker of the conversation."""
        self._tools = tools
        self._breaker = breaker

    @property
    def definitions(self) -> Sequence[ToolDefinition]:
        """The tools on offer."""
        return [tool for tool in self._tools.definitions if not self._breaker.is_open(tool.name)]

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Have a call made, unless its tool was taken away."""
        if self._breaker.is_open(call.name):
            return ToolResult.failure(
                call,
                f"{call.name} failed several times and is unavailable for a few minutes. "
                "Do without it, or tell the user.",
                "unavailable",
            )
        result = await self._tools.dispatch(call)
        if not result.error:
            self._breaker.succeeded(call.name)
        elif result.error_type in _FAILURES:
            self._breaker.failed(call.name)
        return result
