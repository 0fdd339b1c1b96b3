"""Numbers in a message, as digits or spelled out."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from .text_match import Words, same_word

_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
# Words of a spelled-out number.
_MAX_WORDS = 3
# The place of a half after the first word of its number: *twenty-two degrees and a half*.
_TO_HALF = 5
_HALF = 0.5
_WHOLE = 100


def find_digits(text: str, words: Words) -> Iterator[float]:
    """Yield the numbers in digits of a text whose parts are among the words."""
    for digits in _DIGITS.findall(text):
        if {*re.findall(r"\d+", digits)} <= {*words}:
            yield float(digits.replace(",", "."))


@dataclass(frozen=True, kw_only=True)
class NumberWords:
    """Words for numbers in a language."""

    numbers: Mapping[Words, int] = field(default_factory=dict)
    """Numbers by their words."""
    halves: frozenset[str] = frozenset()
    """Words for a half."""
    ordinals: Mapping[str, int] = field(default_factory=dict)
    """Words for the third, the fourth and so on, which also begin the words for these parts."""
    ones: frozenset[str] = frozenset()
    """Words for the number one, which are articles, pronouns or particles as well."""
    degrees: frozenset[str] = frozenset()
    """Words for degrees of temperature."""

    @property
    def words(self) -> frozenset[str]:
        """All of these words."""
        numbers = frozenset(word for each in self.numbers for word in each)
        return numbers | self.halves | self.ordinals.keys()

    def find(self, message: Words) -> Iterator[tuple[int, float]]:
        """Yield the numbers with the place of each, the longest at each place."""
        place = 0
        while place < len(message):
            for length in range(_MAX_WORDS, 0, -1):
                if (number := self.numbers.get(message[place : place + length])) is not None:
                    if not self._counts_parts(message, place + length):
                        yield place, float(number)
                    place += length - 1
                    break
            else:
                # Some languages write a number and a half as one word.
                if (with_half := self._with_half(message[place])) is not None:
                    yield place, with_half
            place += 1

    def at(self, message: Words) -> Mapping[int, float]:
        """Return the numbers in words and in digits by their places; of a decimal, both parts."""
        digits = {place: float(word) for place, word in enumerate(message) if word.isdecimal()}
        return digits | dict(self.find(message))

    def of_degrees(self, message: Words) -> Iterator[int]:
        """Yield the places of the last words of the numbers that are followed by degrees."""
        for place, (word, following) in enumerate(pairwise(message)):
            if following in self.degrees and (
                word.isdecimal() or word in self.ones or word in self.words
            ):
                yield place

    def with_halves(self, message: Words, unknown: Collection[str]) -> Iterator[float]:
        """Yield the spelled-out numbers with the half that may follow in words, known or unknown.

        The word for a number that has its half already is not known.
        """
        for place, number in self.find(message):
            following = message[place + 1 : place + 1 + _TO_HALF]
            if number.is_integer() and any(self._is_half(w) or w in unknown for w in following):
                yield number + _HALF

    def _is_half(self, word: str) -> bool:
        return any(map(word.startswith, self.halves))

    def _counts_parts(self, message: Words, following: int) -> bool:
        """Return whether the number before a place is that of parts, such as *two* in *thirds*."""
        if following >= len(message) or message[following] in self._single:
            return False
        return self._part_at(message, following) is not None

    def _with_half(self, word: str) -> float | None:
        if not any(word.endswith(half) and word != half for half in self.halves):
            return None
        begun = [(len(each[0]), n) for each, n in self.numbers.items() if word.startswith(each[0])]
        return max(begun)[1] + _HALF if begun else None

    @cached_property
    def _single(self) -> frozenset[str]:
        return frozenset(each[0] for each in self.numbers if len(each) == 1)

    def parts(self, message: Words) -> Iterator[int]:
        """Yield the parts of a whole that a message has, such as *two thirds*, in percent."""
        for place, word in enumerate(message):
            if self._is_half(word):
                yield _WHOLE // 2
            if word in self._single:
                continue
            if (part := self._part_at(message, place)) is not None:
                yield round(_WHOLE * part)

    def _part_at(self, message: Words, place: int) -> float | None:
        """Return the part of a whole that ends in the word at a place, None if there is none."""
        word = message[place]
        number = next((n for each, n in self.ordinals.items() if same_word(word, each)), 0)
        count = self.numbers.get(message[max(place - 1, 0) : place], 1)
        return count / number if count < number else None
