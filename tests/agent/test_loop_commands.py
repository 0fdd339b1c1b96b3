"""Tests of the loop: commands answered without a call."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import (
    LLMAPIError,
    LLMAuthError,
    LLMConnectionError,
    LLMError,
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMRateLimitError,
    LLMServerError,
    LLMUnsupportedError,
)
from custom_components.chatterbox.agent.events import LoopOutcome, TurnFinished
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.loop_settings import LoopSettings, Phrases
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.model.provider import (
    CompletionRequest,
    ReasoningDelta,
    TextDelta,
)
from custom_components.chatterbox.agent.tools.guard import ToolGuard
from tests.agent.fake_provider import Answer, ScriptedProvider, calls
from tests.agent.fake_tools import WRITES, fake_tool, guarded
from tests.agent.turns import collect, only, spoken
from tests.fake_openai.history import history_problems

CLAIM = "I have turned on the light."
PHRASES = Phrases()


class Recognizer:
    """Whether the message is a command, and how often that was asked."""

    def __init__(self, *, is_command: bool = True) -> None:
        self.is_command = is_command
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.is_command


async def turn(
    model: ScriptedProvider,
    tools: ToolGuard | None,
    is_command: Recognizer,
    *,
    settings: LoopSettings | None = None,
) -> tuple[TurnFinished, list[Any]]:
    loop = AgenticLoop(model, settings, phrases=PHRASES)
    events = await collect(loop.stream("Light on", [], tools, is_command=is_command))
    for request in model.asked:
        assert history_problems([{"role": "system", "content": "x"}, *request.wire]) == []
    (finished,) = only(TurnFinished, events)
    return finished, events


async def test_answer_to_a_command_without_a_call_is_withheld_and_a_call_required() -> None:
    tool = fake_tool("light", annotations=WRITES)
    model = ScriptedProvider(Answer(CLAIM), calls("light"), Answer("It is on."))
    is_command = Recognizer()
    finished, events = await turn(
        model, guarded(tool), is_command, settings=LoopSettings(max_iterations=2)
    )
    assert finished.text == spoken(events) == "It is on."
    assert finished.outcome is LoopOutcome.FINAL
    assert len(tool.calls) == is_command.asked == 1
    assert [asked.tool_choice for asked in model.asked] == ["auto", "required", "auto"]
    first, second, _ = model.asked
    assert second.tools == first.tools
    assert second.messages[:-1] == first.messages[:-1]
    assert (second.messages[-1].content, first.messages[-1].suffix) == ("Light on", None)
    assert second.messages[-1].suffix
    assert CLAIM not in str(finished.messages)


@pytest.mark.parametrize(
    "second",
    [
        Answer(CLAIM),
        Answer(),
        Answer(error=LLMAPIError("tool_choice must be auto", 400)),
        Answer(error=LLMUnsupportedError("no tool calls", 400)),
    ],
    ids=["words again", "silence", "refusal", "no tools"],
)
async def test_second_answer_without_a_call_says_that_nothing_was_done(second: Answer) -> None:
    model = ScriptedProvider(Answer(CLAIM), second)
    finished, events = await turn(model, guarded(fake_tool()), Recognizer())
    assert finished.text == spoken(events) == PHRASES.not_done
    assert finished.messages == (Message.assistant(PHRASES.not_done),)
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    "error",
    [
        LLMConnectionError("gone"),
        LLMAuthError("no", 401),
        LLMQuotaError("pay", 402),
        LLMModelNotFoundError("no such model", 404),
        LLMRateLimitError("busy", 429),
        LLMServerError("on fire", 500),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_error_that_does_not_reject_the_required_call_stays_an_error(
    error: LLMError,
) -> None:
    model = ScriptedProvider(Answer(CLAIM), Answer(error=error))
    with pytest.raises(type(error)):
        await turn(model, guarded(fake_tool()), Recognizer())


async def test_rejected_first_request_stays_an_error() -> None:
    model = ScriptedProvider(Answer(error=LLMAPIError("no", 400)))
    with pytest.raises(LLMAPIError):
        await turn(model, guarded(fake_tool()), Recognizer())


async def test_text_before_a_call_is_spoken_before_it() -> None:
    model = ScriptedProvider(replace(calls("look"), text="Let me see."), Answer("Fine."))
    finished, events = await turn(model, guarded(fake_tool()), Recognizer())
    told = [event.text for event in only(TextDelta, events)]
    assert told == ["Let me see.", "Fine."]
    assert finished.messages[0].content == "Let me see."


async def test_whole_answer_that_was_not_streamed_is_withheld_too() -> None:
    class Whole(ScriptedProvider):
        async def stream(self, request: CompletionRequest) -> Any:
            async for event in super().stream(request):
                if not isinstance(event, TextDelta):
                    yield event

    model = Whole(Answer(CLAIM))
    finished, _ = await turn(model, guarded(fake_tool()), Recognizer())
    assert finished.text == PHRASES.not_done


async def test_other_messages_stream_at_once() -> None:
    model = ScriptedProvider(Answer("It is noon.", reasoning="Easy."))
    is_command = Recognizer(is_command=False)
    _, events = await turn(model, guarded(fake_tool()), is_command)
    assert [event.text for event in only(TextDelta, events)] == ["It", " is", " noon."]
    assert is_command.asked == 1


async def test_reasoning_is_passed_on_while_the_answer_is_withheld() -> None:
    model = ScriptedProvider(Answer(CLAIM, reasoning="Hm."))
    _, events = await turn(model, guarded(fake_tool()), Recognizer())
    assert only(ReasoningDelta, events) == [ReasoningDelta("Hm.")] * 2


async def test_command_is_not_recognized_after_a_tool_call() -> None:
    model = ScriptedProvider(calls("look"), Answer(CLAIM))
    is_command = Recognizer()
    finished, _ = await turn(model, guarded(fake_tool()), is_command)
    assert finished.text == CLAIM
    assert is_command.asked == 0


async def test_command_is_not_recognized_without_tools() -> None:
    finished, _ = await turn(ScriptedProvider(Answer(CLAIM)), None, Recognizer())
    assert finished.text == CLAIM
