"""Home Assistant's own conversation agent."""

from custom_components.chatterbox.default_agent import get_default_agent
from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component


async def test_agent_is_found_once_conversation_is_set_up(hass: HomeAssistant) -> None:
    assert get_default_agent(hass) is None
    for component in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, component, {})
    assert get_default_agent(hass) is get_agent_manager(hass).default_agent is not None
