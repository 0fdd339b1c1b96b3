"""Rows of the benchmark with a real model."""

from benchmarks.agent_turn.model_rows import Answer, rows
from custom_components.chatterbox.agent.model.usage import UsageStats


def answer(seconds: float, cached: int | None, message: str = "Turn on Light 1") -> Answer:
    return Answer(message, seconds, UsageStats(prompt_tokens=100, cached_tokens=cached))


def test_first_commands_are_compared_with_the_later_ones() -> None:
    cold = [answer(20, 0), answer(30, 98, "Is it on?"), answer(4, 97)]
    warm = [answer(5, 96), answer(30, 94, "Is it on?"), answer(4, 97)]
    found = {row.label: row for row in rows(cold, warm)}
    assert found["later command"].ours == 4
    assert found["first command to later ones, not prewarmed"].ours == 5
    prewarmed = found["first command to later ones, prewarmed"]
    assert prewarmed.ours == 1.25
    assert prewarmed.goal is not None
    assert prewarmed.goal.holds(prewarmed)
    assert found["prompt from the cache, first command"].ours == 96
    lowest = found["prompt from the cache, later turns, lowest"]
    assert lowest.ours == 94
    assert lowest.goal is not None
    assert not lowest.goal.holds(lowest)


def test_server_that_does_not_report_its_cache_has_no_rows_of_it() -> None:
    turns = [answer(4, None), answer(4, None)]
    assert len(rows(turns, turns)) == 3
