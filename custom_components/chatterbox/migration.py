"""Migration of config entries of earlier releases."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant, callback

from .agent.dialects.profile import Profile
from .const import (
    CONF_FIRST_TOKEN_TIMEOUT,
    CONF_PROFILE,
    CONF_TURN_TIMEOUT,
    ENTRY_MINOR_VERSION,
    SUBENTRY_CONVERSATION,
)
from .data import ChatterboxConfigEntry

# Options of version 1.1 that the profiles replaced.
_DIALECT = "dialect"
_REPLACED = frozenset(
    {_DIALECT, "grounded", "examples", "compact_tools", "name_hints", "max_tools"}
)
_PROFILES = {
    "native": Profile.CAPABLE,
    "structured": Profile.GUIDED,
    "text": Profile.GUIDED,
}
# Options of version 1.2 that have fixed values. Servers that cannot stream are recognized.
_TOOL_TIMEOUT = "tool_timeout"
_FIXED = frozenset(
    {
        "max_tool_result_chars",
        "new_conversation",
        "note_cut_off",
        "on_limit",
        "prewarm",
        "recommended",
        "retry_commands",
        "soft_timeout",
        "streaming",
        "tool_execution",
        "tool_retries",
        _TOOL_TIMEOUT,
    }
)
# Its default, in seconds.
_TURN_TIMEOUT = 120
_TOKEN_TIMEOUT = "token_timeout"
_FIXED_OF_SERVER = frozenset({"connect_timeout", _TOKEN_TIMEOUT, "history_turns"})


@callback
def async_migrate(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    """Migrate an entry to the current minor version.

    Home Assistant itself rejects entries of a later major version.
    """
    if entry.minor_version >= ENTRY_MINOR_VERSION:
        return
    for agent in list(entry.subentries.values()):
        if agent.subentry_type == SUBENTRY_CONVERSATION:
            data = with_profile(agent.data) if entry.minor_version == 1 else agent.data
            hass.config_entries.async_update_subentry(entry, agent, data=agent_options(data))
    hass.config_entries.async_update_entry(
        entry, options=server_options(entry.options), minor_version=ENTRY_MINOR_VERSION
    )


def with_profile(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of an agent of version 1.1 with a profile instead of a dialect."""
    migrated = _without(data, _REPLACED)
    if (profile := _PROFILES.get(data.get(_DIALECT, ""))) is not None:
        migrated[CONF_PROFILE] = profile.value
    return migrated


def agent_options(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of an agent of version 1.2 without those that have fixed values.

    A tool has a quarter of a turn's time now. It does not get less than before, unless the user has
    chosen a time for the turn as well: that is how long they wait at most.
    """
    migrated = _without(data, _FIXED)
    time, tool_time = data.get(CONF_TURN_TIMEOUT, _TURN_TIMEOUT), data.get(_TOOL_TIMEOUT)
    if time == _TURN_TIMEOUT and isinstance(tool_time, int | float) and 4 * tool_time > time:
        migrated[CONF_TURN_TIMEOUT] = 4 * tool_time
    return migrated


def server_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a server of version 1.2 without those that have fixed values.

    The token timeout is half of the first token timeout now, and does not become shorter.
    """
    migrated = _without(options, _FIXED_OF_SERVER)
    waits = (migrated.get(CONF_FIRST_TOKEN_TIMEOUT, 60), options.get(_TOKEN_TIMEOUT, 0))
    # The check at setup names a value that is no number.
    if all(isinstance(wait, int | float) for wait in waits) and 2 * waits[1] > waits[0]:
        migrated[CONF_FIRST_TOKEN_TIMEOUT] = 2 * waits[1]
    return migrated


def _without(data: Mapping[str, Any], keys: frozenset[str]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in keys}
