"""Sentence segmentation in any script, also of text that is still coming.

It follows the rules for sentence boundaries of Unicode Standard Annex #29, and does what that
leaves to the implementation: abbreviations and ordinal numbers do not end a sentence.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from .languages import find_language

# The characters with the property Sentence_Terminal, and the ellipsis.
_TERMINALS = (
    ".!?\u2026\u0589\u061d-\u061f\u06d4\u0700-\u0702\u07f9\u0837\u0839\u083d\u083e\u0964\u0965"
    "\u104a\u104b\u1362\u1367\u1368\u166e\u1735\u1736\u17d4\u17d5\u1803\u1809\u1944\u1945"
    "\u1aa8-\u1aab\u1b5a\u1b5b\u1b5e\u1b5f\u1b7d-\u1b7f\u1c3b\u1c3c\u1c7e\u1c7f\u203c\u203d"
    "\u2047-\u2049\u2e2e\u2e3c\u2e53\u2e54\u3002\ua4ff\ua60e\ua60f\ua6f3\ua6f7\ua876\ua877"
    "\ua8ce\ua8cf\ua92f\ua9c8\ua9c9\uaa5d-\uaa5f\uaaf0\uaaf1\uabeb\ufe12\ufe15\ufe16\ufe52\ufe56"
    "\ufe57\uff01\uff0e\uff1f\uff61"
)
# In normalized text, the Greek question mark is a semicolon.
_TERMINAL = rf"(?:[{_TERMINALS}]|(?<=[\u0370-\u03ff\u1f00-\u1fff]);)"
_BASIC_PLANE = range(0x10000)
# Brackets and quotes that close, straight quotes, and the emphasis of Markdown.
_CLOSING = re.escape(
    "\"'*_~`"
    + "".join(c for c in map(chr, _BASIC_PLANE) if unicodedata.category(c) in {"Pe", "Pf", "Pi"})
)
_OPENING = re.escape(
    "\u00a1\u00bf"
    + "".join(c for c in map(chr, _BASIC_PLANE) if unicodedata.category(c) in {"Ps", "Pi"})
)
_OPENING_AT_END = re.compile(rf"(?<=[\s\u3002\uff01\uff1f])[{_OPENING}]+\Z")
_END = re.compile(rf"(?P<stop>(?:{_TERMINAL}[{_CLOSING}]*)+)(?P<spaces>\s*)|\n\s*")
_RUN = re.compile(rf"{_TERMINAL}+")
_FULL_STOP = re.compile(rf"\.[{_CLOSING}]*")
_WORD_CHARACTER = re.compile(r"[^\W_]")
# The first letter or digit of a sentence, with the quotes or brackets that open before it.
_BEGINNING = re.compile(r"(?:[^\w\s]|_)*[^\W_]")
_LAST_WORD = re.compile(r"[^\W_](?:\S*[^\W_])?")
_QUESTION_MARKS = frozenset(
    char
    for char in map(chr, _BASIC_PLANE)
    # Names take long to look up.
    if unicodedata.category(char) in {"Po", "So"}
    and re.search("(?<!INVERTED )(?:QUESTION|INTERROBANG)", unicodedata.name(char, ""))
)
# Marks that do not stand at the end: in Armenian, within the word that is asked about.
_INNER_QUESTION_MARKS = {char for char in _QUESTION_MARKS if not _RUN.match(char)}


def asks(text: str) -> bool:
    """Return whether the last sentence of a text is a question.

    Quotes, brackets, emphasis and emoji may stand behind the question mark.
    """
    last = ""
    for sentence in split_sentences(text):
        last = sentence
    if not _INNER_QUESTION_MARKS.isdisjoint(last):
        return True
    end = next((place for place in reversed(range(len(last))) if last[place].isalnum()), 0)
    stops = _RUN.findall(last, end)
    return bool(stops) and (";" in stops[-1] or not _QUESTION_MARKS.isdisjoint(stops[-1]))


def split_sentences(text: str, language: str = "") -> Iterator[str]:
    """Yield the sentences of a text, which make up the text.

    What has neither a letter nor a digit, such as an emoji, belongs to the sentence before.
    """
    start = 0
    for end in sentence_ends(text, language):
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]


def sentence_ends(text: str, language: str = "") -> Iterator[int]:
    """Yield the end of each sentence behind which another one has begun.

    The first word of the next sentence is enough to decide on an end: more text does not change it.
    """
    start = 0
    for match in _END.finditer(text):
        following = _BEGINNING.search(text, match.end())
        if following is None:
            return
        sentence = text[start : match.start()]
        if not _WORD_CHARACTER.search(sentence):
            continue
        if _is_boundary(match, sentence, following[0][-1], language):
            start = following.start()
            yield start


def _is_boundary(match: re.Match[str], sentence: str, following: str, language: str) -> bool:
    if "\n" in match[0]:
        return True
    stop = match["stop"]
    if not match["spaces"]:
        # East Asian stops, and scripts without spaces between their sentences.
        return any(unicodedata.east_asian_width(char) in "FHW" for char in stop) or (
            unicodedata.category(following) == "Lo" and not _FULL_STOP.fullmatch(stop)
        )
    if following.islower():
        return False
    return not (_FULL_STOP.fullmatch(stop) and _is_shortened(sentence, language))


def _is_shortened(sentence: str, language: str) -> bool:
    """Return whether a sentence up to a full stop ends with an abbreviation or an ordinal."""
    word = _LAST_WORD.findall(sentence)[-1]
    known = find_language(language)
    if word.isdecimal():
        is_item = word == sentence.strip()
        return is_item or (known is not None and known.ordinal_stops)
    is_initial = len(word) == 1 and word.lower() != word.upper()
    if is_initial or ("." in word and not word[-1].isdecimal()):
        return True
    return known is not None and word.casefold() in known.abbreviations


class SentenceBudget:
    """Passes the first sentences of a streamed text on, and keeps the rest."""

    def __init__(self, limit: int, language: str = "") -> None:
        self._left = limit
        self._language = language
        self._sentence = ""
        self._passed = 0
        self.rest = ""
        """The text behind the last sentence that was passed on."""

    def feed(self, text: str) -> str:
        """Add a piece of the text; return what is passed on."""
        if not self._left:
            self.rest += text
            return ""
        start = self._passed
        whole = self._sentence = self._sentence + text
        ends = list(islice(sentence_ends(whole, self._language), self._left))
        self._left -= len(ends)
        if not self._left:
            self.rest = whole[ends[-1] :]
            return whole[start : ends[-1]]
        # An opening quote may belong to a sentence that is not passed on.
        opening = _OPENING_AT_END.search(whole)
        end = opening.start() if opening else len(whole)
        last = ends[-1] if ends else 0
        self._sentence, self._passed = whole[last:], end - last
        return whole[start:end]
