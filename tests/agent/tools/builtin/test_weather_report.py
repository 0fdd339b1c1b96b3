"""Tests of weather reports and their form for the model."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.tools.builtin.weather_report import (
    METRIC,
    US_CUSTOMARY,
    CurrentWeather,
    DayForecast,
    Units,
    WeatherReport,
    describe,
)

NOW = CurrentWeather(conditions="rain")
DAYS = (DayForecast(date="2026-11-05", temperature_max=12.1), DayForecast(date="2026-11-06"))


def described(current: CurrentWeather, units: Units = METRIC) -> dict[str, Any]:
    return describe(WeatherReport(source="test", current=current), "Berlin", units, 0)


@pytest.mark.parametrize(
    ("units", "temperature", "wind_speed"), [(METRIC, 10.04, 16.09), (US_CUSTOMARY, 50.07, 10.0)]
)
def test_current_weather_is_in_both_systems_of_units(
    units: Units, temperature: float, wind_speed: float
) -> None:
    current = CurrentWeather(temperature=temperature, feels_like=None, wind_speed=wind_speed)
    result = described(current, units)
    assert (result["temperature_c"], result["temperature_f"]) == (10.0, 50.1)
    assert (result["wind_speed_kmh"], result["wind_speed_mph"]) == (16.1, 10.0)
    assert "feels_like_c" not in result


def test_unknown_values_are_left_out() -> None:
    assert described(NOW) == {
        "location_name": "Berlin",
        "source": "test",
        "conditions": "rain",
        "units": {"temperature": "°C", "wind_speed": "km/h", "precipitation": "mm"},
    }


def test_days_are_objects_of_their_known_values() -> None:
    report = WeatherReport(source="test", current=NOW, days=DAYS)
    result = describe(report, "Berlin", METRIC, 2)
    assert result["daily"] == [
        {"date": "2026-11-05", "temperature_max": 12.1},
        {"date": "2026-11-06"},
    ]
    assert "partial" not in result


@pytest.mark.parametrize(
    ("current", "wanted", "missing"),
    [(None, 2, ["current"]), (NOW, 3, ["days 3-3"]), (None, 5, ["current", "days 3-5"])],
)
def test_missing_parts_are_named_with_the_reason(
    current: CurrentWeather | None, wanted: int, missing: list[str]
) -> None:
    report = WeatherReport(source="test", current=current, days=DAYS, problem="It is offline.")
    result = describe(report, "Berlin", METRIC, wanted)
    assert (result["partial"], result["missing"]) == (True, missing)
    assert result["reason"] == "It is offline."
