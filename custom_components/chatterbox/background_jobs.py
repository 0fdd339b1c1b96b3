"""Background jobs: calls that outlast their turn, and whose results are announced."""

from collections.abc import Sequence
from dataclasses import replace

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant

from .active_conversations import ActiveConversations
from .agent.errors import LLMError
from .agent.language.language_names import language_name
from .agent.messages import Message, ToolCall, ToolDefinition, ToolResult, new_call_id
from .agent.model.provider import CompletionRequest, LLMProvider
from .agent.turn import SpeakResults
from .const import LOGGER
from .options import AgentOptions
from .satellites import can_announce

# Seconds after which a job has failed.
JOB_TIMEOUT = 3600
_MAX_JOBS = 5
_NOTE = "({tool} has finished. Tell me the result in one short sentence, in {language}.)"


def may_outlast_turn(
    hass: HomeAssistant,
    options: AgentOptions,
    message: ConversationInput,
    conversations: ActiveConversations,
) -> bool:
    """Return whether calls may go on after their turn: whether their results can be announced."""
    return (
        options.voice.background_tools
        and can_announce(hass, message.satellite_id)
        and len(conversations.jobs) < _MAX_JOBS
    )


def job_note(call: ToolCall, language: str) -> str:
    """Return what is sent in the user's name when a call has finished."""
    return _NOTE.format(tool=call.name, language=language_name(language))


async def async_tell_result(  # noqa: PLR0913 - by name
    result: ToolResult,
    *,
    provider: LLMProvider,
    before: Sequence[Message],
    tools: Sequence[ToolDefinition],
    speak_results: SpeakResults,
    sentences: dict[str, str],
) -> list[Message]:
    """Return the messages that tell the result of a job: its call, its result and the answer.

    The answer is composed from the result or else by the model, which gets the messages `before`
    and may not call tools.
    """
    call = replace(result.call, id=new_call_id())
    told = [Message.assistant(None, [call]), Message.tool(call.id, result.content)]
    spoken = speak_results([result])
    text = spoken.text if spoken is not None else None
    if not text:
        request = CompletionRequest(
            messages=(*before, *told), tools=tuple(tools), tool_choice="none"
        )
        try:
            text = (await provider.complete(request)).content
        except LLMError as err:
            LOGGER.debug("The model could not tell the result of a job: %s", type(err).__name__)
    if not text or not text.strip():
        text = sentences["job_failed" if result.error else "job_done"]
    return [*told, Message.assistant(text.strip())]
