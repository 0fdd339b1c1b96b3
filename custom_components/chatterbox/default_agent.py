"""Access to Home Assistant's own conversation agent."""

from homeassistant.components.conversation import HOME_ASSISTANT_AGENT
from homeassistant.components.conversation.agent_manager import async_get_agent
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.core import HomeAssistant


def get_default_agent(hass: HomeAssistant) -> DefaultAgent | None:
    """Return the agent that recognizes intents, None if it is not set up."""
    agent = async_get_agent(hass, HOME_ASSISTANT_AGENT)
    return agent if isinstance(agent, DefaultAgent) else None
