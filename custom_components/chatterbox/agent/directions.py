"""Directions of commands: which of two opposite commands the words of a message state."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from .number_words import NumberWords
from .questions import Questions
from .text_match import MessageText, Span, is_unspaced, same_word

type Pair = tuple[str, str]
"""A domain, and the first of two opposite commands, such as turning on or starting."""
type Phrases = frozenset[frozenset[str]]
"""Sets of words, each of which makes a command."""
type Stated = Mapping[Pair, frozenset[bool]]
"""The stated directions: True for the first of two opposite commands, False for the second."""
type Anchor = tuple[Span, frozenset[str]]
"""The words of a message that name something, and the domains of what they name."""

_STEM = 4
# A cut between clauses rather is where a punctuation mark stands.
_BREAK = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Directions:
    """Phrases of Home Assistant's sentences for two opposite commands."""

    on: Phrases = frozenset()
    """For the first command: to turn on, open, lock or start."""
    off: Phrases = frozenset()
    """For the second command: to turn off, close, unlock or return."""


class DirectionWords:
    """The directions of all pairs of commands of a language, found in messages."""

    def __init__(
        self,
        directions: Mapping[Pair, Directions],
        states: frozenset[str] = frozenset(),
        *,
        numbers: NumberWords | None = None,
        inflects: bool,
    ) -> None:
        self._directions = directions
        self._numbers = numbers or NumberWords()
        self._inflects = inflects
        self._by_stem: defaultdict[str, set[str]] = defaultdict(set)
        phrases = chain.from_iterable(each.on | each.off for each in directions.values())
        self.words = frozenset(chain.from_iterable(phrases))
        self._states = states - self.words
        self._unspaced = set(filter(is_unspaced, self.words))
        for word in self.words - self._unspaced:
            self._by_stem[word[:_STEM]].add(word)

    def places(self, message: MessageText) -> list[int]:
        """Return the places of the words that may be of a phrase."""
        return [place for place, word in enumerate(message.words) if word[:_STEM] in self._by_stem]

    def stated(self, message: MessageText) -> Stated:
        """Return the directions that a whole message states."""
        found = self._words_at(message, range(len(message.words)))
        found |= {word: None for word in self._unspaced if message.has_all((word,))}
        return self._stated(found, self._directions)

    def describes(self, message: MessageText) -> bool:
        """Return whether a message may say what is the case, not what is to be done.

        French *allumée* is the name of a state, and a form of a command by its ending only.
        """
        return any(
            same_word(word, known, inflects=self._inflects)
            for word in {*message.words} & self._states
            for known in self._by_stem.get(word[:_STEM], ())
        )

    def stated_at(self, message: MessageText, anchors: Sequence[Anchor]) -> list[Stated]:
        """Return the directions that are stated for each anchor of a message, in their order.

        Between two anchors the words belong to one or the other: the message is cut so that most
        of them get exactly one direction. Where several cuts do, all of their directions count.
        """
        clauses = _Clauses(self, message, anchors)
        return [clauses.stated(number) for number in range(len(anchors))]

    def detailed_domains(
        self, message: MessageText, anchors: Sequence[Anchor], unknown: Collection[str]
    ) -> Iterator[str]:
        """Yield the domains of the anchors that an unknown word follows in their clause.

        Between two anchors a word of a phrase has to follow it, else it may be the verb of the
        second one.
        """
        places = self.places(message)
        for number, ((_, start), domains) in enumerate(anchors):
            end = len(message.words)
            if anchors[number + 1 :]:
                following = anchors[number + 1][0][0]
                end = max((place for place in places if place < following), default=start)
            if not {*message.following(start, end)}.isdisjoint(unknown):
                yield from domains

    def is_negated(
        self, message: MessageText, negations: frozenset[str], *, is_for_several: bool
    ) -> bool:
        """Return whether a command may be negated.

        *I do not need it, turn it off* is a command, if it is for one device.
        """
        if negations.isdisjoint(message.words):
            return False
        return is_for_several or not any(
            any(self._stated(self._words_at(message, places), self._directions).values())
            for places in message.clauses
            if negations.isdisjoint(message.words[places.start : places.stop])
        )

    def verbs(self, domain: str) -> frozenset[str]:
        """Return the words that alone state a direction for a domain, such as *lock*."""
        pairs = (each for (own, _), each in self._directions.items() if own == domain)
        phrases = (phrase for each in pairs for phrase in each.on | each.off)
        return frozenset(word for phrase in phrases if len(phrase) == 1 for word in phrase)

    def reported(
        self, message: MessageText, questions: Questions, unknown: frozenset[str]
    ) -> frozenset[str]:
        """Return the domains for which no clause of a command states a direction.

        Such a clause begins with a verb, or all of its words are those of commands.
        """
        doubtful = questions.asked | unknown
        plain, stated = set[str](), set[str]()
        for places in message.clauses:
            own = message.words[places.start : places.stop]
            head = places.stop - len(questions.without_politeness(own))
            domains, verbs = self.spoken(message, places)
            stated |= domains
            plain |= domains if head in verbs or doubtful.isdisjoint(own) else set()
        return frozenset(stated - plain)

    def apart[Named](
        self, message: MessageText, names: Mapping[Named, tuple[int, str]], unknown: frozenset[str]
    ) -> Iterator[Named]:
        """Yield the names with unknown words between the last word for their domain and them.

        `names` holds where they begin, and the domain.
        """
        places = range(len(message.words))
        verbs = {domain: self.spoken(message, places, domain)[1] for _, domain in {*names.values()}}
        for each, (start, domain) in names.items():
            before = [place for place in verbs[domain] if place < start]
            if before and not unknown.isdisjoint(message.words[max(before) + 1 : start]):
                yield each

    def spoken(
        self, message: MessageText, places: Sequence[int], only: str | None = None
    ) -> tuple[set[str], set[int]]:
        """Return the domains for which words at some places state directions, and their places.

        `only` limits them to one domain.
        """
        found = self._words_at(message, places)
        domains, used = set[str](), set[str]()
        for (domain, _), directions in self._directions.items():
            phrases = [each for each in directions.on | directions.off if each <= found.keys()]
            if phrases and only in {None, domain}:
                domains.add(domain)
                used = used.union(*phrases)
        return domains, {
            place
            for place in places
            if any(same_word(message.words[place], each, inflects=self._inflects) for each in used)
        }

    def stated_in(
        self,
        message: MessageText,
        places: Collection[int],
        domains: Collection[str] | None = None,
    ) -> Stated:
        """Return the directions that the words at some places state, all or those for domains."""
        pairs = [pair for pair in self._directions if domains is None or pair[0] in domains]
        return self._stated(self._words_at(message, places), pairs)

    def _words_at(self, message: MessageText, places: Collection[int]) -> dict[str, bool | None]:
        """Return the words of phrases at some places, with whether they end a clause."""
        found: dict[str, bool | None] = {}
        # German *ein Grad* is one degree, not *on*.
        counted = {*self._numbers.of_degrees(message.words)}
        for place in places:
            word = message.words[place]
            if place in counted or (message.asks and word in self._states):
                # *Is it closed?* asks for a state, which is no form of *close*.
                continue
            for known in self._by_stem.get(word[:_STEM], ()):
                if same_word(word, known, inflects=self._inflects):
                    found[known] = found.get(known) or message.ends_clause(place)
        return found

    def _stated(self, found: Mapping[str, bool | None], pairs: Collection[Pair]) -> Stated:
        """Return the directions of some pairs that words state."""
        stated = {}
        for pair in pairs:
            directions = self._directions[pair]
            on, off = (
                [phrase for phrase in phrases if phrase <= found.keys()]
                for phrases in (directions.on, directions.off)
            )
            if on and off:
                # *Lock* and *up* together are another verb than *lock*, where *up* ends the clause.
                if _is_more(off, on, found):
                    on = []
                elif _is_more(on, off, found):
                    off = []
            stated[pair] = frozenset(way for way, each in ((True, on), (False, off)) if each)
        return stated


def _is_more(
    phrases: Sequence[frozenset[str]],
    others: Sequence[frozenset[str]],
    found: Mapping[str, bool | None],
) -> bool:
    """Return whether one phrase has all words of the other ones, and another one at the end."""
    words = frozenset().union(*others)
    return any(words < phrase and all(map(found.get, phrase - words)) for phrase in phrases)


class _Clauses:
    """The cuts of a message between anchors, by what they state."""

    def __init__(
        self, words: DirectionWords, message: MessageText, anchors: Sequence[Anchor]
    ) -> None:
        self._words = words
        self._message = message
        self._anchors = anchors
        self._places = words.places(message)
        length = len(message.words)
        # The places where each clause may begin, and where the last one ends.
        self._cuts = [
            range(1),
            *(range(one[0][1], other[0][0] + 1) for one, other in pairwise(anchors)),
            range(length, length + 1),
        ]
        self._found: dict[tuple[int, int, int], Stated] = {}
        before: list[dict[int, float]] = [{0: 0.0}]
        for number, cuts in enumerate(self._cuts[1:]):
            last = before[-1]
            before.append(
                {
                    end: max(last[start] + self._score(number, start, end) for start in last)
                    for end in cuts
                }
            )
        after: list[dict[int, float]] = [{length: 0.0}]
        for number in reversed(range(len(anchors))):
            first = after[-1]
            after.append(
                {
                    start: max(first[end] + self._score(number, start, end) for end in first)
                    for start in before[number]
                }
            )
        self._before, self._after = before, after[::-1]

    def stated(self, number: int) -> Stated:
        """Return the directions for an anchor in all of the best cuts."""
        best = self._after[0][0]
        merged: defaultdict[Pair, frozenset[bool]] = defaultdict(frozenset)
        for start, score in self._before[number].items():
            for end, rest in self._after[number + 1].items():
                if score + self._score(number, start, end) + rest >= best:
                    for pair, found in self._at(number, start, end).items():
                        merged[pair] |= found
        return merged

    def _at(self, number: int, start: int, end: int) -> Stated:
        # Clauses with the same words of phrases state the same.
        begin, stop = bisect_left(self._places, start), bisect_left(self._places, end)
        key = (number, begin, stop)
        if key not in self._found:
            (first, last), domains = self._anchors[number]
            places = [place for place in self._places[begin:stop] if not first <= place < last]
            self._found[key] = self._words.stated_in(self._message, places, domains)
        return self._found[key]

    def _score(self, number: int, start: int, end: int) -> float:
        found = [len(each) for each in self._at(number, start, end).values() if each]
        clear = (1 if max(found) == 1 else -1) if found else 0
        return clear + _BREAK * self._message.ends_clause(end - 1)


def join_anchors(anchors: Sequence[Anchor]) -> Iterator[Anchor]:
    """Yield the anchors in their order; those that touch each other are one."""
    current: Anchor | None = None
    for span, domains in sorted(anchors, key=lambda anchor: anchor[0]):
        if current is not None and span[0] <= current[0][1]:
            (start, end), known = current
            current = (start, max(end, span[1])), known | domains
            continue
        if current is not None:
            yield current
        current = span, domains
    if current is not None:
        yield current
