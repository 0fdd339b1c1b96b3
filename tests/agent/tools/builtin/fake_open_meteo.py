"""Fake Open-Meteo service, and its answers."""

from collections.abc import Mapping
from typing import Any

from custom_components.chatterbox.agent.tools.builtin.open_meteo import FORECAST_URL, GEOCODING_URL

AUSTIN = {
    "id": 4671654,
    "name": "Austin",
    "latitude": 30.26715,
    "longitude": -97.74306,
    "feature_code": "PPLA",
    "country_code": "US",
    "timezone": "America/Chicago",
    "population": 961855,
    "country": "United States",
    "admin1": "Texas",
    "admin2": "Travis",
}
AUSTIN_MINNESOTA = AUSTIN | {
    "id": 5016024,
    "latitude": 43.66663,
    "longitude": -92.97464,
    "admin1": "Minnesota",
    "admin2": "Mower",
}
MUNICH = {
    "id": 2867714,
    "name": "München",
    "latitude": 48.13743,
    "longitude": 11.57549,
    "country_code": "DE",
    "timezone": "Europe/Berlin",
    "country": "Deutschland",
    "admin1": "Bayern",
}
LONDON = {
    "name": "London",
    "latitude": 51.50853,
    "longitude": -0.12574,
    "country_code": "GB",
    "timezone": "Europe/London",
    "country": "United Kingdom",
    "admin1": "England",
}
LONDON_ONTARIO = {
    "name": "London",
    "latitude": 42.98339,
    "longitude": -81.23304,
    "country_code": "CA",
    "timezone": "America/Toronto",
    "country": "Canada",
    "admin1": "Ontario",
}
SAO_PAULO = {
    "name": "São Paulo",
    "latitude": -23.5475,
    "longitude": -46.63611,
    "country_code": "BR",
    "country": "Brazil",
    "admin1": "São Paulo",
}
CURRENT = {
    "time": "2026-11-05T14:15",
    "interval": 900,
    "temperature_2m": 11.3,
    "apparent_temperature": 8.04,
    "relative_humidity_2m": 81,
    "weather_code": 61,
    "wind_speed_10m": 18.7,
    "is_day": 1,
}
DAILY = {
    "time": ["2026-11-05", "2026-11-06", "2026-11-07"],
    "weather_code": [63, 3, 66],
    "temperature_2m_max": [12.1, 13.0, 1.5],
    "temperature_2m_min": [6.4, 5.9, -2.0],
    "precipitation_sum": [7.2, 0.0, 3.1],
    "precipitation_probability_max": [95, 10, 60],
    "wind_speed_10m_max": [30.2, 14.8, 9.0],
    "sunrise": ["2026-11-05T07:12", "2026-11-06T07:14", "2026-11-07T07:16"],
    "sunset": ["2026-11-05T16:31", "2026-11-06T16:29", "2026-11-07T16:28"],
}


class FakeOpenMeteo:
    """Service that records its requests; answers that are exceptions are raised."""

    def __init__(self, forecast: Any = None, places: Any = None) -> None:
        self.forecast = forecast
        self.places = places
        self.requests: list[tuple[str, dict[str, Any]]] = []

    async def __call__(self, url: str, params: Mapping[str, str | int | float]) -> Any:
        """Get a document."""
        self.requests.append((url, dict(params)))
        answer = {FORECAST_URL: self.forecast, GEOCODING_URL: self.places}[url]
        if callable(answer):
            answer = answer(params)
        if isinstance(answer, Exception):
            raise answer
        return answer


def forecast(**parts: Any) -> dict[str, Any]:
    """Return a forecast as the service gives it."""
    return {"latitude": 52.52, "timezone": "Europe/Berlin", "current": CURRENT} | parts


def results(*places: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the geocoder found."""
    return {"results": list(places), "generationtime_ms": 0.6}
