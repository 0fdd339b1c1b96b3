"""Tests of the conversation memory."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import override

import pytest

from custom_components.chatterbox.agent.memory.index import MemoryScope
from custom_components.chatterbox.agent.memory.memory import (
    _CACHE_SIZE,
    ConversationMemory,
    MemorySettings,
    Retention,
)
from custom_components.chatterbox.agent.memory.store import (
    InMemoryConversationStore,
    StoredConversation,
)
from tests.agent.builders import NOON, caller, stored_turn


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)


class SlowStore(InMemoryConversationStore):
    """A store that counts what it does, and holds writing back until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []
        self.deleted: list[str] = []
        self.scans = 0
        self.writable = asyncio.Event()
        self.writable.set()
        self.writing = asyncio.Event()

    @override
    async def load(self, conversation_id: str) -> StoredConversation | None:
        self.read.append(conversation_id)
        return await super().load(conversation_id)

    @override
    async def save(self, conversation: StoredConversation) -> None:
        self.writing.set()
        await self.writable.wait()
        await super().save(conversation)

    @override
    async def delete(self, conversation_id: str) -> None:
        self.deleted.append(conversation_id)
        await self.writable.wait()
        await super().delete(conversation_id)

    @override
    async def delete_unreadable_before(self, before: datetime) -> None:
        self.scans += 1


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store() -> SlowStore:
    return SlowStore()


@pytest.fixture
def settings() -> MemorySettings:
    return MemorySettings()


@pytest.fixture
def memory(store: SlowStore, settings: MemorySettings, clock: Clock) -> ConversationMemory:
    return ConversationMemory(store, settings, clock)


async def test_conversation_is_continued(memory: ConversationMemory) -> None:
    talk = await memory.open(caller())
    await memory.record(talk, stored_turn(0))
    again = await memory.open(caller())
    assert again.id == talk.id
    assert again.turns == (stored_turn(0),)


async def test_conversation_is_continued_after_a_restart(
    memory: ConversationMemory, store: SlowStore, settings: MemorySettings, clock: Clock
) -> None:
    talk = await memory.record(await memory.open(caller()), stored_turn(0), stored_turn(1))
    reborn = ConversationMemory(store, settings, clock)
    assert (await reborn.open(caller())).turns == talk.turns


async def test_peeking_returns_what_would_be_continued_and_opens_nothing(
    memory: ConversationMemory, store: SlowStore
) -> None:
    assert await memory.peek(caller("a")) is None
    assert len(store.index) == 0
    opened = await memory.open(caller("a"))
    recorded = await memory.record(opened, stored_turn())
    assert await memory.peek(caller("a")) == recorded
    assert await memory.peek(caller("b", sent_id="a")) == recorded
    assert await memory.peek(caller("b")) is None


async def test_another_owner_gets_a_new_conversation(memory: ConversationMemory) -> None:
    await memory.record(await memory.open(caller()), stored_turn(0))
    assert (await memory.open(caller(owner="bob"))).turns == ()
    assert (await memory.open(caller(owner=None))).turns == ()


async def test_replaced_id_continues_the_same_conversation(memory: ConversationMemory) -> None:
    await memory.record(await memory.open(caller("first")), stored_turn(0))
    talk = await memory.open(caller("second", sent_id="first"))
    assert talk.ids == ("first", "second")
    await memory.record(talk, stored_turn(1))
    assert len((await memory.open(caller("second"))).turns) == 2
    assert len((await memory.open(caller("third", sent_id="first"))).turns) == 2


@pytest.mark.parametrize("settings", [MemorySettings(scope=MemoryScope.DEVICE)])
async def test_device_continues_within_the_time_limit(
    memory: ConversationMemory, clock: Clock
) -> None:
    await memory.record(await memory.open(caller("first", device="desk")), stored_turn(0))
    clock.wait(minutes=60)
    talk = await memory.open(caller("second", device="desk"))
    assert talk.turns == (stored_turn(0),)
    await memory.record(talk, stored_turn(60))
    clock.wait(minutes=61)
    assert (await memory.open(caller("third", device="desk"))).turns == ()


async def test_turn_is_stored_before_the_next_begins(
    memory: ConversationMemory, store: SlowStore
) -> None:
    talk = await memory.open(caller())
    store.writable.clear()
    recording = asyncio.create_task(memory.record(talk, stored_turn(0)))
    await store.writing.wait()
    opening = asyncio.create_task(memory.open(caller()))
    done, _ = await asyncio.wait({opening}, timeout=0)
    assert not done
    store.writable.set()
    await recording
    assert (await opening).turns == (stored_turn(0),)


async def test_turns_at_the_same_time_are_both_kept(memory: ConversationMemory) -> None:
    one, two = await memory.open(caller()), await memory.open(caller())
    assert one.id == two.id
    await asyncio.gather(memory.record(one, stored_turn(0)), memory.record(two, stored_turn(1)))
    assert (await memory.open(caller())).turns == (stored_turn(0), stored_turn(1))


async def test_update_is_applied_before_saving(memory: ConversationMemory) -> None:
    talk = await memory.record(
        await memory.open(caller()),
        stored_turn(0),
        update=lambda known: replace(known, summary="Tea."),
    )
    assert talk.summary == "Tea."
    await memory.update(talk.id, lambda known: replace(known, summary="Coffee."))
    assert (await memory.open(caller())).summary == "Coffee."


@pytest.mark.parametrize("settings", [MemorySettings(max_turns=3)])
async def test_turns_beyond_the_maximum_are_deleted(memory: ConversationMemory) -> None:
    talk = await memory.open(caller())
    for number in range(5):
        talk = await memory.record(talk, stored_turn(number))
    assert [each.user for each in talk.turns] == ["Question 2", "Question 3", "Question 4"]


@pytest.mark.parametrize("settings", [MemorySettings(retention=Retention.NONE)])
async def test_without_retention_nothing_is_stored(
    memory: ConversationMemory, store: SlowStore
) -> None:
    talk = await memory.open(caller())
    assert await memory.record(talk, stored_turn(0)) == talk
    assert (await memory.open(caller())).turns == ()
    assert len(store.index) == 0


async def test_ended_conversation_is_kept_but_not_continued(
    memory: ConversationMemory, clock: Clock
) -> None:
    talk = await memory.record(await memory.open(caller()), stored_turn(0))
    clock.wait(minutes=2)
    await memory.end(await memory.open(caller()))
    new = await memory.open(caller())
    assert new.turns == ()
    assert new.id != talk.id
    old = await memory.read(talk.id)
    assert old is not None
    assert old.ended
    assert old.turns == talk.turns


async def test_ending_an_empty_conversation_removes_it(
    memory: ConversationMemory, store: SlowStore
) -> None:
    await memory.end(await memory.open(caller()))
    assert len(store.index) == 0


async def test_memory_holds_nothing_unreadable(memory: ConversationMemory) -> None:
    assert await memory.store.delete_unreadable(()) == 0


async def test_turn_in_progress_is_not_recorded_after_its_conversation_was_deleted(
    memory: ConversationMemory, clock: Clock
) -> None:
    conversation = await memory.open(caller())
    clock.wait(minutes=1)
    before, after = stored_turn(0), stored_turn(2)
    await memory.record(conversation, before)
    assert await memory.clear([conversation.id]) == 1
    clock.wait(minutes=1)
    # One that is told later goes back to a message before.
    assert (await memory.record(conversation, after, asked=before.at)).turns == ()
    assert (await memory.record(conversation, before)).turns == ()
    assert list(memory.store.index) == []
    begun_again = await memory.record(conversation, before, after)
    assert begun_again.turns == (after,)
    assert begun_again.created > conversation.created


async def test_deleted_turns_are_not_recorded_again(
    memory: ConversationMemory, clock: Clock
) -> None:
    """Home Assistant's chat log still knows what was said before."""
    talk = await memory.record(await memory.open(caller()), stored_turn(0))
    clock.wait(minutes=2)
    assert await memory.clear([talk.id, "unknown"]) == 1
    new = await memory.open(caller())
    assert new.turns == ()
    assert memory.missing_turns(new, "kitchen", [stored_turn(1), stored_turn(3)]) == [
        stored_turn(3)
    ]
    await memory.record(talk, stored_turn(4))
    await memory.update("unknown", lambda known: replace(known, summary="Tea."))
    kept = await memory.read(talk.id)
    assert kept is not None
    assert kept.turns == (stored_turn(4),)


async def test_deletion_is_forgotten_after_a_week(memory: ConversationMemory, clock: Clock) -> None:
    """No turn in progress is that old."""
    conversation = await memory.open(caller())
    await memory.record(conversation, stored_turn(0))
    assert await memory.clear([conversation.id]) == 1
    clock.wait(days=6)
    await memory.sweep()
    assert (await memory.record(conversation, stored_turn(0))).turns == ()
    clock.wait(days=1)
    await memory.sweep()
    assert (await memory.record(conversation, stored_turn(0))).turns == (stored_turn(0),)


async def test_unreadable_conversation_is_replaced_by_a_new_one(
    memory: ConversationMemory, store: SlowStore, settings: MemorySettings, clock: Clock
) -> None:
    talk = await memory.record(await memory.open(caller()), stored_turn(0))
    store._conversations.clear()
    reborn = ConversationMemory(store, settings, clock)
    new = await reborn.open(caller())
    assert new.id != talk.id
    assert new.turns == ()


@pytest.mark.parametrize("settings", [MemorySettings(max_conversations=3)])
async def test_expired_and_excess_conversations_are_swept(
    memory: ConversationMemory, store: SlowStore, clock: Clock
) -> None:
    for number in range(4):
        await memory.record(await memory.open(caller(f"id{number}")), stored_turn(number))
    assert (memory.over_limit, await memory.sweep(), memory.over_limit) == (True, 1, False)
    assert (await memory.open(caller("id0"))).turns == ()
    clock.wait(days=31)
    await memory.sweep()
    assert len(store.index) == 0
    assert memory._tombstones == {}


async def test_suffixes_that_contain_a_text_are_updated(
    memory: ConversationMemory, store: SlowStore, settings: MemorySettings, clock: Clock
) -> None:
    """In the store and in the cache; nothing else is written."""
    told = replace(stored_turn(0), suffix="It is noon. He drinks tea.")
    talk = await memory.record(await memory.open(caller("id0")), told, stored_turn(1))
    reborn = ConversationMemory(store, settings, clock)
    await reborn.record(await reborn.open(caller("id1")), stored_turn(2))
    store.writing.clear()

    def update(known: StoredConversation) -> StoredConversation:
        return known.with_suffixes(lambda suffix: suffix.replace("tea", "milk"))

    await reborn.update_suffixes("beer", update)
    assert not store.writing.is_set()
    await reborn.update_suffixes("tea", update)
    updated = await reborn.read(talk.id)
    assert updated is not None
    assert [turn.suffix for turn in updated.turns] == ["It is noon. He drinks milk.", None]
    assert await store.load(talk.id) == updated


@pytest.mark.parametrize("settings", [MemorySettings(max_conversations=3)])
async def test_excess_is_deleted_once_and_scans_nothing(
    memory: ConversationMemory, store: SlowStore
) -> None:
    """Also what is added while it is being deleted."""
    talks = [
        await memory.record(await memory.open(caller(f"id{number}")), stored_turn(number))
        for number in range(5)
    ]
    store.writable.clear()
    deleting = asyncio.create_task(memory.delete_excess())
    await asyncio.sleep(0)
    assert not memory.over_limit
    await asyncio.gather(*(memory.delete_excess() for _ in range(5)))
    assert len(store.deleted) == 1
    store.index.put(replace(talks[4], id="6").info)
    store.writable.set()
    await deleting
    assert sorted(store.deleted) == sorted(talk.id for talk in talks[:3])
    assert (len(store.index), store.scans) == (3, 0)
    await memory.sweep()
    assert store.scans == 1


async def test_turn_loads_only_its_own_conversation(
    memory: ConversationMemory, store: SlowStore
) -> None:
    """The cost does not depend on the number of conversations."""
    talks = [
        await memory.record(await memory.open(caller(f"id{number}")), stored_turn(number))
        for number in range(_CACHE_SIZE + 1)
    ]
    await memory.record(await memory.open(caller("id7")), stored_turn(100))
    assert store.read.count(talks[7].id) == 0
    await memory.record(await memory.open(caller("id0")), stored_turn(101))
    assert store.read.count(talks[0].id) == 1
    assert len(set(store.read) & {talk.id for talk in talks}) == 1
