"""Diagnostics support.

Users publish diagnostics, so they contain neither API keys nor any text of a user.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from itertools import chain
from typing import Any

from homeassistant.components.diagnostics import REDACTED
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import SelectSelector

from .agent.model.server_quirks import ServerQuirks
from .const import CONF_BASE_URL, CONF_BUILT_IN_TOOLS, CONF_FALLBACK_AGENT
from .data import ChatterboxConfigEntry, ai_task_agents, conversation_agents
from .option_table import AGENT_FIELDS, AGENT_SECTIONS, SERVER_FIELDS, SERVER_SECTIONS
from .redaction import redact_url
from .turn_model import profile_choice

# Names of models, APIs, tools and entities.
_NAMES = frozenset({CONF_BUILT_IN_TOOLS, CONF_FALLBACK_AGENT, CONF_LLM_HASS_API, CONF_MODEL})
# The choices of each option that has some. The text of any other option is redacted.
_CHOICES: Mapping[str, Collection[str]] = {
    option.key: frozenset(map(str, option.selector.config["options"]))
    for option in chain(
        AGENT_FIELDS,
        SERVER_FIELDS,
        *AGENT_SECTIONS.values(),
        *SERVER_SECTIONS.values(),
    )
    if isinstance(option.selector, SelectSelector)
}


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
    if value is None or isinstance(value, bool | int | float) or key in _NAMES:
        return value
    if key == CONF_BASE_URL:
        return redact_url(value)
    chosen = value if isinstance(value, list | tuple) else [value]
    choices = _CHOICES.get(key, ())
    return value if all(isinstance(each, str) and each in choices for each in chosen) else REDACTED


def _profiles(entry: ChatterboxConfigEntry) -> list[dict[str, Any]]:
    """Return the profile in force for each agent, and the reason."""
    return [
        {"title": agent.subentry.title, **asdict(profile_choice(agent.data, agent.options))}
        for agent in (*conversation_agents(entry), *ai_task_agents(entry))
    ]


def _learned(quirks: ServerQuirks) -> dict[str, Any]:
    """Return the learned quirks of a model with their age in days, and its size."""
    ages = sorted(quirks.age_in_days.items())
    return {
        "learned": {quirk: round(days, 1) for quirk, days in ages},
        "parameters": quirks.parameters,
    }
