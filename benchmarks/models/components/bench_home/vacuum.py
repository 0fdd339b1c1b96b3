"""Vacuums of the table."""

from typing import Any, override

from homeassistant.components.vacuum import StateVacuumEntity
from homeassistant.components.vacuum.const import VacuumActivity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableVacuum, "vacuum")


class TableVacuum(TableEntity, StateVacuumEntity):
    """A vacuum that can be sent out and home."""

    @override
    async def async_start(self) -> None:
        self.change(activity=VacuumActivity.CLEANING)

    @override
    async def async_stop(self, **kwargs: Any) -> None:
        self.change(activity=VacuumActivity.IDLE)

    @override
    async def async_pause(self) -> None:
        self.change(activity=VacuumActivity.PAUSED)

    @override
    async def async_return_to_base(self, **kwargs: Any) -> None:
        self.change(activity=VacuumActivity.RETURNING)
