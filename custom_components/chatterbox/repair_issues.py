"""Repair issues of agents: created by a turn that failed, deleted by one that succeeded."""

from typing import Any

from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .agent.errors import LLMContextLengthError, LLMModelNotFoundError, LLMQuotaError
from .agent.model.request_log import RequestLog
from .const import DOMAIN
from .data import Agent, ChatterboxConfigEntry

CONTEXT_WINDOW = "context_window"
MODEL_NOT_FOUND = "model_not_found"
QUOTA_EXCEEDED = "quota_exceeded"
TRANSLATION_KEYS = (MODEL_NOT_FOUND, QUOTA_EXCEEDED, CONTEXT_WINDOW)
# Issues with a flow in `repairs.py`.
_FIXABLE = frozenset({MODEL_NOT_FOUND, CONTEXT_WINDOW})

DATA_ENTRY = "entry_id"
DATA_SUBENTRY = "subentry_id"
DATA_TOKENS = "tokens"
"""Estimate of the tokens that the context window must have."""

_KEYS: dict[type[Exception], str] = {
    LLMModelNotFoundError: MODEL_NOT_FOUND,
    LLMQuotaError: QUOTA_EXCEEDED,
    LLMContextLengthError: CONTEXT_WINDOW,
}


@callback
def async_report_failure(
    hass: HomeAssistant, agent: Agent, err: Exception, requests: RequestLog
) -> None:
    """Create the issue of an error that only an administrator can resolve; ignore other errors."""
    if (key := _KEYS.get(type(err))) is not None:
        _async_create(hass, agent, key, requests)


@callback
def async_report_success(hass: HomeAssistant, agent: Agent, requests: RequestLog) -> None:
    """Delete the issues of an agent that has answered.

    A server may cut off requests that are too long instead of rejecting them: then the agent
    answers, but knows a part of its instructions and tools only.
    """
    too_long = requests.overflows and not agent.options.context_window
    for key in TRANSLATION_KEYS:
        if key == CONTEXT_WINDOW and too_long:
            _async_create(hass, agent, key, requests)
        else:
            ir.async_delete_issue(hass, DOMAIN, _issue_id(key, agent.subentry.subentry_id))


@callback
def async_delete_stale_issues(
    hass: HomeAssistant, entry: ChatterboxConfigEntry, *, removed: bool = False
) -> None:
    """Delete the issues of agents that were removed or got another model, or of a removed entry."""
    for (domain, issue_id), issue in [*ir.async_get(hass).issues.items()]:
        data = issue.data or {}
        if domain != DOMAIN or data.get(DATA_ENTRY) != entry.entry_id:
            continue
        agent = None if removed else entry.subentries.get(str(data[DATA_SUBENTRY]))
        if agent is None or agent.data[CONF_MODEL] != data[CONF_MODEL]:
            ir.async_delete_issue(hass, DOMAIN, issue_id)


def recommended_window(tokens: int) -> int:
    """Return the smallest power of two that has space for so many tokens."""
    return 1 << max(0, tokens - 1).bit_length()


def _async_create(hass: HomeAssistant, agent: Agent, key: str, requests: RequestLog) -> None:
    subentry, entry = agent.subentry, agent.entry
    tokens = requests.tokens + agent.options.max_tokens
    data: dict[str, Any] = {
        DATA_ENTRY: entry.entry_id,
        DATA_SUBENTRY: subentry.subentry_id,
        CONF_MODEL: agent.options.model,
        DATA_TOKENS: tokens,
    }
    placeholders = {"agent": subentry.title, "model": agent.options.model, "server": entry.title}
    if key == CONTEXT_WINDOW:
        placeholders["recommended"] = str(recommended_window(tokens))
    ir.async_create_issue(
        hass,
        DOMAIN,
        _issue_id(key, subentry.subentry_id),
        data=data,
        is_fixable=key in _FIXABLE,
        severity=ir.IssueSeverity.WARNING if key == CONTEXT_WINDOW else ir.IssueSeverity.ERROR,
        translation_key=key,
        translation_placeholders=placeholders,
    )


def _issue_id(key: str, subentry_id: str) -> str:
    return f"{key}_{subentry_id}"
