"""Background jobs: when calls may outlast their turn, and how their results are told."""

import asyncio
from typing import Any

import pytest

from custom_components.chatterbox.active_conversations import ActiveConversations
from custom_components.chatterbox.agent.errors import LLMServerError
from custom_components.chatterbox.agent.messages import Message, ToolResult
from custom_components.chatterbox.agent.turn import SpokenResults
from custom_components.chatterbox.background_jobs import (
    async_tell_result,
    job_note,
    may_outlast_turn,
)
from custom_components.chatterbox.options import AgentOptions
from homeassistant.core import HomeAssistant

from .agent.builders import call, tool
from .agent.fake_provider import Answer, ScriptedProvider
from .builders import user_message

SATELLITE = "assist_satellite.kitchen"
SENTENCES = {"job_done": "It is done.", "job_failed": "It did not work."}
BEFORE = [Message.system("Be brief."), Message.user("(look has finished.)")]


@pytest.mark.parametrize(
    ("options", "satellite", "jobs", "may"),
    [
        ({"background_tools": True}, SATELLITE, 0, True),
        ({"background_tools": True}, SATELLITE, 4, True),
        ({"background_tools": True}, SATELLITE, 5, False),
        ({"background_tools": True}, None, 0, False),
        ({}, SATELLITE, 0, False),
    ],
    ids=["satellite", "some jobs", "too many jobs", "no satellite", "off"],
)
async def test_call_may_outlast_its_turn_where_its_result_can_be_announced(
    hass: HomeAssistant,
    *,
    options: dict[str, Any],
    satellite: str | None,
    jobs: int,
    may: bool,
) -> None:
    hass.states.async_set(SATELLITE, "processing", {"supported_features": 1})
    conversations, message = ActiveConversations(), user_message(satellite_id=satellite)
    for number in range(jobs):
        task = asyncio.create_task(asyncio.sleep(0))
        conversations.get(str(number), message).jobs.add(task)
    parsed = AgentOptions.parse({"model": "scripted-1", **options})
    assert may_outlast_turn(hass, parsed, message, conversations) is may


def test_note_names_the_tool_and_the_language() -> None:
    assert job_note(call("saw"), "de-CH") == (
        "(saw has finished. Tell me the result in one short sentence, in German.)"
    )


async def told(
    *answers: Answer, spoken: SpokenResults | None = None, error: bool = False
) -> tuple[list[Message], ScriptedProvider]:
    """Return how a result is told, and the model."""
    provider = ScriptedProvider(*answers)
    messages = await async_tell_result(
        ToolResult(call=call(), data="fine", error=error),
        provider=provider,
        before=BEFORE,
        tools=[tool("look")],
        speak_results=lambda _results: spoken,
        sentences=SENTENCES,
    )
    return messages, provider


async def test_model_tells_the_result_without_calling_tools() -> None:
    messages, provider = await told(Answer(" It is sunny. "))
    calling, result, answer = messages
    (made,) = calling.tool_calls
    assert (made.name, made.arguments) == (call().name, call().arguments)
    assert made.id != call().id
    assert result == Message.tool(made.id, ToolResult(call=call(), data="fine").content)
    assert answer == Message.assistant("It is sunny.")
    (request,) = provider.asked
    assert request.messages == [*BEFORE, calling, result]
    assert request.tools == [tool("look")]
    assert request.tool_choice == "none"


async def test_composed_answer_needs_no_model() -> None:
    messages, provider = await told(spoken=SpokenResults("The lamp is on.", final=True))
    assert messages[-1] == Message.assistant("The lamp is on.")
    assert provider.asked == []


@pytest.mark.parametrize("answer", [Answer(""), Answer(" "), Answer(error=LLMServerError("x"))])
@pytest.mark.parametrize("error", [False, True])
async def test_model_that_says_nothing_is_replaced_by_a_sentence(
    answer: Answer, *, error: bool
) -> None:
    messages, _ = await told(answer, error=error)
    sentence = SENTENCES["job_failed" if error else "job_done"]
    assert messages[-1] == Message.assistant(sentence)


async def test_silent_confirmation_is_told_by_the_model() -> None:
    messages, _ = await told(Answer("It is on."), spoken=SpokenResults("", final=True))
    assert messages[-1] == Message.assistant("It is on.")
