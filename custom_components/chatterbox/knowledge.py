"""Persistent store of what is learned of a server's models."""

from typing import Any, override

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util

from .agent.server_quirks import ServerQuirks
from .const import DOMAIN

_VERSION = 2
# Seconds: what is learned in one turn is written once.
_SAVE_DELAY = 10.0

type _Data = dict[str, dict[str, Any]]


class _QuirkFile(Store[_Data]):
    """The file of a server; version 1 had no times."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        key = f"{DOMAIN}.models.{entry_id}"
        super().__init__(hass, _VERSION, key, private=True, atomic_writes=True)

    @override
    async def _async_migrate_func(
        self, old_major_version: int, old_minor_version: int, old_data: _Data
    ) -> _Data:
        """Return the data of version 1 as those of today.

        That answers begin within the reasoning was learned from a single answer, and is dropped.
        """
        now = _now()
        return {
            model: {"learned": dict.fromkeys(known["refused"], now)}
            for model, known in old_data.items()
            if known["refused"]
        }


class Knowledge(dict[str, ServerQuirks]):
    """What was learned of the models of a server; a model that is asked for is there."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        super().__init__()
        self._store = _QuirkFile(hass, entry_id)
        self._unsaved = False
        self._closed = False

    async def async_load(self) -> None:
        """Read what was learned before."""
        for model, known in (await self._store.async_load() or {}).items():
            self[model].learned |= known["learned"]
            self[model].parameters = known.get("parameters")

    def __missing__(self, model: str) -> ServerQuirks:
        """Return and keep what is known of a model that was not asked for yet: nothing."""
        self[model] = ServerQuirks(changed=self._save_later, clock=_now)
        return self[model]

    def as_dict(self) -> _Data:
        """Return what has not expired, as JSON has it."""
        return {
            model: {
                "learned": dict(sorted(quirks.known.items())),
                **({"parameters": quirks.parameters} if quirks.parameters else {}),
            }
            for model, quirks in sorted(self.items())
            if quirks.known or quirks.parameters
        }

    def _save_later(self) -> None:
        # A turn may outlast the server's entry being loaded; then another one keeps the file.
        if not self._closed:
            self._unsaved = True
            self._store.async_delay_save(self.as_dict, _SAVE_DELAY)

    def forget(self, model: str | None = None) -> None:
        """Forget a model, or all: its agent is to begin anew."""
        for known in [model] if model else list(self):
            self.pop(known, None)
        self._save_later()

    async def async_close(self) -> None:
        """Write what was learned and not written yet; nothing is written any more after that."""
        self._closed = True
        if self._unsaved:
            await self._store.async_save(self.as_dict())


async def async_forget(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Forget what was learned of a server: it may be another one now."""
    if entry.state is ConfigEntryState.LOADED:
        entry.runtime_data.knowledge.forget()
    else:
        await _QuirkFile(hass, entry.entry_id).async_remove()


def _now() -> float:
    return dt_util.utcnow().timestamp()
