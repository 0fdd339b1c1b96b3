"""Results of turns for Home Assistant."""

from dataclasses import replace

from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    ConversationInput,
    ConversationResult,
    async_get_result_from_chat_log,
)
from homeassistant.helpers import intent

from .agent.language.segmentation import asks
from .option_table import ContinueConversation


def speech_result(
    user_input: ConversationInput, conversation_id: str | None, sentence: str
) -> ConversationResult:
    """Return a sentence as an answer."""
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_speech(sentence)
    return ConversationResult(response=response, conversation_id=conversation_id)


def error_result(
    user_input: ConversationInput, conversation_id: str | None, sentence: str
) -> ConversationResult:
    """Return a sentence as an error, which clients can display as such."""
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, sentence)
    return ConversationResult(response=response, conversation_id=conversation_id)


def add_answer(user_input: ConversationInput, chat_log: ChatLog, text: str) -> None:
    """Add an answer of the agent itself to the chat log."""
    chat_log.async_add_assistant_content_without_tools(
        AssistantContent(agent_id=user_input.agent_id, content=text)
    )


def say(user_input: ConversationInput, chat_log: ChatLog, sentence: str) -> ConversationResult:
    """End a turn with a sentence of the agent itself; return that as an answer."""
    add_answer(user_input, chat_log, sentence)
    return async_get_result_from_chat_log(user_input, chat_log)


def fail(user_input: ConversationInput, chat_log: ChatLog, sentence: str) -> ConversationResult:
    """End a turn that has no answer with a sentence; return that as an error."""
    add_answer(user_input, chat_log, sentence)
    return error_result(user_input, chat_log.conversation_id, sentence)


def stop(user_input: ConversationInput, chat_log: ChatLog, sentence: str) -> ConversationResult:
    """End a stopped turn with a sentence; return that as an answer."""
    add_answer(user_input, chat_log, sentence)
    return speech_result(user_input, chat_log.conversation_id, sentence)


def answer_result(
    user_input: ConversationInput,
    chat_log: ChatLog,
    listen: ContinueConversation,
    *,
    awaits_yes: bool,
) -> ConversationResult:
    """Return the last message of the chat log as an answer, after which a satellite may listen.

    It always does after a question that a pending action depends on (`awaits_yes`).
    """
    result = async_get_result_from_chat_log(user_input, chat_log)
    result.response.async_set_speech(spoken_text(result).strip())
    goes_on = (
        awaits_yes
        or listen is ContinueConversation.ALWAYS
        or (listen is ContinueConversation.QUESTION and asks(spoken_text(result)))
    )
    return replace(result, continue_conversation=goes_on)


def spoken_text(result: ConversationResult) -> str:
    """Return the text of a result's plain speech."""
    return str(result.response.speech.get("plain", {}).get("speech", ""))
