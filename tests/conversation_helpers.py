"""A restart of Home Assistant, as far as conversations notice it."""

from pytest_homeassistant_custom_component.common import MockConfigEntry

from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import chat_session


async def restart(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """Do to the conversations what a restart does: nothing but the disk survives."""
    assert await hass.config_entries.async_unload(entry.entry_id)
    hass.data.pop(DATA_CHAT_LOGS, None)
    hass.data[chat_session.DATA_CHAT_SESSION].clear()
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert entry.state is ConfigEntryState.LOADED
