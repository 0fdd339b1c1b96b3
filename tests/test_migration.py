"""Migration of config entries of earlier releases."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN, SUBENTRY_CONVERSATION
from homeassistant.config_entries import ConfigEntryState, ConfigSubentryData
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .fake_openai import FakeOpenAI

# Nothing of this may change, least of all what protects privacy and safety.
KEPT = {
    "model": "scripted-1",
    "prompt": "You are a test.",
    "llm_hass_api": ["assist"],
    "built_in_tools": ["get_weather"],
    "temperature": 0.2,
    "max_tokens": 300,
    "confirm": ["locks", "doors"],
    "remember": "none",
    "memory_scope": "device",
    "max_history_turns": 0,
    "summarize": False,
    "fallback_agent": "conversation.home_assistant",
    "thinking": "off",
    "plain_speech": False,
    "extra_body": {"seed": 7, "dialect": "mine"},
}
REPLACED = {"examples": "on", "compact_tools": "off", "name_hints": "auto", "max_tools": 7}
# Options of version 1.2 that have fixed values now.
FIXED = {
    "max_tool_result_chars": 500,
    "new_conversation": False,
    "note_cut_off": False,
    "on_limit": "stop",
    "prewarm": "never",
    "recommended": False,
    "retry_commands": False,
    "soft_timeout": 15,
    "streaming": False,
    "tool_execution": "sequential",
    "tool_retries": 1,
    "tool_timeout": 5,
}


async def migrated(
    hass: HomeAssistant, server: FakeOpenAI, *agents: dict[str, Any], **data: Any
) -> MockConfigEntry:
    """Return an entry of the first release after it was set up."""
    entry = MockConfigEntry(
        domain=DOMAIN,
        data={"base_url": server.url, "api_key": "sk-test", "verify_ssl": True},
        subentries_data=[
            ConfigSubentryData(
                data=agent, subentry_type=SUBENTRY_CONVERSATION, title="Agent", unique_id=None
            )
            for agent in agents
        ],
        **({"version": 1, "minor_version": 1, "options": {"history_days": 7}} | data),
    )
    entry.add_to_hass(hass)
    assert await async_setup_component(hass, "homeassistant", {})
    await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    return entry


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {}),
        ({"dialect": "auto", "grounded": True, **REPLACED}, {}),
        ({"dialect": "native", **REPLACED}, {"profile": "capable"}),
        ({"dialect": "structured"}, {"profile": "guided"}),
        ({"dialect": "text"}, {"profile": "guided"}),
        ({"dialect": "gone"}, {}),
        ({"dialect": "text", "grounded": False, **FIXED}, {"profile": "guided"}),
    ],
)
async def test_options_of_the_first_release_become_profiles(
    hass: HomeAssistant, server: FakeOpenAI, before: dict[str, Any], after: dict[str, Any]
) -> None:
    entry = await migrated(hass, server, {**KEPT, **before}, {"model": "b", "dialect": "native"})
    assert entry.state is ConfigEntryState.LOADED
    assert (entry.version, entry.minor_version) == (1, 3)
    first, second = entry.subentries.values()
    assert first.data == {**KEPT, **after}
    assert second.data == {"model": "b", "profile": "capable"}
    assert (first.title, first.subentry_type) == ("Agent", SUBENTRY_CONVERSATION)
    assert entry.data == {"base_url": server.url, "api_key": "sk-test", "verify_ssl": True}
    assert entry.options == {"history_days": 7}


async def test_options_of_the_second_release_with_fixed_values_are_dropped(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    agent = {**KEPT, "profile": "guided", "dialect": "not ours any more"}
    entry = await migrated(hass, server, {**agent, **FIXED}, minor_version=2)
    [kept] = entry.subentries.values()
    assert kept.data == agent


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"tool_timeout": 30}, {}),
        ({"tool_timeout": "long"}, {}),
        ({"tool_timeout": 60}, {"turn_timeout": 240}),
        ({"tool_timeout": 60, "turn_timeout": 120}, {"turn_timeout": 240}),
        ({"tool_timeout": 20, "turn_timeout": 120}, {"turn_timeout": 120}),
        ({"tool_timeout": 60, "turn_timeout": 90}, {"turn_timeout": 90}),
        ({"tool_timeout": 60, "turn_timeout": 300}, {"turn_timeout": 300}),
    ],
)
async def test_tools_keep_their_time_unless_that_of_the_turn_was_chosen(
    hass: HomeAssistant, server: FakeOpenAI, before: dict[str, Any], after: dict[str, Any]
) -> None:
    entry = await migrated(hass, server, {**KEPT, **before}, minor_version=2)
    [kept] = entry.subentries.values()
    assert kept.data == {**KEPT, **after}
    assert entry.state is ConfigEntryState.LOADED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {}),
        ({"connect_timeout": 5, "history_turns": 10, "history_days": 7}, {"history_days": 7}),
        ({"token_timeout": 30}, {}),
        ({"token_timeout": "long"}, {}),
        ({"token_timeout": 40}, {"first_token_timeout": 80}),
        ({"token_timeout": 5, "first_token_timeout": 20}, {"first_token_timeout": 20}),
        ({"token_timeout": 300, "first_token_timeout": 600}, {"first_token_timeout": 600}),
    ],
)
async def test_server_keeps_its_options_and_waits_no_shorter(
    hass: HomeAssistant, server: FakeOpenAI, before: dict[str, Any], after: dict[str, Any]
) -> None:
    entry = await migrated(hass, server, KEPT, minor_version=2, options=before)
    assert entry.options == after


async def test_current_entry_is_unchanged(hass: HomeAssistant, server: FakeOpenAI) -> None:
    agent = {**KEPT, "profile": "guided", "dialect": "not ours any more"}
    entry = await migrated(hass, server, agent, minor_version=3)
    [kept] = entry.subentries.values()
    assert kept.data == agent


async def test_entry_of_a_later_minor_version_is_unchanged(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    entry = await migrated(hass, server, {**KEPT, "dialect": "text"}, minor_version=4)
    [kept] = entry.subentries.values()
    assert (entry.state, entry.minor_version) == (ConfigEntryState.LOADED, 4)
    assert kept.data == {**KEPT, "dialect": "text"}


async def test_entry_of_a_later_major_version_is_rejected(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    entry = await migrated(hass, server, KEPT, version=2)
    assert entry.state is ConfigEntryState.MIGRATION_ERROR


async def test_other_subentries_are_unchanged(hass: HomeAssistant, server: FakeOpenAI) -> None:
    other = ConfigSubentryData(
        data={"dialect": "text"}, subentry_type="something_else", title="Else", unique_id=None
    )
    entry = MockConfigEntry(
        domain=DOMAIN,
        data={"base_url": server.url, "verify_ssl": True},
        subentries_data=[other],
        version=1,
        minor_version=1,
    )
    entry.add_to_hass(hass)
    assert await async_setup_component(hass, "homeassistant", {})
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    [kept] = entry.subentries.values()
    assert kept.data == {"dialect": "text"}
