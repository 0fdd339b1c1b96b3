"""Benchmark sentences, with the changes and the answer that are expected of each."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

type Check = Mapping[str, Any]
"""Values of a state after the sentence: a value, a pair of numbers that is a range, a set that is a
choice, or a function of the values before and after."""


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
    """Return what says that these are on before the sentence."""
    return {entity_id: {"is_on": True} for entity_id in entity_ids}


_NEGATION = r"\b(?:no|not|none|nein|nicht|keine?|nee|niet|geen|non|cannot)\b|n't"
_IGNORANCE = (
    r"\b(?:can(?:'t| ?not)|couldn't|don't|unable|sorry|unknown|leider|weiß)\b|not (?:sure|able)"
)
_CLAIM = (
    r"\b(?:turned|switched|opened|closed|locked|unlocked|activated|started|(?:ein|aus|an)geschaltet"
    r"|włączon\w*|wyłączon\w*|encendid[oa]|apagad[oa])\b"
)
SMALL_TALK = rf"^(?!.*{_CLAIM}).*\w"
"""An answer in words that does not claim to have done anything."""

_LATE = 5
"""Minutes that an answer may be late, as a slow model takes its time."""


def affirms(words: str) -> str:
    """Return a pattern of an answer that holds one of the words and nothing negative."""
    return rf"^(?!.*(?:{_NEGATION})).*(?:{words})"


def denies(words: str) -> str:
    """Return a pattern of an answer that holds one of the words and does not plead ignorance."""
    return rf"^(?!.*(?:{_IGNORANCE})).*(?:{words})"


def _time(now: datetime) -> str:
    moments = [now - timedelta(minutes=minutes) for minutes in range(_LATE)]
    times = {(hour, at.minute) for at in moments for hour in (at.hour, at.hour % 12 or 12)}
    return "|".join(rf"\b0?{hour}(?: ?uhr ?|[:.h ]){minute:02d}\b" for hour, minute in times)


MOMENTS: Mapping[str, Callable[[datetime], str]] = {
    "%TIME%": _time,
    "%WEEKDAY%": lambda now: f"{now:%A}",
    "%DATE%": lambda now: rf"\b{now.day}(?:st|nd|rd|th)?\b",
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """One thing that is asked of the home."""

    text: str
    changes: Mapping[str, Check] = field(default_factory=dict)
    """Expected changes by entity; everything else has to stay as it was."""
    given: Mapping[str, Check] = field(default_factory=dict)
    """Initial states that differ, as attributes of the entities' objects."""
    says: str | None = None
    """Required part of the answer: a regular expression, or the name of one of MOMENTS."""
    kind: Kind = Kind.OLD
    language: str = "en"
    area: str | None = None
    """Area of the satellite that hears it."""
    calls: Mapping[str, str] = field(default_factory=dict)
    """The services that have to be called, each with an entity."""
    may_ask: bool = False
    """True if asking back and changing nothing is right as well."""
    then: Sentence | None = None
    """Next sentence of the same conversation."""

    def answered(self, speech: str, now: datetime) -> bool:
        """Return whether the answer holds what it has to, given at this time in the home."""
        if self.says is None:
            return True
        pattern = MOMENTS[self.says](now) if self.says in MOMENTS else self.says
        return re.search(pattern, speech, re.IGNORECASE | re.DOTALL) is not None

    @property
    def turns(self) -> tuple[Sentence, ...]:
        """Return the sentence and what follows it."""
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
    """A value that has to be another one, as the moment of a scene."""

    def __call__(self, before: Any, after: Any) -> bool:
        """Return whether the value is another one."""
        return bool(before != after)


@dataclass(frozen=True, slots=True)
class Stepped:
    """A number that has to be so much higher or, below zero, lower."""

    step: int
    exact: bool = True

    def __call__(self, before: Any, after: Any) -> bool:
        """Return whether the number went that way."""
        if before is None or after is None:
            return False
        moved = after - before
        return bool(moved == self.step if self.exact else moved * self.step > 0)


@dataclass(frozen=True, slots=True)
class OneMore:
    """A list that has to have one more item, which holds this text."""

    text: str

    def __call__(self, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
        """Return whether the item is there, once, beside the others."""
        new = [item for item in after if item not in before]
        return len(new) == 1 and len(after) == len(before) + 1 and self.text in new[0].lower()


@dataclass(frozen=True, slots=True)
class OneLess:
    """A list that has to have lost the item that holds this text, and no other."""

    text: str

    def __call__(self, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
        """Return whether the item is gone and the others are still there."""
        lost = [item for item in before if item not in after]
        return len(lost) == 1 and len(after) == len(before) - 1 and self.text in lost[0].lower()


ACTIVATED: Check = {"activated": Changed()}
NEXT: Check = {"track": Stepped(1)}
PREVIOUS: Check = {"track": Stepped(-1)}
WARMER: Check = {"temperature": Stepped(1, exact=False)}


def percent(value: int) -> Check:
    """Return what a light of this brightness looks like."""
    middle = value * 2.55
    return {"state": "on", "brightness": (middle - 4, middle + 4)}


def hue(low: int, high: int) -> Check:
    """Return what a light of a color between two hues, in degrees, looks like."""
    return {"state": "on", "hue": (low, high)}


def position(value: int) -> Check:
    """Return what a cover at this position looks like."""
    return {"position": (value, value)}


def degrees(value: float) -> Check:
    """Return what a thermostat at this temperature looks like."""
    return {"temperature": (value, value)}


def speed(value: int) -> Check:
    """Return what a fan at this speed looks like."""
    return {"percentage": (value, value)}


def volume(value: int) -> Check:
    """Return what a media player at this volume in percent looks like."""
    return {"volume": (value / 100 - 0.001, value / 100 + 0.001)}


def listed(text: str) -> Check:
    """Return what a list with one more item looks like."""
    return {"items": OneMore(text)}


def ticked(text: str) -> Check:
    """Return what a list with one open item less looks like."""
    return {"items": OneLess(text)}


def fits(before: Any, after: Any, wanted: Any) -> bool:
    """Return whether a value is as a check wants it."""
    match wanted:
        case (low, high):
            return isinstance(after, int | float) and low <= after <= high
        case set():
            return after in wanted
        case Changed() | Stepped() | OneMore() | OneLess():
            return wanted(before, after)
    return bool(after == wanted)
