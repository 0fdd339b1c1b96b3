"""Tests of the weather tool."""

import re
from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import ToolArgumentError
from custom_components.chatterbox.agent.tools.builtin.open_meteo import (
    FORECAST_URL,
    WeatherConnectionError,
    WeatherServiceError,
    WeatherStatusError,
    WeatherTimeoutError,
)
from custom_components.chatterbox.agent.tools.builtin.weather import (
    HomeLocation,
    WeatherFallback,
    WeatherTool,
)
from custom_components.chatterbox.agent.tools.builtin.weather_report import (
    METRIC,
    US_CUSTOMARY,
    CurrentWeather,
    DayForecast,
    Units,
    WeatherReport,
)
from tests.agent.tools.builtin.fake_open_meteo import (
    AUSTIN,
    CURRENT,
    DAILY,
    FakeOpenMeteo,
    forecast,
    results,
)

METRIC_UNITS = {"temperature": "°C", "wind_speed": "km/h", "precipitation": "mm"}


def weather_tool(
    fetch: FakeOpenMeteo,
    units: Units = METRIC,
    fallback: WeatherFallback | None = None,
) -> WeatherTool:
    """Return the tool of a home in Berlin."""
    home = HomeLocation(
        name="Villa Kunterbunt",
        latitude=52.520_008,
        longitude=13.404_954,
        units=units,
        language="en",
    )
    return WeatherTool(fetch, home, fallback)


async def test_current_weather_at_home_is_the_default() -> None:
    """Without arguments it is the weather now, from one request."""
    fetch = FakeOpenMeteo(forecast())

    assert await weather_tool(fetch).call({}) == {
        "location_name": "Villa Kunterbunt",
        "timezone": "Europe/Berlin",
        "source": "open-meteo",
        "local_time": "2026-11-05T14:15",
        "conditions": "light rain",
        "temperature_c": 11.3,
        "temperature_f": 52.3,
        "feels_like_c": 8.0,
        "feels_like_f": 46.5,
        "humidity_percent": 81,
        "wind_speed_kmh": 18.7,
        "wind_speed_mph": 11.6,
        "is_day": True,
        "units": METRIC_UNITS,
    }
    assert fetch.requests == [
        (
            FORECAST_URL,
            {
                "latitude": 52.52,
                "longitude": 13.4,
                "timezone": "auto",
                "temperature_unit": "celsius",
                "wind_speed_unit": "kmh",
                "precipitation_unit": "mm",
                "current": "temperature_2m,apparent_temperature,relative_humidity_2m,"
                "weather_code,wind_speed_10m,is_day",
            },
        )
    ]


@pytest.mark.parametrize("location", ["", "home", "Here", "villa kunterbunt"])
async def test_words_for_home_are_not_looked_up(location: str) -> None:
    fetch = FakeOpenMeteo(forecast())

    result = await weather_tool(fetch).call({"location": location})

    assert result["location_name"] == "Villa Kunterbunt"
    assert [url for url, _ in fetch.requests] == [FORECAST_URL]


async def test_forecast_has_an_entry_for_each_day() -> None:
    """The forecast has a record for each day, in the units of the home."""
    fetch = FakeOpenMeteo(forecast(daily=DAILY))

    result = await weather_tool(fetch).call({"days": 3})

    assert result["daily"][0] == {
        "date": "2026-11-05",
        "conditions": "rain",
        "temperature_max": 12.1,
        "temperature_min": 6.4,
        "precipitation": 7.2,
        "precipitation_probability_percent": 95,
        "wind_speed_max": 30.2,
        "sunrise": "07:12",
        "sunset": "16:31",
    }
    assert [day["conditions"] for day in result["daily"]] == [
        "rain",
        "overcast",
        "light freezing rain",
    ]
    assert "partial" not in result
    params = fetch.requests[0][1]
    assert params["forecast_days"] == 3
    assert params["daily"].split(",") == [name for name in DAILY if name != "time"]


async def test_us_customary_units_are_requested_and_reported() -> None:
    """A home in US customary units is asked for in them; the current weather is in both."""
    values = CURRENT | {"temperature_2m": 52.3, "apparent_temperature": 32, "wind_speed_10m": 11.6}
    fetch = FakeOpenMeteo(forecast(current=values))

    result = await weather_tool(fetch, US_CUSTOMARY).call({})

    assert (result["temperature_f"], result["temperature_c"]) == (52.3, 11.3)
    assert (result["feels_like_f"], result["feels_like_c"]) == (32, 0)
    assert (result["wind_speed_mph"], result["wind_speed_kmh"]) == (11.6, 18.7)
    assert result["units"] == {"temperature": "°F", "wind_speed": "mph", "precipitation": "in"}
    params = fetch.requests[0][1]
    assert params["temperature_unit"] == "fahrenheit"
    assert params["wind_speed_unit"] == "mph"
    assert params["precipitation_unit"] == "inch"


async def test_missing_values_are_left_out() -> None:
    current = {"temperature_2m": 4, "is_day": 0}
    daily = {"time": ["2026-11-05"], "temperature_2m_max": [12.1], "sunset": ["soon"]}
    fetch = FakeOpenMeteo({"current": current, "daily": daily})

    assert await weather_tool(fetch).call({"days": 1}) == {
        "location_name": "Villa Kunterbunt",
        "source": "open-meteo",
        "temperature_c": 4,
        "temperature_f": 39.2,
        "is_day": False,
        "units": METRIC_UNITS,
        "daily": [{"date": "2026-11-05", "temperature_max": 12.1}],
    }


@pytest.mark.parametrize(
    ("parts", "days", "missing"),
    [
        ({"current": None, "daily": DAILY}, 3, ["current"]),
        ({}, 3, ["days 1-3"]),
        ({"daily": DAILY}, 7, ["days 4-7"]),
        ({"daily": DAILY | {"temperature_2m_max": [12.1, None, None]}}, 3, ["days 2-3"]),
    ],
)
async def test_missing_parts_are_named(
    parts: dict[str, Any], days: int, missing: list[str]
) -> None:
    result = await weather_tool(FakeOpenMeteo(forecast(**parts))).call({"days": days})

    assert result["partial"] is True
    assert result["missing"] == missing
    assert ("temperature_c" in result) is ("current" not in missing)
    assert ("daily" in result) is ("days 1-3" not in missing)


SERVICE_ERRORS = [
    (WeatherStatusError(503), "The weather service answered with error 503."),
    (WeatherTimeoutError(), "The weather service did not answer within 10 seconds."),
    (WeatherConnectionError(), "The weather service cannot be reached; the home may be offline."),
]


@pytest.mark.parametrize(("error", "text"), SERVICE_ERRORS)
async def test_failed_service_without_a_fallback_is_an_error(
    error: WeatherServiceError, text: str
) -> None:
    """Without a fallback nothing is known."""
    with pytest.raises(WeatherServiceError, match=re.escape(text)) as caught:
        await weather_tool(FakeOpenMeteo(error)).call({})

    assert caught.value.error_type == "weather_service"


@pytest.mark.parametrize(("error", "text"), SERVICE_ERRORS)
async def test_failed_geocoder_is_an_error(error: WeatherServiceError, text: str) -> None:
    """Without the place nothing is known."""
    with pytest.raises(WeatherServiceError, match=re.escape(text)):
        await weather_tool(FakeOpenMeteo(places=error)).call({"location": "Austin"})


async def test_failed_service_with_an_empty_fallback_is_an_error() -> None:
    """The error is that of the service."""

    async def fallback(days: int) -> None:
        return None

    with pytest.raises(WeatherStatusError):
        await weather_tool(FakeOpenMeteo(WeatherStatusError(503)), fallback=fallback).call({})


async def test_fallback_replaces_a_failed_service_at_home() -> None:
    """The fallback is asked for as many days, and the result says where it comes from."""

    async def fallback(days: int) -> WeatherReport:
        return WeatherReport(
            source="weather.home",
            timezone="Europe/Berlin",
            current=CurrentWeather(conditions="rainy", temperature=9),
            days=[DayForecast(date=f"2026-11-{5 + day:02}") for day in range(days)],
        )

    fetch = FakeOpenMeteo(WeatherTimeoutError())
    result = await weather_tool(fetch, fallback=fallback).call({"days": 2})

    assert result == {
        "location_name": "Villa Kunterbunt",
        "timezone": "Europe/Berlin",
        "source": "weather.home",
        "conditions": "rainy",
        "temperature_c": 9,
        "temperature_f": 48.2,
        "units": METRIC_UNITS,
        "daily": [{"date": "2026-11-05"}, {"date": "2026-11-06"}],
    }


async def test_fallback_is_not_used_for_other_places() -> None:
    """A fallback knows the home only, but the place has been found."""

    async def fallback(days: int) -> WeatherReport:
        raise AssertionError

    fetch = FakeOpenMeteo(WeatherTimeoutError(), results(AUSTIN))
    result = await weather_tool(fetch, fallback=fallback).call({"location": "Austin", "days": 2})

    assert result == {
        "location_name": "Austin, Texas, United States",
        "timezone": "America/Chicago",
        "source": "open-meteo",
        "units": METRIC_UNITS,
        "partial": True,
        "missing": ["current", "days 1-2"],
        "reason": "The weather service did not answer within 10 seconds.",
    }


async def test_wrong_arguments_are_rejected_without_a_request() -> None:
    fetch = FakeOpenMeteo(forecast())

    with pytest.raises(ToolArgumentError, match="Use only: location, days"):
        await weather_tool(fetch).call({"city": "Oslo"})
    with pytest.raises(ToolArgumentError, match="from 0 to 16"):
        await weather_tool(fetch).call({"days": 17})

    assert not fetch.requests


def test_definition_is_short_and_read_only() -> None:
    """The model reads little, and the loop knows that it may call freely."""
    definition = WeatherTool.definition
    annotations = definition.annotations

    assert definition.name == "get_weather"
    assert len(definition.description) <= 300
    assert "Costs one web request" in definition.description
    assert all(each["description"] for each in definition.parameters["properties"].values())
    assert (annotations.read_only, annotations.destructive) == (True, False)
    assert (annotations.idempotent, annotations.open_world) == (True, True)
