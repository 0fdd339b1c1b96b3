"""Repair issues of agents."""

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.errors import (
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMServerError,
)
from custom_components.chatterbox.const import DOMAIN
from custom_components.chatterbox.repair_issues import (
    async_create_repair_issue,
    async_delete_repair_issues,
)
from homeassistant.core import HomeAssistant, async_get_hass
from homeassistant.helpers import issue_registry as ir

from .conftest import MODEL
from .conversation_helpers import Ask
from .fake_openai import FakeOpenAI, Fault, Reply


@pytest.mark.parametrize(
    ("fault", "issue"),
    [
        (Reply(fault=Fault.MODEL_NOT_FOUND), "model_not_found"),
        (Reply(status=402), "quota_exceeded"),
    ],
)
async def test_issue_exists_until_the_agent_answers_again(
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


@pytest.mark.parametrize(
    ("err", "expected"),
    [
        (LLMModelNotFoundError("no", 404), "model_not_found"),
        (LLMQuotaError("no", 402), "quota_exceeded"),
        (LLMServerError("no", 500), None),
        (KeyError("x"), None),
    ],
)
async def test_only_errors_for_an_administrator_create_an_issue(
    hass: HomeAssistant, config_entry: MockConfigEntry, err: Exception, expected: str | None
) -> None:
    """It names the agent, its model and the server, and is deleted once the agent works."""
    (agent,) = config_entry.subentries.values()
    async_create_repair_issue(hass, agent, "My server", err)
    found = list(ir.async_get(hass).issues.values())
    assert [issue.translation_key for issue in found] == ([expected] if expected else [])
    for issue in found:
        assert issue.translation_placeholders == {
            "agent": "Scripted",
            "model": MODEL,
            "server": "My server",
        }
    async_delete_repair_issues(hass, agent)
    assert not ir.async_get(hass).issues
