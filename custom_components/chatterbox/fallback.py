"""Handing a message to another agent when the model cannot be reached."""

from contextvars import ContextVar

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationInput, ConversationResult
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

# Two agents that are each other's fallback must not pass a message on for ever.
_falling_back: ContextVar[bool] = ContextVar("chatterbox_falling_back", default=False)


async def async_fall_back(
    hass: HomeAssistant, agent_id: str, user_input: ConversationInput, conversation_id: str
) -> ConversationResult | None:
    """Return the answer of another agent, None if it has none either."""
    if _falling_back.get() or agent_id == user_input.agent_id:
        return None
    token = _falling_back.set(True)
    try:
        result = await conversation.async_converse(
            hass,
            user_input.text,
            conversation_id,
            user_input.context,
            language=user_input.language,
            agent_id=agent_id,
            device_id=user_input.device_id,
            satellite_id=user_input.satellite_id,
            extra_system_prompt=user_input.extra_system_prompt,
        )
    except ValueError:
        # There is no such agent any more.
        return None
    finally:
        _falling_back.reset(token)
    if result.response.response_type is intent.IntentResponseType.ERROR:
        return None
    return result
