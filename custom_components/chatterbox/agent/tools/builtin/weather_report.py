"""Weather reports of any source, and their form for the model."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

KM_PER_MILE = 1.609344


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Units of a home."""

    temperature: str
    wind_speed: str
    precipitation: str


METRIC = Units(temperature="°C", wind_speed="km/h", precipitation="mm")
US_CUSTOMARY = Units(temperature="°F", wind_speed="mph", precipitation="in")


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentWeather:
    """Current weather, in the units of the home; None is unknown."""

    conditions: str | None = None
    temperature: float | None = None
    feels_like: float | None = None
    humidity_percent: float | None = None
    wind_speed: float | None = None
    is_day: bool | None = None
    local_time: str | None = None
    """Time of the observation or computation: ISO 8601, in the time zone of the place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayForecast:
    """One day of a forecast, in the units of the home; None is unknown."""

    date: str
    conditions: str | None = None
    temperature_max: float | None = None
    temperature_min: float | None = None
    precipitation: float | None = None
    precipitation_probability_percent: float | None = None
    wind_speed_max: float | None = None
    sunrise: str | None = None
    sunset: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WeatherReport:
    """Weather of one place from one source."""

    source: str
    timezone: str | None = None
    current: CurrentWeather | None = None
    days: Sequence[DayForecast] = ()
    """Consecutive days, beginning today."""
    problem: str | None = None
    """The reason why something is missing, if known."""


def describe(report: WeatherReport, location_name: str, units: Units, days: int) -> dict[str, Any]:
    """Return a report as data for the model; `days` is how many were asked for.

    The keys are `location_name`, `timezone`, `source`, those of the current weather, `units`,
    `daily` (one object per day) and, if something is missing, `partial`, `missing` and `reason`.
    The current weather is in both systems of units, so that a question for either needs no
    arithmetic; the daily values are in `units`.
    """
    result = _known(
        {
            "location_name": location_name,
            "timezone": report.timezone,
            "source": report.source,
            **(_current(report.current, units) if report.current else {}),
            "units": asdict(units),
        }
    )
    if report.days:
        result["daily"] = [_known(asdict(day)) for day in report.days]
    missing = [] if report.current else ["current"]
    if len(report.days) < days:
        missing.append(f"days {len(report.days) + 1}-{days}")
    if missing:
        result |= _known({"partial": True, "missing": missing, "reason": report.problem})
    return result


def _current(current: CurrentWeather, units: Units) -> dict[str, Any]:
    celsius, fahrenheit = _temperatures(current.temperature, units)
    feels_celsius, feels_fahrenheit = _temperatures(current.feels_like, units)
    kmh, mph = _wind_speeds(current.wind_speed, units)
    return {
        "local_time": current.local_time,
        "conditions": current.conditions,
        "temperature_c": celsius,
        "temperature_f": fahrenheit,
        "feels_like_c": feels_celsius,
        "feels_like_f": feels_fahrenheit,
        "humidity_percent": current.humidity_percent,
        "wind_speed_kmh": kmh,
        "wind_speed_mph": mph,
        "is_day": current.is_day,
    }


def _temperatures(value: float | None, units: Units) -> tuple[float, float] | tuple[None, None]:
    if value is None:
        return None, None
    if units.temperature == METRIC.temperature:
        return round(value, 1), round(value * 9 / 5 + 32, 1)
    return round((value - 32) * 5 / 9, 1), round(value, 1)


def _wind_speeds(value: float | None, units: Units) -> tuple[float, float] | tuple[None, None]:
    if value is None:
        return None, None
    if units.wind_speed == METRIC.wind_speed:
        return round(value, 1), round(value / KM_PER_MILE, 1)
    return round(value * KM_PER_MILE, 1), round(value, 1)


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without None: every key costs tokens."""
    return {key: value for key, value in values.items() if value is not None}
