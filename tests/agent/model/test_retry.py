"""Tests of retries."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import override

import pytest

from custom_components.chatterbox.agent.errors import (
    LLMAuthError,
    LLMConnectionError,
    LLMError,
    LLMRateLimitError,
    LLMRepetitionError,
    LLMResponseError,
    LLMServerError,
    LLMTimeoutError,
)
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    ProviderEvent,
)
from custom_components.chatterbox.agent.model.repetition import RepetitionGuard
from custom_components.chatterbox.agent.model.request_log import RequestLog
from custom_components.chatterbox.agent.model.retry import RetryingProvider
from custom_components.chatterbox.agent.model.server_state import ServerState
from tests.agent.builders import request
from tests.agent.fake_clock import FakeClock
from tests.agent.fake_provider import Answer, ScriptedProvider, heard

GOOD = Answer(text="Yes.")


async def alive() -> None:
    """Answer the probe."""


def server(
    clock: FakeClock, probe: Callable[[], Awaitable[object]] = alive, per_minute: int = 0
) -> ServerState:
    return ServerState(probe, requests_per_minute=per_minute, now=clock.now)


def retrying(model: ScriptedProvider, clock: FakeClock, state: ServerState) -> RetryingProvider:
    return RetryingProvider(model, state, now=clock.now, sleep=clock.sleep)


def failing(*errors: LLMError) -> ScriptedProvider:
    return ScriptedProvider(*(Answer(error=error) for error in errors), GOOD)


@pytest.mark.parametrize(
    ("errors", "slept"),
    [
        ([LLMServerError("", 500)] * 3, [1, 2, 4]),
        ([LLMConnectionError("")], [1]),
        ([LLMTimeoutError("")], [1]),
        ([LLMResponseError("")], [1]),
        ([LLMRepetitionError("")], [1]),
        ([LLMRateLimitError("", 429), LLMRateLimitError("", 429)], [1, 2]),
        ([LLMRateLimitError("", 429, retry_after=3)], [3]),
    ],
)
async def test_temporary_errors_are_retried_with_backoff(
    errors: list[LLMError], slept: list[float]
) -> None:
    clock = FakeClock()
    model = failing(*errors)
    assert (await retrying(model, clock, server(clock)).complete(request())).content == "Yes."
    assert clock.slept == slept
    assert len(model.asked) == len(errors) + 1


@pytest.mark.parametrize(
    ("error", "requests"),
    [
        (LLMAuthError("", 401), 1),
        (LLMServerError("", 500), 4),
        (LLMResponseError(""), 2),
        (LLMRateLimitError("", 429, retry_after=9), 1),
    ],
)
async def test_retries_end_with_the_error(error: LLMError, requests: int) -> None:
    clock = FakeClock()
    model = ScriptedProvider(Answer(error=error))
    with pytest.raises(type(error)):
        await retrying(model, clock, server(clock)).complete(request())
    assert len(model.asked) == requests
    assert sum(clock.slept) <= 8


async def test_answer_with_spoken_text_is_not_retried() -> None:
    clock = FakeClock()
    model = ScriptedProvider(Answer(text="Half an", error=LLMConnectionError("")), GOOD)
    said, error = await heard(retrying(model, clock, server(clock)).stream(request()))
    assert "".join(said) == "Half an"
    assert isinstance(error, LLMConnectionError)
    assert clock.slept == []


async def test_stream_can_be_read_to_its_end() -> None:
    clock = FakeClock()
    guarded = RepetitionGuard(ScriptedProvider(GOOD))
    stream = RetryingProvider(guarded, server(clock), now=clock.now, sleep=clock.sleep).stream(
        request()
    )
    *_, last = [event async for event in stream]
    assert isinstance(last, Completed)


async def test_answer_with_reasoning_only_is_retried() -> None:
    clock = FakeClock()
    model = ScriptedProvider(Answer(reasoning="Hm.", error=LLMConnectionError("")), GOOD)
    assert (await retrying(model, clock, server(clock)).complete(request())).content == "Yes."


async def test_time_spent_in_failed_requests_counts_towards_the_budget() -> None:
    clock = FakeClock()

    class SlowToFail(ScriptedProvider):
        @override
        async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
            clock.seconds += 60
            async for event in super().stream(request):
                yield event

    model = SlowToFail(Answer(error=LLMTimeoutError("")))
    with pytest.raises(LLMTimeoutError):
        await retrying(model, clock, server(clock)).complete(request())
    assert len(model.asked) == 1


async def test_requests_of_a_turn_share_one_wait_budget() -> None:
    clock = FakeClock()
    error = Answer(error=LLMServerError("", 500))
    model = ScriptedProvider(error, error, GOOD, error, error, error)
    turn = retrying(model, clock, server(clock))
    await turn.complete(request())
    with pytest.raises(LLMServerError):
        await turn.complete(request())
    assert clock.slept == [1, 2, 1, 2]


async def test_retries_are_logged() -> None:
    clock, log = FakeClock(), RequestLog()
    model = failing(LLMServerError("", 500), LLMServerError("", 500))
    provider = RetryingProvider(model, server(clock), log=log, now=clock.now, sleep=clock.sleep)
    assert (await provider.complete(request())).content == "Yes."
    assert log.retries == 2
