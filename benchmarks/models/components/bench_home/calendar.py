"""Calendars of the table."""

from datetime import datetime, timedelta
from typing import override

from homeassistant.components.calendar import CalendarEntity, CalendarEvent
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableCalendar, "calendar")


class TableCalendar(TableEntity, CalendarEntity):
    """A calendar whose appointments are days from today."""

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
