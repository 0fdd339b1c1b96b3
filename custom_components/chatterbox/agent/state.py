"""What outlives a turn: of a conversation, and of a server. Their owner is whoever starts turns."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from .breaker import RateLimitBreaker, ToolBreaker
from .errors import LLMConnectionError, LLMError, LLMRateLimitError
from .limiter import RateLimiter
from .messages import ToolCall

_PROBE_TIMEOUT = 2.0


@dataclass(slots=True)
class ConversationState:
    """What is known of a conversation, beside what was said in it."""

    tools: ToolBreaker = field(default_factory=ToolBreaker)
    pending: ToolCall | None = None
    """The call that the user was asked to confirm at the end of the last turn."""


class ServerState:
    """What is known of a server: how busy it is and whether it can be reached."""

    def __init__(
        self,
        probe: Callable[[], Awaitable[object]],
        *,
        requests_per_minute: int = 0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take a small request that shows whether the server is there, and the allowed rate."""
        self._probe = probe
        self._probing: asyncio.Task[bool] | None = None
        self._limiter = RateLimiter(requests_per_minute, now=now)
        self._rate_limit = RateLimitBreaker(now)
        self.down = False
        """Whether it could not be reached the last time."""

    async def admit(self, longest: float) -> float:
        """Return the seconds to wait before the next request.

        Raises `LLMRateLimitError` if they would be more than `longest`, or if the server has
        turned several turns away; `LLMConnectionError` if it was down and still is.
        """
        if self._rate_limit.is_open:
            raise LLMRateLimitError("the server was busy several times in a row")
        if self.down and not await self._reached():
            raise LLMConnectionError("the server is still down")
        if (wait := self._limiter.reserve(longest)) is None:
            raise LLMRateLimitError("the allowed number of requests is used up")
        return wait

    def succeeded(self) -> None:
        """Take note of an answer."""
        self.down = False
        self._rate_limit.recovered()

    def gave_up(self, err: LLMError) -> None:
        """Take note of an error that ended a turn."""
        if isinstance(err, LLMRateLimitError):
            self._rate_limit.hit()
        self.down = isinstance(err, LLMConnectionError)

    async def _reached(self) -> bool:
        """Probe the server; turns that come meanwhile wait for the same probe."""
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._is_there())
        return await asyncio.shield(self._probing)

    async def _is_there(self) -> bool:
        try:
            async with asyncio.timeout(_PROBE_TIMEOUT):
                await self._probe()
        except TimeoutError, LLMConnectionError:
            return False
        except LLMError:
            # Whatever it says, it speaks.
            return True
        return True
