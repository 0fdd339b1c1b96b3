"""Built-in tools, with the location, time zone and language of the home."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from freezegun.api import FrozenDateTimeFactory
from pytest_homeassistant_custom_component.test_util.aiohttp import AiohttpClientMocker

from custom_components.chatterbox import builtin_tools as built_in
from custom_components.chatterbox.agent.errors import ToolArgumentError
from custom_components.chatterbox.agent.tools.builtin import open_meteo
from custom_components.chatterbox.agent.tools.builtin.open_meteo import (
    FORECAST_URL,
    GEOCODING_URL,
    WeatherAnswerError,
    WeatherConnectionError,
    WeatherServiceError,
    WeatherStatusError,
    WeatherTimeoutError,
)
from custom_components.chatterbox.agent.tools.registry import Tool
from custom_components.chatterbox.builtin_tools import built_in_tools
from custom_components.chatterbox.const import BUILT_IN_TOOLS, TOOL_DATE_TIME, TOOL_WEATHER
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM

FORECAST = {
    "timezone": "America/Los_Angeles",
    "current": {"temperature_2m": 20.5, "weather_code": 0, "wind_speed_10m": 5},
}


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant) -> None:
    """Set up a home whose entities can be exposed."""
    assert await async_setup_component(hass, "homeassistant", {})


def mock_get(mocker: Any, url: str, **answer: Any) -> None:
    """Have the home's session get this answer: `mocker` is the fixture, which has no types."""
    mocker.get(url, **answer)


def tool(hass: HomeAssistant, name: str) -> Tool:
    """Return the tool of that name."""
    (only,) = built_in_tools(hass, [name])
    return only


async def test_tools_are_selected_by_name(hass: HomeAssistant) -> None:
    """Each name stands for one tool, and a name that is gone for none."""
    tools = built_in_tools(hass, [*BUILT_IN_TOOLS, "get_horoscope"])

    assert [each.definition.name for each in tools] == list(BUILT_IN_TOOLS)


async def test_weather_at_home(hass: HomeAssistant, aioclient_mock: AiohttpClientMocker) -> None:
    """The home's place and units are those of its configuration at this moment."""
    mock_get(aioclient_mock, FORECAST_URL, json=FORECAST)
    await hass.config.async_update(
        latitude=47.376_88, longitude=8.541_69, location_name="Zuhause", language="de-CH"
    )

    result = await tool(hass, TOOL_WEATHER).call({})

    assert result["location_name"] == "Zuhause"
    assert result["temperature_c"] == 20.5
    query = aioclient_mock.mock_calls[0][1].query
    assert (query["latitude"], query["longitude"]) == ("47.38", "8.54")
    assert (query["temperature_unit"], query["wind_speed_unit"]) == ("celsius", "kmh")


async def test_weather_in_us_customary_units(
    hass: HomeAssistant, aioclient_mock: AiohttpClientMocker
) -> None:
    """A home in US customary units is answered in them."""
    mock_get(aioclient_mock, FORECAST_URL, json=FORECAST)
    hass.config.units = US_CUSTOMARY_SYSTEM

    result = await tool(hass, TOOL_WEATHER).call({})

    assert result["temperature_f"] == 20.5
    assert result["units"]["temperature"] == "°F"
    assert aioclient_mock.mock_calls[0][1].query["precipitation_unit"] == "inch"


async def test_weather_elsewhere(hass: HomeAssistant, aioclient_mock: AiohttpClientMocker) -> None:
    """Places are asked for in the language of the home."""
    zurich = {"name": "Zürich", "latitude": 47.4, "longitude": 8.5, "country": "Schweiz"}
    mock_get(aioclient_mock, GEOCODING_URL, json={"results": [zurich]})
    mock_get(aioclient_mock, FORECAST_URL, json=FORECAST)
    hass.config.language = "de-CH"

    result = await tool(hass, TOOL_WEATHER).call({"location": "Zürich"})

    assert result["location_name"] == "Zürich, Schweiz"
    assert aioclient_mock.mock_calls[0][1].query["language"] == "de"


async def test_time_in_a_town(hass: HomeAssistant, aioclient_mock: AiohttpClientMocker) -> None:
    """The geocoder gets the name, and towns of the home's country come first."""
    cambridge = {"name": "Cambridge", "latitude": 52.2, "longitude": 0.1, "country_code": "GB"}
    massachusetts = {"name": "Cambridge", "latitude": 42.4, "longitude": -71.1} | {
        "country_code": "US",
        "timezone": "America/New_York",
    }
    mock_get(aioclient_mock, GEOCODING_URL, json={"results": [cambridge, massachusetts]})
    hass.config.country = "US"

    result = await tool(hass, TOOL_DATE_TIME).call({"timezone": "Cambridge"})

    assert result["timezone"] == "America/New_York"


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"status": 503}, WeatherStatusError),
        ({"status": 429, "json": {"error": True}}, WeatherStatusError),
        ({"status": 304}, WeatherStatusError),
        ({"exc": TimeoutError()}, WeatherTimeoutError),
        ({"exc": aiohttp.ServerTimeoutError()}, WeatherTimeoutError),
        ({"exc": aiohttp.ClientConnectionError()}, WeatherConnectionError),
        ({"text": "<html>Welcome to our hotel</html>"}, WeatherAnswerError),
        ({"content": b"\xff\xfe"}, WeatherAnswerError),
        ({"content": b" " * 1_000_001}, WeatherAnswerError),
        ({"json": []}, WeatherAnswerError),
    ],
)
async def test_failing_weather_service_raises_the_error_of_its_kind(
    hass: HomeAssistant,
    aioclient_mock: AiohttpClientMocker,
    answer: dict[str, Any],
    error: type[WeatherServiceError],
) -> None:
    """Whatever goes wrong on the way has its own error."""
    mock_get(aioclient_mock, FORECAST_URL, **answer)

    with pytest.raises(WeatherServiceError) as caught:
        await tool(hass, TOOL_WEATHER).call({})

    assert type(caught.value) is error


async def test_weather_over_a_real_connection(
    hass: HomeAssistant, socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session of the home takes the query, and gives up when there is no answer."""
    queries = []

    async def forecast(request: web.Request) -> web.Response:
        queries.append(dict(request.query))
        if len(queries) > 1:
            await asyncio.Event().wait()
        return web.json_response(FORECAST)

    app = web.Application()
    app.router.add_get("/v1/forecast", forecast)
    async with TestServer(app) as server:
        monkeypatch.setattr(open_meteo, "FORECAST_URL", str(server.make_url("/v1/forecast")))
        weather = tool(hass, TOOL_WEATHER)

        assert (await weather.call({}))["temperature_c"] == 20.5
        assert (queries[0]["latitude"], queries[0]["longitude"]) == ("32.87", "-117.23")

        monkeypatch.setattr(built_in, "TIMEOUT", 0.01)
        with pytest.raises(WeatherTimeoutError):
            await weather.call({})


async def test_weather_falls_back_to_an_exposed_entity(
    hass: HomeAssistant, aioclient_mock: AiohttpClientMocker
) -> None:
    """A home without internet knows what its own weather entity knows."""
    mock_get(aioclient_mock, FORECAST_URL, exc=aiohttp.ClientConnectionError())
    hass.states.async_set("weather.roof", "sunny", {"temperature": 21, "temperature_unit": "°C"})
    async_expose_entity(hass, "conversation", "weather.roof", should_expose=True)

    result = await tool(hass, TOOL_WEATHER).call({})

    assert result["source"] == "weather.roof"
    assert result["temperature_c"] == 21


async def test_time_at_home(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """The home's zone is the default."""
    await hass.config.async_set_time_zone("Europe/Zurich")
    freezer.move_to(datetime(2026, 11, 5, 20, 15, tzinfo=UTC))

    result = await tool(hass, TOOL_DATE_TIME).call({})

    assert result["datetime_iso"] == "2026-11-05T21:15:00+01:00"
    assert result["timezone"] == "Europe/Zurich"


@pytest.mark.parametrize("asked", ["Asia/Tokyo", "Tokyo"])
async def test_time_elsewhere(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, asked: str
) -> None:
    """Another zone comes from the time zone database."""
    freezer.move_to(datetime(2026, 11, 5, 20, 15, tzinfo=UTC))

    result = await tool(hass, TOOL_DATE_TIME).call({"timezone": asked})

    assert result["datetime_iso"] == "2026-11-06T05:15:00+09:00"


@pytest.mark.parametrize("asked", ["Nowhere/Land", "../../etc/passwd", "Europe", "/etc", "x" * 999])
async def test_unknown_time_zone_is_an_argument_error(
    hass: HomeAssistant, aioclient_mock: AiohttpClientMocker, asked: str
) -> None:
    """Whatever is asked for, it is answered with how to ask."""
    mock_get(aioclient_mock, GEOCODING_URL, json={})
    with pytest.raises(ToolArgumentError, match="America/New_York"):
        await tool(hass, TOOL_DATE_TIME).call({"timezone": asked})
