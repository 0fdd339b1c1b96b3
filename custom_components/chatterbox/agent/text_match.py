"""Matching of names in messages: without case and accents, in inflected and compound words."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

type Words = tuple[str, ...]

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ](?=\w)")  # noqa: RUF001 - the typographic apostrophe
# Scripts that write no space between words, by the names of their characters.
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
# Words are the same but for their inflection if they share their beginning: this much of the
# longer one, and at most so many letters of either are left.
_SHARED = 0.6
_LONGEST_ENDING = 3
_SHORTEST_STEM = 4
# Parts of a compound word, such as *Küche* and *Licht* in *Küchenlicht*.
_SHORTEST_PART = 4


def normalize(text: str) -> str:
    """Return the text without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def words(text: str) -> Words:
    """Return the normalized words of a text; an apostrophe does not divide a word."""
    return tuple(_WORD.findall(_APOSTROPHE.sub("", normalize(text))))


def is_unspaced(text: str) -> bool:
    """Return whether a text is in a script without spaces between words."""
    return not text.isascii() and any(
        unicodedata.name(char, "").startswith(_UNSPACED) for char in text
    )


def same_word(one: str, other: str, *, inflects: bool = True) -> bool:
    """Return whether two normalized words differ in nothing, or in their inflection only."""
    if one == other:
        return True
    if one[:_SHORTEST_STEM] != other[:_SHORTEST_STEM] or min(len(one), len(other)) < _SHORTEST_STEM:
        return False
    if not inflects:
        return one.removesuffix("s") == other.removesuffix("s")
    shared = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    longest = max(len(one), len(other))
    return shared >= longest * _SHARED and longest - shared <= _LONGEST_ENDING


type Span = tuple[int, int]


def is_inside_another(span: Span, spans: Iterable[Span]) -> bool:
    """Return whether a span lies within a longer one."""
    return any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans)


class MessageText:
    """Message text that is searched for names."""

    def __init__(self, text: str | Words, *, inflects: bool) -> None:
        self.words = words(text) if isinstance(text, str) else text
        self._unspaced = "".join(self.words)
        self._inflects = inflects

    def without(self, spans: Iterable[Span]) -> MessageText:
        """Return the message without the words in these spans."""
        left_out = {place for start, end in spans for place in range(start, end)}
        rest = tuple(word for place, word in enumerate(self.words) if place not in left_out)
        return MessageText(rest, inflects=self._inflects)

    def spans(self, name: str) -> Iterator[Span]:
        """Yield the places where all the words of a name stand one behind the other."""
        wanted = words(name)
        if is_unspaced(name):
            for place, word in enumerate(self.words):
                if wanted and "".join(wanted) in word:
                    yield place, place + 1
            return
        for start in range(len(self.words) - len(wanted) + 1 if wanted else 0):
            here = self.words[start : start + len(wanted)]
            if all(self._is_form(*pair) for pair in zip(here, wanted, strict=True)):
                yield start, start + len(wanted)

    def contains(self, name: str) -> bool:
        """Return whether the words of a name stand in the message one behind the other."""
        return next(self.spans(name), None) is not None

    def contains_words(self, wanted: Words) -> bool:
        """Return whether all the words stand in the message, in any order or form."""
        if wanted and is_unspaced(wanted[0]):
            return all(word in self._unspaced for word in wanted)
        return bool(wanted) and all(
            any(self._is_form(word, each) for word in self.words) for each in wanted
        )

    def _is_form(self, word: str, wanted: str) -> bool:
        if same_word(word, wanted, inflects=self._inflects):
            return True
        is_part = self._inflects and _SHORTEST_PART <= len(wanted) < len(word)
        return is_part and (word.endswith(wanted) or word.startswith(wanted))
