"""The built-in tool for the date and the time, at home and elsewhere."""

import difflib
from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from ..errors import ToolArgumentError
from ..messages import ToolAnnotations, ToolDefinition
from ..text_match import normalize
from .arguments import read_arguments

# A century each way, which no calendar question leaves and no datetime overflows.
_MAX_OFFSET_DAYS = 36_525
_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class DateTimeTool:
    """Answers with the date and time in a time zone, now or some days away."""

    definition = ToolDefinition(
        name="get_current_datetime",
        description=(
            "Date, time, day of the week, Unix timestamp and UTC offset, at home or in another "
            "time zone, now or so many days from now. Costs nothing."
        ),
        parameters={
            "type": "object",
            "properties": {
                "timezone": {
                    "type": "string",
                    "description": (
                        'An IANA time zone, as "Asia/Tokyo", or a large city. '
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
            read_only=True, destructive=False, idempotent=True, open_world=False
        ),
    )

    def __init__(
        self,
        zone: tzinfo,
        now: Callable[[], datetime],
        load_zone: Callable[[str], Awaitable[tzinfo | None]],
        zone_names: Callable[[], Awaitable[Collection[str]]],
    ) -> None:
        """Take the zone of the home, a clock (aware of its zone), and the time zone database.

        The database is two functions because it is files, which must not be read in the event
        loop: `load_zone` returns None for an unknown name, `zone_names` returns all names.
        """
        self._zone = zone
        self._now = now
        self._load_zone = load_zone
        self._zone_names = zone_names

    async def call(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the moment in all the forms that a question may be about."""
        read = read_arguments(arguments, self.definition.parameters)
        zone = await self._find_zone(read["timezone"]) if "timezone" in read else self._zone
        now = self._now().astimezone(zone).replace(microsecond=0)
        moment = now + timedelta(days=read.get("offset_days", 0))
        # Adding days keeps the clock's reading. Where that day has no such hour, because the
        # clocks go forward, the way through UTC gives the hour that there is.
        moment = moment.astimezone(UTC).astimezone(zone)
        return {
            "datetime_iso": moment.isoformat(timespec="seconds"),
            "date": moment.date().isoformat(),
            "time": moment.strftime("%H:%M:%S"),
            "timezone": str(zone),
            "day_of_week": _DAY_NAMES[moment.weekday()],
            "unix_timestamp": int(moment.timestamp()),
            "utc_offset": moment.strftime("%:z"),
        }

    async def _find_zone(self, name: str) -> tzinfo:
        """Return the zone that is named, by its name or by its city."""
        if (zone := await self._load_zone(name)) is not None:
            return zone
        candidates: dict[str, list[str]] = {}
        for full in sorted(await self._zone_names()):
            for key in {_zone_key(full), _zone_key(full.rpartition("/")[2])}:
                candidates.setdefault(key, []).append(full)
        # Behind a comma people name the country: "Tokyo, Japan".
        wanted = _zone_key(name.partition(",")[0])
        matches = candidates.get(wanted, [])
        if len(matches) == 1 and (zone := await self._load_zone(matches[0])) is not None:
            return zone
        if not matches:
            near = difflib.get_close_matches(wanted, candidates, n=5, cutoff=0.7)
            matches = list(dict.fromkeys(full for key in near for full in candidates[key]))[:5]
        similar = f" Similar names: {', '.join(matches)}." if matches else ""
        raise ToolArgumentError(
            f'There is no time zone "{name}". Use the IANA name of the zone that holds there, '
            f"such as America/New_York.{similar}"
        )


def _zone_key(name: str) -> str:
    return normalize(name.strip()).replace(" ", "_")
