"""What a turn hands back to Home Assistant."""

from homeassistant.components.conversation import ConversationInput, ConversationResult
from homeassistant.helpers import intent


def said(
    user_input: ConversationInput, conversation_id: str | None, sentence: str
) -> ConversationResult:
    """Return a sentence as an answer."""
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_speech(sentence)
    return ConversationResult(response=response, conversation_id=conversation_id)


def failed(
    user_input: ConversationInput, conversation_id: str | None, sentence: str
) -> ConversationResult:
    """Return a sentence as an error, which an assistant can show as one."""
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, sentence)
    return ConversationResult(response=response, conversation_id=conversation_id)


def speech_of(result: ConversationResult) -> str:
    """Return what is spoken."""
    return str(result.response.speech.get("plain", {}).get("speech", ""))
