"""Repair issues."""

from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from .agent.errors import LLMModelNotFoundError, LLMQuotaError
from .const import DOMAIN

TRANSLATION_KEYS: dict[type[Exception], str] = {
    LLMModelNotFoundError: "model_not_found",
    LLMQuotaError: "quota_exceeded",
}


def async_create_repair_issue(
    hass: HomeAssistant, agent: ConfigSubentry, server: str, err: Exception
) -> None:
    """Create the issue of an error that only an administrator can resolve; ignore other errors."""
    if (key := TRANSLATION_KEYS.get(type(err))) is None:
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        f"{key}_{agent.subentry_id}",
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR,
        translation_key=key,
        translation_placeholders={
            "agent": agent.title,
            "model": agent.data[CONF_MODEL],
            "server": server,
        },
    )


def async_delete_repair_issues(hass: HomeAssistant, agent: ConfigSubentry) -> None:
    """Delete the issues of an agent, as it works again."""
    for key in TRANSLATION_KEYS.values():
        ir.async_delete_issue(hass, DOMAIN, f"{key}_{agent.subentry_id}")
