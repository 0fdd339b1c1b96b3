"""Fallback agent for when the model is unreachable."""

from contextvars import ContextVar

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationInput, ConversationResult
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

# Prevents an endless loop between two agents that are each other's fallback.
_falling_back: ContextVar[bool] = ContextVar("chatterbox_falling_back", default=False)


async def async_fall_back(
    hass: HomeAssistant, agent_id: str, user_input: ConversationInput, conversation_id: str
) -> ConversationResult | None:
    """Return the fallback agent's result, or None if it does not exist or fails as well."""
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
        # The agent no longer exists.
        return None
    finally:
        _falling_back.reset(token)
    if result.response.response_type is intent.IntentResponseType.ERROR:
        return None
    return result
