"""Fake tools that record their calls, and dispatchers for them."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, override

from custom_components.chatterbox.agent.messages import (
    ToolAnnotations,
    ToolCall,
    ToolDefinition,
    ToolResult,
)
from custom_components.chatterbox.agent.tools.dispatcher import ToolDispatcher
from custom_components.chatterbox.agent.tools.guard import ToolGuard
from custom_components.chatterbox.agent.tools.registry import ToolRegistry

READS = ToolAnnotations(read_only=True, destructive=False, idempotent=True)


WRITES = ToolAnnotations()


@dataclass
class FakeTool:
    """Tool with a scripted behavior that records its calls."""

    definition: ToolDefinition
    behavior: Callable[[dict[str, Any]], Awaitable[Any]]

    def __post_init__(self) -> None:
        """Initialize the record."""
        self.calls: list[dict[str, Any]] = []
        self.finished = 0
        self.started = asyncio.Event()
        self.ended = asyncio.Event()
        """Set when a call has ended by itself."""
        self.stopped = asyncio.Event()
        """Set when a call is cancelled."""

    async def call(self, arguments: dict[str, Any]) -> Any:
        """Record the call and behave."""
        self.calls.append(arguments)
        self.started.set()
        try:
            result = await self.behavior(arguments)
        except asyncio.CancelledError:
            self.stopped.set()
            raise
        self.finished += 1
        self.ended.set()
        return result


def fake_tool(
    name: str = "look",
    behavior: Callable[[dict[str, Any]], Awaitable[Any]] | None = None,
    *,
    returns: Any = "fine",
    raises: Exception | None = None,
    annotations: ToolAnnotations = READS,
) -> FakeTool:
    """Return a tool that returns something, raises something, or behaves in its own way."""

    async def behave(_arguments: dict[str, Any]) -> Any:
        if raises is not None:
            raise raises
        return returns

    definition = ToolDefinition(
        name=name,
        description=f"Does {name}.",
        parameters={"properties": {"where": {"type": "string"}}},
        annotations=annotations,
    )
    return FakeTool(definition, behavior or behave)


def waiting(event: asyncio.Event, returns: Any = "fine") -> Callable[[Any], Awaitable[Any]]:
    """Return the behavior of a tool that waits for an event."""

    async def behave(_arguments: dict[str, Any]) -> Any:
        await event.wait()
        return returns

    return behave


def guarded(*tools: FakeTool, **options: Any) -> ToolGuard:
    """Return a dispatcher for these tools."""
    return ToolGuard(ToolRegistry(tools), **options)


class RaisingDispatcher(ToolDispatcher):
    """Dispatcher that violates its contract: every call raises an error."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    @property
    @override
    def definitions(self) -> list[ToolDefinition]:
        """Return one tool."""
        return [fake_tool().definition]

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Raise."""
        raise self._error
