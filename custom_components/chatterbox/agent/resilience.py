"""Asking again when a server fails, for as long as somebody who speaks can be kept waiting."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import override

from .errors import LLMError, LLMRateLimitError, LLMResponseError
from .provider import Completed, CompletionRequest, LLMProvider, ProviderEvent, TextDelta
from .state import ServerState

LOGGER = logging.getLogger(__package__)

_PAUSES = (1.0, 2.0, 4.0)
# An answer that cannot be read is seldom another one the next time.
_UNREADABLE_PAUSES = _PAUSES[:1]


class ResilientProvider(LLMProvider):
    """One model for one turn: requests that fail are sent again, unless words were spoken.

    All waiting of the turn, for the rate limit and for another try, fits into one budget. The
    time that failed requests took counts as well.
    """

    def __init__(
        self,
        provider: LLMProvider,
        server: ServerState,
        *,
        longest_wait: float = 8,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Take the model, what is known of its server, and the budget in seconds."""
        self._provider = provider
        self._server = server
        self._budget = longest_wait
        self._now = now
        self._sleep = sleep

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer; raise an `LLMError` when there is none and no time to ask again."""
        tries = 0
        while True:
            await self._wait(await self._server.admit(self._budget))
            began = self._now()
            spoken = False
            try:
                async with aclosing(self._provider.stream(request)) as events:
                    async for event in events:
                        spoken = spoken or isinstance(event, TextDelta)
                        if isinstance(event, Completed):
                            self._server.succeeded()
                        yield event
            except LLMError as err:
                self._budget -= self._now() - began
                pause = None if spoken else _pause(err, tries)
                if pause is None or pause > self._budget:
                    self._server.gave_up(err)
                    raise
                LOGGER.debug("%s; the model is asked again in %g s", type(err).__name__, pause)
                tries += 1
                await self._wait(pause)
            else:
                return

    async def _wait(self, seconds: float) -> None:
        if seconds:
            self._budget -= seconds
            await self._sleep(seconds)


def _pause(err: LLMError, tries: int) -> float | None:
    """Return the seconds until the next try, None if there is to be none."""
    pauses = _UNREADABLE_PAUSES if isinstance(err, LLMResponseError) else _PAUSES
    if not err.retryable or tries >= len(pauses):
        return None
    if isinstance(err, LLMRateLimitError) and err.retry_after is not None:
        return max(0.0, err.retry_after)
    return pauses[tries]
