"""Lights of the table."""

from typing import Any, override

from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import ColorMode
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableLight, "light")


class TableLight(TableEntity, LightEntity):
    """A light; what it can do is in its color modes."""

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
