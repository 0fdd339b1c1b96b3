"""Built-in tool for the date and time, at home and elsewhere."""

import difflib
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from ...const import WEEKDAYS
from ...errors import ToolArgumentError, ToolError
from ...messages import ToolAnnotations, ToolDefinition
from ...text_match import normalize
from ..arguments import read_arguments

# A century each way: enough for any calendar question, and no datetime overflows.
_MAX_OFFSET_DAYS = 36_525


class DateTimeTool:
    """Tool that returns the date and time in a time zone, now or some days away.

    `zone` is the time zone of the home; `now` returns an aware datetime. `load_zone` returns a time
    zone, None for an unknown name, and `zone_names` all names: they are asynchronous because the
    time zone database is read from files. `zone_of_place` returns the name of a town's time zone,
    and raises `ToolError` if the town is unknown or its time zone cannot be found out.
    """

    definition = ToolDefinition(
        name="get_current_datetime",
        description=(
            "Date, time, day of the week, Unix timestamp and UTC offset, at home or in another "
            "time zone, now or so many days from now. "
            "Costs nothing, but for small towns one web request."
        ),
        parameters={
            "type": "object",
            "properties": {
                "timezone": {
                    "type": "string",
                    "description": (
                        'An IANA time zone, as "Asia/Tokyo", or a town, as "Austin, Texas". '
                        "Leave out for the time at home."
                    ),
                },
                "offset_days": {
                    "type": "integer",
                    "minimum": -_MAX_OFFSET_DAYS,
                    "maximum": _MAX_OFFSET_DAYS,
                    "description": "Days to add: 1 is tomorrow, -7 a week ago. 0 is the default.",
                },
            },
            "required": [],
        },
        annotations=ToolAnnotations(
            read_only=True, destructive=False, idempotent=True, open_world=True
        ),
    )

    def __init__(
        self,
        zone: tzinfo,
        now: Callable[[], datetime],
        load_zone: Callable[[str], Awaitable[tzinfo | None]],
        zone_names: Callable[[], Awaitable[Collection[str]]],
        zone_of_place: Callable[[str], Awaitable[str | None]],
    ) -> None:
        self._zone = zone
        self._now = now
        self._load_zone = load_zone
        self._zone_names = zone_names
        self._zone_of_place = zone_of_place

    async def call(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the date and time in every form that a question may ask for."""
        read = read_arguments(arguments, self.definition.parameters)
        zone = await self._find_zone(read["timezone"]) if "timezone" in read else self._zone
        now = self._now().astimezone(zone).replace(microsecond=0)
        local_time = now + timedelta(days=read.get("offset_days", 0))
        # Adding days keeps the time of day. Where that day lacks it, because the clocks go forward,
        # the conversion through UTC gives a time that exists.
        local_time = local_time.astimezone(UTC).astimezone(zone)
        return {
            "datetime_iso": local_time.isoformat(timespec="seconds"),
            "date": local_time.date().isoformat(),
            "time": local_time.strftime("%H:%M:%S"),
            "timezone": str(zone),
            "day_of_week": WEEKDAYS[local_time.weekday()],
            "unix_timestamp": int(local_time.timestamp()),
            "utc_offset": local_time.strftime("%:z"),
        }

    async def _find_zone(self, name: str) -> tzinfo:
        """Return the zone of an IANA name or a town.

        Raises `ToolArgumentError` if there is no such zone, or more than one.
        """
        if (zone := await self._load_zone(name)) is not None:
            return zone
        candidates: dict[str, list[str]] = {}
        regions = set()
        for full in sorted(await self._zone_names()):
            regions.add(_zone_key(full.partition("/")[0]))
            for key in {_zone_key(full), _zone_key(full.rpartition("/")[2])}:
                candidates.setdefault(key, []).append(full)
        matches = candidates.get(_zone_key(name), [])
        if not matches and _zone_key(name) not in regions:
            with suppress(ToolError):
                matches = list(filter(None, [await self._zone_of_place(name)]))
        if len(matches) == 1 and (zone := await self._load_zone(matches[0])) is not None:
            return zone
        if not matches:
            # What follows a comma is a state or country.
            wanted = _zone_key(name.partition(",")[0])
            near = difflib.get_close_matches(wanted, candidates, n=5, cutoff=0.7)
            matches = list(dict.fromkeys(full for key in near for full in candidates[key]))[:5]
        similar = f" Similar names: {', '.join(matches)}." if matches else ""
        raise ToolArgumentError(
            f'There is no time zone "{name}". Use the IANA name of the zone that holds there, '
            f"such as America/New_York.{similar}"
        )


def _zone_key(name: str) -> str:
    return normalize(name.strip()).replace(" ", "_")
