"""Vocabulary of the home: exposed entities, areas and floors, and mentions of them in messages."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .text_match import MessageText, Words, is_inside_another, same_word, words

# Words of a spelled-out number.
_MAX_NUMBER_WORDS = 3
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
# Minimum length of a word that can distinguish a name.
_MIN_DISTINCTIVE_LENGTH = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposedEntity:
    """An entity that is exposed to voice assistants."""

    name: str
    domain: str
    entity_id: str = ""
    area: str | None = None
    floor: str | None = None
    aliases: tuple[str, ...] = ()
    device_class: str | None = None
    capabilities: frozenset[str] = frozenset()
    """The capabilities that `assist.VERBS` names."""

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An area or a floor."""

    name: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """Entities, places, kinds and numbers that a message mentions."""

    named: tuple[ExposedEntity, ...] = ()
    """Entities whose complete name or alias is in the message."""
    partial: tuple[ExposedEntity, ...] = ()
    """Entities with a distinctive word of their name in the message."""
    areas: tuple[str, ...] = ()
    floors: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    """Domains, or `domain.device_class`, that a word of the message stands for."""
    known: tuple[str, ...] = ()
    """Words of Home Assistant's own sentences."""
    unknown: tuple[str, ...] = ()
    """Words that are neither of the home nor of Home Assistant's own sentences."""
    numbers: tuple[float, ...] = ()
    """Numbers in the message, as digits or spelled out."""
    spelled_numbers: tuple[float, ...] = ()
    """Those that are spelled out."""
    directions: Mapping[str, frozenset[bool]] = field(default_factory=dict)
    """The directions that the message indicates for a domain, where the language has words for it:
    True to turn on, open or lock, False for the opposite."""
    is_question: bool | None = None
    """Whether the message begins like a question, None if the language has no words for that."""
    everything: bool = False
    """Whether the message is about all entities of a kind in the whole home."""

    def best_of(self, phrases: Iterable[str]) -> list[str]:
        """Return the phrases that share most words with the message; none if none shares any.

        Words that are not in Home Assistant's sentences count more.
        """
        shared = {phrase: self._shared(words(phrase)) for phrase in phrases}
        most = max(shared.values(), default=(0, 0))
        return [phrase for phrase, count in shared.items() if count == most and any(most)]

    def _shared(self, phrase: Words) -> tuple[int, int]:
        unknown, others = (
            sum(any(same_word(word, each) for each in phrase) for word in found)
            for found in (self.unknown, self.known)
        )
        return unknown, others

    def allows(self, domain: str, *, on: bool | None) -> bool:
        """Return whether the words of the message allow an action in a direction on a domain."""
        return on is None or self.directions.get(domain) != frozenset({not on})

    def __bool__(self) -> bool:
        """Return whether anything is mentioned."""
        return bool(self.named or self.partial or self.areas or self.floors or self.kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Directions:
    """Words in Home Assistant's sentences for a domain that indicate a direction."""

    on: frozenset[frozenset[str]] = frozenset()
    """Sets of words, each of which makes a command to turn on, open or lock."""
    off: frozenset[frozenset[str]] = frozenset()
    """Sets of words, each of which makes a command to turn off, close or unlock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognizedIntent:
    """Intent that Home Assistant's own sentences recognize in a complete message."""

    name: str
    slots: Mapping[str, Any] = field(default_factory=dict)
    unknown_name: bool = False
    """Whether it names a device that the home does not have."""
    without_area: bool = False
    """Whether it needs the area of the user, which is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """Entities that a message may refer to."""

    certain: tuple[ExposedEntity, ...] = ()
    """Named entities, and those of a mentioned kind in a mentioned place."""
    possible: tuple[ExposedEntity, ...] = ()
    """Entities of which only the kind, the place or a part of the name is mentioned."""

    @property
    def entities(self) -> tuple[ExposedEntity, ...]:
        """The certain and the possible ones."""
        return (*self.certain, *self.possible)


@dataclass(frozen=True, kw_only=True)
class HomeVocabulary:
    """Names of a home, and words for its kinds of entities, in the languages of the user."""

    entities: tuple[ExposedEntity, ...] = ()
    areas: tuple[Place, ...] = ()
    floors: tuple[Place, ...] = ()
    kinds: Mapping[str, Iterable[str]] = field(default_factory=dict)
    """Words for a domain, or for `domain.device_class`, in the languages of the home."""
    states: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names of states in the user's language, by kind and state."""
    grammar: frozenset[str] = frozenset()
    """Normalized words of Home Assistant's own sentences, in the user's language."""
    directions: Mapping[str, Directions] = field(default_factory=dict)
    """Words for the directions of commands, by domain, in the user's language."""
    number_words: Mapping[Words, int] = field(default_factory=dict)
    """Numbers by their words in the user's language."""
    questions: frozenset[str] = frozenset()
    """Words that questions begin with, in the user's language."""
    everything: frozenset[frozenset[str]] = frozenset()
    """Sets of words that mean all entities of a kind in the whole home, in the user's language."""
    inflects: bool = True
    """Whether words of the user's language have endings beyond a plural *s*."""

    def __hash__(self) -> int:
        """Return a hash that is found fast: there are few homes, of different sizes."""
        return hash((len(self.entities), len(self.areas), self.inflects))

    @cached_property
    def _kind_words(self) -> Mapping[str, frozenset[Words]]:
        return {
            kind: frozenset(filter(None, map(words, phrases)))
            for kind, phrases in self.kinds.items()
        }

    @cached_property
    def _known_words(self) -> frozenset[str]:
        names = {word for entity in self.entities for name in entity.names for word in words(name)}
        numbers = {word for each in self.number_words for word in each}
        return self.grammar | self._common_words | numbers | names

    @cached_property
    def _common_words(self) -> frozenset[str]:
        """Words for kinds and places, which do not distinguish the names of entities."""
        kinds = {word for phrases in self._kind_words.values() for each in phrases for word in each}
        places = {
            word
            for place in (*self.areas, *self.floors)
            for name in place.names
            for word in words(name)
        }
        return frozenset(kinds | places)

    @cached_property
    def labels(self) -> Mapping[ExposedEntity, str]:
        """Unique labels of the entities: names, with the domain and the area if they repeat."""
        names = Counter(entity.name for entity in self.entities)
        kinds = Counter((entity.name, entity.domain) for entity in self.entities)
        labels = {}
        for entity in self.entities:
            details = []
            if names[entity.name] > 1:
                details.append(entity.domain.replace("_", " "))
            if kinds[entity.name, entity.domain] > 1:
                details.append(entity.area or entity.entity_id)
            labels[entity] = f"{entity.name} ({', '.join(details)})" if details else entity.name
        shared = Counter(labels.values())
        return {
            entity: label if shared[label] == 1 else f"{entity.name} ({entity.entity_id})"
            for entity, label in labels.items()
        }

    def mentions(self, text: str) -> Mentions:
        """Return the mentions in a message."""
        message = MessageText(text, inflects=self.inflects)
        named = self._named(message)
        # Words within the name of one entity are no mentions of others.
        rest = message.without(
            span for entity in named for name in entity.names for span in message.spans(name)
        )
        areas, floors = _mentioned(self.areas, rest), _mentioned(self.floors, rest)
        places = [
            name
            for place in (*self.areas, *self.floors)
            if place.name in {*areas, *floors}
            for name in place.names
        ]
        without_places = rest.without(span for name in places for span in rest.spans(name))
        described = tuple(
            entity
            for entity in self.entities
            if entity not in named and self._is_described(entity, without_places)
        )
        spelled_numbers = tuple(map(float, self._spelled_numbers(rest.words)))
        kinds = frozenset(
            kind
            for kind, phrases in self._kind_words.items()
            if any(map(rest.contains_words, phrases))
        )
        return Mentions(
            named=tuple(entity for entity in self.entities if entity in {*named, *described}),
            partial=tuple(
                entity
                for entity in self.entities
                if entity not in {*named, *described} and self._is_partly_named(entity, rest)
            ),
            areas=areas,
            floors=floors,
            kinds=kinds,
            known=tuple(word for word in rest.words if not self._is_unknown(word)),
            unknown=tuple(word for word in rest.words if self._is_unknown(word)),
            numbers=(
                *(
                    float(each.replace(",", "."))
                    for each in _NUMBER.findall(text)
                    if each in rest.words or not each.isdecimal()
                ),
                *spelled_numbers,
            ),
            spelled_numbers=spelled_numbers,
            directions={
                domain: self._indicated(rest, directions)
                for domain, directions in self.directions.items()
            },
            is_question=self.questions.issuperset(message.words[:1]) if self.questions else None,
            everything=any(map(rest.has_all, self.everything)),
        )

    def _spelled_numbers(self, message: Words) -> Iterator[int]:
        """Yield the spelled-out numbers, the longest at each position."""
        place = 0
        while place < len(message):
            for length in range(_MAX_NUMBER_WORDS, 0, -1):
                if (number := self.number_words.get(message[place : place + length])) is not None:
                    yield number
                    place += length - 1
                    break
            place += 1

    def _named(self, message: MessageText) -> tuple[ExposedEntity, ...]:
        """Return the entities with a complete name in the message.

        A name within a longer name does not count.
        """
        spans = {
            entity: [span for name in entity.names for span in message.spans(name)]
            for entity in self.entities
        }
        longest = [span for found in spans.values() for span in found]
        return tuple(
            entity
            for entity, found in spans.items()
            if any(not is_inside_another(span, longest) for span in found)
        )

    def _is_described(self, entity: ExposedEntity, message: MessageText) -> bool:
        """Return whether a message has a word for the kind of an entity and the rest of its name.

        *The main water* is the *Main water valve*, *the bedside lamp* the *Bedside light*.
        """
        own = {each for kind in kinds_of(entity) for each in self._kind_words.get(kind, ())}
        if not any(map(message.contains_words, own)):
            return False
        own_words = {word for each in own for word in each}
        rests = ({word for word in words(name) if word not in own_words} for name in entity.names)
        return any(rest and message.has_all(rest) for rest in rests)

    def _is_partly_named(self, entity: ExposedEntity, message: MessageText) -> bool:
        return any(
            message.contains_words((word,))
            for name in entity.names
            for word in words(name)
            if len(word) >= _MIN_DISTINCTIVE_LENGTH and word not in self._common_words
        )

    def _is_unknown(self, word: str) -> bool:
        if word.isdecimal() or word in self._known_words:
            return False
        return not any(
            same_word(word, known, inflects=self.inflects) for known in self._known_words
        )

    def _indicated(self, message: MessageText, directions: Directions) -> frozenset[bool]:
        """Return the directions that the words of a message indicate."""
        found = {True: directions.on, False: directions.off}
        return frozenset(on for on, phrases in found.items() if any(map(message.has_all, phrases)))

    def _of_same_name(self, mentions: Mentions, area: str | None) -> Iterator[ExposedEntity]:
        """Yield the named entities; of several with one name, those that are described.

        They are told apart by a mentioned place, else by the area of the user, and by a mentioned
        kind, of which the device class is the more telling one.
        """
        by_name: defaultdict[str, list[ExposedEntity]] = defaultdict(list)
        for entity in mentions.named:
            by_name[entity.name].append(entity)
        classes = {kind for kind in mentions.kinds if "." in kind}
        for same in by_name.values():
            there = _narrowed(
                same, lambda entity: _is_in(entity, mentions), lambda entity: entity.area == area
            )
            yield from _narrowed(
                there,
                lambda entity: is_of(entity, classes),
                lambda entity: is_of(entity, mentions.kinds),
            )

    def targets(self, mentions: Mentions, area: str | None = None) -> Targets:
        """Return the entities that a message with these mentions may refer to.

        `area` is the area of the user: it limits a kind that is mentioned without a place.
        """
        named = set(self._of_same_name(mentions, area))
        named_kinds = {kind for entity in named for kind in kinds_of(entity)}
        kinds = {kind for kind in mentions.kinds if kind not in named_kinds}
        of_kind = {entity for entity in self.entities if is_of(entity, kinds)}
        there = {entity for entity in self.entities if _is_in(entity, mentions)}
        here = {entity for entity in of_kind if area and entity.area == area}
        if there:
            certain = named | (there & of_kind)
            possible = set(mentions.partial) | (set() if there & of_kind or named else there)
        else:
            certain = named | here
            possible = set(mentions.partial) | (set() if here else of_kind)
        return Targets(
            certain=tuple(entity for entity in self.entities if entity in certain),
            possible=tuple(entity for entity in self.entities if entity in possible - certain),
        )


def _narrowed(
    entities: Iterable[ExposedEntity], *conditions: Callable[[ExposedEntity], bool]
) -> list[ExposedEntity]:
    """Return the entities that fulfill the first condition which any of them fulfills."""
    found = list(entities)
    for condition in conditions:
        if fitting := list(filter(condition, found)):
            return fitting
    return found


def kinds_of(entity: ExposedEntity) -> Iterator[str]:
    """Yield the kinds of an entity: its domain, and `domain.device_class`."""
    yield entity.domain
    if entity.device_class:
        yield f"{entity.domain}.{entity.device_class}"


def is_of(entity: ExposedEntity, kinds: Iterable[str]) -> bool:
    """Return whether an entity is of one of these kinds."""
    return not set(kinds).isdisjoint(kinds_of(entity))


def _is_in(entity: ExposedEntity, mentions: Mentions) -> bool:
    return entity.area in mentions.areas or entity.floor in mentions.floors


def _mentioned(places: Sequence[Place], message: MessageText) -> tuple[str, ...]:
    return tuple(place.name for place in places if any(map(message.contains, place.names)))
