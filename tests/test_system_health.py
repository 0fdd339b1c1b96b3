"""System health."""

import asyncio
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, get_system_health_info

from custom_components.chatterbox import system_health
from custom_components.chatterbox.const import DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component

from .fake_openai import FakeOpenAI, Fault, Gate, Reply


async def shown(hass: HomeAssistant) -> dict[str, Any]:
    """Return what the page shows."""
    assert await async_setup_component(hass, "system_health", {})
    info = await get_system_health_info(hass, DOMAIN)
    return {
        key: await value if asyncio.iscoroutine(value) else value for key, value in info.items()
    }


async def test_numbers_and_reachable_servers_are_shown(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    ir.async_create_issue(
        hass,
        DOMAIN,
        "one",
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR,
        translation_key="quota_exceeded",
    )
    info = await shown(hass)
    version = info.pop("version")
    assert version.split(".")
    assert info == {"agents": 1, "ai_tasks": 0, "pending_repairs": 1, loaded_entry.title: "ok"}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(fault=Fault.RESET), "unreachable"),
        (Reply(status=404), "ok"),
        (Reply(fault=Fault.UNAUTHORIZED), "ok"),
    ],
)
async def test_server_that_answers_can_be_reached(
    hass: HomeAssistant,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
    reply: Reply,
    expected: str,
) -> None:
    """Whatever it answers: not every server has a list of models."""
    server.models_reply = reply
    value = (await shown(hass))[loaded_entry.title]
    assert value == (expected if expected == "ok" else {"type": "failed", "error": expected})


async def test_silent_server_is_not_waited_for(
    hass: HomeAssistant,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(system_health, "_TIMEOUT", 0.05)
    server.models_reply = Reply(hold=Gate())
    value = (await shown(hass))[loaded_entry.title]
    assert value == {"type": "failed", "error": "unreachable"}


async def test_server_that_is_not_loaded_is_told(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    info = await shown(hass)
    assert info[loaded_entry.title] == {"type": "failed", "error": "not loaded"}
    assert info["agents"] == 0
