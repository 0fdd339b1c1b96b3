"""Base class of the entities of all domains, with the initial values of their table row."""

import copy
from collections.abc import Mapping
from typing import Any

from homeassistant.helpers.entity import Entity

from ...homes.table import Item


class TableEntity(Entity):
    """Entity with the values of its table row, until a service changes them."""

    _attr_should_poll = False

    def __init__(self, item: Item) -> None:
        self.entity_id = item.entity_id
        self._attr_unique_id = item.entity_id
        self._attr_name = item.name
        self._initial = item.attributes
        self._assign(self._initial)

    def restore(self, values: Mapping[str, Any]) -> None:
        """Restore the values of the table row, with these overrides."""
        self.change(**{**self._initial, **values})

    def change(self, **values: Any) -> None:
        """Set attributes of the entity, by their names without `_attr_`."""
        self._assign(values)
        self.async_write_ha_state()

    def _assign(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, f"_attr_{name}", copy.copy(value))
