"""The memories of the agents of a server: making them, and removing what is left of others."""

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from .agent.memory import ConversationMemory, Retention
from .agent.store import ConversationStore, InMemoryConversationStore
from .const import CONF_MAX_HISTORY_TURNS, DEFAULT_MAX_HISTORY_TURNS, SUBENTRY_CONVERSATION
from .data import ChatterboxConfigEntry
from .history import AgentHistory
from .history_store import HassConversationStore, async_remove_history
from .settings import memory_settings


async def async_create_histories(
    hass: HomeAssistant, entry: ChatterboxConfigEntry
) -> dict[str, AgentHistory]:
    """Return the memory of each agent, and remove what is stored of agents that are gone.

    An agent that was told not to remember for long is treated as one that is gone.
    """
    agents = [
        subentry
        for subentry in entry.subentries.values()
        if subentry.subentry_type == SUBENTRY_CONVERSATION
    ]
    settings = {agent.subentry_id: memory_settings(entry.options, agent.data) for agent in agents}
    await async_remove_history(
        hass,
        entry.entry_id,
        keep=[
            agent_id
            for agent_id, each in settings.items()
            if each.retention is Retention.PERSISTENT
        ],
    )
    return {
        agent.subentry_id: AgentHistory(
            hass,
            ConversationMemory(
                await _async_create_store(
                    hass, entry, agent, settings[agent.subentry_id].retention
                ),
                settings[agent.subentry_id],
                dt_util.utcnow,
            ),
            max_turns=agent.data.get(CONF_MAX_HISTORY_TURNS, DEFAULT_MAX_HISTORY_TURNS),
            run_in_background=lambda work, name: entry.async_create_background_task(
                hass, work, name
            ),
        )
        for agent in agents
    }


async def _async_create_store(
    hass: HomeAssistant, entry: ChatterboxConfigEntry, agent: ConfigSubentry, retention: Retention
) -> ConversationStore:
    if retention is not Retention.PERSISTENT:
        return InMemoryConversationStore()
    store = HassConversationStore(hass, entry.entry_id, agent.subentry_id, agent.title)
    await store.async_read_index()
    return store
