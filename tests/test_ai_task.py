"""AI Task entities, used through Home Assistant's action."""

import json
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.diagnostics import async_get_config_entry_diagnostics
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from .ai_task_helpers import ENTITY, generate, task_entry, task_options
from .fake_openai import FakeOpenAI, Fault, Reply

__all__ = ("generate", "task_entry", "task_options")

STRUCTURE = {
    "animal": {"description": "What it is", "required": True, "selector": {"text": {}}},
    "legs": {"selector": {"number": {"min": 0, "max": 8}}},
}


async def perform(hass: HomeAssistant, instructions: str, **more: Any) -> dict[str, Any]:
    """Perform Home Assistant's action; return its response."""
    response = await hass.services.async_call(
        "ai_task",
        "generate_data",
        {"task_name": "Animals", "entity_id": ENTITY, "instructions": instructions, **more},
        blocking=True,
        return_response=True,
    )
    assert response is not None
    return dict(response)


async def test_action_generates_structured_data(
    hass: HomeAssistant, task_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    server.script(Reply('{"animal": "cat", "legs": null}'))
    result = await perform(hass, "Which animal purrs?", structure=STRUCTURE)
    assert result["data"] == {"animal": "cat"}
    sent = server.completions[-1].json
    assert sent["response_format"]["json_schema"]["schema"]["required"] == ["animal", "legs"]
    assert sent["max_completion_tokens"] == 2048
    system, user = sent["messages"]
    assert "Home Assistant expert" in system["content"]
    assert user["content"].startswith("Which animal purrs?")
    assert "What it is" in user["content"]


async def test_entity_belongs_to_the_device_of_its_subentry(
    hass: HomeAssistant, task_entry: MockConfigEntry
) -> None:
    (subentry_id,) = task_entry.subentries
    entity = er.async_get(hass).async_get(ENTITY)
    assert entity is not None
    assert (entity.unique_id, entity.config_subentry_id) == (subentry_id, subentry_id)
    device = dr.async_get(hass).async_get(entity.device_id or "")
    assert isinstance(device, dr.DeviceEntry)
    assert (device.name, device.model) == ("Scripted", "scripted-1")
    # An AI task has no sensors and no events.
    entities = er.async_entries_for_config_entry(er.async_get(hass), task_entry.entry_id)
    assert [entity.domain for entity in entities] == ["ai_task"]


async def test_error_is_a_translated_sentence(
    hass: HomeAssistant, task_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    server.script(Reply(fault=Fault.UNAUTHORIZED))
    with pytest.raises(HomeAssistantError) as caught:
        await perform(hass, "Which animal purrs?")
    assert caught.value.translation_key == "invalid_auth"
    assert "does not accept my key" in str(caught.value)
    assert [*task_entry.async_get_active_flows(hass, {"reauth"})]


async def test_diagnostics_have_the_usage_and_no_texts(
    hass: HomeAssistant, task_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    server.script(Reply("It is a secret cat."))
    await perform(hass, "Which secret animal?")
    diagnostics = await async_get_config_entry_diagnostics(hass, task_entry)
    (turn,) = diagnostics["turns"]
    assert turn["usage"]["completion_tokens"] > 0
    assert "secret" not in json.dumps(diagnostics)
