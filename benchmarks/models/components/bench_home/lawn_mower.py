"""Lawn mowers of the table."""

from typing import override

from homeassistant.components.lawn_mower import LawnMowerEntity
from homeassistant.components.lawn_mower.const import LawnMowerActivity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableLawnMower, "lawn_mower")


class TableLawnMower(TableEntity, LawnMowerEntity):
    """A lawn mower."""

    @override
    async def async_start_mowing(self) -> None:
        self.change(activity=LawnMowerActivity.MOWING)

    @override
    async def async_pause(self) -> None:
        self.change(activity=LawnMowerActivity.PAUSED)

    @override
    async def async_dock(self) -> None:
        self.change(activity=LawnMowerActivity.RETURNING)
