"""Access to Home Assistant's own conversation agent."""

from home_assistant_intents import get_languages

from homeassistant.components.conversation import HOME_ASSISTANT_AGENT
from homeassistant.components.conversation.agent_manager import async_get_agent
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.util.language import matches


def get_default_agent(hass: HomeAssistant) -> DefaultAgent | None:
    """Return the agent that recognizes intents, None if it is not set up."""
    agent = async_get_agent(hass, HOME_ASSISTANT_AGENT)
    return agent if isinstance(agent, DefaultAgent) else None


def nearest_intent_language(language: str) -> str | None:
    """Return the language with intents that comes nearest, None if there is none.

    The agent itself picks any of several that are equally near.
    """
    known = [] if language == MATCH_ALL else matches(language, sorted(get_languages()))
    return next(iter(known), None)
