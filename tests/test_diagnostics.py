"""Diagnostics support."""

import json
from types import MappingProxyType

import pytest
from freezegun.api import FrozenDateTimeFactory
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.diagnostics import async_get_config_entry_diagnostics
from homeassistant.components import conversation
from homeassistant.components.diagnostics import REDACTED
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_MODEL
from homeassistant.core import Context, HomeAssistant

from .conftest import API_KEY, MODEL
from .fake_openai import Call, FakeOpenAI, Reply

SAID = "When do I take my pills?"


@pytest.mark.parametrize(
    "agent_options",
    [
        {
            CONF_MODEL: MODEL,
            "prompt": "My name is Ada.",
            "extra_body": {"token": "secret"},
            "built_in_tools": ["get_current_datetime"],
        }
    ],
)
async def test_diagnostics_have_settings_quirks_and_turns_but_no_secrets(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    """They have settings, learned quirks and turns, but no key and no text of a user."""
    server.refuses = ["temperature"]
    server.script(
        Reply(tool_calls=[Call("get_current_datetime", {"timezone": "Europe/Oslo"})]),
        Reply("At noon."),
    )
    await conversation.async_converse(
        hass, SAID, None, Context(), language="en", agent_id="conversation.scripted"
    )
    found = await async_get_config_entry_diagnostics(hass, loaded_entry)
    assert found["server"]["base_url"] == server.url
    assert found["reachable"] is True
    assert found["models"] == {
        MODEL: {"learned": {"called natively": 0, "temperature": 0}, "parameters": None}
    }
    assert found["profiles"] == [
        {"title": "Scripted", "profile": "capable", "reason": "called_natively"}
    ]
    [agent] = found["agents"]
    assert agent["extra_body"] == agent["prompt"] == REDACTED
    [turn] = found["turns"]
    assert turn["outcome"] == "final"
    assert turn["iterations"] == 2
    assert turn["profile"] == "capable"
    (tool,) = (tool for step in turn["steps"] for tool in step.get("tools", ()))
    assert (tool["name"], tool["ok"], tool["arguments"]) == (
        "get_current_datetime",
        True,
        1,
    )
    assert found["stats"]["outcomes"]["final"] == 1
    assert found["stats"]["tools"]["get_current_datetime"]["success_rate"] == 1
    assert found["stats"]["seconds"]["turn"]["p95"] == turn["seconds"]
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    unloaded = await async_get_config_entry_diagnostics(hass, loaded_entry)
    assert unloaded.items() <= found.items()
    assert "turns" not in unloaded
    written = json.dumps(found)
    for secret in (API_KEY, "Ada", "secret", "pills", "noon", "Oslo"):
        assert secret not in written


async def test_custom_headers_are_redacted(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """Their names as well."""
    data = {**loaded_entry.data, "headers": {"X-Proxy": "hidden"}}
    hass.config_entries.async_update_entry(loaded_entry, data=data)
    await hass.async_block_till_done(wait_background_tasks=True)
    found = await async_get_config_entry_diagnostics(hass, loaded_entry)
    assert found["server"]["headers"] == REDACTED


@pytest.mark.parametrize(
    ("agent_options", "profile", "reason"),
    [
        ({}, "guided", "small_by_metadata"),
        ({CONF_MODEL: "tiny-1.5b"}, "guided", "small_by_name"),
        ({"profile": "capable"}, "capable", "chosen"),
    ],
)
async def test_diagnostics_explain_the_profile(
    hass: HomeAssistant,
    loaded_entry: MockConfigEntry,
    freezer: FrozenDateTimeFactory,
    profile: str,
    reason: str,
) -> None:
    """With the age of the learned quirks, and the size of the model."""
    quirks = loaded_entry.runtime_data.quirks[MODEL]
    quirks.set_parameters(1.5)
    quirks.learn("stream")
    freezer.tick(2.25 * 86_400)
    found = await async_get_config_entry_diagnostics(hass, loaded_entry)
    assert found["profiles"] == [{"title": "Scripted", "profile": profile, "reason": reason}]
    assert found["models"][MODEL] == {"learned": {"stream": 2.2}, "parameters": 1.5}


async def test_only_agents_have_a_profile(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    other = ConfigSubentry(
        data=MappingProxyType({}), subentry_type="other", title="Other", unique_id=None
    )
    hass.config_entries.async_add_subentry(loaded_entry, other)
    await hass.async_block_till_done(wait_background_tasks=True)
    found = await async_get_config_entry_diagnostics(hass, loaded_entry)
    assert [profile["title"] for profile in found["profiles"]] == ["Scripted"]


async def test_only_known_texts_of_options_are_shown(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    """An option that the diagnostics do not know may hold anything."""
    (agent,) = config_entry.subentries.values()
    hass.config_entries.async_update_subentry(
        config_entry,
        agent,
        data={**agent.data, "new_text": "secret", "new_list": ["secret"], "new_number": 7},
    )
    hass.config_entries.async_update_entry(
        config_entry,
        data={**config_entry.data, "base_url": "http://ada:secret@host:1/v1?key=secret#secret"},
        options={"headers": {"X-Key": "secret"}},
    )
    found = await async_get_config_entry_diagnostics(hass, config_entry)
    assert "secret" not in json.dumps(found)
    assert found["server"]["base_url"] == "http://host:1/v1"
    assert found["options"] == {"headers": REDACTED}
    (shown,) = found["agents"]
    assert (shown["new_text"], shown["new_list"], shown["new_number"]) == (REDACTED, REDACTED, 7)
    assert shown["model"] == MODEL
