"""Service actions: cancelling turns."""

from pathlib import Path
from typing import Any

import probatio as vol
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.util.yaml import load_yaml_dict

from .conversation_helpers import STOPPED, Ask, messages, speech
from .fake_openai import FakeOpenAI, Gate, Reply

INTEGRATION = Path(__file__).parents[1] / "custom_components" / "chatterbox"


async def cancel(hass: HomeAssistant, **data: Any) -> str:
    """Call the action; return what it says."""
    response = await hass.services.async_call(
        DOMAIN, "cancel", data, blocking=True, return_response=True
    )
    assert response is not None
    return str(response["status"])


@pytest.mark.parametrize("data", [{}, {"conversation_id": "desk"}])
async def test_cancel_stops_the_running_turn(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, data: dict[str, str]
) -> None:
    assert await cancel(home) == "not_processing"
    gate = Gate(after=3)
    server.script(Reply("This is a long story. It never ends.", hold=gate), Reply("Here I am."))
    turn = ask("Tell a story")
    await gate.reached.wait()
    assert await cancel(home, conversation_id="other") == "not_processing"
    assert await cancel(home, **data) == "interrupted"
    result = await turn
    assert speech(result) == STOPPED
    assert result.response.error_code is None
    await server.completions[0].disconnected.wait()
    assert speech(await ask("Are you there?")) == "Here I am."
    _, question, told, _ = messages(server)
    assert question["content"] == "Tell a story"
    assert "(I was interrupted" in told["content"]


async def test_each_service_of_the_description_is_registered(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    described = load_yaml_dict(str(INTEGRATION / "services.yaml"))
    assert hass.services.async_services_for_domain(DOMAIN).keys() == described.keys()


async def test_cancel_ignores_servers_that_are_not_loaded(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    assert await cancel(hass) == "not_processing"


@pytest.mark.parametrize("action", ["list_conversations", "export_history"])
async def test_service_that_reads_needs_an_agent(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, action: str
) -> None:
    with pytest.raises(vol.Invalid, match="agent"):
        await hass.services.async_call(DOMAIN, action, {}, blocking=True, return_response=True)
