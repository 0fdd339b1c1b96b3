"""Built-in tool that searches earlier conversations."""

from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ...errors import ToolArgumentError
from ...memory.store import StoredConversation, StoredTurn
from ...messages import Role, ToolAnnotations, ToolDefinition
from ..arguments import read_arguments

_MAX_RESULTS = 20
_DEFAULT_RESULTS = 5
_MAX_TEXT_CHARS = 400


class SearchHistoryTool:
    """Full-text search in the stored conversations of the user who asks.

    `local` converts a time to the time zone of the home.
    """

    definition = ToolDefinition(
        name="search_history",
        description=(
            "Searches the earlier conversations with this user for words; returns what was said, "
            "with its time. Use it when the user refers to something that was said before and that "
            "you do not know any more. Costs nothing."
        ),
        parameters={
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "The words to look for."},
                "max_results": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": _MAX_RESULTS,
                    "description": f"How many turns to return, {_DEFAULT_RESULTS} by default.",
                },
            },
            "required": ["query"],
        },
        annotations=ToolAnnotations(
            read_only=True, destructive=False, idempotent=True, open_world=False
        ),
    )

    def __init__(
        self,
        conversations: Callable[[], AsyncIterator[StoredConversation]],
        local: Callable[[datetime], datetime],
    ) -> None:
        self._conversations = conversations
        self._local = local

    async def call(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the best matching turns as `found`, and how many match as `total`."""
        read = read_arguments(arguments, self.definition.parameters)
        if not (words := read.get("query", "").casefold().split()):
            raise ToolArgumentError("query must say which words to look for.")
        found: list[Match] = []
        async for conversation in self._conversations():
            found += matches(conversation.turns, words)
        found.sort(key=lambda match: (match.score, match.turn.at), reverse=True)
        best = found[: read.get("max_results", _DEFAULT_RESULTS)]
        return {"found": [self._describe(match.turn) for match in best], "total": len(found)}

    def _describe(self, turn: StoredTurn) -> dict[str, Any]:
        return {
            "time": self._local(turn.at).isoformat(timespec="minutes"),
            "user": turn.user[:_MAX_TEXT_CHARS],
            "assistant": _assistant_text(turn)[:_MAX_TEXT_CHARS],
        }


@dataclass(frozen=True, slots=True)
class Match:
    """A turn that contains at least one of the words."""

    turn: StoredTurn
    score: float
    """Higher for more of the words, more occurrences and earlier positions."""


def matches(turns: Iterable[StoredTurn], words: Iterable[str]) -> list[Match]:
    """Return the turns that contain at least one of the words, in casefolded form."""
    wanted = set(words)
    found = []
    for turn in turns:
        text = f"{turn.user}\n{_assistant_text(turn)}".casefold()
        if score := sum(_score(text, word) for word in wanted):
            found.append(Match(turn, score))
    return found


def _score(text: str, word: str) -> float:
    if (position := text.find(word)) < 0:
        return 0.0
    frequency = text.count(word) / (text.count(word) + 1)
    return 1.0 + frequency + 0.5 * (1 - position / len(text))


def _assistant_text(turn: StoredTurn) -> str:
    return " ".join(
        message.content
        for message in turn.messages
        if message.role is Role.ASSISTANT and message.content
    )
