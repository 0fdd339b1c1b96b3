"""System health: versions and numbers, and whether the servers can be reached."""

import asyncio
from typing import Any

from homeassistant.components.system_health import SystemHealthRegistration
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.loader import async_get_integration

from .agent.errors import LLMConnectionError, LLMError
from .const import DOMAIN
from .data import ChatterboxConfigEntry, ai_task_agents, conversation_agents

# Seconds.
_TIMEOUT = 5


@callback
def async_register(_hass: HomeAssistant, register: SystemHealthRegistration) -> None:
    """Register the information."""
    register.async_register_info(_async_info)


async def _async_info(hass: HomeAssistant) -> dict[str, Any]:
    """Return the information; Home Assistant waits for the servers, all at once."""
    integration = await async_get_integration(hass, DOMAIN)
    entries: list[ChatterboxConfigEntry] = hass.config_entries.async_entries(DOMAIN)
    loaded = [entry for entry in entries if entry.state is ConfigEntryState.LOADED]
    issues = ir.async_get(hass).issues.values()
    return {
        "version": str(integration.version),
        "agents": sum(len(conversation_agents(entry)) for entry in loaded),
        "ai_tasks": sum(len(ai_task_agents(entry)) for entry in loaded),
        "pending_repairs": sum(issue.domain == DOMAIN and issue.active for issue in issues),
        # The names of servers are the user's, and have no translation.
        **{entry.title: _async_reach(entry) for entry in entries},
    }


async def _async_reach(entry: ChatterboxConfigEntry) -> str | dict[str, str]:
    """Return `ok`, or why a server cannot be used."""
    if entry.state is not ConfigEntryState.LOADED:
        return {"type": "failed", "error": "not loaded"}
    try:
        async with asyncio.timeout(_TIMEOUT):
            await entry.runtime_data.server.list_models()
    except TimeoutError, LLMConnectionError:
        return {"type": "failed", "error": "unreachable"}
    except LLMError:
        # An error that the server itself has sent; not every server has a list of models.
        pass
    return "ok"
