"""Token usage and its cost."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens."""

    prompt: float
    completion: float


# List prices of well-known models; the options of an entry override them.
PRICES: Mapping[str, Price] = {
    "gpt-4o": Price(prompt=5.0, completion=15.0),
    "gpt-4o-mini": Price(prompt=0.15, completion=0.6),
    "gpt-4-turbo": Price(prompt=10.0, completion=30.0),
    "gpt-4": Price(prompt=30.0, completion=60.0),
    "gpt-3.5-turbo": Price(prompt=0.5, completion=1.5),
    "claude-3-5-haiku": Price(prompt=1.0, completion=5.0),
    "claude-3-5-sonnet": Price(prompt=3.0, completion=15.0),
    "claude-3-opus": Price(prompt=15.0, completion=75.0),
    "claude-haiku-4-5": Price(prompt=1.0, completion=5.0),
    "claude-sonnet-4-5": Price(prompt=3.0, completion=15.0),
    "claude-sonnet-4-6": Price(prompt=3.0, completion=15.0),
    "claude-opus-4-6": Price(prompt=15.0, completion=75.0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageStats:
    """Tokens of one or several completions, and their cost in US dollars, None if unknown."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0
    cost: float | None = None

    def __add__(self, other: UsageStats) -> UsageStats:
        """Return the sum; where one cost is unknown, the sum is a lower bound."""
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return UsageStats(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            total_tokens=self.total_tokens + other.total_tokens,
            cost=sum(costs) if costs else None,
        )


class CostEstimator:
    """Estimator of costs; `override` is the user's price for every model of a server."""

    def __init__(self, override: Price | None = None) -> None:
        self._override = override

    def price(self, model: str) -> Price | None:
        """Return the price of a model, None if it is unknown.

        A provider prefix (`openai/…`) and a date suffix are ignored.
        """
        if self._override is not None:
            return self._override
        name = model.rpartition("/")[2]
        known = [key for key in PRICES if name == key or name.startswith(f"{key}-20")]
        return PRICES[known[0]] if known else None

    def estimate(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Return the cost in US dollars, None if the price is unknown."""
        if (price := self.price(model)) is None:
            return None
        return (prompt_tokens * price.prompt + completion_tokens * price.completion) / 1_000_000
