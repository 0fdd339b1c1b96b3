"""Humidifiers of a benchmark home."""

from typing import Any, override

from homeassistant.components.humidifier import HumidifierEntity

from . import platform_setup
from .entity import TableEntity


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


async_setup_entry = platform_setup(TableHumidifier, "humidifier")
