"""Weather report of an exposed weather entity, the fallback for the weather service."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from homeassistant.components.weather.const import DOMAIN as WEATHER_DOMAIN
from homeassistant.components.weather.const import WeatherEntityFeature
from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util
from homeassistant.util.unit_conversion import (
    BaseUnitConverter,
    DistanceConverter,
    SpeedConverter,
    TemperatureConverter,
)

from .agent.tools.builtin.weather_report import CurrentWeather, DayForecast, Units, WeatherReport
from .const import LOGGER
from .exposed import exposed_states

# In order of preference: the fewer records make a day, the better.
_FORECAST_TYPES = {
    "daily": WeatherEntityFeature.FORECAST_DAILY,
    "twice_daily": WeatherEntityFeature.FORECAST_TWICE_DAILY,
    "hourly": WeatherEntityFeature.FORECAST_HOURLY,
}


# Of a weather entity: more than two weeks by the hour.
_MAX_RECORDS = 500


async def entity_report(hass: HomeAssistant, units: Units, days: int) -> WeatherReport | None:
    """Return the report of the first exposed weather entity, None if there is no such entity."""
    if (state := _exposed_weather(hass)) is None:
        return None
    read = _AttributeConverter(state.attributes, units)
    return WeatherReport(
        source=state.entity_id,
        timezone=hass.config.time_zone,
        current=CurrentWeather(
            conditions=_conditions(state.state),
            temperature=read.temperature(state.attributes.get("temperature")),
            feels_like=read.temperature(state.attributes.get("apparent_temperature")),
            humidity_percent=state.attributes.get("humidity"),
            wind_speed=read.wind_speed(state.attributes.get("wind_speed")),
        ),
        days=_days(await _forecast(hass, state), read)[:days] if days else (),
    )


def _exposed_weather(hass: HomeAssistant) -> State | None:
    available = (
        state
        for state in exposed_states(hass, WEATHER_DOMAIN)
        if state.state not in (STATE_UNAVAILABLE, STATE_UNKNOWN)
    )
    return min(available, key=lambda state: state.entity_id, default=None)


async def _forecast(hass: HomeAssistant, state: State) -> Sequence[Mapping[str, Any]]:
    """Return the records of the entity's forecast."""
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
    kind = next((kind for kind, flag in _FORECAST_TYPES.items() if features & flag), None)
    if kind is None:
        return ()
    try:
        response: Any = await hass.services.async_call(
            WEATHER_DOMAIN,
            "get_forecasts",
            {"entity_id": state.entity_id, "type": kind},
            blocking=True,
            return_response=True,
        )
    except HomeAssistantError as err:
        LOGGER.debug("%s has no forecast: %s", state.entity_id, err)
        return ()
    records: Sequence[Mapping[str, Any]] = response[state.entity_id]["forecast"]
    return records


class _AttributeConverter:
    """Converter of an entity's values to the units of the home."""

    def __init__(self, attributes: Mapping[str, Any], units: Units) -> None:
        self._attributes = attributes
        self._units = units

    def temperature(self, value: float | None) -> float | None:
        return self._convert(
            value, TemperatureConverter, "temperature_unit", self._units.temperature
        )

    def wind_speed(self, value: float | None) -> float | None:
        return self._convert(value, SpeedConverter, "wind_speed_unit", self._units.wind_speed)

    def precipitation(self, value: float | None) -> float | None:
        return self._convert(
            value, DistanceConverter, "precipitation_unit", self._units.precipitation
        )

    def _convert(
        self, value: float | None, converter: type[BaseUnitConverter], attribute: str, unit: str
    ) -> float | None:
        if value is None:
            return None
        return round(converter.convert(value, self._attributes.get(attribute, unit), unit), 2)


def _days(records: Sequence[Mapping[str, Any]], read: _AttributeConverter) -> list[DayForecast]:
    """Return the forecasts from today on, in the time zone of the home.

    A record covers a day, half a day or an hour.
    """
    by_date = defaultdict(list)
    for record in islice(records, _MAX_RECORDS):
        start = dt_util.parse_datetime(record["datetime"])
        if start is not None and (date := dt_util.as_local(start).date()) >= dt_util.now().date():
            by_date[date.isoformat()].append(record)
    return [_day(date, parts, read) for date, parts in sorted(by_date.items())]


def _day(date: str, parts: Sequence[Mapping[str, Any]], read: _AttributeConverter) -> DayForecast:
    highs = _known(parts, "temperature")
    # The record of a whole day has both its high and its low. Parts of a day often have only one
    # temperature each; the lowest of these is the low.
    lows = _known(parts, "templow") + (highs if len(parts) > 1 else [])
    rain = _known(parts, "precipitation")
    # The conditions of a day are those of its daytime, which records of half a day tell.
    lead = next((part for part in parts if part.get("is_daytime")), parts[len(parts) // 2])
    return DayForecast(
        date=date,
        conditions=_conditions(lead.get("condition")),
        temperature_max=read.temperature(max(highs, default=None)),
        temperature_min=read.temperature(min(lows, default=None)),
        precipitation=read.precipitation(sum(rain) if rain else None),
        precipitation_probability_percent=max(
            _known(parts, "precipitation_probability"), default=None
        ),
        wind_speed_max=read.wind_speed(max(_known(parts, "wind_speed"), default=None)),
    )


def _known(parts: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    return [part[key] for part in parts if part.get(key) is not None]


def _conditions(condition: str | None) -> str | None:
    """Return a weather condition of Home Assistant as words."""
    if condition is None:
        return None
    return condition.replace("partlycloudy", "partly-cloudy").replace("-", " ")
