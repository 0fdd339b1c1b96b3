"""Thermostats of the table."""

from typing import Any, override

from homeassistant.components.climate import ClimateEntity
from homeassistant.components.climate.const import HVACMode
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableClimate, "climate")


class TableClimate(TableEntity, ClimateEntity):
    """A thermostat."""

    @override
    async def async_set_temperature(self, **kwargs: Any) -> None:
        self.change(target_temperature=kwargs["temperature"])

    @override
    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        self.change(hvac_mode=hvac_mode)

    @override
    async def async_turn_on(self) -> None:
        self.change(hvac_mode=HVACMode.HEAT)

    @override
    async def async_turn_off(self) -> None:
        self.change(hvac_mode=HVACMode.OFF)
