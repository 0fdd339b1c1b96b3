"""Circuit breaker for tools."""

from collections.abc import Sequence
from typing import override

from ..circuit_breaker import ToolBreaker
from ..errors import INVALID_CALL_TYPES
from ..messages import ToolCall, ToolDefinition, ToolResult
from .dispatcher import ToolDispatcher, ToolMiddleware


class CircuitBreakerDispatcher(ToolMiddleware):
    """Withdraws the tools for which the conversation's circuit breaker is open."""

    def __init__(self, inner: ToolDispatcher, breaker: ToolBreaker) -> None:
        super().__init__(inner)
        self._breaker = breaker

    @property
    @override
    def definitions(self) -> Sequence[ToolDefinition]:
        """The offered tools."""
        return [tool for tool in self._inner.definitions if not self._breaker.is_open(tool.name)]

    @override
    def definition(self, name: str) -> ToolDefinition | None:
        """Return the tool of this name, None if it is withdrawn."""
        return None if self._breaker.is_open(name) else self._inner.definition(name)

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Execute a call, unless its tool is withdrawn, and count its failure or success."""
        if self._breaker.is_open(call.name):
            return ToolResult.failure(
                call,
                f"{call.name} failed several times and is unavailable for a few minutes. "
                "Do without it, or tell the user.",
                "unavailable",
            )
        result = await self._inner.dispatch(call)
        if result.error and result.error_type not in INVALID_CALL_TYPES:
            self._breaker.failed(call.name)
        elif not result.error and not result.partial:
            self._breaker.succeeded(call.name)
        return result
