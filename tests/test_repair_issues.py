"""Repair issues of agents: created and deleted by turns."""

from dataclasses import replace
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.errors import (
    LLMContextLengthError,
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMServerError,
)
from custom_components.chatterbox.agent.model.request_log import RequestLog
from custom_components.chatterbox.const import DOMAIN
from custom_components.chatterbox.data import Agent, conversation_agents
from custom_components.chatterbox.repair_issues import (
    async_delete_stale_issues,
    async_report_failure,
    async_report_success,
    recommended_window,
)
from homeassistant.core import HomeAssistant, async_get_hass
from homeassistant.helpers import issue_registry as ir

from .conftest import MODEL
from .conversation_helpers import Ask
from .fake_openai import FakeOpenAI, Fault, Reply

TOO_LONG = RequestLog(tokens=4000, context_window=4096)


@pytest.fixture
def agent(config_entry: MockConfigEntry) -> Agent:
    """Return the agent of an entry that is not set up."""
    (found,) = conversation_agents(config_entry)
    return found


def issues() -> dict[str, ir.IssueEntry]:
    """Return the issues of agents by key."""
    registry = ir.async_get(async_get_hass())
    return {
        str(issue.translation_key): issue
        for issue in registry.issues.values()
        if issue.domain == DOMAIN
    }


@pytest.mark.parametrize(
    ("fault", "issue"),
    [
        (Reply(fault=Fault.MODEL_NOT_FOUND), "model_not_found"),
        (Reply(status=402), "quota_exceeded"),
        (Reply(fault=Fault.CONTEXT_LENGTH), "context_window"),
    ],
)
async def test_issue_exists_until_the_agent_answers_again(
    ask: Ask, server: FakeOpenAI, fault: Reply, issue: str
) -> None:
    server.script(fault, fault)
    await ask("Hello")
    placeholders = issues()[issue].translation_placeholders
    assert placeholders is not None
    assert placeholders["agent"] == "Scripted"
    server.reset()
    server.script(Reply("Better.", usage=None))
    await ask("Hello")
    assert issues() == {}


@pytest.mark.parametrize(
    ("err", "expected", "fixable"),
    [
        (LLMModelNotFoundError("no", 404), "model_not_found", True),
        (LLMQuotaError("no", 402), "quota_exceeded", False),
        (LLMContextLengthError("no", 400), "context_window", True),
        (LLMServerError("no", 500), None, False),
        (KeyError("x"), None, False),
    ],
)
async def test_only_errors_for_an_administrator_create_an_issue(
    hass: HomeAssistant, agent: Agent, err: Exception, expected: str | None, *, fixable: bool
) -> None:
    """It names the agent, its model and the server, and is deleted once the agent works."""
    async_report_failure(hass, agent, err, RequestLog(tokens=5000))
    assert [*issues()] == ([expected] if expected else [])
    for issue in issues().values():
        assert issue.is_fixable is fixable
        placeholders = dict(issue.translation_placeholders or {})
        assert placeholders.pop("recommended", "8192") == "8192"
        assert placeholders == {"agent": "Scripted", "model": MODEL, "server": agent.entry.title}
    async_report_success(hass, agent, RequestLog())
    assert issues() == {}


async def test_answer_to_a_request_that_fills_the_context_window_creates_an_issue(
    hass: HomeAssistant, agent: Agent
) -> None:
    """A server may cut requests off; a user's own size of the window needs no advice."""
    async_report_success(hass, agent, TOO_LONG)
    (issue,) = issues().values()
    assert issue.translation_key == "context_window"
    assert issue.data is not None
    assert issue.data["tokens"] == 5024
    own_size = replace(agent, options=replace(agent.options, context_window=4096))
    async_report_success(hass, own_size, TOO_LONG)
    assert issues() == {}


async def test_issue_that_stays_keeps_being_ignored(hass: HomeAssistant, agent: Agent) -> None:
    async_report_success(hass, agent, TOO_LONG)
    (issue,) = issues().values()
    ir.async_ignore_issue(hass, DOMAIN, issue.issue_id, ignore=True)
    async_report_success(hass, agent, TOO_LONG)
    (issue,) = issues().values()
    assert issue.dismissed_version is not None


async def test_issue_is_deleted_with_its_agent_model_or_server(
    hass: HomeAssistant, agent: Agent
) -> None:
    def fail() -> None:
        async_report_failure(hass, agent, LLMModelNotFoundError("no", 404), RequestLog())

    other: dict[str, Any] = {"data": {"entry_id": "other"}, "is_fixable": False}
    ir.async_create_issue(
        hass, DOMAIN, "other", severity=ir.IssueSeverity.ERROR, translation_key="other", **other
    )
    fail()
    async_delete_stale_issues(hass, agent.entry)
    assert [*issues()] == ["other", "model_not_found"]
    data = {**agent.subentry.data, "model": "another"}
    hass.config_entries.async_update_subentry(agent.entry, agent.subentry, data=data)
    async_delete_stale_issues(hass, agent.entry)
    assert [*issues()] == ["other"]
    fail()
    async_delete_stale_issues(hass, agent.entry, removed=True)
    assert [*issues()] == ["other"]
    fail()
    hass.config_entries.async_remove_subentry(agent.entry, agent.subentry.subentry_id)
    async_delete_stale_issues(hass, agent.entry)
    assert [*issues()] == ["other"]


@pytest.mark.parametrize(
    ("tokens", "window"), [(0, 1), (1, 1), (4096, 4096), (4097, 8192), (5000, 8192)]
)
def test_recommended_window_is_a_power_of_two(tokens: int, window: int) -> None:
    assert recommended_window(tokens) == window
