"""The Assist API: made once for a home, and for each context in which it differs."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import MagicMock, patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.assist_api import async_get_assist
from homeassistant.components.intent.timers import async_register_timer_handler
from homeassistant.components.llm import DATA_PLATFORMS, LLMTools
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import intent, llm


@pytest.fixture
def make() -> Iterator[MagicMock]:
    """Count how often Home Assistant makes the API."""
    with patch(
        "custom_components.chatterbox.assist_api.llm.async_get_api", wraps=llm.async_get_api
    ) as counted:
        yield counted


@pytest.fixture
def device(home: HomeAssistant) -> str:
    """Add a device in the kitchen."""
    entry = MockConfigEntry()
    entry.add_to_hass(home)
    found = dr.async_get(home).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "1")}
    )
    kitchen = ar.async_get(home).async_create("Kitchen")
    dr.async_get(home).async_update_device(found.id, area_id=kitchen.id)
    return found.id


async def assist(
    hass: HomeAssistant, *, user: str | None = None, language: str = "en", device: str | None = None
) -> llm.APIInstance:
    context = llm.LLMContext(
        platform="chatterbox",
        context=Context(user_id=user),
        language=language,
        assistant="conversation",
        device_id=device,
    )
    return await async_get_assist(hass, context)


def names(api: llm.APIInstance) -> set[str]:
    return {tool.name.rpartition("__")[2] for tool in api.tools}


async def test_prompt_and_tools_are_made_once(home: HomeAssistant, make: MagicMock) -> None:
    first = await assist(home)
    home.states.async_set("light.desk", "on", {"friendly_name": "Desk", "brightness": 3})
    second = await assist(home)
    assert make.call_count == 1
    assert second.tools is first.tools
    assert "Desk" in second.api_prompt


async def test_prompt_has_the_new_name_of_a_device(home: HomeAssistant, make: MagicMock) -> None:
    await assist(home)
    home.states.async_set("light.desk", "on", {"friendly_name": "Bureau"})
    assert "Bureau" in (await assist(home)).api_prompt
    assert make.call_count == 2


@pytest.mark.parametrize("other", [{"user": "ann"}, {"language": "de"}, {"device": "x"}])
async def test_each_context_has_its_own(
    home: HomeAssistant, make: MagicMock, other: dict[str, Any]
) -> None:
    for context in ({}, other, {}, other):
        await assist(home, **context)
    assert make.call_count == 2


async def test_device_has_its_area_and_its_timers(home: HomeAssistant, device: str) -> None:
    assert "Kitchen" not in (await assist(home)).api_prompt
    before = await assist(home, device=device)
    assert "You are in area Kitchen" in before.api_prompt
    assert "HassStartTimer" not in names(before)
    unregister = async_register_timer_handler(home, device, lambda *_: None)
    assert "HassStartTimer" in names(await assist(home, device=device))
    assert "HassStartTimer" not in names(await assist(home))
    unregister()
    assert "HassStartTimer" not in names(await assist(home, device=device))


async def test_intent_that_is_registered_later_is_a_tool(
    home: HomeAssistant, make: MagicMock
) -> None:
    class Freeze(intent.IntentHandler):
        intent_type = intent.INTENT_STOP_MOVING
        description = "Freezes."

    def descriptions(api: llm.APIInstance) -> set[str | None]:
        return {tool.description for tool in api.tools}

    assert "Freezes." not in descriptions(await assist(home))
    intent.async_register(home, Freeze())
    assert "Freezes." in descriptions(await assist(home))
    assert make.call_count == 2


async def test_nothing_is_kept_with_a_custom_integration(
    home: HomeAssistant, make: MagicMock
) -> None:
    custom = MagicMock()
    custom.async_get_tools.side_effect = [
        LLMTools(tools=[], prompt=f"It is {hour} o'clock.") for hour in (1, 2)
    ]
    platforms = {"custom": custom, **await home.data[DATA_PLATFORMS].async_get_platforms()}
    with patch.object(home.data[DATA_PLATFORMS], "async_get_platforms", return_value=platforms):
        prompts = [(await assist(home)).api_prompt for _ in range(2)]
    assert [prompt.count("It is 2 o'clock.") for prompt in prompts] == [0, 1]
    assert make.call_count == 2
