"""Locks of a benchmark home."""

from typing import Any, override

from homeassistant.components.lock import LockEntity

from . import platform_setup
from .entity import TableEntity


class TableLock(TableEntity, LockEntity):
    """A lock."""

    @override
    async def async_lock(self, **kwargs: Any) -> None:
        self.change(is_locked=True)

    @override
    async def async_unlock(self, **kwargs: Any) -> None:
        self.change(is_locked=False)


async_setup_entry = platform_setup(TableLock, "lock")
