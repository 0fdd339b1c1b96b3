"""Context of a turn in the guided profile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...home import HomeVocabulary
from ...mentions import RecognizedIntent, SetPoint
from .clarifications import Clarifications


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidedContext:
    """Context of a turn in the guided profile."""

    vocabulary: HomeVocabulary = field(default_factory=HomeVocabulary)
    area: str | None = None
    """Name of the area of the user, None if it is not known."""
    language: str = ""
    """English name of the user's language, empty for English."""
    recognized: RecognizedIntent | None = None
    """Intent that Home Assistant recognizes in the message, if any."""
    states: Mapping[str, str] = field(default_factory=dict)
    """States of the entities, by entity id."""
    set_points: Mapping[str, SetPoint] = field(default_factory=dict)
    """Set points of the thermostats, by entity id."""
    open_items: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Open items of the to-do lists, by entity id."""
    clarifications: Clarifications = field(default_factory=Clarifications)
    weekday: int = 0
    """The day of the week, Monday is 0."""
