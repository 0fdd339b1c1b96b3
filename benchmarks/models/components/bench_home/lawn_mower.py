"""Lawn mowers of a benchmark home."""

from typing import override

from homeassistant.components.lawn_mower import LawnMowerEntity
from homeassistant.components.lawn_mower.const import LawnMowerActivity

from . import platform_setup
from .entity import TableEntity


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


async_setup_entry = platform_setup(TableLawnMower, "lawn_mower")
