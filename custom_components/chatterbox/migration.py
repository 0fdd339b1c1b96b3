"""Migration of config entries of earlier releases."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant, callback

from .agent.dialects.profile import Profile
from .const import (
    CONF_PROFILE,
    CONF_RETRY_COMMANDS,
    ENTRY_MINOR_VERSION,
    SUBENTRY_CONVERSATION,
)
from .data import ChatterboxConfigEntry

# Options of version 1.1 that the profiles replaced.
_DIALECT = "dialect"
_GROUNDED = "grounded"
_REPLACED = frozenset({_DIALECT, _GROUNDED, "examples", "compact_tools", "name_hints", "max_tools"})
_PROFILES = {
    "native": Profile.CAPABLE,
    "structured": Profile.GUIDED,
    "text": Profile.GUIDED,
}


@callback
def async_migrate(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    """Migrate an entry to the current minor version.

    Home Assistant itself rejects entries of a later major version.
    """
    if entry.minor_version >= ENTRY_MINOR_VERSION:
        return
    for agent in list(entry.subentries.values()):
        if agent.subentry_type == SUBENTRY_CONVERSATION:
            data = with_profile(agent.data)
            hass.config_entries.async_update_subentry(entry, agent, data=data)
    hass.config_entries.async_update_entry(entry, minor_version=ENTRY_MINOR_VERSION)


def with_profile(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of an agent of version 1.1 in the current form, without defaults."""
    migrated = {key: value for key, value in data.items() if key not in _REPLACED}
    if (profile := _PROFILES.get(data.get(_DIALECT, ""))) is not None:
        migrated[CONF_PROFILE] = profile.value
    if data.get(_GROUNDED) is False:
        migrated[CONF_RETRY_COMMANDS] = False
    return migrated
