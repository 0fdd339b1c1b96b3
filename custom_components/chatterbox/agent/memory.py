"""The memory of an agent: which conversation goes on, and what becomes of it."""

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from weakref import WeakValueDictionary

from .context import shorten_old_turns
from .conversation_index import Caller, MemoryScope
from .store import Conversation, ConversationStore, Turn

# The conversations that are going on need not be read again for every turn.
_IN_MIND = 50
# A chat log of Home Assistant's lives for minutes; for so long it must not bring back what was
# erased.
_ERASED_FOR = timedelta(days=7)


class Remember(StrEnum):
    """How long a conversation is remembered."""

    NONE = "none"
    SESSION = "session"
    PERSISTENT = "persistent"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """What is remembered, for how long, and what a new conversation continues."""

    remember: Remember = Remember.PERSISTENT
    scope: MemoryScope = MemoryScope.CONVERSATION
    within: timedelta = timedelta(minutes=60)
    """How long ago the last turn may be for a new conversation to continue it."""
    max_turns: int = 100
    """Turns of a conversation that are kept."""
    max_conversations: int = 200
    max_age: timedelta = timedelta(days=30)


class ConversationMemory:
    """Opens conversations, takes in their turns, and forgets what is too old."""

    def __init__(
        self,
        store: ConversationStore,
        settings: MemorySettings,
        now: Callable[[], datetime],
    ) -> None:
        """Take what keeps the conversations, and a clock that knows its zone."""
        self.store = store
        self.settings = settings
        self._now = now
        self._since = now()
        self._in_mind: OrderedDict[str, Conversation] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._erased: dict[tuple[str, str | None], datetime] = {}

    async def open(self, caller: Caller) -> Conversation:
        """Return the conversation that the caller goes on with.

        A turn of it that is still being written is waited for.
        """
        settings, now = self.settings, self._now()
        if settings.remember is Remember.NONE:
            return self._new(caller, now)
        index = self.store.index
        if found := index.find(caller, settings.scope, now - settings.within):
            async with self._lock(found):
                if (conversation := await self.read(found)) is not None:
                    conversation = conversation.continued_by(caller)
                    self._hold(conversation)
                    return conversation
            index.remove(found)
        conversation = self._new(caller, now)
        self._hold(conversation)
        return conversation

    def _new(self, caller: Caller, now: datetime) -> Conversation:
        return Conversation(
            id=uuid.uuid4().hex,
            ids=(caller.active_id,),
            owner=caller.owner,
            device=caller.device,
            created=now,
            last_used=now,
        )

    def missing(
        self, conversation: Conversation, active_id: str, turns: Iterable[Turn]
    ) -> list[Turn]:
        """Return the turns that a conversation lacks, without those that were to be forgotten.

        What is older than this memory may have been erased by the one before.
        """
        since = self._erased.get((active_id, conversation.owner), self._since)
        return [turn for turn in turns if turn.at > since and conversation.lacks(turn.at)]

    async def record(
        self,
        conversation: Conversation,
        *turns: Turn,
        then: Callable[[Conversation], Conversation] | None = None,
    ) -> Conversation:
        """Take in turns of a conversation that was opened; return it with them.

        A turn that is recorded again, known by its time, is replaced. What was recorded of the
        conversation in the meantime stays. `then` may change it further. When this returns the
        turns are kept.
        """
        if self.settings.remember is Remember.NONE:
            return conversation

        def add(known: Conversation) -> Conversation:
            for turn in turns:
                known = shorten_old_turns(known.with_turn(turn, self.settings.max_turns))
            return then(known) if then else known

        async with self._lock(conversation.id):
            known = await self.read(conversation.id)
            if known is None:
                # It was erased in the meantime, and begins anew with what is said now.
                known = replace(conversation, turns=(), dropped=0, start=0, summary=None)
            return await self._keep(add(known))

    async def change(
        self, conversation_id: str, change: Callable[[Conversation], Conversation]
    ) -> None:
        """Change what is kept of a conversation, if it is still there."""
        async with self._lock(conversation_id):
            if (known := await self.read(conversation_id)) is not None:
                await self._keep(change(known))

    async def _keep(self, conversation: Conversation) -> Conversation:
        self._hold(conversation)
        await self.store.save(conversation)
        return conversation

    async def end(self, conversation: Conversation) -> None:
        """End a conversation: it is kept, and nothing continues it."""
        self._erase(conversation.ids, conversation.owner)
        if conversation.turns:
            await self.change(conversation.id, lambda known: replace(known, ended=True))
        else:
            self.store.index.remove(conversation.id)
        self._in_mind.pop(conversation.id, None)

    async def clear(self, conversation_ids: Iterable[str]) -> int:
        """Erase conversations; return how many there were."""
        count = 0
        for conversation_id in list(conversation_ids):
            async with self._lock(conversation_id):
                if (info := self.store.index.get(conversation_id)) is None:
                    continue
                self._erase(info.ids, info.owner)
                self._in_mind.pop(conversation_id, None)
                await self.store.delete(conversation_id)
                count += 1
        return count

    async def read(self, conversation_id: str) -> Conversation | None:
        """Return a conversation, None if there is none that can be read."""
        return self._in_mind.get(conversation_id) or await self.store.load(conversation_id)

    @property
    def crowded(self) -> bool:
        """Whether there are more conversations than are kept."""
        return len(self.store.index) > self.settings.max_conversations

    async def sweep(self) -> int:
        """Erase what is too old or too much; return how many conversations that were."""
        now = self._now()
        self._erased = {key: at for key, at in self._erased.items() if at > now - _ERASED_FOR}
        expired = await self.store.purge_expired(
            now - self.settings.max_age, self.settings.max_conversations
        )
        for conversation_id in expired:
            self._in_mind.pop(conversation_id, None)
        return len(expired)

    def _erase(self, ids: Iterable[str], owner: str | None) -> None:
        now = self._now()
        self._erased.update({(known, owner): now for known in ids})

    def _hold(self, conversation: Conversation) -> None:
        """Keep a conversation in mind, and let it be found."""
        self._in_mind[conversation.id] = conversation
        self._in_mind.move_to_end(conversation.id)
        self.store.index.put(conversation.info)
        if len(self._in_mind) > _IN_MIND:
            self._in_mind.popitem(last=False)

    def _lock(self, conversation_id: str) -> asyncio.Lock:
        return self._locks.setdefault(conversation_id, asyncio.Lock())
