"""A clock that only goes on when somebody sleeps."""

from dataclasses import dataclass, field


@dataclass
class Clock:
    """Counts the seconds that were slept."""

    seconds: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> float:
        """Return the time."""
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        """Let time pass at once."""
        self.slept.append(seconds)
        self.seconds += seconds
