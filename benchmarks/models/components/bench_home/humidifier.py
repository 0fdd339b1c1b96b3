"""Humidifiers of the table."""

from typing import Any, override

from homeassistant.components.humidifier import HumidifierEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableHumidifier, "humidifier")


class TableHumidifier(TableEntity, HumidifierEntity):
    """A humidifier."""

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        self.change(is_on=True)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        self.change(is_on=False)

    @override
    async def async_set_humidity(self, humidity: int) -> None:
        self.change(target_humidity=humidity)
