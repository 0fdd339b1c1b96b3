"""Clauses of a message: what is said of each device, and what is only reported."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .directions import Anchor, DirectionWords, Stated
from .mentions import Clause, ExposedEntity
from .number_words import NumberWords
from .questions import Questions
from .text_match import MessageText, Span, is_inside

# Devices of a compound command.
_SEVERAL = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageClauses:
    """The clauses of a message around its anchors: the words that name devices and kinds."""

    message: MessageText
    anchors: Sequence[Anchor]
    directions: DirectionWords
    numbers: NumberWords

    def of_entities(
        self, entities: Collection[ExposedEntity], places: Mapping[ExposedEntity, Span]
    ) -> Mapping[ExposedEntity, Clause]:
        """Return what a message says of each entity, if it names several devices."""
        if len(self.anchors) < _SEVERAL:
            return {}
        domains = {entity.domain for entity in places}
        clauses = list(self._at_anchors())
        return {
            entity: clauses[number]
            for number, (whole, anchored) in enumerate(self.anchors)
            for entity in entities
            if entity.domain in anchored
            and (
                is_inside(places[entity], whole)
                if entity in places
                else entity.domain not in domains
            )
        }

    def _at_anchors(self) -> Iterator[Clause]:
        """Yield the clause of each anchor."""
        message, anchors = self.message, self.anchors
        stated = self.directions.stated_at(message, anchors)
        numbers = self.numbers.at(message.words)
        # Those of names are not set.
        named = {place for span, _ in anchors for place in range(*span)}
        verbs = self.directions.places(message)
        for number, found in enumerate(stated):
            first = anchors[number][0][0]
            start = anchors[number - 1][0][1] if number else 0
            # What is before the verb of a clause belongs to the one before.
            start = max((place for place in verbs if start <= place < first), default=start)
            end = anchors[number + 1][0][0] if number + 1 < len(anchors) else len(message.words)
            others = [
                each for each in (*stated[:number][::-1], *stated[number:]) if any(each.values())
            ]
            yield Clause(
                stated=found,
                inherited=others[0] if others else {},
                numbers=tuple(
                    number
                    for place, number in numbers.items()
                    if place in range(start, end) and place not in named
                ),
            )

    def reports(self, questions: Questions) -> Iterator[range]:
        """Yield the places of each clause that only says what is the case: *the light is on*.

        It has a copula, and no words of a command but the names of states.
        """
        for places in self.message.clauses:
            own = self.message.words[places.start : places.stop]
            _, verbs = self._spoken(places)
            head = places.stop - len(questions.without_politeness(own))
            if (
                not questions.copulas.isdisjoint(own)
                and head not in verbs
                and questions.states.issuperset(self.message.words[place] for place in verbs)
            ):
                yield places

    def described(self, reports: Sequence[range]) -> frozenset[str]:
        """Return the domains of which reports say something, and no other clause does."""
        named = [(span[0], domains) for span, domains in self.anchors]
        told, others = set[str](), set[str]()
        for places in self.message.clauses:
            domains, _ = self._spoken(places)
            if places in reports:
                told |= domains.union(*(each for start, each in named if start in places))
            else:
                others |= domains
        return frozenset(told - others)

    def commands(self, reports: Sequence[range]) -> Stated:
        """Return the directions that the clauses without these reports state."""
        told = {place for places in reports for place in places}
        places = [
            place for place in self._unnamed(range(len(self.message.words))) if place not in told
        ]
        return self.directions.stated_in(self.message, places)

    def _spoken(self, places: range) -> tuple[set[str], set[int]]:
        return self.directions.spoken(self.message, self._unnamed(places))

    def _unnamed(self, places: range) -> list[int]:
        """Return those of some places that are not of names."""
        named = {place for span, _ in self.anchors for place in range(*span)}
        return [place for place in places if place not in named]
