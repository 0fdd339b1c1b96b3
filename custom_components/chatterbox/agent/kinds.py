"""Kinds of entities, and unknown places, that a message has words for."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from .number_words import NumberWords
from .text_match import MessageText, Words, beginning, distance, words

# The end of the words after a preposition: an article, and the name of a place.
_TO_PLACE = 3
# The domain of what is set to degrees.
_THERMOSTATS = "climate"


class KindWords:
    """Words for kinds of entities, to be found in messages.

    `verbs` are words of commands, of which those for kinds are no verbs.
    """

    def __init__(
        self, kinds: Mapping[str, Iterable[str]], verbs: Collection[str], numbers: NumberWords
    ) -> None:
        self._phrases = {
            kind: frozenset(filter(None, map(words, phrases))) for kind, phrases in kinds.items()
        }
        self.words = frozenset(
            word for phrases in self._phrases.values() for each in phrases for word in each
        )
        self._verbs = frozenset(verbs) - self.words
        self._by_beginning: defaultdict[str, list[str]] = defaultdict(list)
        for word in self._verbs | self.words:
            self._by_beginning[beginning(word)].append(word)
        self._numbers = numbers

    def of(self, kinds: Iterable[str]) -> frozenset[Words]:
        """Return the phrases for some kinds."""
        return frozenset[Words]().union(*(self._phrases.get(kind, ()) for kind in kinds))

    def find(self, message: MessageText) -> frozenset[str]:
        """Return the kinds that a message has a phrase for.

        A verb is no form of such a word: *schalt* is not *Schalter*. Nor is a word for a kind a
        compound with the word for another one.
        """
        degrees = {place + 1 for place in self._numbers.of_degrees(message.words)}
        nouns = message.without(
            (place, place + 1)
            for place, word in enumerate(message.words)
            if place in degrees or self._is_verb(message, word)
        )
        others = nouns.without(
            (place, place + 1) for place, word in enumerate(nouns.words) if self.has(nouns, word)
        )
        found = {
            kind
            for kind, phrases in self._phrases.items()
            if any(nouns.has_all(phrase) or others.contains_words(phrase) for phrase in phrases)
        }
        return frozenset(found | ({_THERMOSTATS} if degrees else set()))

    def contained(self, message: MessageText) -> frozenset[str]:
        """Return the kinds that a message has a phrase for, if only in compounds."""
        return frozenset(
            kind
            for kind, phrases in self._phrases.items()
            if any(map(message.contains_words, phrases))
        )

    def places(
        self, message: MessageText, kinds: Iterable[str], verbs: Collection[str] = ()
    ) -> list[int]:
        """Return the places of the first words of phrases for some kinds, if they are no verbs."""
        first = {phrase[0] for phrase in self.of(kinds)}
        return [
            place
            for place, word in enumerate(message.words)
            if any(message.is_form(word, each) for each in first)
            and word not in verbs
            and not self._is_verb(message, word)
        ]

    def neighbors(self, message: MessageText, wanted: Collection[str]) -> frozenset[str]:
        """Return the wanted words that are next to a word for a kind, as in *bedroom light*."""
        return frozenset(
            word
            for place, word in enumerate(message.words)
            if word in wanted
            and any(
                self.has(message, each) for each in message.words[max(place - 1, 0) : place + 2]
            )
        )

    def has(self, message: MessageText, word: str) -> bool:
        """Return whether a word of a message is a form of a word for a kind."""
        return not self.words.isdisjoint(self._known(message, word))

    def _known(self, message: MessageText, word: str) -> list[str]:
        """Return the words for kinds and the verbs that a word is a form of."""
        found = self._by_beginning.get(beginning(word), ())
        return [each for each in found if message.is_same(word, each)]

    def _is_verb(self, message: MessageText, word: str) -> bool:
        """Return whether a word is at least as near to a verb as to any word for a kind."""
        nearest = min(
            self._known(message, word),
            key=lambda each: (distance(word, each), each in self.words),
            default=None,
        )
        return nearest in self._verbs


def follows_one_of(
    message: MessageText, start: int, wanted: Collection[str], others: Collection[str]
) -> bool:
    """Return whether a wanted word is before a place in its clause, with no other one between."""
    for place in range(start - 1, -1, -1):
        word = message.words[place]
        if message.ends_clause(place) or (word in others and word not in wanted):
            return False
        if word in wanted:
            return True
    return False


def names_unknown_place(
    message: MessageText, prepositions: Collection[str], unknown: Collection[str]
) -> bool:
    """Return whether a preposition of places is before an unknown word or its article."""
    return bool(names_of_places(message, prepositions, unknown))


def names_of_places(
    message: MessageText, prepositions: Collection[str], names: Collection[str]
) -> frozenset[str]:
    """Return those of some names that follow a preposition of places, or an article after it."""
    return frozenset(
        each
        for place, word in enumerate(message.words)
        if word in prepositions
        for each in message.words[place + 1 : place + _TO_PLACE]
        if each in names
    )
