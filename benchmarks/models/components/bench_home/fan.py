"""Fans of a benchmark home."""

from typing import Any, override

from homeassistant.components.fan import FanEntity

from . import platform_setup
from .entity import TableEntity


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


async_setup_entry = platform_setup(TableFan, "fan")
