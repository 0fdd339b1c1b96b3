"""Vacuums of a benchmark home."""

from typing import Any, override

from homeassistant.components.vacuum import StateVacuumEntity
from homeassistant.components.vacuum.const import VacuumActivity

from . import platform_setup
from .entity import TableEntity


class TableVacuum(TableEntity, StateVacuumEntity):
    """A vacuum."""

    @override
    async def async_start(self) -> None:
        self.change(activity=VacuumActivity.CLEANING)

    @override
    async def async_stop(self, **kwargs: Any) -> None:
        self.change(activity=VacuumActivity.IDLE)

    @override
    async def async_pause(self) -> None:
        self.change(activity=VacuumActivity.PAUSED)

    @override
    async def async_return_to_base(self, **kwargs: Any) -> None:
        self.change(activity=VacuumActivity.RETURNING)


async_setup_entry = platform_setup(TableVacuum, "vacuum")
