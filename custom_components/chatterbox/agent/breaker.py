"""What has failed too often is left alone for a while."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

_TOOL_FAILURES = 3
_TOOL_RECOVERY = 300.0
_RATE_LIMIT_HITS = 3
_RATE_LIMIT_RECOVERY = 60.0


@dataclass(slots=True)
class ToolBreaker:
    """Takes a tool away from a conversation in which it failed three times in a row.

    After five minutes it is back, as if it had never failed.
    """

    now: Callable[[], float] = time.monotonic
    _failures: dict[str, int] = field(default_factory=dict)
    _opened: dict[str, float] = field(default_factory=dict)

    def is_open(self, name: str) -> bool:
        """Tell whether a tool is taken away."""
        if (opened := self._opened.get(name)) is None:
            return False
        if self.now() - opened < _TOOL_RECOVERY:
            return True
        self.succeeded(name)
        return False

    def succeeded(self, name: str) -> None:
        """Forget the failures of a tool."""
        self._failures.pop(name, None)
        self._opened.pop(name, None)

    def failed(self, name: str) -> None:
        """Count a failure of a tool."""
        self._failures[name] = self._failures.get(name, 0) + 1
        if self._failures[name] >= _TOOL_FAILURES:
            self._opened[name] = self.now()


@dataclass(slots=True)
class RateLimitBreaker:
    """Spares a server that turned three turns in a row away for a minute."""

    now: Callable[[], float] = time.monotonic
    _hits: int = 0
    _opened: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether the server is to be left alone."""
        if self._opened is not None and self.now() - self._opened >= _RATE_LIMIT_RECOVERY:
            self.recovered()
        return self._opened is not None

    def hit(self) -> None:
        """Count a turn that the server turned away."""
        self._hits += 1
        if self._hits >= _RATE_LIMIT_HITS:
            self._opened = self.now()

    def recovered(self) -> None:
        """Forget the hits."""
        self._hits, self._opened = 0, None
