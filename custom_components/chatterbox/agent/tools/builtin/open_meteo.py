"""Client for the geocoding and forecast APIs of Open-Meteo, which need no key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Protocol

from ...errors import ToolArgumentError, ToolError
from ...text_match import normalize
from .weather_report import METRIC, CurrentWeather, DayForecast, Units, WeatherReport

GEOCODING_URL = "https://geocoding-api.open-meteo.com/v1/search"
FORECAST_URL = "https://api.open-meteo.com/v1/forecast"
SOURCE = "open-meteo"
TIMEOUT = 10.0
"""Timeout of a request, in seconds."""

_MAX_NAME_CHARS = 200

CURRENT_FIELDS = (
    "temperature_2m,apparent_temperature,relative_humidity_2m,weather_code,wind_speed_10m,is_day"
)
DAILY_FIELDS = (
    "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,"
    "precipitation_probability_max,wind_speed_10m_max,sunrise,sunset"
)

CONDITIONS = {
    0: "clear sky",
    1: "mainly clear",
    2: "partly cloudy",
    3: "overcast",
    45: "fog",
    48: "freezing fog",
    51: "light drizzle",
    53: "drizzle",
    55: "heavy drizzle",
    56: "light freezing drizzle",
    57: "heavy freezing drizzle",
    61: "light rain",
    63: "rain",
    65: "heavy rain",
    66: "light freezing rain",
    67: "heavy freezing rain",
    71: "light snow",
    73: "snow",
    75: "heavy snow",
    77: "snow grains",
    80: "light rain showers",
    81: "rain showers",
    82: "violent rain showers",
    85: "light snow showers",
    86: "heavy snow showers",
    95: "thunderstorm",
    96: "thunderstorm with light hail",
    99: "thunderstorm with heavy hail",
}
"""Weather codes of the World Meteorological Organization, as far as Open-Meteo uses them."""

HOME_ASSISTANT_CONDITIONS = {
    text: condition
    for condition, texts in {
        "sunny": ("clear sky", "mainly clear"),
        "partlycloudy": ("partly cloudy",),
        "cloudy": ("overcast",),
        "fog": ("fog", "freezing fog"),
        "rainy": (
            *("light drizzle", "drizzle", "heavy drizzle"),
            *("light rain", "rain", "light rain showers"),
        ),
        "pouring": ("heavy rain", "rain showers", "violent rain showers"),
        "snowy-rainy": (
            *("light freezing drizzle", "heavy freezing drizzle"),
            *("light freezing rain", "heavy freezing rain"),
        ),
        "snowy": (
            *("light snow", "snow", "heavy snow", "snow grains"),
            *("light snow showers", "heavy snow showers"),
        ),
        "lightning-rainy": (
            *("thunderstorm", "thunderstorm with light hail"),
            "thunderstorm with heavy hail",
        ),
    }.items()
    for text in texts
}
"""The conditions of Home Assistant's weather entities that the words for the codes stand for."""

_COUNTRY_CODES = {
    "america": "us",
    "united states of america": "us",
    "usa": "us",
    "britain": "gb",
    "great britain": "gb",
    "uk": "gb",
    "uae": "ae",
    "holland": "nl",
}
"""Common names of countries that the service does not know, with their codes."""

_CAPITALS = {"PPLC", "PPLA"}
"""Feature codes of GeoNames: capitals of countries, and of their states or provinces."""

_REGIONS = {
    country: dict(zip(regions.split("|")[::2], regions.split("|")[1::2], strict=True))
    for country, regions in {
        "us": "al|alabama|ak|alaska|az|arizona|ar|arkansas|ca|california|co|colorado|"
        "ct|connecticut|de|delaware|dc|district of columbia|fl|florida|ga|georgia|hi|hawaii|"
        "id|idaho|il|illinois|in|indiana|ia|iowa|ks|kansas|ky|kentucky|la|louisiana|me|maine|"
        "md|maryland|ma|massachusetts|mi|michigan|mn|minnesota|ms|mississippi|mo|missouri|"
        "mt|montana|ne|nebraska|nv|nevada|nh|new hampshire|nj|new jersey|nm|new mexico|"
        "ny|new york|nc|north carolina|nd|north dakota|oh|ohio|ok|oklahoma|or|oregon|"
        "pa|pennsylvania|ri|rhode island|sc|south carolina|sd|south dakota|tn|tennessee|"
        "tx|texas|ut|utah|vt|vermont|va|virginia|wa|washington|wv|west virginia|wi|wisconsin|"
        "wy|wyoming",
        "ca": "ab|alberta|bc|british columbia|mb|manitoba|nb|new brunswick|"
        "nl|newfoundland and labrador|ns|nova scotia|nt|northwest territories|nu|nunavut|"
        "on|ontario|pe|prince edward island|qc|quebec|sk|saskatchewan|yt|yukon",
        "au": "act|australian capital territory|nsw|new south wales|nt|northern territory|"
        "qld|queensland|sa|south australia|tas|tasmania|vic|victoria|wa|western australia",
    }.items()
}
"""Postal abbreviations of states and provinces, by country code."""


class WeatherServiceError(ToolError):
    """The weather service gave no usable answer."""

    error_type = "weather_service"


class WeatherTimeoutError(WeatherServiceError):
    """The weather service did not answer in time."""

    def __init__(self) -> None:
        super().__init__(f"The weather service did not answer within {TIMEOUT:.0f} seconds.")


class WeatherConnectionError(WeatherServiceError):
    """The weather service could not be reached."""

    def __init__(self) -> None:
        super().__init__("The weather service cannot be reached; the home may be offline.")


class WeatherStatusError(WeatherServiceError):
    """The weather service answered with an HTTP error status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"The weather service answered with error {status}.")
        self.status = status


class WeatherAnswerError(WeatherServiceError):
    """The answer of the weather service is malformed."""

    def __init__(self) -> None:
        super().__init__("The weather service gave an answer that cannot be read.")


class FetchJson(Protocol):
    """Function that gets a JSON document by HTTP, within `TIMEOUT`."""

    async def __call__(self, url: str, params: Mapping[str, str | int | float]) -> Any:
        """Return the document at a URL with a query. Raises `WeatherServiceError`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place found by the geocoder."""

    name: str
    latitude: float
    longitude: float
    timezone: str | None


async def find_place(
    fetch: FetchJson, location: str, language: str, country: str | None = None
) -> Place:
    """Return the place of a town name, which a state or country may follow after a comma.

    The geocoder searches single names; the state or country selects among its results. It returns
    the names of states and countries in the given language. Models often write them in English, so
    that English is tried too. Without a state or country, a town in the `country` of the home, a
    two-letter code, is preferred to all but capitals.

    Raises `ToolArgumentError` if there is no such place, and `WeatherServiceError`.
    """
    name, *qualifiers = (part.strip() for part in location.split(","))
    if not 2 <= len(name) <= _MAX_NAME_CHARS:  # noqa: PLR2004 - a letter is never found
        raise ToolArgumentError(
            'location must begin with the name of a town, such as "Austin, Texas" or "Oslo".'
        )
    found: Sequence[Mapping[str, Any]] = ()
    for asked in dict.fromkeys((language, "en")):
        answer = await fetch(
            GEOCODING_URL, {"name": name, "count": 10, "language": asked, "format": "json"}
        )
        places = _places(answer)
        if matches := [
            place
            for place in places
            if all(_lies_in(place, qualifier) for qualifier in qualifiers if qualifier)
        ]:
            place = _nearest(matches, country)
            return Place(
                name=_label(place),
                latitude=place["latitude"],
                longitude=place["longitude"],
                timezone=place.get("timezone"),
            )
        found = found or places
    if not found:
        raise ToolArgumentError(
            f'No place named "{name}" was found. Check the spelling or name a larger town nearby, '
            'as "town", "town, state" or "town, country".'
        )
    labels = list(dict.fromkeys(_label(place) for place in found))[:5]
    raise ToolArgumentError(f'"{location}" was not found. Use one of: {"; ".join(labels)}.')


async def fetch_report(
    fetch: FetchJson, latitude: float, longitude: float, units: Units, days: int
) -> WeatherReport:
    """Return the current weather and the forecast of so many days. Raises `WeatherServiceError`."""
    metric = units == METRIC
    params: dict[str, str | int | float] = {
        "latitude": latitude,
        "longitude": longitude,
        "timezone": "auto",
        "temperature_unit": "celsius" if metric else "fahrenheit",
        "wind_speed_unit": "kmh" if metric else "mph",
        "precipitation_unit": "mm" if metric else "inch",
        "current": CURRENT_FIELDS,
    }
    if days:
        params |= {"daily": DAILY_FIELDS, "forecast_days": days}
    answer = await fetch(FORECAST_URL, params)
    if not isinstance(answer, Mapping):
        raise WeatherAnswerError
    current = _current(answer.get("current"))
    forecast = _days(answer.get("daily"), days)
    if not current and not forecast:
        raise WeatherAnswerError
    return WeatherReport(
        source=SOURCE, timezone=answer.get("timezone"), current=current, days=forecast
    )


def _places(answer: Any) -> list[Mapping[str, Any]]:
    """Return the places in a geocoder's answer, which has no `results` if there are none."""
    if not isinstance(answer, Mapping):
        raise WeatherAnswerError
    results = answer.get("results") or ()
    if not all(
        isinstance(place, Mapping) and {"name", "latitude", "longitude"} <= place.keys()
        for place in results
    ):
        raise WeatherAnswerError
    return list(results)


def _nearest(places: Sequence[Mapping[str, Any]], country: str | None) -> Mapping[str, Any]:
    """Return the place that is meant: a capital, or one in the country, or the best known."""
    best_known = places[0]
    if best_known.get("feature_code") in _CAPITALS:
        return best_known
    domestic = (place for place in places if country and place.get("country_code") == country)
    return next(domestic, best_known)


def _label(place: Mapping[str, Any]) -> str:
    """Return the name of a place with its state and country, without repetitions."""
    names = (place.get(key) for key in ("name", "admin1", "country"))
    return ", ".join(dict.fromkeys(name for name in names if name))


def _lies_in(place: Mapping[str, Any], qualifier: str) -> bool:
    """Return whether a place lies in a state or country, by its name or abbreviation."""
    wanted = _place_key(qualifier)
    country = _place_key(place.get("country_code") or "")
    wanted_country = _COUNTRY_CODES.get(wanted, wanted)
    wanted_region = _REGIONS.get(country, {}).get(wanted, wanted)
    areas = {_place_key(place.get(key) or "") for key in _AREAS}
    return country == wanted_country or wanted_region in areas


_AREAS = ("admin1", "admin2", "admin3", "admin4", "country")


def _place_key(text: str) -> str:
    """Return the text without case, accents and periods."""
    return normalize(text).replace(".", "")


def _current(values: Any) -> CurrentWeather | None:
    if not isinstance(values, Mapping) or _number(values.get("temperature_2m")) is None:
        return None
    is_day = _number(values.get("is_day"))
    return CurrentWeather(
        conditions=_conditions(values.get("weather_code")),
        temperature=_number(values.get("temperature_2m")),
        feels_like=_number(values.get("apparent_temperature")),
        humidity_percent=_number(values.get("relative_humidity_2m")),
        wind_speed=_number(values.get("wind_speed_10m")),
        is_day=None if is_day is None else bool(is_day),
        local_time=values.get("time"),
    )


def _days(columns: Any, days: int) -> Sequence[DayForecast]:
    """Return the forecasts of the days with data; the answer has one column per quantity."""
    if not isinstance(columns, Mapping):
        return ()
    names = ("time", *DAILY_FIELDS.split(","))
    rows = zip_longest(*(columns.get(name) or () for name in names))
    return [day for row in rows if (day := _day(dict(zip(names, row, strict=True))))][:days]


def _day(row: Mapping[str, Any]) -> DayForecast | None:
    """Return the forecast of a day, or None without data, as the last days may be."""
    if row["time"] is None or _number(row["temperature_2m_max"]) is None:
        return None
    return DayForecast(
        date=row["time"],
        conditions=_conditions(row["weather_code"]),
        temperature_max=_number(row["temperature_2m_max"]),
        temperature_min=_number(row["temperature_2m_min"]),
        precipitation=_number(row["precipitation_sum"]),
        precipitation_probability_percent=_number(row["precipitation_probability_max"]),
        wind_speed_max=_number(row["wind_speed_10m_max"]),
        sunrise=_time_of_day(row["sunrise"]),
        sunset=_time_of_day(row["sunset"]),
    )


def _conditions(value: Any) -> str | None:
    code = _number(value)
    return None if code is None else CONDITIONS.get(int(code), f"unknown (weather code {code})")


def _time_of_day(timestamp: Any) -> str | None:
    """Return the time of day of a timestamp, whose date is known."""
    return timestamp.partition("T")[2] or None if isinstance(timestamp, str) else None


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) else None
