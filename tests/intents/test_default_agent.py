"""Home Assistant's own conversation agent."""

import pytest

from custom_components.chatterbox.intents.default_agent import (
    get_default_agent,
    nearest_intent_language,
)
from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component


async def test_agent_is_found_once_conversation_is_set_up(hass: HomeAssistant) -> None:
    assert get_default_agent(hass) is None
    for component in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, component, {})
    assert get_default_agent(hass) is get_agent_manager(hass).default_agent is not None


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("de-CH", "de-CH"),
        ("en-US", "en"),
        ("pt-BR", "pt-BR"),
        ("zh-TW", "zh-TW"),
        ("tlh", None),
        ("*", None),
        ("not a language", None),
    ],
)
def test_nearest_language(language: str, expected: str | None) -> None:
    assert nearest_intent_language(language) == expected
