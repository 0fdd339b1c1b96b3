"""Scenes of the table."""

from typing import Any, override

from homeassistant.components.scene import Scene
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableScene, "scene")


class TableScene(TableEntity, Scene):
    """A scene; its state says when it was activated last."""

    @override
    async def async_activate(self, **kwargs: Any) -> None:
        """Do nothing: that it was activated is what counts."""
