"""Answering the same question to a slow service from memory."""

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from ..messages import ToolCall, ToolDefinition, ToolResult, canonical_json
from .guard import ToolDispatcher

_LARGEST = 100


class ToolResultCache:
    """Keeps results of tools for a while; the order of the arguments does not matter."""

    def __init__(self, ttl: float = 300, *, now: Callable[[], float] = time.monotonic) -> None:
        """Take the seconds that a result stays good."""
        self._ttl = ttl
        self._now = now
        self._results: OrderedDict[tuple[str, str], tuple[float, ToolResult]] = OrderedDict()

    def get(self, call: ToolCall) -> ToolResult | None:
        """Return the result of such a call, None if there is none that is fresh enough."""
        made, result = self._results.get(_key(call.name, call.arguments), (0.0, None))
        if result is None or self._now() - made >= self._ttl:
            return None
        return replace(result, call=call, seconds=0.0)

    def put(self, result: ToolResult) -> None:
        """Keep a result; the oldest makes room for it."""
        key = _key(result.call.name, result.call.arguments)
        self._results[key] = (self._now(), result)
        self._results.move_to_end(key)
        if len(self._results) > _LARGEST:
            self._results.popitem(last=False)

    def invalidate(self, name: str, arguments: dict[str, Any]) -> None:
        """Forget the result of one call."""
        self._results.pop(_key(name, arguments), None)

    def clear(self) -> None:
        """Forget everything."""
        self._results.clear()


def _key(name: str, arguments: dict[str, Any]) -> tuple[str, str]:
    return name, canonical_json(arguments)


class CachingDispatcher:
    """Makes calls of some tools that only read once in a while; errors are not kept."""

    def __init__(
        self, tools: ToolDispatcher, cache: ToolResultCache, names: Collection[str]
    ) -> None:
        """Take what makes the calls, and the tools whose results are kept."""
        self._tools = tools
        self._cache = cache
        self._names = names

    @property
    def definitions(self) -> Sequence[ToolDefinition]:
        """The tools on offer."""
        return self._tools.definitions

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Return a result that is known, or have the call made."""
        if not self._is_kept(call):
            return await self._tools.dispatch(call)
        if (known := self._cache.get(call)) is not None:
            return known
        result = await self._tools.dispatch(call)
        if not result.error:
            self._cache.put(result)
        return result

    def _is_kept(self, call: ToolCall) -> bool:
        return (
            call.name in self._names
            and call.invalid is None
            and any(
                tool.name == call.name and tool.annotations.read_only for tool in self.definitions
            )
        )
