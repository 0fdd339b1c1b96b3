"""Spoken times, events and weather, in the user's language."""

from datetime import datetime
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory

from custom_components.chatterbox.agent.mentions import RecognizedIntent
from custom_components.chatterbox.agent.tools.builtin.open_meteo import (
    CONDITIONS,
    HOME_ASSISTANT_CONDITIONS,
)
from custom_components.chatterbox.intents.language_words import LanguageWords, async_language_words
from custom_components.chatterbox.intents.response_templates import (
    ResponseTemplates,
    async_get_response_templates,
)
from custom_components.chatterbox.intents.time_sentences import TimeSentences
from homeassistant.components import weather
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

MONDAY = {"date": "2026-11-23", "time": "17:05:00"}
CELSIUS = {"units": {"temperature": "°C"}}
SUNNY = {**CELSIUS, "conditions": "clear sky", "temperature_c": 20.4, "temperature_f": 68.7}
DAYS = [
    {
        "date": f"2026-11-{23 + number}",
        "conditions": "rain",
        "temperature_min": -2.4,
        "temperature_max": 5 + number,
    }
    for number in range(3)
]


@pytest.fixture(autouse=True)
async def monday(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Set the clock to a Monday afternoon in Berlin."""
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to("2026-11-23T16:05:00+00:00")


async def load(hass: HomeAssistant, language: str = "en") -> TimeSentences:
    return TimeSentences(
        await async_get_response_templates(hass, language),
        await async_language_words(hass, language),
        "nothing on {day}",
    )


@pytest.mark.parametrize(
    ("language", "time", "date"),
    [
        ("en", "5:05 PM", "Monday, November 23rd, 2026"),
        ("de", "Es ist 17:05", "Es ist Montag der 23. November 2026"),
        ("fr", "Il est 17:05", "Lundi, Nous sommes le 23 novembre 2026"),
        # Home Assistant has neither a sentence nor the days of the week.
        ("ta", "17:05", "2026-11-23"),
    ],
)
async def test_time_and_date_are_spoken_in_the_users_language(
    hass: HomeAssistant, language: str, time: str, date: str
) -> None:
    sentences = await load(hass, language)
    assert sentences.now(MONDAY, None) == [time, date]
    assert sentences.now(MONDAY, RecognizedIntent(name="HassGetCurrentTime")) == [time]
    assert sentences.now(MONDAY, RecognizedIntent(name="HassGetCurrentDate")) == [date]
    assert sentences.now(MONDAY, RecognizedIntent(name="HassGetState")) == [time, date]


@pytest.mark.parametrize(
    ("moment", "language", "spoken"),
    [
        ("2026-11-23T19:30:00", "en", "7:30 PM"),
        ("2026-11-23T19:30:00", "de", "19:30"),
        ("2026-11-29T19:30:00", "de", "Sonntag 19:30"),
        ("2026-11-30T19:30:00", "de", "2026-11-30 19:30"),
        ("2026-11-22T19:30:00", "de", "2026-11-22 19:30"),
    ],
)
async def test_moment_has_its_day_unless_that_is_today(
    hass: HomeAssistant, moment: str, language: str, spoken: str
) -> None:
    local = datetime.fromisoformat(moment).replace(tzinfo=dt_util.get_default_time_zone())
    assert (await load(hass, language)).moment(local) == spoken


@pytest.mark.parametrize(
    ("start", "end", "spoken"),
    [
        ("2026-11-24T10:00:00+01:00", "2026-11-24T11:00:00+01:00", "Dienstag 10:00 – 11:00"),
        ("2026-11-24T22:00:00Z", "2026-11-25T00:00:00Z", "Dienstag 23:00 – Mittwoch 01:00"),
        ("2026-11-23T18:00:00+01:00", "2026-11-23T19:00:00+01:00", "18:00 – 19:00"),
        ("2026-11-24T10:00:00", "2026-11-24T11:00:00", "Dienstag 10:00 – 11:00"),
        ("2026-11-24", "2026-11-25", "Dienstag"),
        ("2026-11-24", "2026-11-27", "Dienstag – Donnerstag"),
        ("2026-11-20", "2026-11-24", "2026-11-20 – Montag"),
    ],
    ids=["hour", "over midnight", "today", "local", "day", "days", "since last week"],
)
async def test_event_has_its_times_or_days(
    hass: HomeAssistant, start: str, end: str, spoken: str
) -> None:
    event = {"start": start, "end": end, "summary": "Urlaub"}
    assert (await load(hass, "de")).event(event) == f"{spoken} Urlaub"


async def test_event_is_mentioned_by_a_word_that_is_not_in_every_question(
    hass: HomeAssistant,
) -> None:
    sentences = await load(hass)
    dinner, dentist = ({"summary": text} for text in ("Dinner on the roof", "The dentist"))
    found = sentences.mentioned([dinner, dentist], "what is on the calendar for the dentist")
    assert found == [dentist]
    assert sentences.mentioned([dinner, dentist], "what is on the calendar") == []


@pytest.mark.parametrize(
    ("message", "number", "told"),
    [
        ("what is on the calendar", None, ["Dentist", "Night shift", "Holiday"]),
        ("what is on the calendar today", 1, ["Night shift", "Holiday"]),
        ("what is on the calendar tomorrow", 2, ["Dentist", "Night shift"]),
        # One that ends at midnight is not on the next day.
        ("what is on the calendar on Wednesday", 3, []),
        ("when is the dentist this Wednesday", 3, ["Dentist"]),
    ],
)
async def test_events_are_those_of_the_day_that_is_asked_for(
    hass: HomeAssistant, message: str, number: int | None, told: list[str]
) -> None:
    """It is Monday."""
    times = {
        "Dentist": ("2026-11-24T15:00:00+01:00", "2026-11-24T16:00:00+01:00"),
        "Night shift": ("2026-11-23T22:00:00+01:00", "2026-11-25T00:00:00+01:00"),
        "Holiday": ("2026-11-23", "2026-11-24"),
    }
    events = [{"start": s, "end": e, "summary": name} for name, (s, e) in times.items()]
    found = (await load(hass)).events(events, message, number)
    if told:
        assert [next(name for name in times if text.endswith(name)) for text in found] == told
    else:
        assert found == ["nothing on Wednesday"]


@pytest.mark.parametrize(
    ("data", "days", "spoken"),
    [
        (SUNNY, 0, ["Sunny, 20 °C"]),
        ({**SUNNY, "units": {"temperature": "°F"}}, 0, ["Sunny, 69 °F"]),
        ({**SUNNY, "is_day": True}, 0, ["Sunny, 20 °C"]),
        ({**SUNNY, "is_day": False}, 0, ["Clear, night, 20 °C"]),
        ({**SUNNY, "conditions": "partly cloudy"}, 0, ["Partly cloudy, 20 °C"]),
        ({**SUNNY, "conditions": "lightning rainy"}, 0, ["Lightning, rainy, 20 °C"]),
        ({**SUNNY, "daily": DAYS}, 1, ["Sunny, 20 °C", "Monday: Rainy, -2 – 5 °C"]),
        ({**SUNNY, "daily": DAYS}, 3, ["Wednesday: Rainy, -2 – 7 °C"]),
        # In the evening a forecast may begin tomorrow.
        ({**SUNNY, "daily": DAYS[1:]}, 2, ["Tuesday: Rainy, -2 – 6 °C"]),
        ({**CELSIUS, "daily": DAYS}, 1, ["Monday: Rainy, -2 – 5 °C"]),
        (
            {**CELSIUS, "daily": [{**DAYS[0], "temperature_min": None}]},
            1,
            ["Monday: Rainy, 5 °C"],
        ),
        ({**SUNNY, "daily": DAYS}, 4, []),
        ({**SUNNY, "conditions": "unknown (weather code 7)"}, 0, []),
        ({**CELSIUS, "conditions": "rain"}, 0, []),
        ({**CELSIUS, "temperature_c": 5}, 0, []),
        (SUNNY, 2, []),
    ],
)
async def test_weather_is_that_of_the_day(
    hass: HomeAssistant, data: dict[str, Any], days: int, spoken: list[str]
) -> None:
    assert (await load(hass)).weather(data, days) == spoken


async def test_weather_is_spoken_in_the_users_language(hass: HomeAssistant) -> None:
    data = {**SUNNY, "daily": DAYS}
    assert (await load(hass, "de")).weather(data, 1) == [
        "Sonnig, 20 °C",
        "Montag: Regnerisch, -2 – 5 °C",
    ]
    nameless = TimeSentences(ResponseTemplates(hass, {}, {}), LanguageWords(), "")
    assert nameless.weather(data, 1) == []


def test_conditions_are_those_of_home_assistant() -> None:
    known = {value for name, value in vars(weather).items() if name.startswith("ATTR_CONDITION_")}
    assert HOME_ASSISTANT_CONDITIONS.keys() == set(CONDITIONS.values())
    assert set(HOME_ASSISTANT_CONDITIONS.values()) <= known
