"""Scenes of a benchmark home."""

from typing import Any, override

from homeassistant.components.scene import Scene

from . import platform_setup
from .entity import TableEntity


class TableScene(TableEntity, Scene):
    """A scene; its state is the time of the last activation."""

    @override
    async def async_activate(self, **kwargs: Any) -> None:
        """Do nothing: only the activation itself is recorded."""


async_setup_entry = platform_setup(TableScene, "scene")
