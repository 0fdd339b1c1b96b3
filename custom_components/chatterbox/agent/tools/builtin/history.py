"""Built-in tool for what was recorded of an entity."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from ...errors import ToolArgumentError
from ...messages import ToolAnnotations, ToolDefinition
from ..arguments import read_arguments
from .history_report import (
    RecordedStates,
    RecordedStatistics,
    TimeRange,
    report_states,
    report_statistics,
)

_DAY = timedelta(days=1)
_MAX_RANGE = timedelta(days=3660)
_MAX_PERIODS = 62
_PERIODS: Mapping[str, timedelta] = {
    "hour": timedelta(hours=1),
    "day": _DAY,
    "week": 7 * _DAY,
    "month": 28 * _DAY,
}

type ReadHistory = Callable[[str, TimeRange], Awaitable[RecordedStates | RecordedStatistics]]
"""Reads what was recorded of an entity, given its name.

Raises `ToolError` if there is no such entity, or if it lacks the statistics that are wanted.
"""


class HistoryTool:
    """Tool that returns how an entity was in a time range; `now` is in the home's time zone."""

    definition = ToolDefinition(
        name="get_history",
        description=(
            "How an entity was in the past: of numbers the minimum, maximum, mean, change (what a "
            "meter counted) and their unit; of other states the changes and how long each lasted. "
            "Costs a query of the database."
        ),
        parameters={
            "type": "object",
            "properties": {
                "entity": {"type": "string", "description": "Its name or entity ID."},
                "start": {
                    "type": "string",
                    "description": (
                        "Local date or date and time, as 2026-11-21 or 2026-11-21T22:00. "
                        "A day before the end is the default."
                    ),
                },
                "end": {
                    "type": "string",
                    "description": "The same; a date is that day to its end. Now is the default.",
                },
                "by": {
                    "type": "string",
                    "enum": [*_PERIODS],
                    "description": "To get numbers for each hour, day, week or month as well.",
                },
            },
            "required": ["entity"],
        },
        annotations=ToolAnnotations(
            read_only=True, destructive=False, idempotent=True, open_world=False
        ),
    )

    def __init__(self, read: ReadHistory, now: Callable[[], datetime]) -> None:
        self._read = read
        self._now = now

    async def call(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the report, with the time range that it is about."""
        read = read_arguments(arguments, self.definition.parameters)
        if "entity" not in read:
            raise ToolArgumentError("entity must be the name of an entity.")
        wanted = _time_range(read, self._now())
        start, end = wanted.start, wanted.end
        recorded = await self._read(read["entity"], wanted)
        if isinstance(recorded, RecordedStates):
            report = report_states(recorded, end)
        else:
            report = report_statistics(recorded, with_periods=wanted.by is not None)
        if not report:
            raise ToolArgumentError(
                f"Nothing is recorded of {recorded.name} from {start:%Y-%m-%d %H:%M} "
                f"to {end:%Y-%m-%d %H:%M}."
            )
        return {
            "entity": recorded.name,
            "start": start.isoformat(timespec="minutes"),
            "end": end.isoformat(timespec="minutes"),
            **({"unit": recorded.unit} if recorded.unit else {}),
            **report,
        }


def _time_range(read: Mapping[str, str], now: datetime) -> TimeRange:
    """Return the time range that the arguments mean, which ends now at the latest.

    Raises `ToolArgumentError` if it is reversed, in the future, too long or has too many periods.
    """
    end = min(_time("end", read["end"], now, whole_day=True), now) if "end" in read else now
    start = _time("start", read["start"], now) if "start" in read else end - _DAY
    if start >= now:
        raise ToolArgumentError(f"start is in the future: it is {now:%Y-%m-%d %H:%M} now.")
    if start >= end:
        raise ToolArgumentError("start must be before end.")
    if end - start > _MAX_RANGE:
        raise ToolArgumentError(f"The time range must not exceed {_MAX_RANGE.days} days.")
    by = read.get("by")
    if by is not None and (end - start) / _PERIODS[by] > _MAX_PERIODS:
        raise ToolArgumentError(
            f"These are more than {_MAX_PERIODS} periods. Use a longer period or a shorter "
            "time range."
        )
    return TimeRange(start=start, end=end, by=by)


def _time(name: str, text: str, now: datetime, *, whole_day: bool = False) -> datetime:
    """Return a time in the time zone of `now`; of a date its beginning, or with `whole_day` end."""
    try:
        if len(text) == len("2026-11-21"):
            day = date.fromisoformat(text) + (_DAY if whole_day else timedelta())
            return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)
        at = datetime.fromisoformat(text)
        at = at.replace(tzinfo=now.tzinfo) if at.tzinfo is None else at
        return at.astimezone(now.tzinfo)
    except (ValueError, OverflowError) as err:
        raise ToolArgumentError(
            f"{name} must be a date such as {now:%Y-%m-%d}, or a date and time such as "
            f"{now:%Y-%m-%dT%H:%M}."
        ) from err
