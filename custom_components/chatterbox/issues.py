"""What an administrator has to repair."""

from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from .agent.errors import LLMModelNotFoundError, LLMQuotaError
from .const import DOMAIN

KEYS: dict[type[Exception], str] = {
    LLMModelNotFoundError: "model_not_found",
    LLMQuotaError: "quota_exceeded",
}


def async_report(hass: HomeAssistant, agent: ConfigSubentry, server: str, err: Exception) -> None:
    """Tell the administrator of an error that only an administrator can end."""
    if (key := KEYS.get(type(err))) is None:
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


def async_clear(hass: HomeAssistant, agent: ConfigSubentry) -> None:
    """Take such reports back, as the agent works again."""
    for key in KEYS.values():
        ir.async_delete_issue(hass, DOMAIN, f"{key}_{agent.subentry_id}")
