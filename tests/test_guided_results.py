"""What is said of results, and what is asked before a call is made."""

from dataclasses import replace

import pytest

from custom_components.chatterbox.agent.messages import (
    ToolAnnotations,
    ToolCall,
    ToolDefinition,
    ToolResult,
)
from custom_components.chatterbox.agent.tools.confirmation import CONFIRMATION_NEEDED
from custom_components.chatterbox.agent.turn import SpeakResults, SpokenResults
from custom_components.chatterbox.guided_results import async_speak_results
from custom_components.chatterbox.sentences import async_get_sentences
from homeassistant.core import HomeAssistant

from .spoken_home import SpokenHome

READ = ToolDefinition(name="get_state", description="", annotations=ToolAnnotations(read_only=True))
LAMP = ToolCall(id="1", name="HassTurnOn", arguments={"name": "Desk Lamp"})
CONFIRM = "Shall I really do that?"


@pytest.fixture
async def home(hass: HomeAssistant) -> SpokenHome:
    home = SpokenHome(hass)
    await home.furnish()
    return home


async def speaker(hass: HomeAssistant, *, silent_done: bool = False) -> SpeakResults:
    sentences = await async_get_sentences(hass, "en")
    return await async_speak_results(hass, "en", sentences, [READ], silent_done=silent_done)


def waiting(question: str | None = None) -> ToolResult:
    call = replace(LAMP, question=question)
    return ToolResult.failure(call, "Not done", CONFIRMATION_NEEDED)


async def test_success_is_the_answer(hass: HomeAssistant, home: SpokenHome) -> None:
    speak = await speaker(hass)
    done = await home.call("HassTurnOn", name="Desk Lamp")
    assert speak([done]) == SpokenResults("Turned on the light.", final=True)


async def test_nothing_is_said_of_what_was_only_read(hass: HomeAssistant) -> None:
    speak = await speaker(hass)
    read = ToolResult(call=replace(LAMP, name="get_state"), data={"state": "on"})
    assert speak([read]) is None


async def test_success_is_silent_where_that_is_wanted(
    hass: HomeAssistant, home: SpokenHome
) -> None:
    speak = await speaker(hass, silent_done=True)
    done = await home.call("HassTurnOn", name="Desk Lamp")
    spoken = speak([done])
    assert spoken is not None
    assert (spoken.text, spoken.final) == ("", True)


@pytest.mark.parametrize(
    ("question", "asked"), [("Do you mean Desk Lamp?", "Do you mean Desk Lamp?"), (None, CONFIRM)]
)
async def test_call_that_waits_is_asked_about(
    hass: HomeAssistant, question: str | None, asked: str
) -> None:
    speak = await speaker(hass)
    assert speak([waiting(question)]) == SpokenResults(asked, final=True)


async def test_question_stands_behind_what_was_done(hass: HomeAssistant, home: SpokenHome) -> None:
    speak = await speaker(hass)
    done = await home.call("HassTurnOn", name="Kettle")
    spoken = speak([waiting("And Desk Lamp?"), done, waiting("And more?")])
    assert spoken is not None
    assert spoken.final
    assert spoken.text.startswith("Turned on")
    assert spoken.text.endswith(" And Desk Lamp?")


async def test_failure_leaves_the_question_as_the_end(
    hass: HomeAssistant, home: SpokenHome
) -> None:
    home.break_service("lock", "lock", "lock.front")
    speak = await speaker(hass)
    failed = await home.call("HassTurnOn", name="Front Door")
    spoken = speak([failed, waiting()])
    assert spoken is not None
    assert spoken.final
    assert spoken.text.endswith(CONFIRM)
