"""Repair issues of agents."""

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN
from homeassistant.core import async_get_hass
from homeassistant.helpers import issue_registry as ir

from .conversation_helpers import Ask
from .fake_openai import FakeOpenAI, Fault, Reply


@pytest.mark.parametrize(
    ("fault", "issue"),
    [
        (Reply(fault=Fault.MODEL_NOT_FOUND), "model_not_found"),
        (Reply(status=402), "quota_exceeded"),
    ],
)
async def test_what_an_administrator_has_to_repair(
    ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry, fault: Reply, issue: str
) -> None:
    server.script(fault, Reply("Better."))
    await ask("Hello")
    (agent,) = loaded_entry.subentries
    registry = ir.async_get(async_get_hass())
    found = registry.async_get_issue(DOMAIN, f"{issue}_{agent}")
    assert found is not None
    assert found.translation_placeholders is not None
    assert found.translation_placeholders["agent"] == "Scripted"
    await ask("Hello")
    assert registry.async_get_issue(DOMAIN, f"{issue}_{agent}") is None
