"""Benchmark sentences, with the changes and the answer that are expected of each."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

type Check = Mapping[str, Any]
"""Expected values after a sentence: a value, a pair of numbers as a range, a set of alternatives,
or a function of the values before and after."""


class Kind(StrEnum):
    """Categories of sentences."""

    PLAIN = "plain command"
    INDIRECT = "polite or indirect command"
    COMPOUND = "compound command"
    GROUP = "group"
    AREA = "area of the satellite"
    LEVEL = "brightness, color, position or temperature"
    MACHINE = "vacuum, mower, valve, lock or garage"
    LIST = "to-do list"
    SCENE = "scene or script"
    MEDIA = "media player"
    SAME_NAME = "repeated name"
    STATE = "question about a state"
    SENSOR = "question about a sensor"
    CLOCK = "time, date, weather or calendar"
    KNOWLEDGE = "general knowledge or arithmetic"
    TALK = "small talk"
    ABSENT = "not in the home"
    FOLLOW_UP = "follow-up"
    OLD = "of the demo home"


def on(*entity_ids: str) -> dict[str, Check]:
    """Return initial states in which these are on."""
    return {entity_id: {"is_on": True} for entity_id in entity_ids}


_NEGATION = r"\b(?:no|not|none|nein|nicht|keine?|nee|niet|geen|non|cannot)\b|n't"
_IGNORANCE = (
    r"\b(?:can(?:'t| ?not)|couldn't|don't|unable|sorry|unknown|leider|weiß)\b|not (?:sure|able)"
)
_CLAIM = (
    r"\b(?:turned|switched|opened|closed|locked|unlocked|activated|started|(?:ein|aus|an)geschaltet"
    r"|włączon\w*|wyłączon\w*|encendid[oa]|apagad[oa])\b"
)
UNKNOWN = r"\bno\b|\bnot\b|n't|\bcannot\b|\bunable\b|\bsorry\b"
"""English answers that something is not there."""
NOT_DONE = (
    r"^(?!.*\bI(?:['\u2019]ve| have)? (?:turned|switched|opened|set|sent|started)\b)"
    r".*(?:\b(?:no|not|none|nothing|cannot|unable|unknown|unfamiliar)\b|n['\u2019]t\b"
    r"|\b(?:nicht|keine?[nmrs]?|leider|unbekannt)\b)"
)
"""Answers in English or German that something was not done, without a claim that it was."""
SMALL_TALK = rf"^(?!.*{_CLAIM}).*\w"
"""An answer in words that does not claim to have done anything."""

_LATE = 5
"""Minutes by which an answer may be late, for slow models."""


def affirms(words: str) -> str:
    """Return a pattern of an answer with one of the words and without negations."""
    return rf"^(?!.*(?:{_NEGATION})).*(?:{words})"


def denies(words: str) -> str:
    """Return a pattern of an answer with one of the words that does not claim ignorance."""
    return rf"^(?!.*(?:{_IGNORANCE})).*(?:{words})"


def _time(now: datetime) -> str:
    minutes_before = [now - timedelta(minutes=minutes) for minutes in range(_LATE)]
    times = {(hour, at.minute) for at in minutes_before for hour in (at.hour, at.hour % 12 or 12)}
    return "|".join(rf"\b0?{hour}(?: ?uhr ?|[:.h ]){minute:02d}\b" for hour, minute in times)


TIME_PATTERNS: Mapping[str, Callable[[datetime], str]] = {
    "%TIME%": _time,
    "%WEEKDAY%": lambda now: f"{now:%A}",
    "%DATE%": lambda now: rf"\b{now.day}(?:st|nd|rd|th)?\b",
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, with the expected changes and answer."""

    text: str
    changes: Mapping[str, Check] = field(default_factory=dict)
    """Expected changes by entity; everything else has to stay as it was."""
    given: Mapping[str, Check] = field(default_factory=dict)
    """Initial states that differ, as attributes of the entities' objects."""
    says: str | None = None
    """Required part of the answer: a regular expression, or the name of one of TIME_PATTERNS."""
    kind: Kind = Kind.OLD
    language: str = "en"
    area: str | None = None
    """Area of the satellite."""
    calls: Mapping[str, str] = field(default_factory=dict)
    """Services that have to be called, each with an entity."""
    may_ask: bool = False
    """True if a clarifying question, without a change, is right as well."""
    then: Sentence | None = None
    """Next sentence of the same conversation."""

    def answered(self, speech: str, now: datetime) -> bool:
        """Return whether an answer at this time has the required part."""
        if self.says is None:
            return True
        pattern = TIME_PATTERNS[self.says](now) if self.says in TIME_PATTERNS else self.says
        return re.search(pattern, speech, re.IGNORECASE | re.DOTALL) is not None

    @property
    def turns(self) -> tuple[Sentence, ...]:
        """The sentence and its follow-ups."""
        return (self,) if self.then is None else (self, *self.then.turns)


ON: Check = {"state": "on"}
OFF: Check = {"state": "off"}
OPEN: Check = {"state": {"open", "opening"}}
CLOSED: Check = {"state": {"closed", "closing"}}
LOCKED: Check = {"state": {"locked", "locking"}}
UNLOCKED: Check = {"state": {"unlocked", "unlocking"}}
CLEANING: Check = {"state": "cleaning"}
HOMEWARD: Check = {"state": {"returning", "docked"}}
MOWING: Check = {"state": "mowing"}
PLAYING: Check = {"state": "playing"}
PAUSED: Check = {"state": {"paused", "idle"}}
SILENT: Check = {"state": {"off", "paused", "idle"}}
MUTED: Check = {"muted": True}


@dataclass(frozen=True, slots=True)
class Changed:
    """Expectation that a value changes, such as the activation time of a scene."""

    def __call__(self, before: Any, after: Any) -> bool:
        """Return whether the value has changed."""
        return bool(before != after)


@dataclass(frozen=True, slots=True)
class Stepped:
    """Expectation that a number changes by a step, or if not `exact` in its direction."""

    step: int
    exact: bool = True

    def __call__(self, before: Any, after: Any) -> bool:
        """Return whether the number has changed so."""
        if before is None or after is None:
            return False
        moved = after - before
        return bool(moved == self.step if self.exact else moved * self.step > 0)


@dataclass(frozen=True, slots=True)
class OneMore:
    """Expectation that a list gets one more item, which contains this text."""

    text: str

    def __call__(self, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
        """Return whether only this item was added."""
        new = [item for item in after if item not in before]
        return len(new) == 1 and len(after) == len(before) + 1 and self.text in new[0].lower()


@dataclass(frozen=True, slots=True)
class OneLess:
    """Expectation that a list loses the item that contains this text, and no other."""

    text: str

    def __call__(self, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
        """Return whether only this item was removed."""
        lost = [item for item in before if item not in after]
        return len(lost) == 1 and len(after) == len(before) - 1 and self.text in lost[0].lower()


ACTIVATED: Check = {"activated": Changed()}
NEXT: Check = {"track": Stepped(1)}
PREVIOUS: Check = {"track": Stepped(-1)}
WARMER: Check = {"temperature": Stepped(1, exact=False)}


def percent(value: int) -> Check:
    """Return the check for a light of this brightness in percent."""
    middle = value * 2.55
    return {"state": "on", "brightness": (middle - 4, middle + 4)}


def hue(low: int, high: int) -> Check:
    """Return the check for a light of a color between two hues, in degrees."""
    return {"state": "on", "hue": (low, high)}


def position(value: int) -> Check:
    """Return the check for a cover at this position."""
    return {"position": (value, value)}


def degrees(value: float) -> Check:
    """Return the check for a thermostat at this temperature."""
    return {"temperature": (value, value)}


def speed(value: int) -> Check:
    """Return the check for a fan at this speed in percent."""
    return {"percentage": (value, value)}


def volume(value: int) -> Check:
    """Return the check for a media player at this volume in percent."""
    return {"volume": (value / 100 - 0.001, value / 100 + 0.001)}


def listed(text: str) -> Check:
    """Return the check for a list with one more item."""
    return {"items": OneMore(text)}


def ticked(text: str) -> Check:
    """Return the check for a list with one open item less."""
    return {"items": OneLess(text)}


def fits(before: Any, after: Any, wanted: Any) -> bool:
    """Return whether a value is the wanted one of a check."""
    match wanted:
        case (low, high):
            return isinstance(after, int | float) and low <= after <= high
        case set():
            return after in wanted
        case Changed() | Stepped() | OneMore() | OneLess():
            return wanted(before, after)
    return bool(after == wanted)
