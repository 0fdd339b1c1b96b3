"""Tests of summaries of trimmed turns."""

from collections.abc import AsyncGenerator
from typing import override

from custom_components.chatterbox.agent.memory.summary import MAX_SUMMARY_CHARS, summarize
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
)
from tests.agent.builders import stored_call, stored_result, stored_turn


class Writer(LLMProvider):
    """A model that writes this."""

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.asked = ""

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        self.asked = request.messages[-1].content or ""
        yield Completed(CompletionResult(content=self.text))


async def summary(writer: Writer, before: str | None = None) -> str | None:
    rain = stored_turn(
        0,
        "Rain?",
        Message.assistant(None, [stored_call(city="Oslo")]),
        stored_result(data="x" * 900),
    )
    return await summarize(writer, before, [rain, stored_turn(1)])


async def test_prompt_has_messages_and_tool_calls() -> None:
    writer = Writer(" Ann asked for rain. ")
    assert await summary(writer, "Ann likes tea.") == "Ann asked for rain."
    lines = writer.asked.splitlines()
    assert lines[:3] == [
        "Notes so far: Ann likes tea.",
        "User: Rain?",
        'Assistant used get_weather: {"city":"Oslo"}',
    ]
    assert len(lines[3]) < 600
    assert lines[4:] == ["User: Question 1", "Assistant: Answer 1"]


async def test_summary_is_truncated() -> None:
    assert await summary(Writer("long " * 1_000)) == ("long " * 1_000)[:MAX_SUMMARY_CHARS]


async def test_empty_answer_is_no_summary() -> None:
    writer = Writer(None)
    assert await summary(writer) is None
    assert writer.asked.startswith("User: Rain?")
