"""Locks of the table."""

from typing import Any, override

from homeassistant.components.lock import LockEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableLock, "lock")


class TableLock(TableEntity, LockEntity):
    """A lock."""

    @override
    async def async_lock(self, **kwargs: Any) -> None:
        self.change(is_locked=True)

    @override
    async def async_unlock(self, **kwargs: Any) -> None:
        self.change(is_locked=False)
