"""State of a server that outlives a turn."""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from ..circuit_breaker import CircuitBreaker
from ..const import LOGGER
from ..errors import LLMConnectionError, LLMError, LLMRateLimitError
from .rate_limiter import RateLimiter

# Seconds.
_PROBE_TIMEOUT = 2.0
_RATE_LIMIT_RECOVERY = 60.0
_RATE_LIMITED_TURNS = 3


class ServerState:
    """Rate limit and reachability of a server, shared by all turns.

    `probe` is a small request that fails where the server cannot be reached;
    `requests_per_minute` is 0 for any number; `name` is that of the server in the log.
    """

    def __init__(
        self,
        probe: Callable[[], Awaitable[object]],
        *,
        requests_per_minute: int = 0,
        name: str = "The server",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._probe = probe
        self._name = name
        self._probing: asyncio.Task[bool] | None = None
        self._limiter = RateLimiter(requests_per_minute, now=now)
        self._breaker = CircuitBreaker(_RATE_LIMITED_TURNS, _RATE_LIMIT_RECOVERY, now)
        self._now = now
        self._gives_way: asyncio.Task[object] | None = None
        self._only_one = asyncio.Lock()
        self.down = False
        """Whether the server was unreachable the last time."""
        self.answered_at = -math.inf
        """When a turn got its last complete answer, by the monotonic clock."""

    async def acquire(self, max_wait: float) -> float:
        """Reserve the next request; return the seconds to wait before it.

        A request that gives way is cancelled. Raises `LLMRateLimitError` if they would be more than
        `max_wait`, or if the server has rate-limited several turns in a row; `LLMConnectionError`
        if it was down and still is.
        """
        if (task := self._gives_way) is not None:
            task.cancel()
            await asyncio.wait({task})
        if self._breaker.is_open:
            raise LLMRateLimitError("the server was busy several times in a row")
        if self.down and not await self._is_reachable():
            raise LLMConnectionError("the server is still down")
        if (wait := self._limiter.reserve(max_wait)) is None:
            raise LLMRateLimitError("the allowed number of requests is used up")
        return wait

    def count_request(self) -> None:
        """Count a request beside the one that was reserved, such as a repeated one."""
        self._limiter.count()

    def succeeded(self) -> None:
        """Record a complete answer."""
        self._set_down(down=False)
        self.answered_at = self._now()
        self._breaker.succeeded()

    def failed(self, err: LLMError) -> None:
        """Record an error that ended a turn."""
        if isinstance(err, LLMRateLimitError):
            self._breaker.failed()
        self._set_down(down=isinstance(err, LLMConnectionError))

    def _set_down(self, *, down: bool) -> None:
        """Note whether the server can be reached, and log when that changes."""
        if down and not self.down:
            LOGGER.warning("%s cannot be reached", self._name)
        elif self.down and not down:
            LOGGER.info("%s can be reached again", self._name)
        self.down = down

    @asynccontextmanager
    async def giving_way(self) -> AsyncGenerator[None]:
        """Run a request that gives way to those of turns: `acquire` cancels the current task.

        One at a time; it is not counted, and its errors say nothing about the server.
        """
        async with self._only_one:
            self._gives_way = asyncio.current_task()
            try:
                yield
            finally:
                self._gives_way = None

    async def _is_reachable(self) -> bool:
        """Probe the server; concurrent turns share one probe."""
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._run_probe())
        return await asyncio.shield(self._probing)

    async def _run_probe(self) -> bool:
        try:
            async with asyncio.timeout(_PROBE_TIMEOUT):
                await self._probe()
        except TimeoutError, LLMConnectionError:
            return False
        except LLMError:
            # An error that the server itself has sent.
            return True
        return True
