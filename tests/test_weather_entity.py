"""Weather reports from a weather entity of the home."""

from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

import pytest
from freezegun.api import FrozenDateTimeFactory
from pytest_homeassistant_custom_component.common import setup_test_component_platform

from custom_components.chatterbox.agent.tools.builtin.weather_report import (
    METRIC,
    US_CUSTOMARY,
    CurrentWeather,
    DayForecast,
    WeatherReport,
)
from custom_components.chatterbox.weather_entity import entity_report
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.weather import Forecast, WeatherEntity
from homeassistant.components.weather.const import WeatherEntityFeature
from homeassistant.const import UnitOfPrecipitationDepth, UnitOfSpeed, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util


class FakeWeather(WeatherEntity):
    """A weather station with the forecasts that it is given."""

    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_native_wind_speed_unit = UnitOfSpeed.METERS_PER_SECOND
    _attr_native_precipitation_unit = UnitOfPrecipitationDepth.MILLIMETERS
    _attr_native_temperature = 9.5
    _attr_native_apparent_temperature = 7
    _attr_native_wind_speed = 10
    _attr_humidity = 80
    _attr_condition = "partlycloudy"

    def __init__(self, name: str = "Roof", **forecasts: Any) -> None:
        self._attr_name = name
        self._forecasts = forecasts
        self._attr_supported_features = WeatherEntityFeature(0)
        for kind in forecasts:
            self._attr_supported_features |= WeatherEntityFeature[f"FORECAST_{kind.upper()}"]

    def _get(self, kind: str) -> list[Forecast] | None:
        forecast: list[Forecast] | Exception | None = self._forecasts[kind]
        if isinstance(forecast, Exception):
            raise forecast
        return forecast

    async def async_forecast_daily(self) -> list[Forecast] | None:
        """Return a record for each day."""
        return self._get("daily")

    async def async_forecast_twice_daily(self) -> list[Forecast] | None:
        """Return two records for each day."""
        return self._get("twice_daily")

    async def async_forecast_hourly(self) -> list[Forecast] | None:
        """Return a record for each hour."""
        return self._get("hourly")


@pytest.fixture(autouse=True)
async def evening_in_berlin(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Make it a Thursday evening."""
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(datetime(2026, 11, 5, 19, tzinfo=UTC))


async def set_up(hass: HomeAssistant, *entities: WeatherEntity) -> None:
    """Set the home up with these entities, all exposed."""
    setup_test_component_platform(hass, "weather", entities)
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "weather", {"weather": {"platform": "test"}})
    await hass.async_block_till_done()
    for entity in entities:
        async_expose_entity(hass, "conversation", entity.entity_id, should_expose=True)


async def test_current_weather_is_that_of_the_state(hass: HomeAssistant) -> None:
    """The state and its attributes are the current weather; the forecast is not asked for."""
    await set_up(hass, FakeWeather(daily=HomeAssistantError("not to be asked")))

    assert await entity_report(hass, METRIC, 0) == WeatherReport(
        source="weather.roof",
        timezone="Europe/Berlin",
        current=CurrentWeather(
            conditions="partly cloudy",
            temperature=9.5,
            feels_like=7,
            humidity_percent=80,
            wind_speed=36,
        ),
        days=(),
    )


async def test_report_is_in_the_units_of_the_home(hass: HomeAssistant) -> None:
    """What the entity says in its units is turned into those of the home."""
    day = Forecast(
        datetime="2026-11-05T12:00:00+00:00",
        native_temperature=20,
        native_templow=10,
        native_precipitation=25.4,
        native_wind_speed=10,
    )
    await set_up(hass, FakeWeather(daily=[day]))

    report = await entity_report(hass, US_CUSTOMARY, 1)

    assert report is not None
    assert report.current is not None
    assert report.current.temperature == 49.1
    assert report.current.wind_speed == 22.37
    assert report.days == [
        DayForecast(
            date="2026-11-05",
            temperature_max=68,
            temperature_min=50,
            precipitation=1,
            wind_speed_max=22.37,
        )
    ]


async def test_daily_forecast(hass: HomeAssistant) -> None:
    """A record is a day by the clock of the home, and days that are over do not count."""
    await set_up(
        hass,
        FakeWeather(
            daily=[
                # Midnight in Berlin is the evening before in UTC.
                Forecast(datetime="2026-11-03T23:00:00+00:00", native_temperature=1),
                Forecast(
                    datetime="2026-11-04T23:00:00+00:00",
                    condition="lightning-rainy",
                    native_temperature=12,
                    native_templow=4,
                    native_precipitation=3,
                    precipitation_probability=90,
                    native_wind_speed=5,
                ),
                Forecast(datetime="2026-11-05T23:00:00+00:00", native_temperature=13),
                Forecast(datetime="2026-11-06T23:00:00+00:00", native_temperature=14),
            ]
        ),
    )

    report = await entity_report(hass, METRIC, 2)

    assert report is not None
    assert report.days == [
        DayForecast(
            date="2026-11-05",
            conditions="lightning rainy",
            temperature_max=12,
            temperature_min=4,
            precipitation=3,
            precipitation_probability_percent=90,
            wind_speed_max=18,
        ),
        DayForecast(date="2026-11-06", temperature_max=13),
    ]


async def test_twice_daily_forecast(hass: HomeAssistant) -> None:
    """Day and night together are a day: the warmer is the high, the cooler the low."""
    await set_up(
        hass,
        FakeWeather(
            twice_daily=[
                Forecast(
                    datetime="2026-11-05T20:00:00+00:00",
                    is_daytime=False,
                    condition="clear-night",
                    native_temperature=3,
                ),
                Forecast(
                    datetime="2026-11-06T01:00:00+00:00",
                    is_daytime=False,
                    condition="fog",
                    native_temperature=2,
                    native_precipitation=0.5,
                    precipitation_probability=20,
                ),
                Forecast(
                    datetime="2026-11-06T08:00:00+00:00",
                    is_daytime=True,
                    condition="sunny",
                    native_temperature=11,
                    native_precipitation=1,
                    precipitation_probability=50,
                ),
            ]
        ),
    )

    report = await entity_report(hass, METRIC, 2)

    assert report is not None
    assert report.days == [
        DayForecast(date="2026-11-05", conditions="clear night", temperature_max=3),
        DayForecast(
            date="2026-11-06",
            conditions="sunny",
            temperature_max=11,
            temperature_min=2,
            precipitation=1.5,
            precipitation_probability_percent=50,
        ),
    ]


async def test_hourly_forecast(hass: HomeAssistant) -> None:
    """Hours are put together by day; the middle of the day speaks for its conditions."""
    await set_up(
        hass,
        FakeWeather(
            hourly=[
                Forecast(
                    datetime=f"2026-11-06T{hour:02}:00:00+00:00",
                    condition="snowy" if hour == 12 else "cloudy",
                    native_temperature=hour / 2,
                )
                for hour in range(6, 19)
            ]
        ),
    )

    report = await entity_report(hass, METRIC, 1)

    assert report is not None
    assert report.days == [
        DayForecast(date="2026-11-06", conditions="snowy", temperature_max=9, temperature_min=3)
    ]


@pytest.mark.parametrize(
    "forecasts", [{}, {"daily": None}, {"daily": []}, {"daily": HomeAssistantError("offline")}]
)
async def test_current_weather_is_reported_without_a_forecast(
    hass: HomeAssistant, forecasts: dict[str, Any]
) -> None:
    """Without a forecast the current weather is still known."""
    await set_up(hass, FakeWeather(**forecasts))

    report = await entity_report(hass, METRIC, 3)

    assert report is not None
    assert report.current is not None
    assert not report.days


async def test_forecast_record_without_a_date_is_skipped(hass: HomeAssistant) -> None:
    """A record that says of no day when it is cannot be used."""
    await set_up(hass, FakeWeather(daily=[Forecast(datetime="soon", native_temperature=1)]))

    report = await entity_report(hass, METRIC, 3)

    assert report is not None
    assert not report.days


async def test_first_exposed_and_available_entity_is_used(hass: HomeAssistant) -> None:
    """Entities that are hidden from Assist, or know nothing, are passed over."""
    hidden, unavailable, first, second = (
        FakeWeather(name) for name in ("Attic", "Balcony", "Cellar", "Deck")
    )
    unavailable._attr_available = False
    await set_up(hass, second, first, unavailable, hidden)
    async_expose_entity(hass, "conversation", hidden.entity_id, should_expose=False)

    report = await entity_report(hass, METRIC, 0)

    assert report is not None
    assert report.source == "weather.cellar"


async def test_home_without_an_exposed_entity_has_no_report(hass: HomeAssistant) -> None:
    """A home that exposes no weather has no report of its own."""
    entity = FakeWeather()
    await set_up(hass, entity)
    async_expose_entity(hass, "conversation", entity.entity_id, should_expose=False)

    assert await entity_report(hass, METRIC, 0) is None


async def test_forecast_without_an_end_is_read_in_part(hass: HomeAssistant) -> None:
    hours: list[Forecast] = [Forecast(datetime="2026-11-05T20:00:00+00:00")] * 2000
    await set_up(hass, FakeWeather(hourly=hours))
    with patch.object(dt_util, "parse_datetime", wraps=dt_util.parse_datetime) as parsed:
        report = await entity_report(hass, METRIC, 3)
    assert report is not None
    assert len(report.days) == 1
    assert parsed.call_count == 500
