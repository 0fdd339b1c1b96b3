"""Sensors of a benchmark home."""

from homeassistant.components.sensor import SensorEntity

from . import platform_setup
from .entity import TableEntity


class TableSensor(TableEntity, SensorEntity):
    """A sensor."""


async_setup_entry = platform_setup(TableSensor, "sensor")
