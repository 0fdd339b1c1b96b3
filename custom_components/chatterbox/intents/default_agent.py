"""Home Assistant's own conversation agent, and its languages."""

from home_assistant_intents import get_languages

from homeassistant.components.conversation import HOME_ASSISTANT_AGENT
from homeassistant.components.conversation.agent_manager import async_get_agent
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.core import HomeAssistant

from .nearest_language import nearest_language


def get_default_agent(hass: HomeAssistant) -> DefaultAgent | None:
    """Return the agent that recognizes intents, None if it is not set up."""
    agent = async_get_agent(hass, HOME_ASSISTANT_AGENT)
    return agent if isinstance(agent, DefaultAgent) else None


def nearest_intent_language(language: str) -> str | None:
    """Return the nearest language that Home Assistant has intents for, None if there is none.

    The agent itself picks any of several that are equally near.
    """
    return nearest_language(language, get_languages())
