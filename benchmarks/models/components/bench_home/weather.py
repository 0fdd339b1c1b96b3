"""Weather of the table."""

from datetime import timedelta
from typing import override

from homeassistant.components.weather import Forecast, WeatherEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableWeather, "weather")


class TableWeather(TableEntity, WeatherEntity):
    """Weather with a forecast that stays the same every day."""

    _attr_days: tuple[tuple[str, float, float], ...]

    @override
    async def async_forecast_daily(self) -> list[Forecast]:
        today = dt_util.start_of_local_day()
        return [
            Forecast(
                datetime=(today + timedelta(days=day)).isoformat(),
                condition=condition,
                native_temperature=high,
                native_templow=low,
            )
            for day, (condition, high, low) in enumerate(self._attr_days)
        ]
