"""Dispatchers: the loop's interface to tools, and the base class of their middleware."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import override

from ..messages import ToolCall, ToolDefinition, ToolResult


class ToolDispatcher(ABC):
    """Interface through which the loop calls tools."""

    @property
    @abstractmethod
    def definitions(self) -> Sequence[ToolDefinition]:
        """The offered tools."""

    @abstractmethod
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Execute a call; return its result, which is an error if the call failed."""

    def definition(self, name: str) -> ToolDefinition | None:
        """Return the tool of this name, or None."""
        return next((tool for tool in self.definitions if tool.name == name), None)


class ToolMiddleware(ToolDispatcher):
    """Dispatcher that wraps another one, and offers the same tools."""

    def __init__(self, inner: ToolDispatcher) -> None:
        self._inner = inner

    @property
    @override
    def definitions(self) -> Sequence[ToolDefinition]:
        """The offered tools."""
        return self._inner.definitions

    @override
    def definition(self, name: str) -> ToolDefinition | None:
        """Return the tool of this name, or None; it need not be offered to be callable."""
        return self._inner.definition(name)


async def wait_for_call[T](
    task: asyncio.Task[T], *, read_only: bool, seconds: float | None = None
) -> bool:
    """Wait for the task of a tool call; return whether it ended within so many seconds.

    Where the waiting is cancelled, a read-only call is cancelled, too. One that writes goes on:
    half a change is worse than a late one.
    """
    try:
        return bool((await asyncio.wait({task}, timeout=seconds))[0])
    except asyncio.CancelledError:
        if read_only:
            task.cancel()
        raise
