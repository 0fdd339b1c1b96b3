"""Tests of the state of a server, with the retries of several turns."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from custom_components.chatterbox.agent.errors import (
    LLMAuthError,
    LLMConnectionError,
    LLMError,
    LLMRateLimitError,
    LLMResponseError,
)
from custom_components.chatterbox.agent.model.retry import RetryingProvider
from custom_components.chatterbox.agent.model.server_state import ServerState
from tests.agent.builders import request
from tests.agent.fake_clock import FakeClock
from tests.agent.fake_provider import Answer, ScriptedProvider

GOOD = Answer(text="Yes.")


async def alive() -> None:
    """Answer the probe."""


async def dead() -> None:
    """Leave the probe without an answer."""
    raise LLMConnectionError("down")


def server(
    clock: FakeClock, probe: Callable[[], Awaitable[object]] = alive, per_minute: int = 0
) -> ServerState:
    return ServerState(probe, requests_per_minute=per_minute, now=clock.now)


def retrying(model: ScriptedProvider, clock: FakeClock, state: ServerState) -> RetryingProvider:
    return RetryingProvider(model, state, now=clock.now, sleep=clock.sleep)


async def test_request_over_the_rate_limit_waits() -> None:
    clock = FakeClock()
    state = server(clock, per_minute=1)
    model = ScriptedProvider(GOOD)
    await retrying(model, clock, state).complete(request())
    clock.seconds += 55
    await retrying(model, clock, state).complete(request())
    assert clock.slept == [5]
    with pytest.raises(LLMRateLimitError):
        await retrying(model, clock, state).complete(request())
    assert len(model.asked) == 2


async def test_three_rate_limited_turns_open_the_breaker_for_a_minute() -> None:
    clock = FakeClock()
    state = server(clock)
    error = Answer(error=LLMRateLimitError("", 429, retry_after=60))
    model = ScriptedProvider(error, error, error, GOOD)
    for _ in range(4):
        with pytest.raises(LLMRateLimitError):
            await retrying(model, clock, state).complete(request())
    assert len(model.asked) == 3
    clock.seconds += 60
    assert (await retrying(model, clock, state).complete(request())).content == "Yes."


async def test_unreachable_server_is_not_retried_in_the_next_turn() -> None:
    clock = FakeClock()
    state = server(clock, dead)
    model = ScriptedProvider(Answer(error=LLMConnectionError("")))
    with pytest.raises(LLMConnectionError):
        await retrying(model, clock, state).complete(request())
    assert (state.down, clock.slept) == (True, [1, 2, 4])
    with pytest.raises(LLMConnectionError):
        await retrying(model, clock, state).complete(request())
    assert len(model.asked) == 4
    assert clock.slept == [1, 2, 4]


@pytest.mark.parametrize("says", [None, LLMAuthError("", 401), LLMResponseError("")])
async def test_reachable_server_is_requested_again(says: LLMError | None) -> None:
    async def back() -> None:
        if says is not None:
            raise says

    clock = FakeClock()
    state = server(clock, back)
    state.down = True
    assert (
        await retrying(ScriptedProvider(GOOD), clock, state).complete(request())
    ).content == "Yes."
    assert not state.down


async def test_concurrent_turns_share_one_probe() -> None:
    probes = 0
    probed, answered = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        nonlocal probes
        probes += 1
        probed.set()
        await answered.wait()

    clock = FakeClock()
    state = server(clock, slow)
    state.down = True
    model = ScriptedProvider(GOOD)
    turns = [
        asyncio.create_task(retrying(model, clock, state).complete(request())) for _ in range(3)
    ]
    await probed.wait()
    turns[0].cancel()
    answered.set()
    assert [(await turn).content for turn in turns[1:]] == ["Yes.", "Yes."]
    assert probes == 1


async def test_probe_without_an_answer_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("custom_components.chatterbox.agent.model.server_state._PROBE_TIMEOUT", 0)

    async def never() -> None:
        await asyncio.get_running_loop().create_future()

    clock = FakeClock()
    state = server(clock, never)
    state.down = True
    with pytest.raises(LLMConnectionError):
        await retrying(ScriptedProvider(GOOD), clock, state).complete(request())


# Requests that give way.


async def test_request_that_gives_way_is_cancelled_by_the_next_one_of_a_turn() -> None:
    state = server(FakeClock())
    begun = asyncio.Event()
    ended: list[str] = []

    async def give_way(name: str) -> None:
        async with state.giving_way():
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(name)

    first = asyncio.create_task(give_way("first"))
    await begun.wait()
    second = asyncio.create_task(give_way("second"))
    await state.acquire(0)
    assert ended == ["first"]
    assert first.cancelled()
    while not state._gives_way:  # noqa: ASYNC110 - the second one begins by itself
        await asyncio.sleep(0)
    await state.acquire(0)
    assert ended == ["first", "second"]
    assert second.cancelled()


async def test_request_that_gives_way_to_nothing_is_completed() -> None:
    state = server(FakeClock(), per_minute=1)
    async with state.giving_way():
        pass
    assert await state.acquire(0) == 0


async def test_complete_answer_is_the_last_use_of_the_server() -> None:
    clock = FakeClock()
    clock.seconds = 100.0
    state = server(clock)
    assert state.answered_at < 0
    await retrying(ScriptedProvider(GOOD), clock, state).complete(request())
    assert state.answered_at == 100.0


async def test_request_that_is_counted_uses_up_the_limit() -> None:
    state = server(FakeClock(), per_minute=2)
    assert await state.acquire(1) == 0
    state.count_request()
    with pytest.raises(LLMRateLimitError):
        await state.acquire(1)


async def test_change_of_reachability_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    clock = FakeClock()
    state = ServerState(alive, name="llm.home", now=clock.now)
    for err in (LLMConnectionError("down"), LLMConnectionError("down")):
        state.failed(err)
    assert caplog.messages == ["llm.home cannot be reached"]
    # An error of the server itself says that it is there.
    state.failed(LLMAuthError("wrong key", 401))
    state.succeeded()
    assert caplog.messages == ["llm.home cannot be reached", "llm.home can be reached again"]
