"""Requests that keep to the window of the model."""

from collections.abc import AsyncGenerator, Sequence

import pytest

from custom_components.chatterbox.agent.context import build_history
from custom_components.chatterbox.agent.errors import LLMContextLengthError
from custom_components.chatterbox.agent.messages import Message, ToolDefinition
from custom_components.chatterbox.agent.provider import (
    Completed,
    CompletionResult,
    ProviderEvent,
    TextDelta,
    ToolChoice,
)
from custom_components.chatterbox.agent.trimming import size
from custom_components.chatterbox.agent.usage import UsageStats
from custom_components.chatterbox.agent.window import (
    HISTORY_CHARS,
    ModelWindow,
    WindowedProvider,
)

from .conversations import conversation, turn

SYSTEM = Message.system("You are a test.")
TOOL = ToolDefinition(name="get_weather", description="x" * 400)


class Model:
    """A model that counts tokens and refuses what is too long."""

    def __init__(self, window: int, chars_per_token: float = 4, refusal: str = "") -> None:
        self.window = window
        self.chars_per_token = chars_per_token
        self.refusal = refusal or f"the maximum context length is {window} tokens"
        self.requests: list[list[Message]] = []
        self.before_refusing: list[ProviderEvent] = []

    async def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None = None,
        *,
        tool_choice: ToolChoice = "auto",
    ) -> CompletionResult:
        raise AssertionError("only streams are asked for")

    async def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None = None,
        *,
        tool_choice: ToolChoice = "auto",
    ) -> AsyncGenerator[ProviderEvent]:
        self.requests.append([*messages])
        tokens = int(size(messages) / self.chars_per_token)
        if tokens > self.window:
            for event in self.before_refusing:
                yield event
            raise LLMContextLengthError(self.refusal, 400)
        yield TextDelta("Yes.")
        yield Completed(CompletionResult(content="Yes.", usage=UsageStats(prompt_tokens=tokens)))


def messages(turns: int, asked: str = "Now") -> list[Message]:
    talk = conversation(*(turn(n, "word " * 40) for n in range(turns)))
    return [SYSTEM, *build_history(talk, 0), Message.user(asked)]


async def test_what_fits_is_sent_as_it_is() -> None:
    model = Model(10_000)
    provider = WindowedProvider(model, ModelWindow())
    assert (await provider.complete(messages(5), [TOOL])).content == "Yes."
    assert model.requests == [messages(5)]
    assert provider.room
    assert provider.room <= HISTORY_CHARS


async def test_a_stream_is_passed_on_to_its_end() -> None:
    model = Model(10_000)
    events = [event async for event in WindowedProvider(model, ModelWindow()).stream(messages(1))]
    assert [type(event) for event in events] == [TextDelta, Completed]
    assert len(model.requests) == 1


async def test_without_a_known_window_the_history_has_a_limit() -> None:
    model = Model(1_000_000)
    await WindowedProvider(model, ModelWindow()).complete(messages(500))
    assert HISTORY_CHARS / 2 < size(model.requests[0]) < HISTORY_CHARS + size([SYSTEM])


async def test_the_users_own_number_counts() -> None:
    model = Model(1_000_000)
    window = ModelWindow(reported=100_000)
    await WindowedProvider(model, window, configured=1_000, answer=200).complete(messages(50))
    assert size(model.requests[0]) <= 800 * 4


async def test_tools_and_answer_are_taken_off() -> None:
    plain, laden = Model(10_000), Model(10_000)
    await WindowedProvider(plain, ModelWindow(reported=1_000)).complete(messages(50))
    await WindowedProvider(laden, ModelWindow(reported=1_000), answer=300).complete(
        messages(50), [TOOL]
    )
    assert size(laden.requests[0]) <= size(plain.requests[0]) - 400


async def test_an_answer_longer_than_the_window_leaves_half_of_it() -> None:
    model = Model(10_000)
    await WindowedProvider(model, ModelWindow(reported=1_000), answer=4_000).complete(messages(50))
    assert len(model.requests[0]) > 2


@pytest.mark.parametrize(
    "text",
    [
        "This model's maximum context length is 1,000 tokens. However, you requested 2,000 tokens",
        "the request exceeds the available context size (1000 tokens), try increasing it",
        "n_ctx: 1000",
    ],
)
async def test_a_refusal_tells_the_window(text: str) -> None:
    model, window = Model(1_000, refusal=text), ModelWindow()
    provider = WindowedProvider(model, window)
    assert (await provider.complete(messages(50))).content == "Yes."
    assert window.refused == 1_000
    assert len(model.requests) == 2
    await WindowedProvider(model, window).complete(messages(50))
    assert len(model.requests) == 3


async def test_a_refusal_without_numbers_is_learned_from_as_well() -> None:
    model, window = Model(4_000, refusal="context size exceeded"), ModelWindow()
    # 20,000 characters, which the model takes for 5,000 tokens.
    assert (await WindowedProvider(model, window).complete(messages(70))).content == "Yes."
    assert window.size() == window.refused
    assert window.refused is not None
    assert window.refused < 4_000


async def test_tokens_shorter_than_thought_are_learned_from_a_refusal() -> None:
    model = Model(2_000, chars_per_token=2.5)
    window = ModelWindow(reported=2_000)
    await WindowedProvider(model, window).complete(messages(50))
    assert len(model.requests) == 2
    assert window.chars_per_token < 2.5


def test_a_server_that_takes_more_than_it_said_is_believed() -> None:
    window = ModelWindow(refused=1_000)
    window.learn(4_000, 1_000)
    assert window.refused == 1_000
    window.learn(4_004, 1_001)
    assert window.refused is None


async def test_it_is_asked_once_more_only() -> None:
    model = Model(100, refusal="context size exceeded")
    with pytest.raises(LLMContextLengthError):
        await WindowedProvider(model, ModelWindow()).complete(messages(200))
    assert len(model.requests) == 2


async def test_what_cannot_be_shortened_is_not_sent_again() -> None:
    model = Model(10)
    with pytest.raises(LLMContextLengthError):
        await WindowedProvider(model, ModelWindow()).complete(messages(0, "long " * 100))
    assert len(model.requests) == 1


async def test_nothing_is_repeated_behind_words_that_were_spoken() -> None:
    model = Model(1_000)
    model.before_refusing = [TextDelta("Well")]
    with pytest.raises(LLMContextLengthError):
        await WindowedProvider(model, ModelWindow()).complete(messages(50))
    assert len(model.requests) == 1


async def test_characters_per_token_are_learned() -> None:
    model, window = Model(100_000, chars_per_token=2), ModelWindow()
    for _ in range(20):
        await WindowedProvider(model, window).complete(messages(20))
    assert window.chars_per_token == pytest.approx(2, rel=0.05)


@pytest.mark.parametrize(("chars", "tokens"), [(100, 0), (100, 30), (100_000, 100), (100, 1_000)])
def test_what_says_nothing_is_not_learned(chars: int, tokens: int) -> None:
    window = ModelWindow()
    window.learn(chars, tokens)
    assert window == ModelWindow()
