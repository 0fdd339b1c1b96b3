"""Kinds of entities, and unknown places, that a message has words for."""

from collections.abc import Collection, Mapping

from .number_words import NumberWords
from .text_match import MessageText, Words

# The end of the words after a preposition: an article, and the name of a place.
_TO_PLACE = 3
# The domain of what is set to degrees.
_THERMOSTATS = "climate"


def find_kinds(
    message: MessageText,
    phrases_by_kind: Mapping[str, Collection[Words]],
    known: Collection[str],
    verbs: Collection[str],
    numbers: NumberWords,
) -> frozenset[str]:
    """Return the kinds that a message has a phrase for; `known` are the words of all phrases.

    A verb is no form of such a word: *schalt* is not *Schalter*. Nor is a word for a kind a
    compound with the word for another one.
    """
    degrees = {place + 1 for place in numbers.of_degrees(message.words)}
    nouns = message.without(
        (place, place + 1)
        for place, word in enumerate(message.words)
        if word in verbs or place in degrees
    )
    others = nouns.without(
        (place, place + 1)
        for place, word in enumerate(nouns.words)
        if any(nouns.is_same(word, each) for each in known)
    )
    found = {
        kind
        for kind, phrases in phrases_by_kind.items()
        if any(nouns.has_all(phrase) or others.contains_words(phrase) for phrase in phrases)
    }
    return frozenset(found | ({_THERMOSTATS} if degrees else set()))


def names_unknown_place(
    message: MessageText, prepositions: Collection[str], unknown: Collection[str]
) -> bool:
    """Return whether a preposition of places is before an unknown word or its article."""
    return any(
        word in prepositions
        and any(each in unknown for each in message.words[place + 1 : place + _TO_PLACE])
        for place, word in enumerate(message.words)
    )
