"""Retry failed requests with backoff, within one wait budget per turn."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import override

from ..const import LOGGER
from ..errors import LLMError, LLMRateLimitError, LLMResponseError
from .provider import Completed, CompletionRequest, LLMProvider, ProviderEvent, TextDelta
from .request_log import RequestLog
from .server_state import ServerState

# Seconds.
_PAUSES = (1.0, 2.0, 4.0)
# A malformed answer is seldom a better one the next time.
_MALFORMED_PAUSES = _PAUSES[:1]


class RetryingProvider(LLMProvider):
    """A provider for one turn that retries failed requests, unless text was yielded already.

    `wait_budget` is in seconds, for all requests of the turn: rate limiting, backoff and the time
    that failed requests took.
    """

    def __init__(  # noqa: PLR0913 - what is optional is given by name
        self,
        provider: LLMProvider,
        server: ServerState,
        *,
        wait_budget: float = 8,
        log: RequestLog | None = None,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._provider = provider
        self._server = server
        self._budget = wait_budget
        self._log = log or RequestLog()
        self._now = now
        self._sleep = sleep

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer; raise the last `LLMError` when no retry is left."""
        tries = 0
        while True:
            await self._wait(await self._server.acquire(self._budget))
            began = self._now()
            begun = False
            try:
                async with aclosing(self._provider.stream(request)) as events:
                    async for event in events:
                        begun = begun or isinstance(event, TextDelta)
                        if isinstance(event, Completed):
                            self._server.succeeded()
                        yield event
            except LLMError as err:
                self._budget -= self._now() - began
                pause = None if begun else _pause(err, tries)
                if pause is None or pause > self._budget:
                    self._server.failed(err)
                    raise
                LOGGER.debug("Retrying in %g s after %s", pause, type(err).__name__)
                tries += 1
                self._log.retries += 1
                await self._wait(pause)
            else:
                return

    async def _wait(self, seconds: float) -> None:
        if seconds:
            self._budget -= seconds
            await self._sleep(seconds)


def _pause(err: LLMError, tries: int) -> float | None:
    """Return the seconds until the next try, None if there is none."""
    pauses = _MALFORMED_PAUSES if isinstance(err, LLMResponseError) else _PAUSES
    if not err.retryable or tries >= len(pauses):
        return None
    if isinstance(err, LLMRateLimitError) and err.retry_after is not None:
        return max(0.0, err.retry_after)
    return pauses[tries]
