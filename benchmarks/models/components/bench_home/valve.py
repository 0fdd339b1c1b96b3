"""Valves of the table."""

from typing import override

from homeassistant.components.valve.entity import ValveEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableValve, "valve")


class TableValve(TableEntity, ValveEntity):
    """A valve that is at once open or closed."""

    @override
    async def async_open_valve(self) -> None:
        self._move(100)

    @override
    async def async_close_valve(self) -> None:
        self._move(0)

    @override
    async def async_set_valve_position(self, position: int) -> None:
        self._move(position)

    def _move(self, position: int) -> None:
        known = position if self.reports_position else None
        self.change(current_valve_position=known, is_closed=position == 0)
