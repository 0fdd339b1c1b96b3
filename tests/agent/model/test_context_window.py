"""Tests of the context window."""

from collections.abc import AsyncGenerator
from typing import override

import pytest

from custom_components.chatterbox.agent.errors import LLMContextLengthError
from custom_components.chatterbox.agent.memory.context import build_history
from custom_components.chatterbox.agent.messages import Message, ToolDefinition
from custom_components.chatterbox.agent.model.context_window import (
    DEFAULT_HISTORY_BUDGET,
    ContextWindow,
    ContextWindowProvider,
)
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
)
from custom_components.chatterbox.agent.model.request_log import RequestLog
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.agent.trimming import size
from tests.agent.builders import request, stored_conversation, stored_turn

SYSTEM = Message.system("You are a test.")
TOOL = ToolDefinition(name="get_weather", description="x" * 400)


class Model(LLMProvider):
    """A model that counts tokens and refuses what is too long."""

    def __init__(self, window: int, chars_per_token: float = 4, refusal: str = "") -> None:
        self.window = window
        self.chars_per_token = chars_per_token
        self.refusal = refusal or f"the maximum context length is {window} tokens"
        self.requests: list[list[Message]] = []
        self.before_refusing: list[ProviderEvent] = []

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        self.requests.append([*request.messages])
        tokens = int(size(request.messages) / self.chars_per_token)
        if tokens > self.window:
            for event in self.before_refusing:
                yield event
            raise LLMContextLengthError(self.refusal, 400)
        yield TextDelta("Yes.")
        yield Completed(CompletionResult(content="Yes.", usage=UsageStats(prompt_tokens=tokens)))


def messages(turns: int, asked: str = "Now") -> list[Message]:
    talk = stored_conversation(*(stored_turn(n, "word " * 40) for n in range(turns)))
    return [SYSTEM, *build_history(talk, 0), Message.user(asked)]


async def test_fitting_request_is_unchanged() -> None:
    model = Model(10_000)
    provider = ContextWindowProvider(model, ContextWindow())
    assert (await provider.complete(request(messages(5), [TOOL]))).content == "Yes."
    assert model.requests == [messages(5)]
    assert provider.history_budget
    assert provider.history_budget <= DEFAULT_HISTORY_BUDGET


async def test_stream_is_passed_on_to_its_end() -> None:
    model = Model(10_000)
    events = [
        event
        async for event in ContextWindowProvider(model, ContextWindow()).stream(
            request(messages(1))
        )
    ]
    assert [type(event) for event in events] == [TextDelta, Completed]
    assert len(model.requests) == 1


async def test_unknown_window_uses_the_default_budget() -> None:
    model = Model(1_000_000)
    await ContextWindowProvider(model, ContextWindow()).complete(request(messages(500)))
    assert (
        DEFAULT_HISTORY_BUDGET / 2
        < size(model.requests[0])
        < DEFAULT_HISTORY_BUDGET + size([SYSTEM])
    )


async def test_size_of_the_last_request_is_logged() -> None:
    log = RequestLog()
    window = ContextWindow(reported=2000)
    provider = ContextWindowProvider(Model(10_000), window, log=log)
    await provider.complete(request(messages(40), [TOOL]))
    assert (log.context_window, log.turns_left_out > 0) == (2000, True)
    assert 0 < log.chars <= 2000 * 4
    assert log.tokens == log.chars // 4


async def test_configured_size_overrides_the_reported_one() -> None:
    model = Model(1_000_000)
    window = ContextWindow(reported=100_000)
    await ContextWindowProvider(model, window, configured=1_000, answer=200).complete(
        request(messages(50))
    )
    assert size(model.requests[0]) <= 800 * 4


async def test_tools_and_answer_reduce_the_history_budget() -> None:
    plain, laden = Model(10_000), Model(10_000)
    await ContextWindowProvider(plain, ContextWindow(reported=1_000)).complete(
        request(messages(50))
    )
    await ContextWindowProvider(laden, ContextWindow(reported=1_000), answer=300).complete(
        request(messages(50), [TOOL])
    )
    assert size(laden.requests[0]) <= size(plain.requests[0]) - 400


async def test_answer_longer_than_the_window_leaves_half_of_it() -> None:
    model = Model(10_000)
    await ContextWindowProvider(model, ContextWindow(reported=1_000), answer=4_000).complete(
        request(messages(50))
    )
    assert len(model.requests[0]) > 2


@pytest.mark.parametrize(
    "text",
    [
        "This model's maximum context length is 1,000 tokens. However, you requested 2,000 tokens",
        "the request exceeds the available context size (1000 tokens), try increasing it",
        "n_ctx: 1000",
    ],
)
async def test_overflow_error_reports_the_window(text: str) -> None:
    model, window = Model(1_000, refusal=text), ContextWindow()
    provider = ContextWindowProvider(model, window)
    assert (await provider.complete(request(messages(50)))).content == "Yes."
    assert window.refused == 1_000
    assert len(model.requests) == 2
    await ContextWindowProvider(model, window).complete(request(messages(50)))
    assert len(model.requests) == 3


async def test_overflow_error_without_a_number_lowers_the_size() -> None:
    model, window = Model(4_000, refusal="context size exceeded"), ContextWindow()
    # 20,000 characters, which the model takes for 5,000 tokens.
    assert (
        await ContextWindowProvider(model, window).complete(request(messages(70)))
    ).content == "Yes."
    assert window.size() == window.refused
    assert window.refused is not None
    assert window.refused < 4_000


async def test_overflow_despite_a_fitting_estimate_lowers_characters_per_token() -> None:
    model = Model(2_000, chars_per_token=2.5)
    window = ContextWindow(reported=2_000)
    await ContextWindowProvider(model, window).complete(request(messages(50)))
    assert len(model.requests) == 2
    assert window.chars_per_token < 2.5


def test_accepted_longer_request_clears_the_refused_size() -> None:
    window = ContextWindow(refused=1_000)
    window.learn(4_000, 1_000)
    assert window.refused == 1_000
    window.learn(4_004, 1_001)
    assert window.refused is None


async def test_overflow_is_retried_once() -> None:
    model = Model(100, refusal="context size exceeded")
    with pytest.raises(LLMContextLengthError):
        await ContextWindowProvider(model, ContextWindow()).complete(request(messages(200)))
    assert len(model.requests) == 2


async def test_request_that_cannot_be_shortened_is_not_retried() -> None:
    model = Model(10)
    with pytest.raises(LLMContextLengthError):
        await ContextWindowProvider(model, ContextWindow()).complete(
            request(messages(0, "long " * 100))
        )
    assert len(model.requests) == 1


async def test_overflow_after_the_first_text_is_not_retried() -> None:
    model = Model(1_000)
    model.before_refusing = [TextDelta("Well")]
    with pytest.raises(LLMContextLengthError):
        await ContextWindowProvider(model, ContextWindow()).complete(request(messages(50)))
    assert len(model.requests) == 1


async def test_overflow_after_reasoning_alone_is_retried() -> None:
    model = Model(1_000)
    model.before_refusing = [ReasoningDelta("Hm.")]
    provider = ContextWindowProvider(model, ContextWindow())
    assert (await provider.complete(request(messages(50)))).content == "Yes."
    assert len(model.requests) == 2


async def test_characters_per_token_are_learned() -> None:
    model, window = Model(100_000, chars_per_token=2), ContextWindow()
    for _ in range(20):
        await ContextWindowProvider(model, window).complete(request(messages(20)))
    assert window.chars_per_token == pytest.approx(2, rel=0.05)


@pytest.mark.parametrize(("chars", "tokens"), [(100, 0), (100, 30), (100_000, 100), (100, 1_000)])
def test_implausible_observation_is_not_learned(chars: int, tokens: int) -> None:
    window = ContextWindow()
    window.learn(chars, tokens)
    assert window == ContextWindow()
