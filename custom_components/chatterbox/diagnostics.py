"""Diagnostics support.

Users publish diagnostics, so they contain neither API keys nor any text of a user.
"""

from dataclasses import asdict
from typing import Any

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import CONF_API_KEY, CONF_PROMPT
from homeassistant.core import HomeAssistant

from .agent.model.server_quirks import ServerQuirks
from .agent.trace import TurnTrace
from .const import CONF_EXTRA_BODY
from .data import ChatterboxConfigEntry, conversation_agents
from .turn_model import profile_choice

# The extra parameters of a user may contain API keys.
_PRIVATE = {CONF_API_KEY, CONF_PROMPT, CONF_EXTRA_BODY}


async def async_get_config_entry_diagnostics(
    _hass: HomeAssistant, entry: ChatterboxConfigEntry
) -> dict[str, Any]:
    """Return the settings, the learned quirks of the models and the last turns."""
    settings = {
        "server": async_redact_data(entry.data, _PRIVATE),
        "options": dict(entry.options),
        "agents": [
            {"title": subentry.title, **async_redact_data(subentry.data, _PRIVATE)}
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
        "turns": [_turn(trace) for trace in data.turns],
    }


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


def _turn(trace: TurnTrace) -> dict[str, Any]:
    """Return a turn without its text and the values of arguments."""
    return {
        "id": trace.id,
        "outcome": trace.outcome,
        "iterations": trace.iterations,
        "seconds": round(trace.seconds, 3),
        "first_token": None if trace.first_token is None else round(trace.first_token, 3),
        "states": {state: round(seconds, 3) for state, seconds in trace.timings.items()},
        "usage": trace.usage.as_dict(),
        "tools": [
            {
                "name": tool.name,
                "arguments": sorted(tool.arguments),
                "ok": tool.ok,
                "seconds": round(tool.seconds, 3),
                "repairs": len(tool.repairs),
            }
            for tool in trace.tools
        ],
    }
