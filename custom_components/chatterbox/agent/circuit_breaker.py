"""Circuit breakers for tools and rate-limited servers."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

_TOOL_FAILURES = 3
_TOOL_RECOVERY = 300.0


@dataclass(slots=True)
class CircuitBreaker:
    """Circuit breaker that opens after a number of failures in a row.

    After its recovery time it is closed again, as if nothing had ever failed.
    """

    threshold: int
    """Failures in a row that open it."""
    recovery: float
    """Seconds for which it is open."""
    now: Callable[[], float] = time.monotonic
    _failures: int = 0
    _opened: float | None = None

    @property
    def is_open(self) -> bool:
        """Return whether requests are to be rejected."""
        if self._opened is not None and self.now() - self._opened >= self.recovery:
            self.succeeded()
        return self._opened is not None

    def succeeded(self) -> None:
        """Reset the failures."""
        self._failures, self._opened = 0, None

    def failed(self) -> None:
        """Count a failure."""
        self._failures += 1
        if self._failures >= self.threshold:
            self._opened = self.now()


@dataclass(slots=True)
class ToolBreaker:
    """Circuit breakers of the tools in a conversation, by the name of the tool."""

    now: Callable[[], float] = time.monotonic
    _breakers: dict[str, CircuitBreaker] = field(default_factory=dict)

    def is_open(self, name: str) -> bool:
        """Return whether a tool is unavailable."""
        return name in self._breakers and self._breakers[name].is_open

    def succeeded(self, name: str) -> None:
        """Reset the failures of a tool."""
        self._breakers.pop(name, None)

    def failed(self, name: str) -> None:
        """Count a failure of a tool."""
        new = CircuitBreaker(_TOOL_FAILURES, _TOOL_RECOVERY, self.now)
        self._breakers.setdefault(name, new).failed()
