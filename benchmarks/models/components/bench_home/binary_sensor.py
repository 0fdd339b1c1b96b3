"""Binary sensors of a benchmark home."""

from homeassistant.components.binary_sensor import BinarySensorEntity

from . import platform_setup
from .entity import TableEntity


class TableBinarySensor(TableEntity, BinarySensorEntity):
    """A binary sensor."""


async_setup_entry = platform_setup(TableBinarySensor, "binary_sensor")
