"""Calendars of a benchmark home."""

from datetime import datetime, timedelta
from typing import override

from homeassistant.components.calendar import CalendarEntity, CalendarEvent
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from . import platform_setup
from .entity import TableEntity


class TableCalendar(TableEntity, CalendarEntity):
    """A calendar with appointments relative to today."""

    _attr_appointments: tuple[tuple[str, int, int], ...]

    @property
    @override
    def event(self) -> CalendarEvent | None:
        now = dt_util.now()
        return next((event for event in self._events() if event.end > now), None)

    @override
    async def async_get_events(
        self, hass: HomeAssistant, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        events = self._events()
        return [event for event in events if event.end > start_date and event.start < end_date]

    def _events(self) -> list[CalendarEvent]:
        today = dt_util.start_of_local_day()
        return [
            CalendarEvent(
                summary=summary,
                start=today + timedelta(days=days, hours=hour),
                end=today + timedelta(days=days, hours=hour + 1),
            )
            for summary, days, hour in self._attr_appointments
        ]


async_setup_entry = platform_setup(TableCalendar, "calendar")
