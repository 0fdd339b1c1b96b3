"""No more requests in a minute than a server allows."""

import time
from collections import deque
from collections.abc import Callable

_WINDOW = 60.0


class RateLimiter:
    """Counts the requests of the last minute."""

    def __init__(self, per_minute: int, *, now: Callable[[], float] = time.monotonic) -> None:
        """Allow so many requests in any 60 seconds; 0 allows any number."""
        self._per_minute = per_minute
        self._now = now
        self._sent: deque[float] = deque(maxlen=per_minute or None)

    def reserve(self, longest: float) -> float | None:
        """Return the seconds until the next request may be sent, and count it as sent then.

        None, with nothing counted, if that is longer than the caller can wait.
        """
        if not self._per_minute:
            return 0.0
        now = self._now()
        wait = 0.0
        if len(self._sent) == self._per_minute:
            wait = max(0.0, self._sent[0] + _WINDOW - now)
        if wait > longest:
            return None
        self._sent.append(now + wait)
        return wait
