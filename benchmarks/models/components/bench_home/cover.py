"""Covers of the table."""

from typing import Any, override

from homeassistant.components.cover import CoverEntity, CoverEntityFeature
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableCover, "cover")


class TableCover(TableEntity, CoverEntity):
    """A cover that is at once where it is sent."""

    @override
    async def async_open_cover(self, **kwargs: Any) -> None:
        self._move(100)

    @override
    async def async_close_cover(self, **kwargs: Any) -> None:
        self._move(0)

    @override
    async def async_set_cover_position(self, **kwargs: Any) -> None:
        self._move(kwargs["position"])

    @override
    async def async_stop_cover(self, **kwargs: Any) -> None:
        self.change(is_opening=False, is_closing=False)

    def _move(self, position: int) -> None:
        knows_position = self.supported_features & CoverEntityFeature.SET_POSITION
        self.change(
            current_cover_position=position if knows_position else None,
            is_closed=position == 0,
            is_opening=False,
            is_closing=False,
        )
