"""Built-in tool for the weather at home and elsewhere."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from ...messages import ToolAnnotations, ToolDefinition
from ..arguments import read_arguments
from .open_meteo import SOURCE, FetchJson, WeatherServiceError, fetch_report, find_place
from .weather_report import Units, WeatherReport, describe

type WeatherFallback = Callable[[int], Awaitable[WeatherReport | None]]
"""Function that reports the weather at home, with so many days of forecast, or returns None."""

_HERE = {"home", "here", "my home", "at home", "current location", "my location"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeLocation:
    """Location of the home, with its units and language."""

    name: str
    latitude: float
    longitude: float
    units: Units
    language: str
    """Of place names, as a two-letter code."""
    country: str | None = None
    """As a two-letter code."""


class WeatherTool:
    """Tool that returns the current weather and, if asked for, the daily forecast.

    `fallback` is asked for the weather at home if the service fails.
    """

    definition = ToolDefinition(
        name="get_weather",
        description=(
            "Weather now at home or in any town: conditions, temperature, humidity, wind; with "
            "`days` also the daily forecast: high, low, rain, wind, sunrise, sunset. "
            "Costs one web request at home, two elsewhere."
        ),
        parameters={
            "type": "object",
            "properties": {
                "location": {
                    "type": "string",
                    "description": (
                        'A town, as "Oslo", "Austin, Texas" or "Paris, France". '
                        "Leave out for the weather at home."
                    ),
                },
                "days": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 16,
                    "description": (
                        "Days of forecast, today included: 2 reaches to tomorrow, 7 covers a week. "
                        "0, the default, is only the weather now."
                    ),
                },
            },
            "required": [],
        },
        annotations=ToolAnnotations(
            read_only=True, destructive=False, idempotent=True, open_world=True
        ),
    )

    def __init__(
        self, fetch: FetchJson, home: HomeLocation, fallback: WeatherFallback | None = None
    ) -> None:
        self._fetch = fetch
        self._home = home
        self._fallback = fallback

    async def call(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the weather as `describe` does. Raises `WeatherServiceError` if there is none."""
        read = read_arguments(arguments, self.definition.parameters)
        location, days = read.get("location"), read.get("days", 0)
        if location is None or location.casefold() in {*_HERE, self._home.name.casefold()}:
            name, report = self._home.name, await self._report_home(days)
        else:
            name, report = await self._report_elsewhere(location, days)
        return describe(report, name, self._home.units, days)

    async def _report_home(self, days: int) -> WeatherReport:
        # Two decimals are about a kilometer: enough for the weather, and no street address.
        latitude, longitude = round(self._home.latitude, 2), round(self._home.longitude, 2)
        try:
            return await fetch_report(self._fetch, latitude, longitude, self._home.units, days)
        except WeatherServiceError:
            report = await self._fallback(days) if self._fallback else None
            if report is None:
                raise
            return report

    async def _report_elsewhere(self, location: str, days: int) -> tuple[str, WeatherReport]:
        place = await find_place(self._fetch, location, self._home.language, self._home.country)
        try:
            report = await fetch_report(
                self._fetch, place.latitude, place.longitude, self._home.units, days
            )
        except WeatherServiceError as err:
            # The model may only need the place and its time zone, which are known.
            report = WeatherReport(source=SOURCE, timezone=place.timezone, problem=str(err))
        return place.name, report
