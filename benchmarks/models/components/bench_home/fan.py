"""Fans of the table."""

from typing import Any, override

from homeassistant.components.fan import FanEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableFan, "fan")


class TableFan(TableEntity, FanEntity):
    """A fan with speeds."""

    @override
    async def async_turn_on(
        self, percentage: int | None = None, preset_mode: str | None = None, **kwargs: Any
    ) -> None:
        self.change(percentage=percentage or self.percentage or 100)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        self.change(percentage=0)

    @override
    async def async_set_percentage(self, percentage: int) -> None:
        self.change(percentage=percentage)
