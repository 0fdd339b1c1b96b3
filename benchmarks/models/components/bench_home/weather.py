"""Weather of a benchmark home."""

from datetime import timedelta
from typing import override

from homeassistant.components.weather import Forecast, WeatherEntity
from homeassistant.util import dt as dt_util

from . import platform_setup
from .entity import TableEntity


class TableWeather(TableEntity, WeatherEntity):
    """Weather with a constant forecast."""

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


async_setup_entry = platform_setup(TableWeather, "weather")
