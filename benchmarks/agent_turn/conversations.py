"""Stored conversations of Chatterbox's agent, in any number."""

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.history import conversation
from custom_components.chatterbox.agent.memory.store import StoredConversation
from custom_components.chatterbox.history_store import HassConversationStore
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util

_USERS = 10


async def create_users(hass: HomeAssistant) -> list[Context]:
    """Create users who own the stored conversations: those of others are deleted."""
    users = [
        await hass.auth.async_create_user(f"User {number}", group_ids=[GROUP_ID_ADMIN])
        for number in range(_USERS)
    ]
    return [Context(user_id=user.id) for user in users]


async def store_conversations(
    hass: HomeAssistant,
    entry: ConfigEntry,
    count: int,
    users: Sequence[Context],
    limit: int | None = None,
) -> HassConversationStore:
    """Store conversations in addition to those of earlier turns, and load the agent with them.

    There may be `limit` conversations, by default more than there are. Returns their store.
    """
    hass.config_entries.async_update_entry(
        entry, options={**entry.options, "history_conversations": limit or count * 2 + 10_000}
    )
    await hass.async_block_till_done()
    (subentry,) = entry.subentries.values()
    store = HassConversationStore(hass, entry.entry_id, subentry.subentry_id, subentry.title)
    await store.async_read_index()
    for number in range(count):
        owner = users[number % len(users)].user_id
        await store.save(replace(_moved_to_now(conversation(number), count), owner=owner))
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    if len(kept := list(store.folder.iterdir())) < count:
        raise RuntimeError(f"only {len(kept)} of {count} conversations were kept")
    return store


def _moved_to_now(known: StoredConversation, count: int) -> StoredConversation:
    """Return a conversation as if the last of all had just taken place."""
    shift = dt_util.utcnow() - conversation(count).turns[-1].at
    return replace(
        known,
        created=known.created + shift,
        last_used=known.last_used + shift,
        turns=tuple(replace(turn, at=turn.at + shift) for turn in known.turns),
    )
