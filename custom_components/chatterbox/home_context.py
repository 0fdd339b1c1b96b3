"""Context of a message that the home provides: who is at home, the next events, the weather."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from homeassistant.components.calendar.const import DOMAIN as CALENDAR_DOMAIN
from homeassistant.components.weather.const import DOMAIN as WEATHER_DOMAIN
from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State

from .agent.prompt import Note
from .const import CONTEXT_CALENDAR, CONTEXT_PRESENCE, CONTEXT_WEATHER
from .exposed import exposed_states
from .home_cache import home_cache
from .permissions import async_may_read

_MAX_PEOPLE = 10
_MAX_EVENTS = 5
_MAX_CHARS = 80
# Attributes of a weather entity, with the attribute that has their unit.
_WEATHER = {
    "temperature": "temperature_unit",
    "humidity": "humidity_unit",
    "wind_speed": "wind_speed_unit",
}
_NOTHING_KNOWN = (STATE_UNAVAILABLE, STATE_UNKNOWN)


async def async_home_context(
    hass: HomeAssistant, providers: Iterable[str], user_id: str | None
) -> list[Note]:
    """Return the notes of these providers, of exposed entities that the user may read.

    They are read from states, without waiting for anything.
    """
    notes = []
    for name in filter(_PROVIDERS.__contains__, providers):
        domain, label, describe = _PROVIDERS[name]
        make = partial(_exposed, hass, domain)
        entity_ids = home_cache(hass).get((async_home_context, domain), make)
        states = [
            state
            for entity_id in entity_ids
            if (state := hass.states.get(entity_id)) is not None
            and state.state not in _NOTHING_KNOWN
            and await async_may_read(hass, user_id, entity_id)
        ]
        notes.append(Note(label, describe(states)))
    return notes


def _exposed(hass: HomeAssistant, domain: str) -> list[str]:
    return sorted(state.entity_id for state in exposed_states(hass, domain))


def _presence(people: Sequence[State]) -> dict[str, str]:
    """Return where the people are, by name: `home`, `not_home` or a zone."""
    return {_short(person.name): _short(person.state) for person in people[:_MAX_PEOPLE]}


def _events(calendars: Sequence[State]) -> list[dict[str, str]]:
    """Return the event of each calendar that is on or comes next, in the order of their times."""
    events = [
        {
            "start": _short(calendar.attributes["start_time"]),
            "end": _short(calendar.attributes["end_time"]),
            "event": _short(calendar.attributes["message"]),
            "calendar": _short(calendar.name),
        }
        for calendar in calendars
        if {"message", "start_time", "end_time"} <= calendar.attributes.keys()
    ]
    return sorted(events, key=lambda event: event["start"])[:_MAX_EVENTS]


def _weather(entities: Sequence[State]) -> dict[str, str]:
    """Return the weather of the first entity; empty without any."""
    for state in entities:
        shown = {"conditions": state.state}
        for name, unit in _WEATHER.items():
            if (value := state.attributes.get(name)) is not None:
                shown[name] = f"{value} {state.attributes.get(unit, '%')}"
        return shown
    return {}


def _short(text: Any) -> str:
    return str(text)[:_MAX_CHARS]


type _Describe = Callable[[Sequence[State]], Any]
_PROVIDERS: Mapping[str, tuple[str, str, _Describe]] = {
    CONTEXT_PRESENCE: ("person", "Who is at home", _presence),
    CONTEXT_CALENDAR: (CALENDAR_DOMAIN, "Next calendar events", _events),
    CONTEXT_WEATHER: (WEATHER_DOMAIN, "Weather now", _weather),
}
