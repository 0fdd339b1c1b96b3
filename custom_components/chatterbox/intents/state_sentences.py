"""Spoken answers to look-ups, made from states, times and lists in the user's language.

They are spoken in the guided profile, in place of another answer of the model: a small model says
the contrary of a state that it has just looked up.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.components.sensor import DOMAIN as SENSOR_DOMAIN
from homeassistant.components.sensor import SensorDeviceClass, async_rounded_state
from homeassistant.const import (
    ATTR_DEVICE_CLASS,
    ATTR_UNIT_OF_MEASUREMENT,
    STATE_OFF,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
)
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent
from homeassistant.util import dt as dt_util

from ..agent.assist import (
    DATE_TIME,
    LISTINGS,
    LIVE_CONTEXT,
    WEATHER,
    short_name,
    state_name,
    target_name,
)
from ..agent.language.languages import find_language
from ..agent.mentions import RecognizedIntent
from ..agent.messages import ToolResult
from ..const import LOGGER
from .language_words import LanguageWords, async_language_words
from .response_templates import IntentCall, ResponseTemplates, async_get_response_templates
from .time_sentences import TimeSentences

# With more of them, a summary of the model is better than an enumeration.
_MOST_STATES = 12
_MOST_ITEMS = 20
_EVENTS = LISTINGS["calendar"].tool
# *Sbloccato/a* is one form for each gender.
_SECOND_GENDER = re.compile(r"/\w\b")
_PERCENT = " %"
_DEGREES = "degrees"
_SETTINGS = {
    "current_temperature": _DEGREES,
    "temperature": _DEGREES,
    "current_humidity": _PERCENT,
    "humidity": _PERCENT,
}
# Attributes that are spoken beside the state, by domain, with their units.
_DETAILS: Mapping[str, Mapping[str, str]] = {
    "climate": _SETTINGS,
    "cover": {"current_position": _PERCENT},
    "fan": {"percentage": _PERCENT},
    "humidifier": _SETTINGS,
    "light": {"brightness": _PERCENT},
    "media_player": {"media_title": "", "media_artist": "", "volume_level": _PERCENT},
    "valve": {"current_position": _PERCENT},
    "water_heater": _SETTINGS,
    "weather": {"temperature": _DEGREES, "humidity": _PERCENT},
}
# What a hundred percent are, where the attribute is no percentage.
_WHOLES: Mapping[str, float] = {"brightness": 255, "volume_level": 1}
# An open cover is at its end unless said otherwise.
_ENDS = {"current_position": (0, 100)}
_NO_STATE = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})
# Their state is the time of the last use, or there is a tool of their own.
_NEVER_READ = frozenset(
    {"button", "calendar", "conversation", "event", "image", "input_button", "scene", "script"}
)


class StateSentences:
    """Answers to look-ups in the user's language, from Home Assistant's own texts."""

    def __init__(
        self,
        hass: HomeAssistant,
        templates: ResponseTemplates,
        known: LanguageWords,
        sentences: Mapping[str, str],
    ) -> None:
        self._hass = hass
        self._templates = templates
        self._words = known
        self._unavailable = sentences["unavailable"]
        self._times = TimeSentences(templates, known, sentences["nothing_on_day"])
        self._language = find_language(templates.language)

    def answer(
        self, results: Sequence[ToolResult], message: str, recognized: RecognizedIntent | None
    ) -> list[str]:
        """Return the sentences that answer all look-ups, none if the model has to answer.

        `recognized` is the question that Home Assistant recognizes in the message.
        """
        try:
            return self._sentences(results, message, recognized) or []
        except Exception as err:
            # Entities and tools of other integrations may have anything in their data.
            LOGGER.debug("Look-ups cannot be spoken: %s", type(err).__name__, exc_info=err)
            return []

    def _sentences(
        self, results: Sequence[ToolResult], message: str, recognized: RecognizedIntent | None
    ) -> list[str] | None:
        sentences: list[str] = []
        states: dict[str, State] = {}
        for result in self._telling(results, message):
            if result.error:
                return None
            if short_name(result.call.name) == LIVE_CONTEXT:
                found = self._targets(result.call.arguments)
                states |= {each.entity_id: each for each in found}
                if not found:
                    return None
            elif (contents := self._contents(result, message, recognized)) is not None:
                sentences += contents
            else:
                return None
        spoken = self._reply(recognized) if states else []
        if not spoken and len(states) > _MOST_STATES:
            return None
        return [*(spoken or self._states([*states.values()])), *sentences]

    def _targets(self, slots: Mapping[str, Any]) -> Sequence[State]:
        """Return the states of the exposed entities that arguments or slots select."""
        domains, classes = (slots.get(key) for key in ("domain", "device_class"))
        found = intent.async_match_targets(
            self._hass,
            intent.MatchTargetsConstraints(
                name=slots.get("name"),
                area_name=slots.get("area"),
                floor_name=slots.get("floor"),
                domains=[domains] if isinstance(domains, str) else domains,
                device_classes=[classes] if isinstance(classes, str) else classes,
                assistant=CONVERSATION,
                allow_duplicate_names=True,
            ),
        )
        return [state for state in found.states if state.domain not in _NEVER_READ]

    def _reply(self, recognized: RecognizedIntent | None) -> list[str]:
        """Return Home Assistant's own reply to a question for a state, such as *Yes*, if any.

        It is about the entities whose state is known; that of the others follows.
        """
        if recognized is None or recognized.name != intent.INTENT_GET_STATE:
            return []
        if (wanted := recognized.slots.get("state")) is None:
            return []
        wanted = [wanted] if isinstance(wanted, str) else wanted
        states = self._targets(recognized.slots)
        known = [each for each in states if each.state not in _NO_STATE]
        if not known:
            return []
        call = IntentCall(
            intent=recognized.name,
            slots=recognized.slots,
            states=[self._renamed(each) for each in known if each.state in wanted],
            unmatched=[self._renamed(each) for each in known if each.state not in wanted],
        )
        if (reply := self._templates.response(call, recognized.response)) is None:
            return []
        return [reply, *self._states([each for each in states if each not in known])]

    def _renamed(self, state: State) -> State:
        """Return a state with the name that it has in the user's language."""
        return State(state.entity_id, self._named(state), state.attributes)

    # States.

    def _states(self, states: Sequence[State]) -> Iterator[str]:
        """Yield a sentence for each different state, with the names of all that are in it."""
        names: dict[str, list[str]] = {}
        off = self._described(State("light.off", STATE_OFF))
        for state in states:
            names.setdefault(self._described(state), []).append(state.name)
        # What is on is asked for more often than what is off.
        found = sorted(names.items(), key=lambda each: each[0] == off)
        yield from (f"{', '.join(same)}: {text}" for text, same in found)

    def _described(self, state: State) -> str:
        """Return the name of a state, its unit and the details that belong to it."""
        return ", ".join((self._named(state), *self._details(state)))

    def _named(self, state: State) -> str:
        """Return the state in words, or its value and unit."""
        if state.state in _NO_STATE:
            return self._unavailable
        device_class = state.attributes.get(ATTR_DEVICE_CLASS)
        if device_class == SensorDeviceClass.TIMESTAMP and (
            moment := dt_util.parse_datetime(state.state)
        ):
            return self._times.moment(dt_util.as_local(moment))
        if name := state_name(self._words.states, state.domain, device_class, state.state):
            return self._spoken(name)
        value = state.state
        if state.domain == SENSOR_DOMAIN:
            value = async_rounded_state(self._hass, state.entity_id, state)
        unit = state.attributes.get(ATTR_UNIT_OF_MEASUREMENT)
        return f"{self._number(value)} {unit}" if unit else value.replace("_", " ")

    def _spoken(self, name: str) -> str:
        """Return the name of a state without a second gender, as it is said in a sentence."""
        spoken = self._language.spoken_states if self._language else {}
        return spoken.get(name, _SECOND_GENDER.sub("", name))

    def _details(self, state: State) -> Iterator[str]:
        """Yield the attributes that are spoken beside a state, with their names."""
        names = self._words.attributes.get(state.domain, {})
        for key, unit in _DETAILS.get(state.domain, {}).items():
            value, name = state.attributes.get(key), names.get(key)
            if value is None or name is None:
                continue
            if unit:
                value = float(value) * 100 / _WHOLES.get(key, 100)
                if value in _ENDS.get(key, ()):
                    continue
                value = self._degrees(state, value) if unit == _DEGREES else f"{value:.0f}{unit}"
            yield f"{name} {value}"

    def _degrees(self, state: State, value: float) -> str:
        unit = state.attributes.get("temperature_unit", self._hass.config.units.temperature_unit)
        return f"{self._number(f'{value:.1f}')} {unit}"

    def _number(self, text: str) -> str:
        """Return a number with the decimal mark of the language, and without zeros at its end."""
        if "." in text:
            text = text.rstrip("0").rstrip(".")
        return text.replace(".", self._language.decimal_mark if self._language else ".")

    # Times and lists.

    def _contents(
        self, result: ToolResult, message: str, recognized: RecognizedIntent | None
    ) -> list[str] | None:
        """Return the sentences for a time, the weather or a list, None if the model has to answer.

        An empty list has none.
        """
        tool, arguments = short_name(result.call.name), result.call.arguments
        if tool in DATE_TIME:
            return self._times.now(result.data, recognized)
        if tool == WEATHER and "location" not in arguments:
            return self._times.weather(result.data, arguments.get("days", 0)) or None
        if tool == LISTINGS["todo"].tool:
            texts = [str(item["summary"]) for item in _entries(result)]
        elif tool == _EVENTS:
            texts = self._times.events(_entries(result), message, result.call.day)
        else:
            return None
        if len(texts) > _MOST_ITEMS:
            texts = [*texts[:_MOST_ITEMS], "…"]
        return [f"{target_name(arguments)}: {', '.join(texts)}"] if texts else []

    def _telling(self, results: Sequence[ToolResult], message: str) -> Sequence[ToolResult]:
        """Return the results without the time or the calendars that a message is not about.

        If it mentions an event, the time that it asks for is that of the event.
        """
        times = [each for each in results if short_name(each.call.name) in DATE_TIME]
        calendars = [each for each in results if short_name(each.call.name) == _EVENTS]
        about = [e for e in calendars if self._times.mentioned(_entries(e), message)]
        others = [*times, *calendars] if about else calendars if times else []
        return [each for each in results if each in about or each not in others]


def _entries(result: ToolResult) -> Sequence[Mapping[str, Any]]:
    """Return the items or events of a list, which some tools return as such, some by a key."""
    data = result.data
    lists = data.values() if isinstance(data, Mapping) else [data]
    (entries,) = (each for each in lists if isinstance(each, list))
    return entries


async def async_load_state_sentences(
    hass: HomeAssistant, language: str, sentences: Mapping[str, str]
) -> StateSentences:
    """Return the sentences for look-ups in the nearest language.

    `sentences` of the agent are for an entity without a known state and a day without events.
    """
    return StateSentences(
        hass,
        await async_get_response_templates(hass, language),
        await async_language_words(hass, language),
        sentences,
    )
