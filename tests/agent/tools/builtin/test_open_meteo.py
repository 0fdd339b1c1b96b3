"""Tests of the Open-Meteo client."""

from collections.abc import Mapping
from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import ToolArgumentError
from custom_components.chatterbox.agent.tools.builtin.open_meteo import (
    CONDITIONS,
    GEOCODING_URL,
    Place,
    WeatherAnswerError,
    fetch_report,
    find_place,
)
from custom_components.chatterbox.agent.tools.builtin.weather_report import METRIC, WeatherReport
from tests.agent.tools.builtin.fake_open_meteo import (
    AUSTIN,
    AUSTIN_MINNESOTA,
    CURRENT,
    LONDON,
    LONDON_ONTARIO,
    MUNICH,
    SAO_PAULO,
    FakeOpenMeteo,
    forecast,
    results,
)


async def report(answer: Any) -> WeatherReport:
    """Return what is read of an answer."""
    return await fetch_report(FakeOpenMeteo(answer), 52.52, 13.4, METRIC, 0)


@pytest.mark.parametrize(
    ("asked", "found", "place"),
    [
        ("Austin", [AUSTIN, AUSTIN_MINNESOTA], AUSTIN),
        ("Austin, Texas", [AUSTIN_MINNESOTA, AUSTIN], AUSTIN),
        ("Austin, TX", [AUSTIN_MINNESOTA, AUSTIN], AUSTIN),
        ("Austin, mn, USA", [AUSTIN, AUSTIN_MINNESOTA], AUSTIN_MINNESOTA),
        ("Austin, Mower, U.S.", [AUSTIN, AUSTIN_MINNESOTA], AUSTIN_MINNESOTA),
        ("London, UK", [LONDON_ONTARIO, LONDON], LONDON),
        ("London, England", [LONDON_ONTARIO, LONDON], LONDON),
        ("London, Canada", [LONDON, LONDON_ONTARIO], LONDON_ONTARIO),
        ("London, ON", [LONDON, LONDON_ONTARIO], LONDON_ONTARIO),
        ("London, CA,", [LONDON, LONDON_ONTARIO], LONDON_ONTARIO),
        ("Sao Paulo, sao paulo", [LONDON, SAO_PAULO], SAO_PAULO),
    ],
)
async def test_town_is_found_by_state_or_country(
    asked: str, found: list[dict[str, Any]], place: dict[str, Any]
) -> None:
    """The geocoder gets the town alone; what stands behind the comma chooses among its answers."""
    fetch = FakeOpenMeteo(places=results(*found))

    answer = await find_place(fetch, asked, "en")

    assert (answer.latitude, answer.longitude) == (place["latitude"], place["longitude"])
    name = asked.partition(",")[0]
    query = {"name": name, "count": 10, "language": "en", "format": "json"}
    assert fetch.requests == [(GEOCODING_URL, query)]


@pytest.mark.parametrize(
    ("asked", "country", "found", "place"),
    [
        ("London", "CA", [LONDON | {"feature_code": "PPLC"}, LONDON_ONTARIO], LONDON),
        ("London", "CA", [LONDON, LONDON_ONTARIO], LONDON_ONTARIO),
        ("London", "DE", [LONDON, LONDON_ONTARIO], LONDON),
        ("London", None, [LONDON, LONDON_ONTARIO], LONDON),
        ("London, England", "CA", [LONDON_ONTARIO, LONDON], LONDON),
    ],
)
async def test_town_at_home_is_preferred_to_all_but_capitals(
    asked: str, country: str | None, found: list[dict[str, Any]], place: dict[str, Any]
) -> None:
    answer = await find_place(FakeOpenMeteo(places=results(*found)), asked, "en", country)

    assert answer.latitude == place["latitude"]


async def test_place_is_named_in_full_without_repetition() -> None:
    """The name tells which of many it is, and says nothing twice."""
    austin = await find_place(FakeOpenMeteo(places=results(AUSTIN)), "Austin", "en")
    sao_paulo = await find_place(FakeOpenMeteo(places=results(SAO_PAULO)), "Sao Paulo", "en")

    assert austin == Place(
        name="Austin, Texas, United States",
        latitude=30.26715,
        longitude=-97.74306,
        timezone="America/Chicago",
    )
    assert sao_paulo.name == "São Paulo, Brazil"


async def test_places_are_named_in_the_language_of_the_home() -> None:
    """Places are called as the home calls them."""
    fetch = FakeOpenMeteo(places=results(MUNICH))

    place = await find_place(fetch, "München, Bayern", "de")

    assert place.name == "München, Bayern, Deutschland"
    assert [query["language"] for _, query in fetch.requests] == ["de"]


async def test_country_may_be_named_in_english() -> None:
    """A model may name the country in English where the home does not."""

    def places(query: Mapping[str, Any]) -> dict[str, Any]:
        if query["language"] == "de":
            return results(MUNICH)
        return results(MUNICH | {"name": "Munich", "admin1": "Bavaria", "country": "Germany"})

    place = await find_place(FakeOpenMeteo(places=places), "Munich, Germany", "de")

    assert place.name == "Munich, Bavaria, Germany"


@pytest.mark.parametrize("location", ["A", ", Texas", ",", " b, Texas"])
async def test_empty_name_is_not_looked_up(location: str) -> None:
    fetch = FakeOpenMeteo()

    with pytest.raises(ToolArgumentError, match="must begin with the name of a town"):
        await find_place(fetch, location, "en")

    assert not fetch.requests


@pytest.mark.parametrize("answer", [{}, {"generationtime_ms": 0.1}, {"results": None}])
async def test_unknown_town_is_an_error_with_a_hint(answer: dict[str, Any]) -> None:
    """The model is told how to name a town."""
    fetch = FakeOpenMeteo(places=answer)

    with pytest.raises(
        ToolArgumentError, match=r'No place named "Xyzzy" was found\. .* "town, country"'
    ):
        await find_place(fetch, "Xyzzy, Texas", "en")


async def test_unknown_state_gets_the_known_towns_suggested() -> None:
    """The model is told which towns of that name there are, each once and not too many."""
    towns = [AUSTIN, AUSTIN] + [AUSTIN | {"admin1": f"State {number}"} for number in range(8)]
    fetch = FakeOpenMeteo(places=results(*towns))

    with pytest.raises(ToolArgumentError) as caught:
        await find_place(fetch, "Austin, France", "en")

    assert str(caught.value) == (
        '"Austin, France" was not found. Use one of: Austin, Texas, United States; '
        "Austin, State 0, United States; Austin, State 1, United States; "
        "Austin, State 2, United States; Austin, State 3, United States."
    )


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (0, "clear sky"),
        (56, "light freezing drizzle"),
        (57, "heavy freezing drizzle"),
        (66, "light freezing rain"),
        (67, "heavy freezing rain"),
        (99, "thunderstorm with heavy hail"),
        (42, "unknown (weather code 42)"),
    ],
)
async def test_weather_code_is_described(code: int, text: str) -> None:
    """A weather code is said in words, one that is not known too."""
    current = (await report(forecast(current=CURRENT | {"weather_code": code}))).current

    assert current is not None
    assert current.conditions == text


def test_every_documented_code_has_its_own_description() -> None:
    """The codes that the service documents, each with words of its own."""
    codes = "0 1 2 3 45 48 51 53 55 56 57 61 63 65 66 67 71 73 75 77 80 81 82 85 86 95 96 99"

    assert list(CONDITIONS) == [int(code) for code in codes.split()]
    assert len(set(CONDITIONS.values())) == len(CONDITIONS)


@pytest.mark.parametrize("answer", [None, [], "<html>", {}, forecast(current=None)])
async def test_answer_without_weather_is_an_error(answer: Any) -> None:
    with pytest.raises(WeatherAnswerError, match="cannot be read"):
        await report(answer)


@pytest.mark.parametrize(
    "places", [[], "<html>", {"results": ["Austin"]}, {"results": [{"name": "Austin"}]}]
)
async def test_answer_without_places_is_an_error(places: Any) -> None:
    with pytest.raises(WeatherAnswerError, match="cannot be read"):
        await find_place(FakeOpenMeteo(places=places), "Austin", "en")
