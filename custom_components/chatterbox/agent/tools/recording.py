"""Record every call's outcome, also after the turn was cancelled."""

import asyncio
from dataclasses import replace
from typing import override

from ..messages import ToolCall, ToolResult
from .dispatcher import ToolDispatcher, ToolMiddleware, wait_for_call
from .executor import is_read_only


class RecordingDispatcher(ToolMiddleware):
    """Executes calls in tasks of their own, so that writes survive a cancelled turn."""

    def __init__(self, inner: ToolDispatcher) -> None:
        super().__init__(inner)
        self._tasks: list[tuple[ToolCall, bool, asyncio.Task[ToolResult]]] = []
        """Calls in order, whether each is read-only, and their tasks."""

    @property
    def running(self) -> bool:
        """Return whether a call is still running."""
        return any(not task.done() for *_, task in self._tasks)

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Execute a call and record its result."""
        definition = self.definition(call.name)
        # An unknown tool may be a write.
        read_only = definition is not None and is_read_only(definition)
        task = asyncio.create_task(self._inner.dispatch(call))
        self._tasks.append((call, read_only, task))
        await wait_for_call(task, read_only=read_only)
        return task.result()

    async def outcome(self, call: ToolCall) -> ToolResult:
        """Return the result of a call, an error if there is none; wait while it is running.

        A call that shared the result of an equal one has that result.
        """
        task = self._task(call)
        if task is None:
            return ToolResult.failure(call, f"{call.name} was not called.", "interrupted")
        if not task.done():
            await asyncio.wait({task})
        if task.cancelled() or task.exception() is not None:
            return ToolResult.failure(call, f"{call.name} was stopped.", "interrupted")
        result = task.result()
        return result if result.call is call else replace(result, call=call)

    def _task(self, call: ToolCall) -> asyncio.Task[ToolResult] | None:
        """Return the task of a call, or of the equal one whose result `ToolExecutor` shares."""
        shared = None
        for recorded, read_only, task in self._tasks:
            if recorded is call:
                return task
            if recorded.key == call.key:
                shared = task
            elif not read_only:
                shared = None
        return shared
