"""Stored conversations and their store."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self, override

import orjson

from ..messages import Message, Role, interrupted_answer
from .index import Caller, ConversationIndex, ConversationInfo

# Home Assistant gives a conversation a new id after each pause; only the latest ids are kept.
_MAX_IDS = 20
# Of the turns of a conversation. Reading more from the disk would keep the event loop from running.
_MAX_WEIGHT = 2_000_000
_WEIGHT_OF_OBJECT = 20
# Characters of a message, where a turn alone has half of it.
_MAX_CHARS = 20_000
# Sent as the user's message where the agent began.
_BEGIN = "(Begin the conversation.)"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurn:
    """A completed turn: the user's message and everything that followed."""

    at: datetime
    """Time of the user's message; identifies the turn within its conversation."""
    user: str
    """The user's message; empty where the agent began, as a satellite asked a question."""
    messages: tuple[Message, ...]
    """Tool calls with their results, then the answer."""
    agent: str = ""
    """Id of the agent that answered."""
    suffix: str | None = None
    """Context appended to the user's message, such as the time and the area."""
    _weight: int | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def weight(self) -> int:
        """Cost of reading the turn: the bytes of its JSON, and more for what is nested."""
        if (weight := self._weight) is None:
            data = orjson.dumps(self.to_dict())
            weight = len(data) + _WEIGHT_OF_OBJECT * (data.count(b"{") + data.count(b"["))
            # It is asked for again with every turn of the conversation.
            object.__setattr__(self, "_weight", weight)
        return weight

    @property
    def all_messages(self) -> list[Message]:
        """The turn's messages, beginning with the user's: servers require that."""
        return [Message.user(self.user or _BEGIN, self.suffix), *self.messages]

    def to_dict(self) -> dict[str, Any]:
        """Return the turn as JSON-serializable data."""
        return {
            "at": self.at.isoformat(),
            "user": self.user,
            "agent": self.agent,
            "suffix": self.suffix,
            "messages": [message.to_wire() for message in self.messages],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the turn from the data of `to_dict`."""
        return cls(
            at=datetime.fromisoformat(data["at"]),
            user=data["user"],
            agent=data["agent"],
            suffix=data.get("suffix"),
            messages=tuple(Message.from_wire(wire) for wire in data["messages"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredConversation:
    """A conversation of one owner with one agent, as stored."""

    id: str
    ids: tuple[str, ...]
    """Ids by which clients refer to it, the latest last."""
    owner: str | None
    """Id of the user; None for satellites and automations, which act for no user."""
    device: str | None
    created: datetime
    last_used: datetime
    turns: tuple[StoredTurn, ...] = ()
    dropped: int = 0
    """Number of turns deleted before the first stored one."""
    start: int = 0
    """Number of the first turn sent to the model, counted from the very first turn."""
    summary: str | None = None
    """Summary of the turns before `start`."""
    ended: bool = False
    """Whether it is kept but must not be continued."""

    @property
    def turn_count(self) -> int:
        """Number of turns, including deleted ones."""
        return self.dropped + len(self.turns)

    @property
    def info(self) -> ConversationInfo:
        """The conversation's index entry."""
        return ConversationInfo(
            id=self.id,
            ids=self.ids,
            owner=self.owner,
            device=self.device,
            created=self.created,
            last_used=self.last_used,
            turns=len(self.turns),
            ended=self.ended,
        )

    def continued_by(self, caller: Caller) -> Self:
        """Return the conversation with the caller's id as the latest, and the caller's device."""
        ids = (*(known for known in self.ids if known != caller.active_id), caller.active_id)
        return replace(self, ids=ids[-_MAX_IDS:], device=caller.device or self.device)

    def with_turn(self, turn: StoredTurn, keep: int) -> Self:
        """Return the conversation with a turn added in order of time, and at most `keep` turns.

        Fewer are kept where they are large. A turn of the same time is replaced, as an interrupted
        turn is recorded again once its tools have finished.
        """
        others = [known for known in self.turns if known.at != turn.at]
        turns = tuple(sorted((*others, _of_bearable_size(turn)), key=lambda each: each.at))
        left_out = max(len(turns) - keep, _number_too_heavy(turns))
        return replace(
            self,
            turns=turns[left_out:],
            dropped=self.dropped + left_out,
            start=max(self.start, self.dropped + left_out),
            last_used=max(self.last_used, turn.at),
        )

    def with_suffixes(self, edit: Callable[[str], str]) -> StoredConversation:
        """Return the conversation with edited suffixes; itself if none has changed."""
        turns = tuple(
            replace(turn, suffix=edit(turn.suffix)) if turn.suffix else turn for turn in self.turns
        )
        return self if turns == self.turns else replace(self, turns=turns)

    def lacks_turn(self, at: datetime) -> bool:
        """Return whether the turn of that time is neither stored nor was deleted."""
        if any(turn.at == at for turn in self.turns):
            return False
        return not self.dropped or at > self.turns[0].at

    def to_dict(self) -> dict[str, Any]:
        """Return the conversation as JSON-serializable data."""
        return {
            "id": self.id,
            "ids": list(self.ids),
            "owner": self.owner,
            "device": self.device,
            "created": self.created.isoformat(),
            "last_used": self.last_used.isoformat(),
            "dropped": self.dropped,
            "start": self.start,
            "summary": self.summary,
            "ended": self.ended,
            "turns": [turn.to_dict() for turn in self.turns],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the conversation from the data of `to_dict`.

        Raises `ValueError` if the data is malformed.
        """
        try:
            return cls(
                id=data["id"],
                ids=tuple(data["ids"]),
                owner=data["owner"],
                device=data["device"],
                created=datetime.fromisoformat(data["created"]),
                last_used=datetime.fromisoformat(data["last_used"]),
                turns=tuple(StoredTurn.from_dict(turn) for turn in data["turns"]),
                dropped=data["dropped"],
                start=data["start"],
                summary=data["summary"],
                ended=data["ended"],
            )
        except (KeyError, TypeError, AttributeError) as err:
            raise ValueError(f"not a conversation ({type(err).__name__}: {err})") from err


def _of_bearable_size(turn: StoredTurn) -> StoredTurn:
    """Return a turn, or of a huge one the beginnings of the message and of the answer."""
    if turn.weight <= _MAX_WEIGHT // 2:
        return turn
    said = (last for last in turn.messages[-1:] if last.role is Role.ASSISTANT)
    answer = next(said, interrupted_answer(None))
    return replace(
        turn,
        user=turn.user[:_MAX_CHARS],
        messages=(Message.assistant((answer.content or "")[:_MAX_CHARS]),),
        suffix=None,
    )


def _number_too_heavy(turns: Sequence[StoredTurn]) -> int:
    """Return the number of the oldest turns to drop, so that the others have a bearable weight."""
    left = _MAX_WEIGHT
    for number in range(len(turns), 0, -1):
        left -= turns[number - 1].weight
        if left < 0:
            return number
    return 0


class ConversationStore(ABC):
    """Store of the conversations of one agent.

    The cost of loading or saving a conversation does not depend on the number of conversations.
    """

    index: ConversationIndex
    """Metadata of all stored conversations."""

    @abstractmethod
    async def load(self, conversation_id: str) -> StoredConversation | None:
        """Return a conversation, or None if it does not exist or is unreadable."""

    @abstractmethod
    async def save(self, conversation: StoredConversation) -> None:
        """Save a conversation; it is durable on return, unless the storage failed."""

    @abstractmethod
    async def delete(self, conversation_id: str) -> None:
        """Delete a conversation if it exists."""

    @abstractmethod
    async def containing(self, text: str) -> list[str]:
        """Return the ids of the conversations with a suffix that contains a text, or of more."""

    @abstractmethod
    async def delete_unreadable(self, marks: Collection[str]) -> int:
        """Delete stored data that cannot be read and contain all these texts; return their number.

        Nobody knows whose they are but by what they contain.
        """

    @abstractmethod
    async def delete_unreadable_before(self, before: datetime) -> None:
        """Delete stored data that cannot be read and are older than that time."""


@dataclass(slots=True)
class InMemoryConversationStore(ConversationStore):
    """Conversation store in memory, without persistence."""

    index: ConversationIndex = field(default_factory=ConversationIndex)
    _conversations: dict[str, StoredConversation] = field(default_factory=dict)

    @override
    async def load(self, conversation_id: str) -> StoredConversation | None:
        """Return a conversation, or None if it does not exist."""
        return self._conversations.get(conversation_id)

    @override
    async def save(self, conversation: StoredConversation) -> None:
        """Save a conversation."""
        self._conversations[conversation.id] = conversation
        self.index.put(conversation.info)

    @override
    async def delete(self, conversation_id: str) -> None:
        """Delete a conversation if it exists."""
        self._conversations.pop(conversation_id, None)
        self.index.remove(conversation_id)

    @override
    async def containing(self, text: str) -> list[str]:
        """Return the ids of the conversations of which a suffix contains a text."""
        return [
            known.id
            for known in self._conversations.values()
            if any(text in (turn.suffix or "") for turn in known.turns)
        ]

    @override
    async def delete_unreadable(self, marks: Collection[str]) -> int:
        """Return 0, as nothing in memory is unreadable."""
        return 0

    @override
    async def delete_unreadable_before(self, before: datetime) -> None:
        """Delete nothing, as nothing in memory is unreadable."""
