"""Tests of the rate limiter."""

from custom_components.chatterbox.agent.model.rate_limiter import RateLimiter
from tests.agent.fake_clock import FakeClock


def test_zero_requests_per_minute_mean_no_limit() -> None:
    limiter = RateLimiter(0)
    assert [limiter.reserve(0) for _ in range(100)] == [0] * 100


def test_request_over_the_limit_waits_until_the_first_is_a_minute_old() -> None:
    clock = FakeClock()
    limiter = RateLimiter(2, now=clock.now)
    assert limiter.reserve(8) == 0
    clock.seconds += 55
    assert limiter.reserve(8) == 0
    assert limiter.reserve(8) == 5


def test_wait_over_the_maximum_reserves_nothing() -> None:
    clock = FakeClock()
    limiter = RateLimiter(1, now=clock.now)
    assert limiter.reserve(8) == 0
    assert limiter.reserve(8) is None
    clock.seconds += 60
    assert limiter.reserve(8) == 0


def test_waiting_requests_count_at_the_time_of_sending() -> None:
    clock = FakeClock()
    limiter = RateLimiter(1, now=clock.now)
    assert [limiter.reserve(1000) for _ in range(3)] == [0, 60, 120]


def test_requests_that_were_not_reserved_count() -> None:
    clock = FakeClock()
    limiter = RateLimiter(2, now=clock.now)
    assert limiter.reserve(8) == 0
    limiter.count()
    assert limiter.reserve(8) is None
    unlimited = RateLimiter(0)
    unlimited.count()
    assert unlimited.reserve(0) == 0
