"""Schema of a language, and its tag."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

type Units = Mapping[str, tuple[str, ...]]
"""The spoken forms of units, such as `("watt", "watts")` for `W`."""


def split_phrases(text: str) -> tuple[str, ...]:
    """Return the phrases of a list with commas; they may be spread over several lines."""
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


def singular_or_plural(value: float) -> int:
    """Return the index of a unit's form in a language with a plural for all but one."""
    return int(value != 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language: phrases that are recognized as whole utterances, and spoken units.

    Case, accents and punctuation of the phrases do not matter. Only the phrases for a new
    conversation are required: where others are empty, no such utterance is recognized, and where
    there are no units they stay as they are written.
    """

    new_conversation: tuple[str, ...]
    stop: tuple[str, ...] = ()
    yes: tuple[str, ...] = ()
    go_on: tuple[str, ...] = ()
    polite: tuple[str, ...] = ()
    """Words that may stand before and after a phrase without changing its meaning."""
    abbreviations: frozenset[str] = frozenset()
    """Abbreviations in lower case that hardly ever end a sentence, without their full stop.

    Those of a single letter, and with full stops within, are recognized anyway.
    """
    ordinal_stops: bool = False
    """Whether a full stop behind a number makes it an ordinal number."""
    halves: tuple[str, ...] = ()
    """Words for a half that Home Assistant's sentences do not have."""
    conditions: tuple[str, ...] = ()
    """Words for *if*, *when* and *unless* that Home Assistant's texts do not have."""
    all_devices: tuple[str, ...] = ()
    """Words for everything, which Home Assistant's sentences have with the name of a kind only."""
    units: Units = field(default_factory=dict)
    decimal_mark: str = "."
    """The character between the whole and the fraction of a number."""
    spoken_states: Mapping[str, str] = field(default_factory=dict)
    """Spoken forms of the names of states that differ from the written ones."""
    minus: str = ""
    """The sign of a negative number, as it is spoken."""
    plural_form: Callable[[float], int] = singular_or_plural
    """Returns the index of the form of a unit that goes with a number."""


def primary_language(tag: str) -> str:
    """Return the primary subtag of a language tag, such as `de` for `de-CH` or `DE_ch`."""
    return tag.replace("_", "-").partition("-")[0].lower()
