"""Switches of the table."""

from typing import Any, override

from homeassistant.components.switch import SwitchEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableSwitch, "switch")


class TableSwitch(TableEntity, SwitchEntity):
    """A switch."""

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        self.change(is_on=True)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        self.change(is_on=False)
