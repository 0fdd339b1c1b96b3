"""Tests of the circuit breakers."""

from custom_components.chatterbox.agent.circuit_breaker import CircuitBreaker, ToolBreaker
from tests.agent.fake_clock import FakeClock


def test_tool_breaker_opens_after_three_failures_and_recovers() -> None:
    clock = FakeClock()
    breaker = ToolBreaker(clock.now)
    for _ in range(3):
        assert not breaker.is_open("dim")
        breaker.failed("dim")
    assert breaker.is_open("dim")
    assert not breaker.is_open("look")
    clock.seconds += 299
    assert breaker.is_open("dim")
    clock.seconds += 1
    assert not breaker.is_open("dim")
    breaker.failed("dim")
    assert not breaker.is_open("dim")


def test_success_resets_the_failures() -> None:
    breaker = ToolBreaker()
    for _ in range(2):
        breaker.failed("dim")
    breaker.succeeded("dim")
    breaker.failed("dim")
    assert not breaker.is_open("dim")


def test_breaker_is_open_for_its_recovery_time() -> None:
    clock = FakeClock()
    breaker = CircuitBreaker(3, 60, clock.now)
    seen: list[bool] = []
    for _ in range(3):
        seen.append(breaker.is_open)
        breaker.failed()
    seen.append(breaker.is_open)
    clock.seconds += 60
    seen.append(breaker.is_open)
    breaker.failed()
    assert [*seen, breaker.is_open] == [False, False, False, True, False, False]
