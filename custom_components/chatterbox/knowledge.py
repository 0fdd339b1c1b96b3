"""What was learned of a server's models, kept over restarts until its settings are changed."""

from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers.storage import Store

from .agent.quirks import ServerQuirks
from .const import DOMAIN

_VERSION = 1
# Seconds: what is learned in one turn is written once.
_SAVE_DELAY = 10.0

type _Data = dict[str, dict[str, Any]]


class Knowledge(dict[str, ServerQuirks]):
    """What a server was found to refuse, by model; a model that is asked for is there."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        """Take the entry of the server; nothing is known before `async_load`."""
        super().__init__()
        self._store: Store[_Data] = _store(hass, entry_id)
        self._unsaved = False
        self._closed = False

    async def async_load(self) -> None:
        """Read what was learned before."""
        for model, known in (await self._store.async_load() or {}).items():
            self[model].refused |= set(known["refused"])
            self[model].starts_thinking = known["starts_thinking"]

    def __missing__(self, model: str) -> ServerQuirks:
        """Return and keep what is known of a model that was not asked for yet: nothing."""
        self[model] = ServerQuirks(changed=self._save_later)
        return self[model]

    def as_dict(self) -> _Data:
        """Return everything as JSON has it."""
        return {
            model: {"refused": sorted(known.refused), "starts_thinking": known.starts_thinking}
            for model, known in sorted(self.items())
            if known.refused or known.starts_thinking
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
        await _store(hass, entry.entry_id).async_remove()


def _store(hass: HomeAssistant, entry_id: str) -> Store[_Data]:
    return Store(hass, _VERSION, f"{DOMAIN}.models.{entry_id}", private=True, atomic_writes=True)
