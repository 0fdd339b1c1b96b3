"""Fake clock that advances only by sleeping."""

from dataclasses import dataclass, field


@dataclass
class FakeClock:
    """Clock that records the seconds slept."""

    seconds: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> float:
        """Return the time."""
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        """Advance the clock at once."""
        self.slept.append(seconds)
        self.seconds += seconds
