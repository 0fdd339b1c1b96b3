"""Conversations as they are kept, and what keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol, Self, override

from .conversation_index import Caller, ConversationIndex, ConversationInfo
from .messages import Message

# A conversation goes by the ids under which it was last continued; older ones are forgotten.
_IDS_KEPT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a user said and all that followed from it."""

    at: datetime
    """When the user said it; tells the turns of a conversation apart."""
    user: str
    messages: tuple[Message, ...]
    """What followed: the answer, and before it the tool calls with their results."""
    agent: str = ""
    """Who answered."""
    suffix: str | None = None
    """What the model was told of that moment behind the user's words."""

    @property
    def all_messages(self) -> list[Message]:
        """The turn as the model gets it."""
        return [Message.user(self.user, self.suffix), *self.messages]

    def to_dict(self) -> dict[str, Any]:
        """Return the form that is stored."""
        return {
            "at": self.at.isoformat(),
            "user": self.user,
            "agent": self.agent,
            "suffix": self.suffix,
            "messages": [message.to_wire() for message in self.messages],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the form that is stored."""
        return cls(
            at=datetime.fromisoformat(data["at"]),
            user=data["user"],
            agent=data["agent"],
            suffix=data.get("suffix"),
            messages=tuple(Message.from_wire(wire) for wire in data["messages"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation of one owner with one agent."""

    id: str
    ids: tuple[str, ...]
    """The ids by which its clients know it, the latest last."""
    owner: str | None
    """The user who leads it; None for a satellite or an automation, which act for nobody."""
    device: str | None
    created: datetime
    last_used: datetime
    turns: tuple[Turn, ...] = ()
    dropped: int = 0
    """How many turns stood before the first that is still there."""
    start: int = 0
    """The number of the first turn that is still sent, counted from the very first."""
    summary: str | None = None
    """What was said in the turns that are no longer sent."""
    ended: bool = False
    """Whether it is over: it is kept, and never continued."""

    @property
    def count(self) -> int:
        """How many turns it has had."""
        return self.dropped + len(self.turns)

    @property
    def info(self) -> ConversationInfo:
        """What the index knows of it."""
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
        """Return it with the caller's id as the latest, and where the caller is now."""
        ids = (*(known for known in self.ids if known != caller.active_id), caller.active_id)
        return replace(self, ids=ids[-_IDS_KEPT:], device=caller.device or self.device)

    def with_turn(self, turn: Turn, keep: int) -> Self:
        """Return it with a turn, in the order of time; no more than `keep` turns stay.

        A turn that is there already is replaced: more may have become known of it.
        """
        others = [known for known in self.turns if known.at != turn.at]
        turns = tuple(sorted((*others, turn), key=lambda each: each.at))
        left_out = max(0, len(turns) - keep)
        return replace(
            self,
            turns=turns[left_out:],
            dropped=self.dropped + left_out,
            start=max(self.start, self.dropped + left_out),
            last_used=max(self.last_used, turn.at),
        )

    def lacks(self, at: datetime) -> bool:
        """Tell whether a turn of that time is neither there nor was dropped."""
        if any(turn.at == at for turn in self.turns):
            return False
        return not self.dropped or at > self.turns[0].at

    def to_dict(self) -> dict[str, Any]:
        """Return the form that is stored."""
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
        """Read the form that is stored; raise `ValueError` if it is not one."""
        try:
            return cls(
                id=data["id"],
                ids=tuple(data["ids"]),
                owner=data["owner"],
                device=data["device"],
                created=datetime.fromisoformat(data["created"]),
                last_used=datetime.fromisoformat(data["last_used"]),
                turns=tuple(Turn.from_dict(turn) for turn in data["turns"]),
                dropped=data["dropped"],
                start=data["start"],
                summary=data["summary"],
                ended=data["ended"],
            )
        except (KeyError, TypeError, AttributeError) as err:
            raise ValueError(f"not a conversation ({type(err).__name__}: {err})") from err


class ConversationStore(Protocol):
    """Keeps the conversations of one agent.

    What it costs to load or to save a conversation does not depend on how many there are.
    """

    index: ConversationIndex
    """What there is, without a look into it."""

    async def load(self, conversation_id: str) -> Conversation | None:
        """Return a conversation, None if there is none that can be read."""

    async def save(self, conversation: Conversation) -> None:
        """Keep a conversation. When this returns it is kept, if it can be kept at all."""

    async def delete(self, conversation_id: str) -> None:
        """Erase a conversation; there need not be one."""

    async def purge_expired(self, before: datetime, keep: int) -> list[str]:
        """Erase what was last used before that time, and the oldest beyond `keep`."""
        expired = self.index.expired(before, keep)
        for conversation_id in expired:
            await self.delete(conversation_id)
        return expired


@dataclass(slots=True)
class MemoryStore(ConversationStore):
    """Keeps conversations for as long as it lives itself."""

    index: ConversationIndex = field(default_factory=ConversationIndex)
    _conversations: dict[str, Conversation] = field(default_factory=dict)

    @override
    async def load(self, conversation_id: str) -> Conversation | None:
        """Return a conversation, None if there is none."""
        return self._conversations.get(conversation_id)

    @override
    async def save(self, conversation: Conversation) -> None:
        """Keep a conversation."""
        self._conversations[conversation.id] = conversation
        self.index.put(conversation.info)

    @override
    async def delete(self, conversation_id: str) -> None:
        """Erase a conversation; there need not be one."""
        self._conversations.pop(conversation_id, None)
        self.index.remove(conversation_id)
