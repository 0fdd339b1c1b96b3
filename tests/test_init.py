"""Setup and unloading of a config entry."""

from types import MappingProxyType
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN, SUBENTRY_CONVERSATION
from homeassistant.config_entries import (
    SOURCE_REAUTH,
    ConfigEntryState,
    ConfigSubentry,
)
from homeassistant.const import CONF_API_KEY, CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from .fake_openai import FakeOpenAI, Fault, Reply


def agents(hass: HomeAssistant) -> list[str]:
    return [
        entity.entity_id
        for entity in er.async_get(hass).entities.values()
        if (entity.platform, entity.domain) == (DOMAIN, "conversation")
        and hass.states.get(entity.entity_id) is not None
    ]


async def test_every_agent_is_a_device_with_a_conversation_entity(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    assert agents(hass) == ["conversation.scripted"]
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), loaded_entry.entry_id)
    assert device.name == "Scripted"
    assert device.model == "scripted-1"
    assert device.entry_type is dr.DeviceEntryType.SERVICE


async def test_added_agent_has_an_entity_at_once(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    result = await hass.config_entries.subentries.async_init(
        (loaded_entry.entry_id, SUBENTRY_CONVERSATION), context={"source": "user"}
    )
    result = await hass.config_entries.subentries.async_configure(
        result["flow_id"], {"name": "Second", CONF_MODEL: "scripted-1"}
    )
    assert result["type"] == "create_entry"
    await hass.async_block_till_done(wait_background_tasks=True)
    assert sorted(agents(hass)) == ["conversation.scripted", "conversation.second"]


async def test_entry_is_unloaded_and_set_up_again(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    assert agents(hass) == ["conversation.scripted"]
    state = hass.states.get("conversation.scripted")
    assert state is not None
    assert state.state == "unavailable"
    assert await hass.config_entries.async_setup(loaded_entry.entry_id)
    assert loaded_entry.state is ConfigEntryState.LOADED


async def test_failed_unload_keeps_the_quirk_store_open(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    quirks = loaded_entry.runtime_data.quirks
    with (
        patch.object(hass.config_entries, "async_unload_platforms", return_value=False),
        patch.object(quirks, "async_close") as close,
    ):
        assert not await hass.config_entries.async_unload(loaded_entry.entry_id)
    assert loaded_entry.state is ConfigEntryState.FAILED_UNLOAD
    close.assert_not_called()


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.HTML, Fault.RESET, None])
async def test_agents_are_set_up_although_their_server_fails(
    hass: HomeAssistant, config_entry: MockConfigEntry, server: FakeOpenAI, fault: Fault | None
) -> None:
    if fault is None:
        server.models = None
    else:
        server.models_reply = Reply(fault=fault)
    assert await async_setup_component(hass, "homeassistant", {})
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert config_entry.state is ConfigEntryState.LOADED
    assert agents(hass) == ["conversation.scripted"]
    assert not hass.config_entries.flow.async_progress()


async def test_slow_server_is_not_waited_for(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    server: FakeOpenAI,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("custom_components.chatterbox._TEST_TIMEOUT", 0.1)
    server.models_reply = Reply(fault=Fault.NEVER)
    assert await async_setup_component(hass, "homeassistant", {})
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    assert config_entry.state is ConfigEntryState.LOADED


async def test_rejected_key_prevents_the_setup_until_reauthentication(
    hass: HomeAssistant, config_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    server.api_key = "another"
    assert await async_setup_component(hass, "homeassistant", {})
    assert not await hass.config_entries.async_setup(config_entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert config_entry.state is ConfigEntryState.SETUP_ERROR
    assert config_entry.error_reason_translation_key == "rejected_key"
    (flow,) = hass.config_entries.flow.async_progress()
    assert flow["context"]["source"] == SOURCE_REAUTH
    await hass.config_entries.flow.async_configure(flow["flow_id"], {CONF_API_KEY: "another"})
    await hass.async_block_till_done(wait_background_tasks=True)
    assert agents(hass) == ["conversation.scripted"]


@pytest.mark.parametrize(
    ("options", "agent_options", "name"),
    [
        ({"first_token_timeout": "soon"}, {}, "127.0.0.1"),
        ({}, {"remember": "sing"}, "Scripted"),
    ],
    ids=["server", "agent"],
)
async def test_options_that_cannot_be_used_prevent_the_setup(
    hass: HomeAssistant, config_entry: MockConfigEntry, name: str
) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    assert not await hass.config_entries.async_setup(config_entry.entry_id)
    assert config_entry.state is ConfigEntryState.SETUP_ERROR
    assert config_entry.reason is not None
    assert config_entry.reason.startswith(name)
    assert not hass.config_entries.flow.async_progress()


@pytest.mark.parametrize("agent_options", [{"remember": "sing"}])
async def test_removed_agent_that_prevented_the_setup_has_its_server_set_up(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    """Every change has the entry reloaded, also while it is not set up."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert not await hass.config_entries.async_setup(config_entry.entry_id)
    (agent,) = config_entry.subentries
    hass.config_entries.async_remove_subentry(config_entry, agent)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert config_entry.state is ConfigEntryState.LOADED


async def test_change_reloads_once_however_often_it_was_set_up(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    for _ in range(3):
        assert await hass.config_entries.async_reload(loaded_entry.entry_id)
    with patch.object(
        hass.config_entries, "async_reload", wraps=hass.config_entries.async_reload
    ) as reload:
        hass.config_entries.async_update_entry(loaded_entry, title="Other")
        await hass.async_block_till_done(wait_background_tasks=True)
    reload.assert_called_once_with(loaded_entry.entry_id)
    assert loaded_entry.state is ConfigEntryState.LOADED


async def test_subentry_of_another_type_has_no_entity(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    hass.config_entries.async_add_subentry(
        config_entry,
        ConfigSubentry(
            data=MappingProxyType({}),
            subentry_type="something_else",
            title="Something else",
            unique_id=None,
        ),
    )
    assert await async_setup_component(hass, "homeassistant", {})
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert agents(hass) == ["conversation.scripted"]
