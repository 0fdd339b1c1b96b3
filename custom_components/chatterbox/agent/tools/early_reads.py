"""Reads that are started before the answer that calls them is complete."""

import asyncio
from dataclasses import replace
from typing import override

from ..messages import CallKey, ToolCall, ToolResult
from .dispatcher import ToolDispatcher, ToolMiddleware
from .executor import is_read_only


class EarlyReads(ToolMiddleware):
    """Dispatcher of one turn that may be told of calls before they are dispatched.

    Those that only read are started at once. Dispatching an equal call gives their result, as long
    as nothing was changed meanwhile.
    """

    def __init__(self, inner: ToolDispatcher) -> None:
        super().__init__(inner)
        self._started: dict[CallKey, asyncio.Task[ToolResult]] = {}
        self._may_start = True

    def begin(self) -> None:
        """Begin another answer: cancel what the one before has started, and then not called."""
        for task in self._started.values():
            task.cancel()
        self._started.clear()
        self._may_start = True

    def close(self) -> None:
        """Cancel what was started and not called."""
        self.begin()

    def start(self, call: ToolCall) -> None:
        """Start a call of the answer if it only reads.

        None is started after a call that may change something: it has to wait for the change.
        """
        definition = self.definition(call.name)
        self._may_start = self._may_start and definition is not None and is_read_only(definition)
        if self._may_start and call.key not in self._started:
            self._started[call.key] = asyncio.create_task(self._inner.dispatch(call))

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Return the result of a call that was started, or execute it."""
        task = self._started.pop(call.key, None)
        if task is None:
            return await self._inner.dispatch(call)
        return replace(await task, call=call)
