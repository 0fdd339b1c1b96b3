"""Diagnostics support.

Users publish diagnostics, so they contain neither API keys nor any text of a user.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from homeassistant.components.diagnostics import REDACTED
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import HomeAssistant

from .agent.model.server_quirks import ServerQuirks
from .const import (
    CONF_BASE_URL,
    CONF_BUILT_IN_TOOLS,
    CONF_CONFIRM,
    CONF_CONTINUE_CONVERSATION,
    CONF_FALLBACK_AGENT,
    CONF_MEMORY_SCOPE,
    CONF_PROFILE,
    CONF_REMEMBER,
    CONF_THINKING,
)
from .data import ChatterboxConfigEntry, conversation_agents
from .turn_model import profile_choice

PUBLIC_TEXTS = frozenset(
    {
        CONF_BUILT_IN_TOOLS,
        CONF_CONFIRM,
        CONF_CONTINUE_CONVERSATION,
        CONF_FALLBACK_AGENT,
        CONF_LLM_HASS_API,
        CONF_MEMORY_SCOPE,
        CONF_MODEL,
        CONF_PROFILE,
        CONF_REMEMBER,
        CONF_THINKING,
    }
)
"""Options whose text is shown: names and choices. The text of every other option is redacted."""


async def async_get_config_entry_diagnostics(
    _hass: HomeAssistant, entry: ChatterboxConfigEntry
) -> dict[str, Any]:
    """Return the settings, the learned quirks of the models, figures and the last turns."""
    settings = {
        "server": _shown(entry.data),
        "options": _shown(entry.options),
        "agents": [
            {"title": subentry.title, **_shown(subentry.data)}
            for subentry in entry.subentries.values()
        ],
    }
    if entry.state is not ConfigEntryState.LOADED:
        return settings
    data = entry.runtime_data
    return {
        **settings,
        "reachable": not data.server_state.down,
        "profiles": _profiles(entry),
        "models": {model: _learned(known) for model, known in sorted(data.quirks.items())},
        "windows": {
            model: asdict(window) for model, window in sorted(data.context_windows.items())
        },
        "stats": data.stats.summary(),
        "turns": [trace.as_dict() for trace in data.turns],
    }


def _shown(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as they may be published: numbers and switches, and few texts."""
    return {key: _shown_value(key, value) for key, value in options.items()}


def _shown_value(key: str, value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float) or key in PUBLIC_TEXTS:
        return value
    return _address(value) if key == CONF_BASE_URL else REDACTED


def _address(url: str) -> str:
    """Return a URL without a user name, a password and parameters."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _profiles(entry: ChatterboxConfigEntry) -> list[dict[str, Any]]:
    """Return the profile in force for each agent, and the reason."""
    return [
        {"title": agent.subentry.title, **asdict(profile_choice(agent.data, agent.options))}
        for agent in conversation_agents(entry)
    ]


def _learned(quirks: ServerQuirks) -> dict[str, Any]:
    """Return the learned quirks of a model with their age in days, and its size."""
    ages = sorted(quirks.age_in_days.items())
    return {
        "learned": {quirk: round(days, 1) for quirk, days in ages},
        "parameters": quirks.parameters,
    }
