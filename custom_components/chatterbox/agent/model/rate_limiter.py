"""Sliding-window rate limiter."""

import time
from collections import deque
from collections.abc import Callable

# Seconds.
_WINDOW = 60.0


class RateLimiter:
    """Rate limiter for requests per minute; 0 allows any number."""

    def __init__(self, per_minute: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._now = now
        self._sent: deque[float] = deque(maxlen=per_minute or None)

    def count(self) -> None:
        """Count a request that is sent now, and was not reserved."""
        if self._per_minute:
            self._sent.append(self._now())

    def reserve(self, max_wait: float) -> float | None:
        """Reserve the next request; return the seconds until it may be sent.

        None, with nothing reserved, if they are more than `max_wait`.
        """
        if not self._per_minute:
            return 0.0
        now = self._now()
        wait = 0.0
        if len(self._sent) == self._per_minute:
            wait = max(0.0, self._sent[0] + _WINDOW - now)
        if wait > max_wait:
            return None
        self._sent.append(now + wait)
        return wait
