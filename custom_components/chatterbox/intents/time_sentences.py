"""Spoken times, events and weather, in the user's language."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from homeassistant.const import WEEKDAYS, Platform
from homeassistant.util import dt as dt_util

from ..agent.mentions import RecognizedIntent
from ..agent.text_match import same_word, words
from ..agent.tools.builtin.open_meteo import HOME_ASSISTANT_CONDITIONS
from .language_words import LanguageWords
from .response_templates import IntentCall, ResponseTemplates

_TIME, _DATE = "HassGetCurrentTime", "HassGetCurrentDate"
_AFTERNOON = time(17)
_RANGE = " – "
_SUNNY, _CLEAR_NIGHT = "sunny", "clear-night"


class TimeSentences:
    """Sentences for times, events and weather, from Home Assistant's own texts."""

    def __init__(self, templates: ResponseTemplates, known: LanguageWords, nothing: str) -> None:
        self._templates = templates
        self._words = known
        self._nothing = nothing

    def now(self, data: Mapping[str, Any], recognized: RecognizedIntent | None) -> list[str]:
        """Return the time and the date, or the one that Home Assistant knows was asked for."""
        now = datetime.fromisoformat(f"{data['date']}T{data['time']}")
        asked = {recognized.name} & {_TIME, _DATE} if recognized is not None else set()
        return [
            sentence(now)
            for name, sentence in ((_TIME, self._time), (_DATE, self._date))
            if name in (asked or {name})
        ]

    def _time(self, value: datetime) -> str:
        call = IntentCall(intent=_TIME, slots={}, speech_slots={"time": value.time()})
        return self._templates.fallback(call) or self._clock(value.time())

    def _date(self, value: datetime) -> str:
        call = IntentCall(intent=_DATE, slots={}, speech_slots={"date": value.date()})
        text = self._templates.fallback(call) or value.date().isoformat()
        weekday = self._weekday(value)
        return text if weekday.casefold() in text.casefold() else f"{weekday}, {text}"

    def moment(self, value: datetime) -> str:
        """Return a local time, after its day unless that is today."""
        clock, day = self._clock(value.time()), value.date()
        return clock if day == dt_util.now().date() else f"{self.day(day)} {clock}"

    def event(self, event: Mapping[str, Any]) -> str:
        """Return the text of an event, after its times or its days."""
        start, end = str(event["start"]), str(event["end"])
        if "T" in start:
            first, last = (dt_util.as_local(datetime.fromisoformat(each)) for each in (start, end))
            is_one_day = first.date() == last.date()
            spoken = [
                self.moment(first),
                self._clock(last.time()) if is_one_day else self.moment(last),
            ]
        else:
            spoken = [*map(self.day, _days_of(event))]
        return f"{_RANGE.join(dict.fromkeys(spoken))} {event['summary']}"

    def mentioned(
        self, events: Sequence[Mapping[str, Any]], message: str
    ) -> list[Mapping[str, Any]]:
        """Return the events that share a word with a message, other than those of any question."""
        said = [word for word in words(message) if word not in self._words.grammar]
        return [
            event
            for event in events
            if any(same_word(one, word) for one in words(str(event["summary"])) for word in said)
        ]

    def events(
        self, events: Sequence[Mapping[str, Any]], message: str, number: int | None
    ) -> list[str]:
        """Return the texts of the events that a message mentions, else of those on a day, else all.

        The `number` of the day is counted from today, which is 1. A day without any has its own.
        """
        told = self.mentioned(events, message)
        if number and not told:
            day = dt_util.now().date() + timedelta(days=number - 1)
            told = [each for each in events if _is_on(each, day)]
            if not told:
                return [self._nothing.format(day=self.day(day))]
        return [self.event(each) for each in told or events]

    def day(self, value: date) -> str:
        """Return the weekday, or the date of a day that is not within a week from today."""
        is_near = 0 <= (value - dt_util.now().date()).days < len(WEEKDAYS)
        return (is_near and self._weekday(value)) or value.isoformat()

    def _weekday(self, value: date) -> str:
        return self._words.weekdays.get(WEEKDAYS[value.weekday()], "")

    def _clock(self, value: time) -> str:
        """Return a time as the language's own sentence has it: by 12 or by 24 hours."""
        call = IntentCall(intent=_TIME, slots={}, speech_slots={"time": _AFTERNOON})
        is_halved = "PM" in (self._templates.fallback(call) or "")
        return value.strftime("%-I:%M %p" if is_halved else "%H:%M")

    def weather(self, data: Mapping[str, Any], days: int) -> list[str]:
        """Return the current weather, that of the last of so many days, or that of today as both.

        What is not known is left out.
        """
        unit = data["units"]["temperature"]
        found = []
        if days <= 1:
            temperature = data.get("temperature_f" if unit.endswith("F") else "temperature_c")
            found.append(self._conditions(data, [temperature], unit))
        if days:
            day = dt_util.now().date() + timedelta(days=days - 1)
            forecasts = {each["date"]: each for each in data.get("daily", ())}
            forecast = forecasts.get(day.isoformat(), {})
            range_ = [forecast.get("temperature_min"), forecast.get("temperature_max")]
            if text := self._conditions(forecast, range_, unit):
                found.append(f"{self.day(day)}: {text}")
        return [*filter(None, found)]

    def _conditions(
        self, weather: Mapping[str, Any], temperatures: Sequence[float | None], unit: str
    ) -> str:
        """Return the conditions with a temperature or the range of them, nothing if unknown."""
        values = [str(round(value)) for value in temperatures if value is not None]
        text = str(weather.get("conditions"))
        state = HOME_ASSISTANT_CONDITIONS.get(text, text.replace(" ", "-"))
        if state == _SUNNY and weather.get("is_day") is False:
            state = _CLEAR_NIGHT
        name = self._words.states.get(Platform.WEATHER, {}).get(state)
        if not values or not name:
            return ""
        return f"{name[:1].upper()}{name[1:]}, {_RANGE.join(values)} {unit}"


def _is_on(event: Mapping[str, Any], day: date) -> bool:
    """Return whether an event is on a day."""
    first, last = _days_of(event)
    return first <= day <= last


def _days_of(event: Mapping[str, Any]) -> tuple[date, date]:
    """Return the first and the last day of an event."""
    start, end = str(event["start"]), str(event["end"])
    if "T" not in start:
        # Its end is the day after the last one.
        return date.fromisoformat(start), date.fromisoformat(end) - timedelta(days=1)
    first, last = (dt_util.as_local(datetime.fromisoformat(each)) for each in (start, end))
    # An event that ends at midnight is not on that day.
    return first.date(), max(first, last - timedelta.resolution).date()
