"""Results that a turn hands back to Home Assistant."""

from collections.abc import Callable, Iterator

import pytest

from custom_components.chatterbox.responses import (
    error_result,
    fail,
    say,
    speech_result,
    spoken_text,
    stop,
)
from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    ConversationInput,
    ConversationResult,
)
from homeassistant.components.conversation.chat_log import async_get_chat_log
from homeassistant.core import HomeAssistant
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.helpers.intent import IntentResponse, IntentResponseErrorCode
from homeassistant.setup import async_setup_component

from .builders import user_message
from .conversation_helpers import AGENT, speech

MESSAGE = user_message(language="de")

type EndTurn = Callable[[ConversationInput, ChatLog, str], ConversationResult]


@pytest.fixture
async def conversation_component(hass: HomeAssistant) -> None:
    for component in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, component, {})


@pytest.fixture
def chat_log(hass: HomeAssistant, conversation_component: None) -> Iterator[ChatLog]:
    with (
        async_get_chat_session(hass) as session,
        async_get_chat_log(hass, session, MESSAGE) as opened,
    ):
        yield opened


def test_speech_result_is_an_answer_in_the_language_of_the_message() -> None:
    result = speech_result(MESSAGE, "kitchen", "Gut.")
    assert speech(result) == "Gut."
    assert result.conversation_id == "kitchen"
    assert result.response.language == "de"
    assert result.response.error_code is None


def test_error_result_has_an_error_code_and_is_spoken() -> None:
    result = error_result(MESSAGE, None, "Das geht nicht.")
    assert speech(result) == "Das geht nicht."
    assert result.response.error_code is IntentResponseErrorCode.FAILED_TO_HANDLE


@pytest.mark.parametrize(("end_turn", "is_error"), [(say, False), (fail, True), (stop, False)])
async def test_sentence_that_ends_a_turn_is_spoken_and_in_the_chat_log(
    chat_log: ChatLog, *, end_turn: EndTurn, is_error: bool
) -> None:
    result = end_turn(MESSAGE, chat_log, "Good.")
    assert spoken_text(result) == speech(result) == "Good."
    assert result.conversation_id == chat_log.conversation_id
    assert (result.response.error_code is not None) is is_error
    last = chat_log.content[-1]
    assert isinstance(last, AssistantContent)
    assert (last.agent_id, last.content) == (AGENT, "Good.")


def test_result_without_speech_has_no_spoken_text() -> None:
    assert spoken_text(ConversationResult(response=IntentResponse(language="en"))) == ""
