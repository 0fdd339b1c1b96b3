"""Entities, and what a message says of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .directions import Stated
from .text_match import Words, same_word, words


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
class SetPoint:
    """Temperature that a thermostat is set to, and its limits."""

    value: float
    lowest: float
    highest: float

    def stepped(self, degrees: float) -> float:
        """Return the set point that is higher by some degrees, within the limits."""
        return min(max(self.value + degrees, self.lowest), self.highest)

    def allows(self, value: float) -> bool:
        """Return whether a value is within the limits; other ones can only be a difference."""
        return self.lowest <= value <= self.highest


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Part of a message that is about one of several devices."""

    stated: Stated = field(default_factory=dict)
    """Directions that the clause states."""
    inherited: Stated = field(default_factory=dict)
    """Directions of the nearest earlier clause with any, else of the first other one with any."""
    numbers: tuple[float, ...] = ()
    """Numbers that may be for the device; of a decimal, both parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """Entities, places, kinds and numbers that a message mentions."""

    named: tuple[ExposedEntity, ...] = ()
    """Entities whose complete name or alias is in the message."""
    partial: tuple[ExposedEntity, ...] = ()
    """Entities with a distinctive word of their name in the message."""
    single: frozenset[ExposedEntity] = frozenset()
    """Those of them that are not only named by a kind and an area."""
    misplaced: frozenset[ExposedEntity] = frozenset()
    """Named entities that are elsewhere than the message says."""
    areas: tuple[str, ...] = ()
    floors: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    """Domains, or `domain.device_class`, that a word of the message stands for."""
    is_elsewhere: bool = False
    """True if the message may name a place that is not known, such as *in the attic*."""
    known: tuple[str, ...] = ()
    """Words of Home Assistant's own sentences."""
    unknown: tuple[str, ...] = ()
    """Words that are neither of the home nor of Home Assistant's own sentences."""
    numbers: tuple[float, ...] = ()
    """Numbers in the message, as digits or spelled out."""
    halved_numbers: tuple[float, ...] = ()
    """Spelled-out numbers with the half that words after them may add."""
    parts: tuple[int, ...] = ()
    """Parts of a whole in words, in percent."""
    colors: tuple[str, ...] = ()
    """English names of colors that the message has words for."""
    directions: Stated = field(default_factory=dict)
    """The directions that the whole message states, where the language has words for it."""
    clauses: Mapping[ExposedEntity, Clause] = field(default_factory=dict)
    """Clauses by device, empty unless the message names several devices."""
    detailed: frozenset[str] = frozenset()
    """Domains of devices that an unknown word follows in their clause, as in *open it a crack*."""
    is_question: bool | None = None
    """True for a question, None if it may be one or the language has no words for questions."""
    asks_for_state: bool = False
    """True for a question that ends in the name of a state, such as *is it locked?*"""
    everything: bool = False
    """True if the message is about all entities of a kind in the whole home."""
    all_devices: bool = False
    """True if the message has a word for all devices of any kind, such as *everything*."""
    all_of_kind: bool = False
    """True if a word means all entities of a kind, in the whole home or in a place."""
    is_negated: bool = False
    """True if a command may be negated, such as *do not open it*."""
    describes: bool = False
    """True if the message may say what is the case, such as French *la lampe est allumée*."""
    is_qualified: bool = False
    """True if a command has a condition or a delay, or corrects another one."""
    retracted: frozenset[ExposedEntity] = frozenset()
    """Entities before a *no* that another one follows, as in *the lamp, no, the heater*."""
    apart: frozenset[ExposedEntity] = frozenset()
    """Entities with unknown words between a command and their name: *turn all off but the lamp*."""
    excepted: frozenset[ExposedEntity] = frozenset()
    """Entities that may be exceptions: the message means all of their kind, or they are apart."""
    reported: frozenset[str] = frozenset()
    """Domains with directions that no clause commands, as in *who left it open*."""
    described: frozenset[str] = frozenset()
    """Domains of which the message only says what is the case, as in *the light is on*."""

    def best_of(self, phrases: Iterable[str], *, known: bool = True) -> list[str]:
        """Return the phrases that share most words with the message; none if none shares any.

        Words that are not in Home Assistant's sentences count more; without `known`, only those do,
        and not their inflections. Others, such as *the*, have to tell the phrases apart.
        """
        shared = {phrase: self._shared(words(phrase), known=known) for phrase in phrases}
        most = max(shared.values(), default=(0, 0))
        best = [phrase for phrase, count in shared.items() if count == most]
        unknown, others = most
        return best if unknown or (others and len(best) < len(shared)) else []

    def _shared(self, phrase: Words, *, known: bool) -> tuple[int, int]:
        if not known:
            return len({*phrase} & {*self.unknown}), 0
        unknown, others = (
            sum(any(same_word(word, each) for each in phrase) for word in found)
            for found in (self.unknown, self.known)
        )
        return unknown, others

    @property
    def may_command(self) -> bool:
        """Return whether a message may be a command, as far as the language has words for that."""
        return not self.directions or bool(self.numbers) or any(self.directions.values())

    def directs(self, domain: str) -> bool:
        """Return whether a message states a direction for a domain."""
        return any(ways for (each, _), ways in self.directions.items() if each == domain)

    @property
    def exceptions(self) -> frozenset[ExposedEntity]:
        """The entities that may be exceptions from what is said of all of their kind."""
        return self.apart | self.excepted

    @property
    def means_all(self) -> bool:
        """Return whether a message is about all entities, or all of a kind, anywhere or here."""
        return self.everything or self.all_of_kind or self.all_devices

    def stated(self, entity: ExposedEntity, command: str) -> frozenset[bool]:
        """Return the stated directions of a pair of commands for an entity."""
        return self._directions_for(entity).get((entity.domain, command), frozenset())

    def inherited(self, entity: ExposedEntity, command: str) -> frozenset[bool]:
        """Return the directions of a pair of commands that the nearest other clause states."""
        clause = self.clauses.get(entity)
        stated = clause.inherited.items() if clause else ()
        return frozenset(way for (_, each), ways in stated if each == command for way in ways)

    def all_stated(self, entity: ExposedEntity) -> frozenset[bool]:
        """Return the stated directions of all pairs of commands for an entity."""
        stated = self._directions_for(entity).items()
        return frozenset(
            way for (domain, _), ways in stated if domain == entity.domain for way in ways
        )

    def _directions_for(self, entity: ExposedEntity) -> Stated:
        """Return the directions of the clause that is about an entity, else of the message."""
        clause = self.clauses.get(entity)
        return self.directions if clause is None else clause.stated

    def places(self, entity: ExposedEntity) -> bool:
        """Return whether the area or the floor of an entity is mentioned."""
        return is_in(entity, {*self.areas, *self.floors})

    def is_numbered(self, entity: ExposedEntity) -> bool:
        """Return whether a number or a part of a whole may be for an entity."""
        clause = self.clauses.get(entity)
        return bool(self.numbers or self.parts) if clause is None else bool(clause.numbers)

    def may_be_set(self, entity: ExposedEntity | None, value: float) -> bool:
        """Return whether a value is the only number for an entity, if there is any.

        Of several numbers one may correct the other.
        """
        clause = self.clauses.get(entity) if entity else None
        found = {*self.numbers} if clause is None else {*self.numbers} & {*clause.numbers}
        if len(found) > 1 or value in found:
            return len(found) <= 1
        # A clause has the parts of a decimal, which is in no other one.
        is_elsewhere = any(value in each.numbers for each in self.clauses.values())
        return not is_elsewhere and (not found or value not in self.numbers)

    @property
    def has_entities(self) -> bool:
        """Return whether an entity or a kind is mentioned."""
        return bool(self.named or self.partial or self.kinds)

    def __bool__(self) -> bool:
        """Return whether anything is mentioned."""
        return bool(self.has_entities or self.areas or self.floors)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognizedIntent:
    """Intent that Home Assistant's own sentences recognize in a complete message."""

    name: str
    slots: Mapping[str, Any] = field(default_factory=dict)
    response: str = ""
    """Key of the sentence that Home Assistant responds with."""
    unknown_name: bool = False
    """True if it names a device that the home does not have."""
    without_area: bool = False
    """True if it needs the area of the user, which is not known."""


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


def kinds_of(entity: ExposedEntity) -> Iterator[str]:
    """Yield the kinds of an entity: its domain, and `domain.device_class`."""
    yield entity.domain
    if entity.device_class:
        yield f"{entity.domain}.{entity.device_class}"


def is_of(entity: ExposedEntity, kinds: Iterable[str]) -> bool:
    """Return whether an entity is of one of these kinds."""
    return not set(kinds).isdisjoint(kinds_of(entity))


def is_in(entity: ExposedEntity, places: Collection[str]) -> bool:
    """Return whether an entity is in one of these areas or on one of these floors."""
    return entity.area in places or entity.floor in places


def spoken_names(entities: Sequence[ExposedEntity]) -> list[str]:
    """Return the names of entities, with the area of those that share theirs."""
    names = Counter(entity.name for entity in entities)
    return [
        f"{entity.name} ({entity.area})" if names[entity.name] > 1 and entity.area else entity.name
        for entity in entities
    ]


def unique_labels(entities: Sequence[ExposedEntity]) -> Mapping[ExposedEntity, str]:
    """Return labels of entities: their names, with the domain and the area if they repeat."""
    names = Counter(entity.name for entity in entities)
    kinds = Counter((entity.name, entity.domain) for entity in entities)
    labels = {}
    for entity in entities:
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
