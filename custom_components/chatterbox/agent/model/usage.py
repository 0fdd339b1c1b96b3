"""Token usage and its cost."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens."""

    prompt: float
    completion: float

    def cost(self, usage: UsageStats) -> float:
        """Return the cost of a completion in US dollars."""
        prompt, completion = usage.prompt_tokens, usage.completion_tokens
        return (prompt * self.prompt + completion * self.completion) / 1_000_000


# Tokens, milliseconds or dollars of one completion that are believed.
_MAX_AMOUNT = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageStats:
    """Tokens of one or several completions; what a server does not report is None."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0
    cost: float | None = None
    """US dollars, None if neither the server nor a price tells."""
    cached_tokens: int | None = None
    """Tokens of the prompt that came from the server's cache."""
    prompt_seconds: float | None = None
    """Time in which the server processed the rest of the prompt."""
    completion_seconds: float | None = None
    """Time in which it generated the completion."""

    @classmethod
    def parse(cls, usage: Any, timings: Any = None) -> Self | None:
        """Return the `usage` of an answer with the `timings` of llama.cpp, None without both.

        Malformed numbers are ignored.
        """
        usage, timings = _mapping(usage), _mapping(timings)
        if not (usage or timings):
            return None
        cached = _count(_mapping(usage.get("prompt_tokens_details")).get("cached_tokens"))
        cached = _count(timings.get("cache_n")) if cached is None else cached
        prompt = _count(usage.get("prompt_tokens"))
        if prompt is None:
            prompt = (_count(timings.get("prompt_n")) or 0) + (cached or 0)
        completion = _count(usage.get("completion_tokens"))
        if completion is None:
            completion = _count(timings.get("predicted_n")) or 0
        return cls(
            prompt_tokens=prompt,
            completion_tokens=completion,
            total_tokens=_count(usage.get("total_tokens")) or prompt + completion,
            cost=_amount(usage.get("cost")),
            cached_tokens=cached,
            prompt_seconds=_seconds(timings.get("prompt_ms")),
            completion_seconds=_seconds(timings.get("predicted_ms")),
        )

    def __add__(self, other: UsageStats) -> UsageStats:
        """Return the sum; where one value is unknown, the sum is a lower bound."""
        return UsageStats(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            total_tokens=self.total_tokens + other.total_tokens,
            cost=_sum(self.cost, other.cost),
            cached_tokens=_sum(self.cached_tokens, other.cached_tokens),
            prompt_seconds=_sum(self.prompt_seconds, other.prompt_seconds),
            completion_seconds=_sum(self.completion_seconds, other.completion_seconds),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all values, with the cached share of the prompt."""
        return {**asdict(self), "cached_share": self.cached_share}

    @property
    def cached_share(self) -> float | None:
        """The part of the prompt that came from the server's cache, 0 to 1."""
        if self.cached_tokens is None or not self.prompt_tokens:
            return None
        return min(1.0, round(self.cached_tokens / self.prompt_tokens, 3))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and _amount(value) is not None else None


def _amount(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and 0 <= value <= _MAX_AMOUNT else None


def _seconds(milliseconds: Any) -> float | None:
    amount = _amount(milliseconds)
    return None if amount is None else amount / 1000


def _sum[T: (int, float)](one: T | None, other: T | None) -> T | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other
