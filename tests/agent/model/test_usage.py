"""Tests of token usage and its cost."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.model.usage import Price, UsageStats


@pytest.mark.parametrize(
    ("one", "other", "total"), [(None, None, None), (1.0, None, 1.0), (None, 2.0, 2.0), (1, 2, 3)]
)
def test_usage_is_added_up(one: float | None, other: float | None, total: float | None) -> None:
    """Tokens are added; a cost that is not known adds nothing."""
    first = UsageStats(prompt_tokens=1, completion_tokens=2, total_tokens=3, cost=one)
    second = UsageStats(prompt_tokens=10, completion_tokens=20, total_tokens=30, cost=other)
    assert UsageStats(cached_tokens=1, prompt_seconds=0.5) + UsageStats(
        cached_tokens=2, completion_seconds=3
    ) == UsageStats(cached_tokens=3, prompt_seconds=0.5, completion_seconds=3)
    assert first + second == UsageStats(
        prompt_tokens=11, completion_tokens=22, total_tokens=33, cost=total
    )


@pytest.mark.parametrize(
    ("usage", "timings", "expected"),
    [
        (None, None, None),
        ({}, [], None),
        (
            {"prompt_tokens": 10, "completion_tokens": 2},
            None,
            UsageStats(prompt_tokens=10, completion_tokens=2, total_tokens=12),
        ),
        (
            {"prompt_tokens": 10, "total_tokens": 15, "prompt_tokens_details": None},
            None,
            UsageStats(prompt_tokens=10, total_tokens=15),
        ),
        (
            {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 8}},
            {"cache_n": 7, "prompt_ms": 500, "predicted_ms": 1500.5},
            UsageStats(
                prompt_tokens=10,
                total_tokens=10,
                cached_tokens=8,
                prompt_seconds=0.5,
                completion_seconds=1.5005,
            ),
        ),
        (
            None,
            {"cache_n": 30, "prompt_n": 10, "predicted_n": 5, "predicted_ms": None},
            UsageStats(prompt_tokens=40, completion_tokens=5, total_tokens=45, cached_tokens=30),
        ),
        (
            {"prompt_tokens": 10, "cost": 0.0125},
            None,
            UsageStats(prompt_tokens=10, total_tokens=10, cost=0.0125),
        ),
        (
            {"prompt_tokens": 10, "cost": {"total_cost": 1}},
            None,
            UsageStats(prompt_tokens=10, total_tokens=10),
        ),
        (
            {"prompt_tokens": "10", "completion_tokens": -1, "total_tokens": 10**20, "cost": -1},
            {"prompt_n": 2.5, "prompt_ms": float("nan"), "predicted_ms": "1"},
            UsageStats(),
        ),
        (
            {"prompt_tokens": True, "completion_tokens": False, "cost": True},
            {"prompt_ms": True},
            UsageStats(),
        ),
        (
            {"prompt_tokens": 1, "cost": float("nan")},
            None,
            UsageStats(prompt_tokens=1, total_tokens=1),
        ),
        ({"prompt_tokens": 1, "cost": 1e300}, None, UsageStats(prompt_tokens=1, total_tokens=1)),
    ],
)
def test_usage_is_read_with_the_timings_of_llama_cpp(
    usage: Any, timings: Any, expected: UsageStats | None
) -> None:
    """Malformed numbers are ignored."""
    assert UsageStats.parse(usage, timings) == expected


@pytest.mark.parametrize(
    ("cached", "share"), [(None, None), (0, 0.0), (5, 0.5), (10, 1.0), (20, 1.0)]
)
def test_cached_share_of_the_prompt(cached: int | None, share: float | None) -> None:
    assert UsageStats(prompt_tokens=10, cached_tokens=cached).cached_share == share
    assert UsageStats(cached_tokens=cached).cached_share is None
    assert UsageStats(prompt_tokens=10, cached_tokens=cached).as_dict()["cached_share"] == share


def test_cost_is_estimated_from_tokens_and_price() -> None:
    price = Price(prompt=1, completion=2)
    assert price.cost(UsageStats(prompt_tokens=500_000)) == pytest.approx(0.5)
    assert price.cost(UsageStats(completion_tokens=250_000)) == pytest.approx(0.5)
