"""Matching of names in messages, regardless of case, accents, inflection and compounding."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain

type Words = tuple[str, ...]

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
# Punctuation marks at the end of a clause: not those within numbers and words.
_BREAK = re.compile(r"[^\w\s'’ʼ%°-]+(?=\s|$)|[。、，；！？]+")  # noqa: RUF001 - of other scripts
_SENTENCE_END = re.compile(r"[.!?…]+(?=\s|$)|[。！？]")
_QUESTION_MARKS = ("?", "\N{FULLWIDTH QUESTION MARK}")
# English *don't* is two words.
_NOT = re.compile(r"(?<=\w)n['’ʼ]t\b")  # noqa: RUF001 - the typographic apostrophe
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ](?=\w)")  # noqa: RUF001 - the typographic apostrophe
# Scripts without spaces between words, by the names of their characters.
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
# Forms of one word share their beginning: at least this part of the longer form, and all but these
# letters of it.
_MIN_SHARED = 0.6
_MAX_ENDING = 3
_MIN_STEM = 4
# Endings of nouns that take each other's place have vowels: *porta* is a form of *porte*, *gerade*
# none of *Gerät*.
_CONSONANTS = frozenset("bcdfghjklmnpqrtvwxz")
# Letters of a part of a compound word, such as *Licht* in *Küchenlicht*.
_MIN_PART = 4
# Letters of the other part: *leche* is no compound of Spanish *eche*.
_MIN_OTHER_PART = 2


def normalize(text: str) -> str:
    """Return the text in lower case and without accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def words(text: str) -> Words:
    """Return the normalized words of a text; apostrophes within words are dropped."""
    separated = _NOT.sub(" not", normalize(text))
    return tuple(_WORD.findall(_APOSTROPHE.sub("", separated)))


def is_unspaced(text: str) -> bool:
    """Return whether a text is in a script without spaces between words."""
    return not text.isascii() and any(
        unicodedata.name(char, "").startswith(_UNSPACED) for char in text
    )


def same_word(one: str, other: str, *, inflects: bool = True) -> bool:
    """Return whether two normalized words are equal but for their inflection."""
    if one == other:
        return True
    if one[:_MIN_STEM] != other[:_MIN_STEM] or min(len(one), len(other)) < _MIN_STEM:
        return False
    if not inflects:
        return one.removesuffix("s") == other.removesuffix("s")
    shared, longest = _shared(one, other), max(len(one), len(other))
    return shared >= longest * _MIN_SHARED and longest - shared <= _MAX_ENDING


def same_noun(one: str, other: str, *, inflects: bool = True) -> bool:
    """Return whether two normalized words are equal but for their inflection as nouns."""
    if not same_word(one, other, inflects=inflects):
        return False
    shared = _shared(one, other)
    endings = (one[shared:], other[shared:])
    return not all(endings) or not any(map(_CONSONANTS.issuperset, endings))


def beginning(word: str) -> str:
    """Return the letters that all forms of a word begin with."""
    return word[:_MIN_STEM]


def distance(one: str, other: str) -> int:
    """Return the number of letters of two words after their common beginning."""
    return len(one) + len(other) - 2 * _shared(one, other)


def _shared(one: str, other: str) -> int:
    """Return the number of letters that two words begin with."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


type Span = tuple[int, int]


def is_inside(span: Span, other: Span) -> bool:
    """Return whether a span lies within another one."""
    return other[0] <= span[0] and span[1] <= other[1]


def is_inside_another(span: Span, spans: Iterable[Span]) -> bool:
    """Return whether a span lies within a longer one."""
    return any(other != span and is_inside(span, other) for other in spans)


class MessageText:
    """Words of a message, to search for names."""

    def __init__(self, text: str | Words, *, inflects: bool) -> None:
        clauses = [*map(words, _BREAK.split(text))] if isinstance(text, str) else [text]
        self.words = tuple(chain.from_iterable(clauses))
        end = _SENTENCE_END.search(text) if isinstance(text, str) else None
        self.asks = end is not None and end[0].startswith(_QUESTION_MARKS)
        """Whether a question mark ends the first sentence."""
        self._ends = set(accumulate(map(len, clauses)))
        self._unspaced = "".join(self.words)
        self._inflects = inflects

    def ends_clause(self, place: int) -> bool:
        """Return whether the word at a place is the last one, or before a punctuation mark."""
        return place + 1 in self._ends

    @property
    def clauses(self) -> Iterator[range]:
        """The places of the words between punctuation marks."""
        start = 0
        for end in sorted(self._ends):
            yield range(start, end)
            start = end

    def following(self, start: int, end: int) -> Words:
        """Return the words from a place until another one or the end of the clause."""
        return self.words[start : min(end, *(each for each in self._ends if each >= start))]

    def without(self, spans: Iterable[Span]) -> MessageText:
        """Return the message without the words in these spans."""
        left_out = {place for start, end in spans for place in range(start, end)}
        kept = [place for place in range(len(self.words)) if place not in left_out]
        rest = MessageText(tuple(self.words[place] for place in kept), inflects=self._inflects)
        rest.asks = self.asks
        # A clause may end in words that are left out.
        rest._ends |= {sum(place < end for place in kept) for end in self._ends}
        return rest

    def spans(self, name: str) -> Iterator[Span]:
        """Yield the spans of consecutive words that match a name."""
        wanted = words(name)
        if is_unspaced(name):
            for place, word in enumerate(self.words):
                if wanted and "".join(wanted) in word:
                    yield place, place + 1
            return
        for start in range(len(self.words) - len(wanted) + 1 if wanted else 0):
            here = self.words[start : start + len(wanted)]
            if all(self.is_form(*pair) for pair in zip(here, wanted, strict=True)):
                yield start, start + len(wanted)

    def has_exactly(self, name: str, span: Span) -> bool:
        """Return whether the words in a span are those of a name, but for inflection."""
        here, wanted = self.words[slice(*span)], words(name)
        return len(here) == len(wanted) and all(
            self.is_same(*pair) for pair in zip(here, wanted, strict=True)
        )

    def contains(self, name: str) -> bool:
        """Return whether consecutive words of the message match a name."""
        return next(self.spans(name), None) is not None

    def contains_words(self, wanted: Words) -> bool:
        """Return whether the message contains all these words, in any order and inflection."""
        if wanted and is_unspaced(wanted[0]):
            return all(word in self._unspaced for word in wanted)
        return bool(wanted) and all(
            any(self.is_form(word, each) for word in self.words) for each in wanted
        )

    def has_all(self, wanted: Iterable[str]) -> bool:
        """Return whether the message contains all these words, in any inflection.

        Parts of compounds do not count: *unlock* contains *lock*.
        """
        return all(
            each in self._unspaced
            if is_unspaced(each)
            else any(self.is_same(word, each) for word in self.words)
            for each in wanted
        )

    def is_same(self, word: str, wanted: str) -> bool:
        """Return whether a word is the wanted one, but for its inflection in this language."""
        return same_noun(word, wanted, inflects=self._inflects)

    def is_form(self, word: str, wanted: str) -> bool:
        """Return whether a word is a form of the wanted one, or a compound with it."""
        if self.is_same(word, wanted):
            return True
        is_part = self._inflects and _MIN_PART <= len(wanted) <= len(word) - _MIN_OTHER_PART
        return is_part and (word.endswith(wanted) or word.startswith(wanted))
