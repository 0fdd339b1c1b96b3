"""Persistent store of learned server quirks."""

from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util

from .agent.model.server_quirks import ServerQuirks
from .const import DOMAIN

_VERSION = 2
# Seconds: the quirks learned in one turn are written once.
_SAVE_DELAY = 10.0

type _Data = dict[str, dict[str, Any]]
"""By model: `learned`, with the timestamp of each quirk, and `parameters`, in billions."""


class _QuirkFile(Store[_Data]):
    """The file of a server; version 1 had no timestamps."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        key = f"{DOMAIN}.models.{entry_id}"
        super().__init__(hass, _VERSION, key, private=True, atomic_writes=True)

    @override
    async def _async_migrate_func(
        self, old_major_version: int, old_minor_version: int, old_data: _Data
    ) -> _Data:
        """Convert the data of version 1.

        `starts_thinking` is dropped: version 1 learned it from a single answer.
        """
        now = _now()
        return {
            model: {"learned": dict.fromkeys(known["refused"], now)}
            for model, known in old_data.items()
            if known["refused"]
        }


class QuirkStore(dict[str, ServerQuirks]):
    """The learned quirks of a server's models, by model; every model has an entry."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        super().__init__()
        self._store = _QuirkFile(hass, entry_id)
        self._unsaved = False
        self._closed = False

    async def async_load(self) -> None:
        """Load the stored quirks."""
        for model, known in (await self._store.async_load() or {}).items():
            self[model].learned |= known["learned"]
            self[model].parameters = known.get("parameters")

    def __missing__(self, model: str) -> ServerQuirks:
        """Add and return an empty entry."""
        self[model] = ServerQuirks(changed=self._save_later, clock=_now)
        return self[model]

    def as_dict(self) -> _Data:
        """Return the quirks that have not expired, as they are stored."""
        return {
            model: {
                "learned": dict(sorted(quirks.known.items())),
                **({"parameters": quirks.parameters} if quirks.parameters else {}),
            }
            for model, quirks in sorted(self.items())
            if quirks.known or quirks.parameters
        }

    def _save_later(self) -> None:
        # A turn may outlive the loaded entry; the store of the reloaded entry owns the file then.
        if not self._closed:
            self._unsaved = True
            self._store.async_delay_save(self.as_dict, _SAVE_DELAY)

    @override
    def clear(self, model: str | None = None) -> None:
        """Remove the quirks of a model, or of all models."""
        for known in [model] if model else list(self):
            self.pop(known, None)
        self._save_later()

    async def async_close(self) -> None:
        """Save pending changes; later changes are not saved."""
        self._closed = True
        if self._unsaved:
            await self._store.async_save(self.as_dict())


async def async_remove_quirks(hass: HomeAssistant, entry_id: str) -> None:
    """Delete the learned quirks of a server that is not loaded."""
    await _QuirkFile(hass, entry_id).async_remove()


def _now() -> float:
    return dt_util.utcnow().timestamp()
