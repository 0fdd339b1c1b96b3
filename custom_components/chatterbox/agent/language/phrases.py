"""Whole utterances that the agent itself recognizes: a stop, a yes, go on, a new conversation.

A phrase may be repeated, and polite words may stand around it and between its words; nothing else
may. Case, accents and punctuation do not matter.
"""

import re
from collections.abc import Iterable
from functools import cache

from ..text_match import words
from .languages import LANGUAGES, find_language


def says_stop(text: str, language: str) -> bool:
    """Return whether a message is nothing but the wish to stop."""
    known = find_language(language)
    return known is not None and _consists_of(text, known.stop, known.polite)


def says_yes(text: str, language: str) -> bool:
    """Return whether a message is nothing but a yes."""
    known = find_language(language)
    return known is not None and _consists_of(text, known.yes, known.polite)


def knows_yes(language: str) -> bool:
    """Return whether a yes is known in a language."""
    known = find_language(language)
    return known is not None and bool(known.yes)


def says_go_on(text: str, language: str) -> bool:
    """Return whether a message is nothing but the wish to hear the rest of an answer."""
    known = find_language(language)
    return known is not None and _consists_of(text, known.go_on, known.polite)


def wants_new_conversation(text: str, language: str) -> bool:
    """Return whether a message is nothing but the wish to begin a new conversation.

    English is understood beside every language.
    """
    english = LANGUAGES["en"]
    known = find_language(language) or english
    return _consists_of(
        text,
        (*known.new_conversation, *english.new_conversation),
        (*known.polite, *english.polite),
    )


def _consists_of(text: str, phrases: tuple[str, ...], polite: tuple[str, ...]) -> bool:
    return _pattern(phrases, polite).fullmatch(_folded(text)) is not None


@cache
def _pattern(phrases: tuple[str, ...], polite: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of texts made of the phrases, at least one, and of polite words."""
    filler = _any_of(polite)
    phrase = _any_of(phrases, between=f" (?:{filler} )*")
    return re.compile(rf"(?:{filler} )*{phrase}(?: (?:{phrase}|{filler}))*")


def _any_of(phrases: Iterable[str], between: str = " ") -> str:
    """Return the source of a pattern of any of the phrases; without phrases it never matches."""
    longest_first = sorted(map(_folded, phrases), key=len, reverse=True)
    patterns = (phrase.replace(" ", between) for phrase in longest_first)
    return f"(?:{'|'.join(patterns)})" if longest_first else "(?!)"


def _folded(text: str) -> str:
    return " ".join(words(text))
