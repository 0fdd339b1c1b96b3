"""Switches of a benchmark home."""

from typing import Any, override

from homeassistant.components.switch import SwitchEntity

from . import platform_setup
from .entity import TableEntity


class TableSwitch(TableEntity, SwitchEntity):
    """A switch."""

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        self.change(is_on=True)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        self.change(is_on=False)


async_setup_entry = platform_setup(TableSwitch, "switch")
