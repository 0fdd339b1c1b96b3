"""Base class of the entities of all domains: their row of the table, and returning to it."""

import copy
from collections.abc import Mapping
from typing import Any

from homeassistant.helpers.entity import Entity

from ...homes.table import Item


class TableEntity(Entity):
    """An entity that is what its row of the table says, until a service changes it."""

    _attr_should_poll = False

    def __init__(self, item: Item) -> None:
        self.entity_id = item.entity_id
        self._attr_unique_id = item.entity_id
        self._attr_name = item.name
        self._initial = item.attributes
        self._assign(self._initial)

    def restore(self, values: Mapping[str, Any]) -> None:
        """Return to the values of the table, except for these."""
        self.change(**{**self._initial, **values})

    def change(self, **values: Any) -> None:
        """Set values, named as Home Assistant names the attributes of entities."""
        self._assign(values)
        self.async_write_ha_state()

    def _assign(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, f"_attr_{name}", copy.copy(value))
