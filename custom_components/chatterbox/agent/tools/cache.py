"""Cache of tool results, for slow services that are asked the same again."""

import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import override

from ..messages import CallKey, ToolCall, ToolResult
from .dispatcher import ToolDispatcher, ToolMiddleware

_MAX_RESULTS = 100


class ToolResultCache:
    """Results of tool calls, each kept for `ttl` seconds; the oldest are evicted first."""

    def __init__(self, ttl: float = 300, *, now: Callable[[], float] = time.monotonic) -> None:
        self._ttl = ttl
        self._now = now
        self._results: OrderedDict[CallKey, tuple[float, ToolResult]] = OrderedDict()

    def get(self, call: ToolCall) -> ToolResult | None:
        """Return the result of an equal call, or None if there is no fresh one."""
        stored, result = self._results.get(call.key, (0.0, None))
        if result is None or self._now() - stored >= self._ttl:
            return None
        return replace(result, call=call, seconds=0.0)

    def put(self, result: ToolResult) -> None:
        """Store a result."""
        key = result.call.key
        self._results[key] = (self._now(), result)
        self._results.move_to_end(key)
        if len(self._results) > _MAX_RESULTS:
            self._results.popitem(last=False)

    def clear(self) -> int:
        """Delete all results; return their number."""
        count = len(self._results)
        self._results.clear()
        return count


class CachingDispatcher(ToolMiddleware):
    """Caches the results of some read-only tools; errors and partial ones are not cached."""

    def __init__(
        self, inner: ToolDispatcher, cache: ToolResultCache, names: Collection[str]
    ) -> None:
        super().__init__(inner)
        self._cache = cache
        self._names = names

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Return the cached result of a call, or execute it."""
        if not self._is_cacheable(call):
            return await self._inner.dispatch(call)
        if (cached := self._cache.get(call)) is not None:
            return cached
        result = await self._inner.dispatch(call)
        if not result.error and not result.partial:
            self._cache.put(result)
        return result

    def _is_cacheable(self, call: ToolCall) -> bool:
        tool = self.definition(call.name) if call.name in self._names else None
        return tool is not None and tool.annotations.read_only and call.invalid is None
