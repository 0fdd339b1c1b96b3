"""Lights of a benchmark home."""

from typing import Any, override

from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import ColorMode

from . import platform_setup
from .entity import TableEntity


class TableLight(TableEntity, LightEntity):
    """A light; its color modes define its capabilities."""

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        if "hs_color" in kwargs:
            kwargs["color_mode"] = ColorMode.HS
        elif "color_temp_kelvin" in kwargs:
            kwargs["color_mode"] = ColorMode.COLOR_TEMP
        self.change(is_on=True, **kwargs)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        self.change(is_on=False)


async_setup_entry = platform_setup(TableLight, "light")
