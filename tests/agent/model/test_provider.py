"""Tests of the provider interface."""

from collections.abc import AsyncGenerator
from typing import override

import pytest

from custom_components.chatterbox.agent.errors import LLMResponseError
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.model.provider import (
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    TextDelta,
)
from tests.agent.builders import call, request
from tests.agent.fake_provider import Answer, ScriptedProvider


def test_result_is_converted_to_a_message() -> None:
    """An answer can be put into the next request as it is."""
    result = CompletionResult(content="Looking.", tool_calls=(call(),))
    assert result.message == Message.assistant("Looking.", [call()])


def test_empty_result_is_a_message_with_empty_content() -> None:
    result = CompletionResult()
    assert (result.content, result.tool_calls, result.usage) == (None, (), None)
    assert result.finish_reason == "stop"
    assert result.message.to_wire() == {"role": "assistant", "content": ""}


def test_provider_without_stream_cannot_be_instantiated() -> None:
    """Nothing else is needed."""
    with pytest.raises(TypeError):
        LLMProvider()  # type: ignore[abstract]
    assert isinstance(ScriptedProvider(), LLMProvider)


async def test_completion_is_the_result_of_the_stream() -> None:
    """Both methods of a provider say the same."""
    assert (await ScriptedProvider(Answer("Hi.")).complete(request())).content == "Hi."


async def test_stream_without_a_completion_is_an_error() -> None:
    """And is closed, as every stream is."""
    closed = []

    class Unfinished(LLMProvider):
        @override
        async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
            try:
                yield TextDelta("It is")
            finally:
                closed.append(True)

    with pytest.raises(LLMResponseError):
        await Unfinished().complete(request())
    assert closed
