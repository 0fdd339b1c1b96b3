"""Stored conversations of Chatterbox's agent, in any number."""

from benchmarks.history import conversation
from custom_components.chatterbox.history_store import HassConversationStore
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant


async def store_conversations(hass: HomeAssistant, entry: ConfigEntry, count: int) -> None:
    """Store conversations in addition to those of earlier turns, and load the agent with them."""
    hass.config_entries.async_update_entry(
        entry, options={**entry.options, "history_conversations": count * 2 + 10_000}
    )
    await hass.async_block_till_done()
    (subentry,) = entry.subentries.values()
    store = HassConversationStore(hass, entry.entry_id, subentry.subentry_id, subentry.title)
    await store.async_read_index()
    for number in range(count):
        await store.save(conversation(number))
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
