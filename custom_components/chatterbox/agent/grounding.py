"""Holding back an answer that claims what nobody did."""

import re
from collections.abc import Iterable
from functools import cache

from .words import Words, asks, straight, words_of

# A sentence ends where it can be told from an abbreviation or a number: before a space.
_END = re.compile(r"[.!?…:;]+(?=\s)|\n+")
_WORD_END = re.compile(r"\s+")
# What no word of a language looks like.
_NO_WORD = re.compile(r"\w_\w|[a-z][A-Z]")


def claims(sentence: str, words: Words) -> bool:
    """Tell whether a sentence says that something was done, or is being done."""
    sentence = straight(sentence)
    if sentence.endswith("?") or re.search(words.excuses, sentence):
        return False
    return _claims(words.claims).search(sentence) is not None


@cache
def _claims(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def tool_talk(names: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds the names of tools in a text, None if none of them is unmistakable.

    A name that could be a word of any language is left alone.
    """
    forms = {form for name in names for form in (name, name.rpartition("__")[2])}
    sure = sorted(filter(_NO_WORD.search, forms), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sure))})\b") if sure else None


class ClaimFilter:
    """Lets the text of an answer pass, sentence by sentence, up to the first that is not to be.

    That is one that claims what nobody did, or that speaks of a tool instead of calling it. What
    the user asked about the past may be answered with a claim: after such a question, and in a
    language without words for this, everything passes word by word, up to the name of a tool.
    """

    def __init__(self, asked: str, language: str, names: Iterable[str] = ()) -> None:
        """Take the user's message and its language, and the names of the tools."""
        self._words = None if asks(asked, language) else words_of(language)
        self._tools = tool_talk(names)
        self._end = _END if self._words is not None else _WORD_END
        self._held = ""
        self.claimed = ""
        """What was held back, from the claim to the end of the answer."""
        self.talked = False
        """Whether it was held back because it speaks of a tool."""

    def feed(self, text: str) -> str:
        """Take a piece of the answer; return what may be said now."""
        if self._words is None and self._tools is None:
            return text
        self._held += text
        passed = ""
        while not self.claimed and (end := self._end.search(self._held)) is not None:
            passed += self._pass(end.end())
        return passed

    def finish(self) -> str:
        """End the answer; return what may still be said."""
        rest = "" if self.claimed else self._pass(len(self._held))
        self.claimed, self._held = (self._held if self.claimed else ""), ""
        return rest

    def _pass(self, end: int) -> str:
        sentence = self._held[:end]
        self.talked = self._tools is not None and self._tools.search(sentence) is not None
        if self.talked or (self._words is not None and claims(sentence, self._words)):
            self.claimed = sentence
            return ""
        self._held = self._held[end:]
        return sentence
