"""Vocabulary of the home: names of its entities, areas and floors, found in messages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .clauses import MessageClauses
from .directions import Anchor, Directions, DirectionWords, Pair, join_anchors
from .kinds import KindWords, follows_one_of, names_of_places, names_unknown_place
from .mentions import (
    ExposedEntity,
    Mentions,
    Place,
    Targets,
    is_in,
    is_of,
    kinds_of,
    unique_labels,
)
from .number_words import NumberWords, find_digits
from .qualifiers import Qualifiers
from .questions import Questions
from .short_names import find_short_names
from .targets import find_misplaced, find_targets
from .text_match import MessageText, Span, is_inside_another, same_word, words

# Minimum length of a word that can distinguish a name.
_MIN_DISTINCTIVE_LENGTH = 3


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
    actions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names of actions in the user's language, by domain and action."""
    grammar: frozenset[str] = frozenset()
    """Normalized words of Home Assistant's own sentences, in the user's language."""
    directions: Mapping[Pair, Directions] = field(default_factory=dict)
    """Words for the directions of commands, in the user's language."""
    number_words: NumberWords = field(default_factory=NumberWords)
    """Numbers in the user's language."""
    colors: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Words for colors by their English names, in the user's language and in English."""
    questions: Questions = field(default_factory=Questions)
    """Words of questions and of commands in the user's language."""
    everything: frozenset[frozenset[str]] = frozenset()
    """Sets of words that mean all entities of a kind in the whole home, in the user's language."""
    all_of_kind: frozenset[str] = frozenset()
    """Words that mean all entities of a kind, in the user's language."""
    negations: frozenset[str] = frozenset()
    """Words that make the opposite of what is said, in the user's language."""
    qualifiers: Qualifiers = field(default_factory=Qualifiers)
    """Words that qualify a command in the user's language."""
    prepositions: frozenset[str] = frozenset()
    """Words before the name of a place, in the user's language."""
    all_devices: frozenset[str] = frozenset()
    """Words for all devices of any kind, such as *everything*, in the user's language."""
    inflects: bool = True
    """Whether words of the user's language have endings beyond a plural *s*."""

    def __hash__(self) -> int:
        """Return a hash that is found fast: there are few homes, of different sizes."""
        return hash((len(self.entities), len(self.areas), self.inflects))

    @cached_property
    def _known_words(self) -> frozenset[str]:
        names = {word for entity in self.entities for name in entity.names for word in words(name)}
        known = self.grammar | self.number_words.words | self.all_devices
        return known | self._common_words | names

    @cached_property
    def _domains(self) -> frozenset[str]:
        """The domains that a direction can be stated for."""
        return frozenset(domain for domain, _ in self.directions)

    @cached_property
    def _direction_words(self) -> DirectionWords:
        return DirectionWords(
            self.directions,
            self.questions.states,
            numbers=self.number_words,
            inflects=self.inflects,
        )

    @cached_property
    def _kind_words(self) -> KindWords:
        return KindWords(self.kinds, self._direction_words.words, self.number_words)

    @cached_property
    def _common_words(self) -> frozenset[str]:
        """Words for kinds and places, which do not distinguish the names of entities."""
        return self._kind_words.words | self._place_words

    @cached_property
    def _place_words(self) -> frozenset[str]:
        return frozenset(
            word
            for place in (*self.areas, *self.floors)
            for name in place.names
            for word in words(name)
        )

    @cached_property
    def _short_names(self) -> Mapping[str, str]:
        """Areas by a word that is enough to name them."""
        known = self.grammar | self._kind_words.words
        return find_short_names(self.areas, self.floors, self.entities, known)

    @cached_property
    def labels(self) -> Mapping[ExposedEntity, str]:
        """Unique labels of the entities: names, with the domain and the area if they repeat."""
        return unique_labels(self.entities)

    def mentions(self, text: str) -> Mentions:
        """Return the mentions in a message."""
        message = MessageText(text, inflects=self.inflects)
        named = tuple(each for each in self._named(message) if not self._is_all(each, message))
        # Words within the name of one entity are no mentions of others.
        rest = _without(message, [name for entity in named for name in entity.names])
        areas, floors = _mentioned(self.areas, rest), _mentioned(self.floors, rest)
        in_place = names_of_places(rest, self.prepositions, self._short_names)
        short = in_place | self._kind_words.neighbors(rest, self._short_names)
        areas = tuple(dict.fromkeys((*areas, *(self._short_names[word] for word in sorted(short)))))
        place_names = [
            name
            for place in (*self.areas, *self.floors)
            if place.name in {*areas, *floors}
            for name in place.names
        ]
        place_names += sorted(short)
        without_places = _without(rest, place_names)
        misplaced = find_misplaced(named, {*areas, *floors}, self._kind_words.find(without_places))
        same = {each.domain for each in misplaced} & self._kind_words.find(message)
        is_kind = all(map(self._is_named_by_kind, misplaced))
        if is_kind and any(
            is_of(each, same) and is_in(each, {*areas, *floors}) for each in self.entities
        ):
            # *The lamp in the bedroom* is another one than those whose name is *Lamp*.
            named, misplaced, rest = (), frozenset(), message
            without_places = _without(rest, place_names)
        others = [entity for entity in self.entities if entity not in named]
        contained = self._kind_words.contained(without_places)
        single = {
            entity
            for entity in others
            if is_of(entity, contained) and self._is_described(entity, without_places)
        }
        described = tuple(
            entity
            for entity in others
            if entity in single
            or (entity.area in areas and self._is_named_in_area(entity, without_places))
        )
        own = {word for each in described for name in each.names for word in words(name)}
        undescribed = rest.without(
            (place, place + 1)
            for place, word in enumerate(rest.words)
            if any(rest.is_form(word, each) for each in own)
        )
        kinds = self._kind_words.find(rest)
        partial = tuple(
            entity
            for entity in self.entities
            if entity not in {*named, *described} and self._is_partly_named(entity, undescribed)
        )
        unknown = frozenset(filter(self._is_unknown, set(rest.words)))
        spans = self._places(message, (*named, *described, *partial))
        anchors = self._anchors(message, spans, kinds)
        clauses = MessageClauses(
            message=message,
            anchors=anchors,
            directions=self._direction_words,
            numbers=self.number_words,
        )
        reports = [*clauses.reports(self.questions)]
        directions = self._direction_words.stated(rest)
        if reports and any((commands := clauses.commands(reports)).values()):
            directions = commands
        by_entity = clauses.of_entities(self.entities, spans)
        is_question = self.questions.is_question(message, is_directed=any(directions.values()))
        everything = any(map(rest.has_all, self.everything))
        starts = {entity: (start, entity.domain) for entity, (start, _) in spans.items()}
        # German *außer* is no form of *außen*.
        strange = unknown | {*rest.words} - self._known_words
        apart = frozenset(self._direction_words.apart(message, starts, strange))
        corrected = [*self.qualifiers.corrections(message, [span for span, _ in anchors])]
        last = max((span[0] for span, _ in anchors), default=0)
        amounts = [
            (place, place + 1)
            for place in self.number_words.at(message.words)
            if not any(place in range(*span) for span in spans.values())
        ]
        last_amount = max((start for start, _ in amounts), default=-1)
        refused = self.qualifiers.corrections(message, amounts)
        # *22, no, the bath* corrects something else.
        amended = max((place for place in refused if place < last_amount), default=-1)
        # Of the numbers only those after a correction count.
        valued = (
            rest if amended < 0 else MessageText(message.words[amended:], inflects=self.inflects)
        )
        return Mentions(
            named=tuple(entity for entity in self.entities if entity in {*named, *described}),
            partial=partial,
            single=frozenset((*named, *single, *partial)),
            misplaced=misplaced,
            areas=areas,
            floors=floors,
            kinds=kinds,
            is_elsewhere=names_unknown_place(rest, self.prepositions, unknown),
            known=tuple(word for word in rest.words if word not in unknown),
            unknown=tuple(word for word in rest.words if word in unknown),
            numbers=(
                *find_digits(text, valued.words),
                *(number for _, number in self.number_words.find(valued.words)),
            ),
            halved_numbers=tuple(self.number_words.with_halves(valued.words, unknown)),
            parts=tuple(self.number_words.parts(valued.words)),
            colors=tuple(
                name for name, found in self.colors.items() if any(rest.has_all({w}) for w in found)
            ),
            directions=directions,
            clauses=by_entity,
            detailed=frozenset(self._direction_words.detailed_domains(message, anchors, unknown)),
            is_question=is_question,
            asks_for_state=bool(is_question) and self.questions.ends_in_state(rest),
            everything=everything,
            all_devices=not self.all_devices.isdisjoint(rest.words),
            all_of_kind=not self.all_of_kind.isdisjoint(rest.words),
            is_negated=self._direction_words.is_negated(
                rest, self.negations, is_for_several=bool(by_entity)
            ),
            is_qualified=bool(corrected) or amended >= 0 or self.qualifiers.limit(rest),
            describes=self._direction_words.describes(rest),
            retracted=frozenset(
                each for each, (_, end) in spans.items() if any(end <= n < last for n in corrected)
            ),
            reported=self._direction_words.reported(rest, self.questions, unknown),
            described=clauses.described(reports),
            apart=apart,
            excepted=frozenset(
                self._beside_kinds(
                    message, {e: span for e, span in spans.items() if everything or e in apart}
                )
            ),
        )

    def _beside_kinds(
        self, message: MessageText, spans: Mapping[ExposedEntity, Span]
    ) -> Iterator[ExposedEntity]:
        """Yield the entities for whose kind a message has a word apart from their name."""
        for entity, (start, end) in spans.items():
            verbs = self._direction_words.verbs(entity.domain)
            places = self._kind_words.places(message, kinds_of(entity), verbs)
            if any(not start - 1 <= place <= end for place in places):
                yield entity

    def _places(
        self, message: MessageText, entities: Iterable[ExposedEntity]
    ) -> Mapping[ExposedEntity, Span]:
        return {entity: span for entity in entities if (span := self._place(entity, message))}

    def _anchors(
        self, message: MessageText, places: Mapping[ExposedEntity, Span], kinds: Iterable[str]
    ) -> Sequence[Anchor]:
        """Return the words that name devices or kinds, with the domains of what they name."""
        domains = {entity.domain for entity in places}
        of_kind = {
            (domain, (place, place + 1))
            for kind in kinds
            if (domain := kind.partition(".")[0]) in self._domains - domains
            for place in self._kind_words.places(message, (kind,))
        }
        found = [
            *((span, frozenset({entity.domain})) for entity, span in places.items()),
            *((span, frozenset({domain})) for domain, span in of_kind),
        ]
        return [*join_anchors(found)]

    def _place(self, entity: ExposedEntity, message: MessageText) -> Span | None:
        """Return where a message names an entity: its whole name, else the words of it."""
        for name in entity.names:
            if (span := next(message.spans(name), None)) is not None:
                return span
        own = {word for name in entity.names for word in words(name)} - self._place_words
        found = [
            place
            for place, word in enumerate(message.words)
            if any(message.is_form(word, each) for each in own)
        ]
        return (found[0], found[0] + 1) if found else None

    def _named(self, message: MessageText) -> tuple[ExposedEntity, ...]:
        """Return the entities with a complete name in the message.

        A name within a longer name does not count.
        """
        spans = {
            entity: [span for name in entity.names for span in message.spans(name)]
            for entity in self.entities
        }
        longest = [span for found in spans.values() for span in found]
        exact = {
            span: entity
            for entity, found in spans.items()
            for span in found
            if any(message.has_exactly(name, span) for name in entity.names)
        }
        return tuple(
            entity
            for entity, found in spans.items()
            if any(
                not is_inside_another(span, longest)
                and (span not in exact or any(message.has_exactly(n, span) for n in entity.names))
                for span in found
            )
        )

    def _is_described(self, entity: ExposedEntity, message: MessageText) -> bool:
        """Return whether a message has the name of an entity but for the words for its kind.

        *The main water* is the *Main water valve*, *the bedside lamp* the *Bedside light*.
        """
        own_words = {word for each in self._kind_words.of(kinds_of(entity)) for word in each}
        rests = ({word for word in words(name) if word not in own_words} for name in entity.names)
        return any(rest and message.has_all(rest) for rest in rests)

    def _is_all(self, entity: ExposedEntity, message: MessageText) -> bool:
        """Return whether a name means all of its kind: *all lamps* are not only those named *Lamp*.

        *All lights but the lamp* are not, nor *that's all, turn the lamp off*.
        """
        if self.all_of_kind.isdisjoint(message.words) or not self._is_named_by_kind(entity):
            return False
        starts = [start for name in entity.names for start, _ in message.spans(name)]
        verbs = self._direction_words.words | self.questions.commanded
        others = {each for each in message.words if self._kind_words.has(message, each)} | verbs
        return all(follows_one_of(message, start, self.all_of_kind, others) for start in starts)

    def _is_named_by_kind(self, entity: ExposedEntity) -> bool:
        """Return whether a name of an entity is only a word for its kind."""
        own = self._kind_words.of(kinds_of(entity))
        return any(words(name) in own for name in entity.names)

    @staticmethod
    def _is_named_in_area(entity: ExposedEntity, message: MessageText) -> bool:
        """Return whether a message has the words of a name that repeats the area, but for those.

        *The blind in the bedroom* is the *Blind bedroom* there.
        """
        place = words(entity.area or "")
        names = (set(words(name)) for name in entity.names)
        return any(
            name & {*place} and name - {*place} and message.has_all(name - {*place})
            for name in names
        )

    def _is_partly_named(self, entity: ExposedEntity, message: MessageText) -> bool:
        return any(
            message.contains_words((word,))
            for name in entity.names
            for word in words(name)
            if len(word) >= _MIN_DISTINCTIVE_LENGTH
            and word not in self._common_words
            # *Bring it back* is not about the back door.
            and word not in self._direction_words.words
        )

    def _is_unknown(self, word: str) -> bool:
        known = self._known_words
        if word.isdecimal() or word in known:
            return False
        return not any(same_word(word, each, inflects=self.inflects) for each in known)

    def targets(self, mentions: Mentions, area: str | None = None) -> Targets:
        """Return the entities that a message with these mentions may refer to.

        `area` is the area of the user: it limits a kind that is mentioned without a place.
        """
        return find_targets(self.entities, mentions, area)


def _without(message: MessageText, names: Iterable[str]) -> MessageText:
    """Return a message without these names."""
    return message.without(span for name in names for span in message.spans(name))


def _mentioned(places: Sequence[Place], message: MessageText) -> tuple[str, ...]:
    return tuple(place.name for place in places if any(map(message.contains, place.names)))
