"""Tests of the date-time tool."""

import re
import zoneinfo
from datetime import UTC, datetime, tzinfo
from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import ToolArgumentError
from custom_components.chatterbox.agent.tools.builtin.date_time import DateTimeTool

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 5, 20, 15, 42, 987_654, tzinfo=UTC)


async def load_zone(name: str) -> tzinfo | None:
    """Load a zone as Home Assistant does."""
    try:
        return zoneinfo.ZoneInfo(name)
    except zoneinfo.ZoneInfoNotFoundError, ValueError, OSError:
        return None


async def zone_names() -> set[str]:
    """Return all there are."""
    return zoneinfo.available_timezones()


async def zone_of_place(name: str) -> str | None:
    """Return the zones of a few towns."""
    zones = {
        "Austin": "America/Chicago",
        "Paris, Texas": "America/Chicago",
        "London, Ontario": "America/Toronto",
        "Tokyo, Japan": "Asia/Tokyo",
        "Atlantis": None,
        "America": "Europe/Amsterdam",
    }
    if name not in zones:
        raise ToolArgumentError("no such place")
    return zones[name]


async def call(arguments: dict[str, Any], now: datetime = NOW) -> dict[str, Any]:
    """Call the tool in a home in Berlin."""
    tool = DateTimeTool(BERLIN, lambda: now, load_zone, zone_names, zone_of_place)
    return await tool.call(arguments)


async def test_time_at_home_is_the_default() -> None:
    """Without arguments it is the moment at home, in every form."""
    assert await call({}) == {
        "datetime_iso": "2026-11-05T21:15:42+01:00",
        "date": "2026-11-05",
        "time": "21:15:42",
        "timezone": "Europe/Berlin",
        "day_of_week": "Thursday",
        "unix_timestamp": 1_793_909_742,
        "utc_offset": "+01:00",
    }


@pytest.mark.parametrize(
    ("asked", "zone", "iso"),
    [
        ("Asia/Tokyo", "Asia/Tokyo", "2026-11-06T05:15:42+09:00"),
        ("asia/tokyo", "Asia/Tokyo", "2026-11-06T05:15:42+09:00"),
        ("Tokyo", "Asia/Tokyo", "2026-11-06T05:15:42+09:00"),
        ("Tokyo, Japan", "Asia/Tokyo", "2026-11-06T05:15:42+09:00"),
        ("Austin", "America/Chicago", "2026-11-05T14:15:42-06:00"),
        ("Paris, Texas", "America/Chicago", "2026-11-05T14:15:42-06:00"),
        ("London, Ontario", "America/Toronto", "2026-11-05T15:15:42-05:00"),
        ("São Paulo", "America/Sao_Paulo", "2026-11-05T17:15:42-03:00"),
        ("new york", "America/New_York", "2026-11-05T15:15:42-05:00"),
        ("Kathmandu", "Asia/Kathmandu", "2026-11-06T02:00:42+05:45"),
        ("UTC", "UTC", "2026-11-05T20:15:42+00:00"),
        ("", "Europe/Berlin", "2026-11-05T21:15:42+01:00"),
    ],
)
async def test_time_zone_is_found_by_name_or_city(asked: str, zone: str, iso: str) -> None:
    """A zone is found by its name, whatever its case, or by its city."""
    result = await call({"timezone": asked})

    assert (result["timezone"], result["datetime_iso"]) == (zone, iso)
    assert result["unix_timestamp"] == int(NOW.timestamp())


@pytest.mark.parametrize(
    ("asked", "suggestion"),
    [
        ("Europe/Amsterdm", "Europe/Amsterdam"),
        ("Tokio", "Asia/Tokyo"),
        ("Atlantis", "such as America/New_York."),
        # A continent is no town, though towns have such names.
        ("America", "such as America/New_York."),
        ("Berlin, Texas", "Similar names: Europe/Berlin."),
        ("zzzzzzzz", "such as America/New_York."),
        ("../../etc/passwd", "such as America/New_York."),
        # A name that several zones share is not guessed.
        ("West", "Similar names: Australia/West, Brazil/West."),
    ],
)
async def test_unknown_time_zone_gets_suggestions(asked: str, suggestion: str) -> None:
    """The model is told which names there are."""
    with pytest.raises(
        ToolArgumentError, match=f'^There is no time zone "{re.escape(asked)}"'
    ) as caught:
        await call({"timezone": asked})

    assert suggestion in str(caught.value)


async def test_time_zone_that_cannot_be_loaded_is_only_suggested() -> None:
    """The database may list a zone whose file is broken."""

    async def load_none(name: str) -> None:
        return None

    tool = DateTimeTool(BERLIN, lambda: NOW, load_none, zone_names, zone_of_place)
    with pytest.raises(ToolArgumentError, match="Asia/Tokyo"):
        await tool.call({"timezone": "Tokyo"})


@pytest.mark.parametrize(
    ("days", "iso", "weekday"),
    [
        (1, "2026-11-06T21:15:42+01:00", "Friday"),
        (-7, "2026-10-29T21:15:42+01:00", "Thursday"),
        # Summer time ends in between: the clock's reading stays.
        (-14, "2026-10-22T21:15:42+02:00", "Thursday"),
        (36_525, "2126-11-06T21:15:42+01:00", "Wednesday"),
        (-36_525, "1926-11-05T21:15:42+01:00", "Friday"),
    ],
)
async def test_offset_in_days_keeps_the_time_of_day(days: int, iso: str, weekday: str) -> None:
    """Adding days keeps the time of day."""
    result = await call({"offset_days": days})

    assert (result["datetime_iso"], result["day_of_week"]) == (iso, weekday)
    assert datetime.fromisoformat(iso).timestamp() == result["unix_timestamp"]


async def test_nonexistent_hour_becomes_the_hour_after() -> None:
    """When the clocks go forward over that hour, it is the hour after."""
    result = await call({"offset_days": 1}, now=datetime(2026, 3, 28, 1, 30, tzinfo=UTC))

    assert result["datetime_iso"] == "2026-03-29T03:30:00+02:00"


async def test_offset_over_a_century_is_rejected() -> None:
    with pytest.raises(ToolArgumentError, match="from -36525 to 36525"):
        await call({"offset_days": 36_526})


def test_definition_is_short_and_read_only() -> None:
    """The model reads little, and the loop knows that it may call freely."""
    definition = DateTimeTool.definition
    annotations = definition.annotations

    assert definition.name == "get_current_datetime"
    assert len(definition.description) <= 300
    assert "Costs nothing" in definition.description
    assert (annotations.read_only, annotations.destructive) == (True, False)
    assert (annotations.idempotent, annotations.open_world) == (True, True)
