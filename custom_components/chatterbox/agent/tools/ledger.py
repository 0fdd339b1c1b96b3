"""Keeping what becomes of every call, also when the turn that made it is over."""

import asyncio
from collections.abc import Sequence

from ..messages import ToolCall, ToolDefinition, ToolResult
from .guard import ToolDispatcher


class CallLedger:
    """Makes the calls of a turn so that none is lost.

    Where the turn is broken off, a tool that only reads is stopped and one that writes is not:
    it runs to its end, and its result can be asked for.
    """

    def __init__(self, tools: ToolDispatcher) -> None:
        """Take what makes the calls."""
        self._tools = tools
        self._made: list[tuple[ToolCall, asyncio.Task[ToolResult]]] = []

    @property
    def definitions(self) -> Sequence[ToolDefinition]:
        """The tools on offer."""
        return self._tools.definitions

    @property
    def running(self) -> bool:
        """Whether a call is still being made."""
        return any(not task.done() for _, task in self._made)

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Have a call made."""
        reads = any(
            tool.name == call.name and tool.annotations.read_only for tool in self.definitions
        )
        task = asyncio.create_task(self._tools.dispatch(call))
        self._made.append((call, task))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if reads:
                task.cancel()
            raise

    async def outcome(self, call: ToolCall) -> ToolResult:
        """Return the result of a call as soon as it has one."""
        task = next((task for made, task in self._made if made is call), None)
        if task is None:
            return ToolResult.failure(call, f"{call.name} was not called.", "interrupted")
        if not task.done():
            await asyncio.wait({task})
        if task.cancelled() or task.exception() is not None:
            return ToolResult.failure(call, f"{call.name} was stopped.", "interrupted")
        return task.result()
