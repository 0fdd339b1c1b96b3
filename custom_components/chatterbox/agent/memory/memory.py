"""An agent's conversation memory: opening, recording and deleting conversations."""

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from weakref import WeakValueDictionary

from .context import shorten_old_turns
from .index import Caller, MemoryScope
from .store import ConversationStore, StoredConversation, StoredTurn

# Active conversations are not read from the store again for every turn.
_CACHE_SIZE = 50
# A chat log of Home Assistant still holds deleted turns, and a turn may have been in progress when
# its conversation was deleted; a tombstone keeps them from being recorded again. It outlives the
# chat log, which lasts for minutes.
_TOMBSTONE_LIFETIME = timedelta(days=7)

type Tombstones = dict[tuple[str, str | None], datetime]
"""Times of deletions, by the id of a conversation, or one of its chat logs, and by its owner."""


class Retention(StrEnum):
    """Retention periods of conversations."""

    NONE = "none"
    SESSION = "session"
    PERSISTENT = "persistent"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """Retention of conversations, and the scope in which a new one continues an earlier one."""

    retention: Retention = Retention.PERSISTENT
    scope: MemoryScope = MemoryScope.CONVERSATION
    continue_within: timedelta = timedelta(minutes=60)
    """Maximum age of the last turn for a new conversation to continue it."""
    max_turns: int = 100
    """Maximum number of stored turns per conversation."""
    max_conversations: int = 200
    max_age: timedelta = timedelta(days=30)


class ConversationMemory:
    """Memory of one agent: opens conversations, records turns, deletes expired conversations.

    `now` returns the current time, with a time zone. `tombstones` are those of an earlier memory of
    the same agent, and are kept up to date.
    """

    def __init__(
        self,
        store: ConversationStore,
        settings: MemorySettings,
        now: Callable[[], datetime],
        tombstones: Tombstones | None = None,
    ) -> None:
        self.store = store
        self.settings = settings
        self._now = now
        self._created = now()
        self._cache: OrderedDict[str, StoredConversation] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tombstones: Tombstones = {} if tombstones is None else tombstones
        self._deleting = asyncio.Lock()

    async def open(self, caller: Caller) -> StoredConversation:
        """Return the conversation that the caller continues, or a new one.

        Waits for a turn of it that is still being stored.
        """
        now = self._now()
        if found := self._find(caller):
            async with self._lock(found):
                if (conversation := await self.read(found)) is not None:
                    conversation = conversation.continued_by(caller)
                    self._cache_put(conversation)
                    return conversation
            self.store.index.remove(found)
        conversation = self._new(caller, now)
        if self.settings.retention is not Retention.NONE:
            self._cache_put(conversation)
        return conversation

    async def peek(self, caller: Caller) -> StoredConversation | None:
        """Return the conversation that the caller would continue, None if it would be a new one."""
        return await self.read(found) if (found := self._find(caller)) else None

    def _find(self, caller: Caller) -> str | None:
        """Return the id of the conversation that the caller continues, None for a new one."""
        settings = self.settings
        if settings.retention is Retention.NONE:
            return None
        since = self._now() - settings.continue_within
        return self.store.index.find(caller, settings.scope, since)

    def _new(self, caller: Caller, now: datetime) -> StoredConversation:
        return StoredConversation(
            id=uuid.uuid4().hex,
            ids=(caller.active_id,),
            owner=caller.owner,
            device=caller.device,
            created=now,
            last_used=now,
        )

    def missing_turns(
        self, conversation: StoredConversation, active_id: str, turns: Iterable[StoredTurn]
    ) -> list[StoredTurn]:
        """Return the turns that a conversation lacks, except those that were deleted.

        Turns older than this memory are excluded: an earlier instance may have deleted them.
        """
        since = self._tombstones.get((active_id, conversation.owner), self._created)
        return [turn for turn in turns if turn.at > since and conversation.lacks_turn(turn.at)]

    async def record(
        self,
        conversation: StoredConversation,
        *turns: StoredTurn,
        asked: datetime | None = None,
        update: Callable[[StoredConversation], StoredConversation] | None = None,
    ) -> StoredConversation:
        """Store turns of an opened conversation; return the conversation with them.

        A turn of the same time is replaced; turns recorded in the meantime are kept. Turns that
        were `asked` for, by default at their own time, before the conversation was deleted are
        left out. `update` is applied to the conversation before it is saved. On return it is saved.
        """
        if self.settings.retention is Retention.NONE:
            return conversation

        def add(known: StoredConversation) -> StoredConversation:
            for turn in turns:
                known = shorten_old_turns(known.with_turn(turn, self.settings.max_turns))
            return update(known) if update else known

        async with self._lock(conversation.id):
            # The work grows with the conversation: the result of the turn is returned before it.
            await asyncio.sleep(0)
            deleted = self._tombstones.get((conversation.id, conversation.owner))
            if deleted is not None:
                turns = tuple(turn for turn in turns if (asked or turn.at) > deleted)
            known = await self.read(conversation.id)
            if known is None:
                # Deleted in the meantime: start over with these turns.
                known = replace(
                    conversation, created=self._now(), turns=(), dropped=0, start=0, summary=None
                )
            return await self._save(add(known)) if turns else known

    async def update(
        self, conversation_id: str, update: Callable[[StoredConversation], StoredConversation]
    ) -> None:
        """Apply a change to a stored conversation, if it still exists."""
        async with self._lock(conversation_id):
            known = await self.read(conversation_id)
            if known is not None and (updated := update(known)) is not known:
                await self._save(updated)

    async def update_suffixes(
        self, text: str, update: Callable[[StoredConversation], StoredConversation]
    ) -> None:
        """Apply a change to the conversations of which a suffix contains a text.

        Unreadable data that contain it are deleted.
        """
        found = await self.store.containing(text)
        # What is being written is in the cache.
        for conversation_id in {*found, *self._cache}:
            await self.update(conversation_id, update)
        await self.store.delete_unreadable([text])

    async def _save(self, conversation: StoredConversation) -> StoredConversation:
        self._cache_put(conversation)
        await self.store.save(conversation)
        return conversation

    async def end(self, conversation: StoredConversation) -> None:
        """End a conversation: it stays stored, but is never continued."""
        self._add_tombstones(conversation.ids, conversation.owner)
        if conversation.turns:
            await self.update(conversation.id, lambda known: replace(known, ended=True))
        else:
            self.store.index.remove(conversation.id)
        self._cache.pop(conversation.id, None)

    async def clear(self, conversation_ids: Iterable[str]) -> int:
        """Delete conversations; return the number of those that were stored."""
        count = 0
        for conversation_id in list(conversation_ids):
            async with self._lock(conversation_id):
                if (info := self.store.index.get(conversation_id)) is None:
                    continue
                self._add_tombstones((info.id, *info.ids), info.owner)
                self._cache.pop(conversation_id, None)
                await self.store.delete(conversation_id)
                # One without a turn was only opened.
                count += bool(info.turns)
        return count

    async def read(self, conversation_id: str) -> StoredConversation | None:
        """Return a conversation, or None if it does not exist or is unreadable."""
        return self._cache.get(conversation_id) or await self.store.load(conversation_id)

    @property
    def over_limit(self) -> bool:
        """Return whether the maximum is exceeded and no conversations are being deleted."""
        return not self._deleting.locked() and self._has_excess

    @property
    def _has_excess(self) -> bool:
        return len(self.store.index) > self.settings.max_conversations

    async def delete_excess(self) -> None:
        """Delete expired conversations, and the oldest ones beyond the maximum.

        The cost does not depend on what else is stored. Nothing is done while they are already
        being deleted: those that are added meanwhile are deleted as well.
        """
        if self.over_limit:
            await self._delete_expired(self._now() - self.settings.max_age)

    async def sweep(self) -> int:
        """Delete expired and excess conversations, and unreadable data that are as old.

        Returns the number of conversations.
        """
        now = self._now()
        for key, at in list(self._tombstones.items()):
            if at <= now - _TOMBSTONE_LIFETIME:
                del self._tombstones[key]
        before = now - self.settings.max_age
        deleted = await self._delete_expired(before)
        await self.store.delete_unreadable_before(before)
        return deleted

    async def _delete_expired(self, before: datetime) -> int:
        """Delete conversations last used before that time, and the excess; return their number."""
        deleted = 0
        async with self._deleting:
            expired = self._expired(before)
            while expired:
                for conversation_id in expired:
                    self._cache.pop(conversation_id, None)
                    await self.store.delete(conversation_id)
                deleted += len(expired)
                # Others may have been added meanwhile.
                expired = self._expired(before) if self._has_excess else []
        return deleted

    def _expired(self, before: datetime) -> list[str]:
        return self.store.index.expired(before, self.settings.max_conversations)

    def _add_tombstones(self, ids: Iterable[str], owner: str | None) -> None:
        now = self._now()
        self._tombstones.update({(known, owner): now for known in ids})

    def _cache_put(self, conversation: StoredConversation) -> None:
        """Add a conversation to the cache and to the index."""
        self._cache[conversation.id] = conversation
        self._cache.move_to_end(conversation.id)
        self.store.index.put(conversation.info)
        if len(self._cache) > _CACHE_SIZE:
            self._cache.popitem(last=False)

    def _lock(self, conversation_id: str) -> asyncio.Lock:
        return self._locks.setdefault(conversation_id, asyncio.Lock())
