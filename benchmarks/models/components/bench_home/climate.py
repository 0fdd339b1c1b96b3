"""Thermostats of a benchmark home."""

from typing import Any, override

from homeassistant.components.climate import ClimateEntity
from homeassistant.components.climate.const import HVACMode

from . import platform_setup
from .entity import TableEntity


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


async_setup_entry = platform_setup(TableClimate, "climate")
