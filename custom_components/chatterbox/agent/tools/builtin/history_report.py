"""What was recorded of an entity, and its report for the model."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

_MAX_CHANGES = 20
_MAX_STATES = 20
_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRange:
    """A time range in the time zone of the home."""

    start: datetime
    end: datetime
    by: str | None = None
    """Period for which statistics are wanted as well, such as `hour`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedStates:
    """The states of an entity in a time range, oldest first; the first may be from before it."""

    name: str
    unit: str | None = None
    numeric: bool
    """Whether the states are numbers; others are unknown then."""
    states: Sequence[tuple[datetime, str]]
    complete: bool = True
    """Whether there are no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Statistics of a period; what the entity does not have is None."""

    start: datetime
    mean: float | None = None
    min: float | None = None
    max: float | None = None
    change: float | None = None
    """What a meter counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedStatistics:
    """The statistics of an entity in a time range."""

    name: str
    unit: str | None
    total: Statistics
    """The statistics of the whole range."""
    periods: Sequence[Statistics]
    """Those of its parts, oldest first."""
    period: str
    """How long a part is, such as `hour`."""


def report_states(recorded: RecordedStates, end: datetime) -> dict[str, Any]:
    """Return a report of states up to `end`, in its time zone; empty if there are none."""
    if not recorded.states:
        return {}
    times = [(at.astimezone(end.tzinfo), state) for at, state in recorded.states]
    spans = [
        (state, start, following)
        for (start, state), (following, _) in pairwise([*times, (end, "")])
    ]
    report = _numbers(spans) if recorded.numeric else _texts(spans)
    if not recorded.complete:
        until = _time(times[-1][0])
        report |= {"partial": True, "missing": [f"what was after {until}: ask for less at once"]}
    return report


def report_statistics(recorded: RecordedStatistics, *, with_periods: bool) -> dict[str, Any]:
    """Return a report of statistics, with those of each period if wanted; empty if none exist."""
    total, periods = recorded.total, recorded.periods
    means = [each.mean for each in periods if each.mean is not None]
    lows = [(each.min, each.start) for each in periods if each.min is not None]
    highs = [(each.max, each.start) for each in periods if each.max is not None]
    report: dict[str, Any] = _values({"mean": total.mean, "change": total.change})
    if means:
        report |= _values({"first": means[0], "last": means[-1]})
        report["accuracy"] = f"first and last are means of one {recorded.period}, times its start"
    for name, value, extreme in (
        ("min", total.min, min(lows, default=None)),
        ("max", total.max, max(highs, default=None)),
    ):
        if value is not None and extreme is not None:
            report[name] = {**_values({"value": value}), "time": _time(extreme[1])}
    if report and with_periods:
        report[f"by_{recorded.period}"] = [
            {
                "start": _time(period.start),
                **_values({name: getattr(period, name) for name in ("mean", "min", "max")}),
                **_values({"change": period.change}),
            }
            for period in periods
        ]
    return report


def number(state: str) -> float | None:
    """Return the number that a state is, None if it is none."""
    try:
        value = float(state)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


type _Span = tuple[str, datetime, datetime]
"""A state, with its beginning and end."""


def _numbers(spans: Iterable[_Span]) -> dict[str, Any]:
    """Return the report of numbers; the mean is weighted by time."""
    known = [
        (value, start, end) for state, start, end in spans if (value := number(state)) is not None
    ]
    if not known:
        return {}
    first, last = known[0][0], known[-1][0]
    lowest, highest = min(known), max(known, key=lambda item: item[0])
    seconds = sum((end - start).total_seconds() for _, start, end in known)
    weighted = sum(value * (end - start).total_seconds() for value, start, end in known)
    mean = weighted / seconds if seconds else last
    return {
        **_values({"first": first, "last": last, "change": last - first, "mean": mean}),
        "min": {**_values({"value": lowest[0]}), "time": _time(lowest[1])},
        "max": {**_values({"value": highest[0]}), "time": _time(highest[1])},
    }


def _texts(spans: Sequence[_Span]) -> dict[str, Any]:
    """Return the report of other states: the last changes, and how long each state lasted."""
    totals: dict[str, list[float]] = {}
    for state, start, end in spans:
        totals.setdefault(state, []).append(_minutes(start, end))
    longest = sorted(totals.items(), key=lambda item: -sum(item[1]))
    shown = spans[-_MAX_CHANGES:]
    report: dict[str, Any] = {
        "states": [
            {"state": state, "times": len(minutes), "minutes": round(sum(minutes), 1)}
            for state, minutes in longest[:_MAX_STATES]
        ],
        "changes": [
            {"time": _time(start), "state": state, "minutes": _minutes(start, end)}
            for state, start, end in shown
        ],
    }
    if len(spans) > len(shown):
        report["earlier_changes"] = len(spans) - len(shown)
    return report


def _minutes(start: datetime, end: datetime) -> float:
    return round((end - start).total_seconds() / 60, 1)


def _values(values: Mapping[str, float | None]) -> dict[str, float]:
    return {
        name: float(f"{value:.{_DIGITS}g}") for name, value in values.items() if value is not None
    }


def _time(at: datetime) -> str:
    return at.isoformat(timespec="minutes")
