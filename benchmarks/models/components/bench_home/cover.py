"""Covers of a benchmark home."""

from typing import Any, override

from homeassistant.components.cover import CoverEntity, CoverEntityFeature

from . import platform_setup
from .entity import TableEntity


class TableCover(TableEntity, CoverEntity):
    """A cover that moves to a position immediately."""

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


async_setup_entry = platform_setup(TableCover, "cover")
