"""Questions and commands, told apart by their form."""

from collections.abc import Iterator
from dataclasses import dataclass

from .text_match import MessageText, Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """Words of questions and of commands in a language, from Home Assistant's own sentences."""

    asked: frozenset[str] = frozenset()
    """Words that only questions begin with."""
    commanded: frozenset[str] = frozenset()
    """Words that commands begin with."""
    polite: frozenset[Words] = frozenset()
    """Polite phrases that may stand before anything."""
    states: frozenset[str] = frozenset()
    """Names of states, which are no commands."""
    queried: frozenset[str] = frozenset()
    """Words of questions that no command has."""
    copulas: frozenset[str] = frozenset()
    """Words between a device and its state, such as *is*; a command for a device needs none."""

    def is_question(self, message: MessageText, *, is_directed: bool) -> bool | None:
        """Return whether a message is a question, None if it may be one.

        `is_directed` is whether it states the direction of a command.
        """
        if not self.asked:
            return None
        rest = self.without_politeness(message.words)
        requested = {
            self.without_politeness(message.words[at:])[:1] for at in self._polite(message)
        }
        if any(not self.commanded.isdisjoint(first) for first in (rest[:1], *requested)):
            return False
        if not self.asked.isdisjoint(rest[:1]):
            return True
        if message.asks:
            begins = {each[0] for each in self.polite if len(each) > 1}
            # *Have I turned it off?* has the name of a state, and no whole polite phrase.
            is_polite = not begins.isdisjoint(message.words[:1]) and self.states.isdisjoint(rest)
            return None if requested or is_polite else True
        if not is_directed and not (self.states | self.queried).isdisjoint(rest):
            return None
        return False

    def ends_in_state(self, message: MessageText) -> bool:
        """Return whether the last word of a message is the name of a state."""
        return not self.states.isdisjoint(message.words[-1:])

    def _polite(self, message: MessageText) -> Iterator[int]:
        """Yield the places of polite phrases of several words."""
        for each in self.polite:
            if len(each) > 1:
                places = range(len(message.words))
                yield from (at for at in places if message.words[at : at + len(each)] == each)

    def without_politeness(self, words: Words) -> Words:
        """Return the words without the polite phrases that they begin with."""
        while (
            length := max(
                (len(each) for each in self.polite if each and words[: len(each)] == each),
                default=0,
            )
        ) and len(words) > length:
            words = words[length:]
        return words
