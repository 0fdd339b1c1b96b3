"""Valves of a benchmark home."""

from typing import override

from homeassistant.components.valve.entity import ValveEntity

from . import platform_setup
from .entity import TableEntity


class TableValve(TableEntity, ValveEntity):
    """A valve that opens and closes immediately."""

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


async_setup_entry = platform_setup(TableValve, "valve")
