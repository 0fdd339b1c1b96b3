"""Built-in tools, configured for this home."""

import zoneinfo
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import tzinfo
from functools import partial
from http import HTTPStatus
from typing import Any

import aiohttp
from aiohttp import hdrs

from homeassistant.components.recorder.const import DOMAIN as RECORDER
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util import dt as dt_util
from homeassistant.util.json import json_loads
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM

from .agent.language.language import primary_language
from .agent.model.response_body import read_body
from .agent.tools.builtin.date_time import DateTimeTool
from .agent.tools.builtin.history import HistoryTool
from .agent.tools.builtin.open_meteo import (
    TIMEOUT,
    WeatherAnswerError,
    WeatherConnectionError,
    WeatherStatusError,
    WeatherTimeoutError,
    find_place,
)
from .agent.tools.builtin.weather import HomeLocation, WeatherTool
from .agent.tools.builtin.weather_report import METRIC, US_CUSTOMARY
from .agent.tools.registry import Tool
from .camera_image import camera_tool
from .const import TOOL_CAMERA, TOOL_DATE_TIME, TOOL_HISTORY, TOOL_WEATHER
from .recorded_history import async_read_history
from .weather_entity import entity_report

# A forecast of sixteen days takes 3 kB.
_MAX_BODY_BYTES = 1_000_000
_OK = range(HTTPStatus.OK, HTTPStatus.MULTIPLE_CHOICES)


def built_in_tools(hass: HomeAssistant, names: Iterable[str]) -> list[Tool]:
    """Return the built-in tools of these names; unknown names are ignored.

    They have the time zone, the place, the units and the language of the home.
    """
    return [_FACTORIES[name](hass) for name in names if name in _FACTORIES]


def _date_time_tool(hass: HomeAssistant) -> DateTimeTool:
    async def zone_names() -> set[str]:
        return await hass.async_add_executor_job(zoneinfo.available_timezones)

    async def zone_of_place(name: str) -> str | None:
        config = hass.config
        language = primary_language(config.language)
        fetch = partial(_fetch_json, hass)
        return (await find_place(fetch, name, language, config.country)).timezone

    return DateTimeTool(
        zone=dt_util.get_default_time_zone(),
        now=dt_util.now,
        load_zone=_load_zone,
        zone_names=zone_names,
        zone_of_place=zone_of_place,
    )


def caller_tools(
    hass: HomeAssistant, names: Collection[str], user_id: str | None, *, sees: bool = True
) -> list[Tool]:
    """Return those of the named tools that depend on who asks; None is an unknown user.

    `sees` is whether the model may accept images.
    """
    tools: list[Tool] = []
    if TOOL_HISTORY in names and RECORDER in hass.config.components:
        tools.append(HistoryTool(partial(async_read_history, hass, user_id), dt_util.now))
    camera = camera_tool(hass, user_id) if TOOL_CAMERA in names and sees else None
    if camera is not None:
        tools.append(camera)
    return tools


async def _load_zone(name: str) -> tzinfo | None:
    try:
        return await dt_util.async_get_time_zone(name)
    # Home Assistant 2026.10 raises these for a path outside the database and for a folder.
    except ValueError, OSError:
        return None


def _weather_tool(hass: HomeAssistant) -> WeatherTool:
    config = hass.config
    units = US_CUSTOMARY if config.units is US_CUSTOMARY_SYSTEM else METRIC
    return WeatherTool(
        fetch=partial(_fetch_json, hass),
        home=HomeLocation(
            name=config.location_name,
            latitude=config.latitude,
            longitude=config.longitude,
            units=units,
            language=primary_language(config.language),
            country=config.country,
        ),
        fallback=partial(entity_report, hass, units),
    )


async def _fetch_json(
    hass: HomeAssistant, url: str, params: Mapping[str, str | int | float]
) -> Any:
    try:
        async with async_get_clientsession(hass).get(
            url,
            params=params,
            # Compressed answers could be of any size.
            headers={hdrs.ACCEPT_ENCODING: "identity"},
            timeout=aiohttp.ClientTimeout(total=TIMEOUT),
        ) as response:
            if response.status not in _OK:
                raise WeatherStatusError(response.status)
            # The type is not checked, as parsing fails for HTML anyway (a hotspot's sign-in page).
            if (body := await read_body(response, _MAX_BODY_BYTES)) is None:
                raise WeatherAnswerError
            return json_loads(body)
    except TimeoutError as err:
        raise WeatherTimeoutError from err
    except aiohttp.ClientError as err:
        raise WeatherConnectionError from err
    except ValueError as err:
        raise WeatherAnswerError from err


_FACTORIES: Mapping[str, Callable[[HomeAssistant], Tool]] = {
    TOOL_DATE_TIME: _date_time_tool,
    TOOL_WEATHER: _weather_tool,
}
