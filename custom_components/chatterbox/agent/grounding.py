"""Holding back an answer that claims what nobody did."""

import re
from functools import cache

from .words import Words, straight, words_of

# A sentence ends where it can be told from an abbreviation or a number: before a space.
_END = re.compile(r"[.!?…:;]+(?=\s)|\n+")


def claims(sentence: str, words: Words) -> bool:
    """Tell whether a sentence says that something was done, or is being done."""
    sentence = straight(sentence)
    if sentence.endswith("?") or re.search(words.excuses, sentence):
        return False
    return _claims(words.claims).search(sentence) is not None


@cache
def _claims(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


class ClaimFilter:
    """Lets the text of an answer pass, sentence by sentence, up to the first claim.

    What the user asked about the past may be answered with a claim: such a question, and a
    language without words for this, makes everything pass at once.
    """

    def __init__(self, asked: str, language: str) -> None:
        """Take the user's message and its language."""
        words = words_of(language)
        plain = straight(asked)
        asks = words is not None and any(
            re.match(rf"{re.escape(start)}\b", plain) for start in words.questions
        )
        self._words = None if asks else words
        self._held = ""
        self.claimed = ""
        """What was held back, from the claim to the end of the answer."""

    def feed(self, text: str) -> str:
        """Take a piece of the answer; return what may be said now."""
        if self._words is None:
            return text
        self._held += text
        passed = ""
        while not self.claimed and (end := _END.search(self._held)) is not None:
            passed += self._pass(end.end())
        return passed

    def finish(self) -> str:
        """End the answer; return what may still be said."""
        rest = "" if self.claimed else self._pass(len(self._held))
        self.claimed, self._held = (self._held if self.claimed else ""), ""
        return rest

    def _pass(self, end: int) -> str:
        sentence = self._held[:end]
        if self._words is not None and claims(sentence, self._words):
            self.claimed = sentence
            return ""
        self._held = self._held[end:]
        return sentence
