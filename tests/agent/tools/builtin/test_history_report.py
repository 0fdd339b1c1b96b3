"""Reports of what was recorded of an entity."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from custom_components.chatterbox.agent.tools.builtin.history_report import (
    RecordedStates,
    RecordedStatistics,
    Statistics,
    number,
    report_states,
    report_statistics,
)

HOME = timezone(timedelta(hours=1))
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
END = datetime(2026, 11, 21, 17, tzinfo=HOME)


def states(*values: str, numeric: bool = True, complete: bool = True) -> RecordedStates:
    """Return states that follow each other by an hour, from noon on."""
    return RecordedStates(
        name="Attic",
        numeric=numeric,
        states=[(NOON + timedelta(hours=hour), value) for hour, value in enumerate(values)],
        complete=complete,
    )


def statistics(total: Statistics, *periods: Statistics) -> RecordedStatistics:
    return RecordedStatistics(name="Attic", unit="°C", total=total, periods=periods, period="hour")


def test_numbers_are_aggregated_over_time_in_local_time() -> None:
    """The last value holds until the end; what is no number counts for nothing."""
    assert report_states(states("20", "unavailable", "11.12345678", "14"), END) == {
        "first": 20.0,
        "last": 14.0,
        "change": -6.0,
        "mean": 15.0412,
        "min": {"value": 11.1235, "time": "2026-11-21T15:00+01:00"},
        "max": {"value": 20.0, "time": "2026-11-21T13:00+01:00"},
    }


def test_number_at_the_end_is_its_own_mean() -> None:
    at_end = RecordedStates(name="Attic", numeric=True, states=[(END, "7")])
    assert report_states(at_end, END)["mean"] == 7.0


@pytest.mark.parametrize("values", [(), ("unknown",)])
def test_nothing_known_is_an_empty_report(values: tuple[str, ...]) -> None:
    assert report_states(states(*values), END) == {}


def test_other_states_are_listed_with_their_durations() -> None:
    assert report_states(states("off", "on", "off", numeric=False), END) == {
        "states": [
            {"state": "off", "times": 2, "minutes": 180.0},
            {"state": "on", "times": 1, "minutes": 60.0},
        ],
        "changes": [
            {"time": "2026-11-21T13:00+01:00", "state": "off", "minutes": 60.0},
            {"time": "2026-11-21T14:00+01:00", "state": "on", "minutes": 60.0},
            {"time": "2026-11-21T15:00+01:00", "state": "off", "minutes": 120.0},
        ],
    }


def test_no_other_state_is_an_empty_report() -> None:
    assert report_states(states(numeric=False), END) == {}


def test_changes_and_states_are_bounded() -> None:
    many = [(NOON + timedelta(minutes=number), f"state {number % 30}") for number in range(240)]
    report = report_states(RecordedStates(name="Attic", numeric=False, states=many), END)
    assert len(report["states"]) == len(report["changes"]) == 20
    assert report["earlier_changes"] == 220
    assert report["changes"][-1] == {
        "time": "2026-11-21T16:59+01:00",
        "state": "state 29",
        "minutes": 1.0,
    }


def test_incomplete_states_are_told() -> None:
    report = report_states(states("20", "21", complete=False), END)
    assert report["partial"] is True
    assert report["missing"] == ["what was after 2026-11-21T14:00+01:00: ask for less at once"]


def test_statistics_have_the_times_of_extremes() -> None:
    report = report_statistics(
        statistics(
            Statistics(start=NOON, mean=15.5, min=10, max=21),
            Statistics(start=NOON, mean=15, min=12, max=21),
            Statistics(start=NOON + timedelta(hours=1)),
            Statistics(start=NOON + timedelta(hours=2), mean=16, min=10, max=20),
        ),
        with_periods=False,
    )
    assert report == {
        "mean": 15.5,
        "first": 15.0,
        "last": 16.0,
        "accuracy": "first and last are means of one hour, times its start",
        "min": {"value": 10.0, "time": "2026-11-21T14:00+00:00"},
        "max": {"value": 21.0, "time": "2026-11-21T12:00+00:00"},
    }


def test_statistics_of_a_meter_by_period() -> None:
    report = report_statistics(
        statistics(
            Statistics(start=NOON, change=3.25),
            Statistics(start=NOON, change=1),
            Statistics(start=NOON + timedelta(hours=1), change=2.25),
        ),
        with_periods=True,
    )
    assert report == {
        "change": 3.25,
        "by_hour": [
            {"start": "2026-11-21T12:00+00:00", "change": 1.0},
            {"start": "2026-11-21T13:00+00:00", "change": 2.25},
        ],
    }


@pytest.mark.parametrize("with_periods", [True, False])
def test_no_statistics_are_an_empty_report(*, with_periods: bool) -> None:
    empty = statistics(Statistics(start=NOON), Statistics(start=NOON))
    assert report_statistics(empty, with_periods=with_periods) == {}


@pytest.mark.parametrize(
    ("state", "expected"),
    [("1", 1.0), ("-2.5e3", -2500.0), ("on", None), ("nan", None), ("inf", None), ("", None)],
)
def test_number(state: str, expected: Any) -> None:
    assert number(state) == expected
