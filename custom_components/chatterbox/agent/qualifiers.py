"""Qualified commands: those with a condition or a delay, and those that are taken back."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from .text_match import MessageText, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualifiers:
    """Words that qualify a command in a language, from Home Assistant's own texts."""

    conditions: frozenset[str] = frozenset()
    """Words by which conditions and triggers are described, and which no sentence has."""
    delays: frozenset[frozenset[str]] = frozenset()
    """Sets of words that make a command a delayed one, such as *in* and *minute*."""
    refusals: frozenset[str] = frozenset()
    """Words that mean *no*."""

    def limit(self, message: MessageText) -> bool:
        """Return whether a message has a condition or a delay."""
        return not self.conditions.isdisjoint(message.words) or any(
            map(message.has_all, self.delays)
        )

    def corrections(self, message: MessageText, anchors: Collection[Span]) -> Iterator[int]:
        """Yield the places of each *no* after something that a message names.

        It begins a clause, or stands before another name.
        """
        for place, word in enumerate(message.words):
            if (
                word in self.refusals
                and any(end <= place for _, end in anchors)
                and (message.ends_clause(place - 1) or any(start > place for start, _ in anchors))
            ):
                yield place
