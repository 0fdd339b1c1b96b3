"""The tool for what was recorded of an entity."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from custom_components.chatterbox.agent.errors import ToolArgumentError
from custom_components.chatterbox.agent.tools.builtin.history import HistoryTool
from custom_components.chatterbox.agent.tools.builtin.history_report import (
    RecordedStates,
    RecordedStatistics,
    Statistics,
    TimeRange,
)

VIENNA = ZoneInfo("Europe/Vienna")
NOW = datetime(2026, 11, 21, 12, tzinfo=VIENNA)


async def ask(
    recorded: RecordedStates | RecordedStatistics | None = None, **arguments: Any
) -> tuple[TimeRange, dict[str, Any]]:
    """Return the time range that is read, and the report."""
    asked: list[TimeRange] = []

    async def read(name: str, wanted: TimeRange) -> RecordedStates | RecordedStatistics:
        assert name == "Attic"
        asked.append(wanted)
        return recorded or RecordedStates(
            name="Attic", unit="°C", numeric=True, states=[(wanted.start, "20")]
        )

    report = await HistoryTool(read, lambda: NOW).call({"entity": "Attic", **arguments})
    return asked[0], report


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=VIENNA)


@pytest.mark.parametrize(
    ("arguments", "start", "end"),
    [
        ({}, "2026-11-20T12:00", "2026-11-21T12:00"),
        ({"start": None, "end": ""}, "2026-11-20T12:00", "2026-11-21T12:00"),
        ({"start": "2026-11-16"}, "2026-11-16T00:00", "2026-11-21T12:00"),
        ({"start": "2026-11-20T22:00", "end": "2026-11-21T06:30"}, *2 * [None]),
        ({"start": "2026-11-20", "end": "2026-11-20"}, "2026-11-20T00:00", "2026-11-21T00:00"),
        ({"start": "2026-11-21", "end": "2026-11-30"}, "2026-11-21T00:00", "2026-11-21T12:00"),
        ({"start": "2026-11-21T09:00Z"}, "2026-11-21T10:00", "2026-11-21T12:00"),
        ({"end": "2026-03-29"}, "2026-03-29T00:00", "2026-03-30T00:00"),
    ],
)
async def test_time_range(arguments: dict[str, Any], start: str | None, end: str | None) -> None:
    """Times are local; a date begins and ends with its day; the range ends now at the latest."""
    wanted, report = await ask(**arguments)
    assert wanted.start == local(start or arguments["start"])
    assert wanted.end == local(end or arguments["end"])
    assert report["start"] == wanted.start.isoformat(timespec="minutes")
    assert report["end"] == wanted.end.isoformat(timespec="minutes")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"start": "2026-11-22"}, "start is in the future: it is 2026-11-21 12:00 now."),
        ({"start": "2026-11-20", "end": "2026-11-19"}, "start must be before end."),
        ({"start": "2026-11-20T10:00", "end": "2026-11-20T10:00"}, "start must be before end."),
        ({"start": "2000-01-01"}, "The time range must not exceed 3660 days."),
        ({"start": "0001-01-01"}, "The time range must not exceed 3660 days."),
        ({"start": "last night"}, "start must be a date such as 2026-11-21, or a date and time"),
        ({"end": "9999-12-31"}, "end must be a date such as"),
        ({"start": "2026-99-99"}, "start must be a date such as"),
        ({"start": 5}, "start must be text."),
        ({"by": "minute"}, "by must be one of: hour, day, week, month."),
        ({"start": "2026-11-01", "by": "hour"}, "These are more than 62 periods."),
        ({"entity": " "}, "entity must be the name of an entity."),
        ({"name": "Attic"}, "Unknown argument name. Use only: entity, start, end, by."),
    ],
)
async def test_wrong_arguments_are_refused(arguments: dict[str, Any], expected: str) -> None:
    with pytest.raises(ToolArgumentError) as error:
        await ask(**arguments)
    assert str(error.value).startswith(expected)


async def test_states_are_reported_with_their_unit() -> None:
    _, report = await ask()
    assert (report["entity"], report["unit"], report["mean"]) == ("Attic", "°C", 20.0)
    _, report = await ask(RecordedStates(name="Attic", numeric=False, states=[(NOW, "on")]))
    assert "unit" not in report
    assert report["states"] == [{"state": "on", "times": 1, "minutes": 0.0}]


async def test_statistics_are_reported_by_period_if_wanted() -> None:
    recorded = RecordedStatistics(
        name="Attic",
        unit="kWh",
        total=Statistics(start=NOW, change=4),
        periods=[Statistics(start=NOW, change=4)],
        period="day",
    )
    wanted, report = await ask(recorded, by="day")
    assert wanted.by == "day"
    assert report["change"] == 4.0
    assert report["by_day"] == [{"start": "2026-11-21T12:00+01:00", "change": 4.0}]
    assert "by_day" not in (await ask(recorded))[1]


async def test_nothing_recorded_is_an_error() -> None:
    with pytest.raises(
        ToolArgumentError, match="Nothing is recorded of Attic from 2026-11-20 12:00 to"
    ):
        await ask(RecordedStates(name="Attic", numeric=True, states=[]))


def test_definition_says_what_it_returns_and_costs() -> None:
    definition = HistoryTool.definition
    assert len(definition.description) <= 300
    assert "Costs a query" in definition.description
    assert all(each["description"] for each in definition.parameters["properties"].values())
    assert definition.annotations.read_only
