"""Chatterbox: talk to your home with a model of your choice."""

import asyncio
from collections.abc import Collection, Coroutine
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import Platform
from homeassistant.core import HassJob, HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed, ConfigEntryError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import ConfigType
from homeassistant.util import dt as dt_util

from .agent.errors import LLMAuthError, LLMError
from .agent.memory.memory import ConversationMemory, Retention
from .agent.memory.store import ConversationStore, InMemoryConversationStore
from .agent.model.server_state import ServerState
from .agent_history import AgentHistory
from .const import DOMAIN, LOGGER, SUBENTRY_AI_TASK, SUBENTRY_CONVERSATION
from .data import (
    ChatterboxConfigEntry,
    ChatterboxData,
    conversation_agents,
    lasting_data,
    remove_lasting_data,
)
from .fact_store import FactStore, async_remove_facts
from .history_store import HassConversationStore, async_remove_history
from .migration import async_migrate
from .option_check import check_agent, check_server
from .options import ServerOptions
from .quirk_store import QuirkStore, async_remove_quirks
from .repair_issues import async_delete_stale_issues
from .server import async_create_server, async_update_model_details
from .services import async_setup_services

PLATFORMS = (Platform.AI_TASK, Platform.CONVERSATION, Platform.EVENT, Platform.SENSOR)
# Seconds that the start of Home Assistant may wait for a server.
_TEST_TIMEOUT = 3
CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup(hass: HomeAssistant, _config: ConfigType) -> bool:
    """Set up the service actions."""
    async_setup_services(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> bool:
    """Set up a server and its agents.

    Options that cannot be used and a rejected key prevent this. An unreachable server does not, so
    that the agents can report it to the user.
    """
    if not entry.update_listeners:
        # Stays when the setup fails: the next change may correct what it failed for.
        entry.add_update_listener(_async_reload)
    _check_options(entry)
    quirks = QuirkStore(hass, entry.entry_id)
    await quirks.async_load()
    options = ServerOptions.parse(entry.data, entry.options)
    server = async_create_server(hass, options)
    entry.runtime_data = ChatterboxData(
        options=options,
        server=server,
        quirks=quirks,
        server_state=ServerState(
            server.list_models,
            requests_per_minute=options.max_requests_per_minute,
            name=entry.title,
        ),
        conversations=lasting_data(hass, entry.entry_id).conversations,
    )
    await _async_test_connection(entry)
    entry.runtime_data.histories = await _async_create_histories(hass, entry)
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    async_delete_stale_issues(hass, entry)
    # A shutdown waits for no task that was started before it.
    finish = HassJob(entry.runtime_data.async_shut_down)
    entry.async_on_unload(hass.async_add_shutdown_job(finish))
    entry.async_on_unload(entry.runtime_data.satellites.async_start(hass))
    entry.async_create_background_task(
        hass,
        async_update_model_details(hass, entry),
        f"{entry.domain} query model details {entry.title}",
    )
    return True


async def async_migrate_entry(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> bool:
    """Migrate an entry of an earlier release."""
    async_migrate(hass, entry)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> bool:
    """Unload a server and its agents."""
    unloaded = await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
    if unloaded:
        await entry.runtime_data.conversations.async_give_up_jobs()
        await entry.runtime_data.quirks.async_close()
    return unloaded


async def async_remove_entry(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    """Delete the stored conversations and facts of a server's agents, and the learned quirks."""
    await async_remove_history(hass, entry.entry_id)
    await _async_remove_facts(hass, entry)
    await async_remove_quirks(hass, entry.entry_id)
    remove_lasting_data(hass, entry.entry_id)
    async_delete_stale_issues(hass, entry, removed=True)


async def _async_create_histories(
    hass: HomeAssistant, entry: ChatterboxConfigEntry
) -> dict[str, AgentHistory]:
    """Return the history of each agent by subentry; delete the stored ones of removed agents.

    An agent that no longer stores its conversations is treated like a removed one. Its facts are
    kept where its conversations are.
    """
    agents = {agent.subentry.subentry_id: agent for agent in conversation_agents(entry)}
    kept = [key for key, agent in agents.items() if agent.options.retention is Retention.PERSISTENT]
    await async_remove_history(hass, entry.entry_id, keep=kept)
    await _async_remove_facts(hass, entry, keep=kept)
    lasting = lasting_data(hass, entry.entry_id)
    histories: dict[str, AgentHistory] = {}
    for key, agent in agents.items():
        store: ConversationStore = InMemoryConversationStore()
        if key in kept:
            store = stored = HassConversationStore(hass, entry.entry_id, key, agent.subentry.title)
            await stored.async_read_index()
        facts = lasting.facts.setdefault(key, FactStore(hass, f"{entry.entry_id}/{key}"))
        if key in kept:
            await facts.async_load()
        histories[key] = AgentHistory(
            hass,
            ConversationMemory(
                store,
                agent.options.memory_settings(agent.data.options),
                dt_util.utcnow,
                lasting.tombstones[key],
            ),
            facts,
            max_turns=agent.options.max_history_turns,
            run_in_background=partial(_run_in_background, hass, entry),
        )
    return histories


async def _async_remove_facts(
    hass: HomeAssistant, entry: ChatterboxConfigEntry, keep: Collection[str] = ()
) -> None:
    """Delete the stored facts of an entry's agents, except those in `keep`.

    A tool that is still running may add some to those, but none to a closed store.
    """
    stores = lasting_data(hass, entry.entry_id).facts
    async with AsyncExitStack() as locks:
        for key, facts in stores.items():
            if key not in keep:
                await facts.async_close()
            await locks.enter_async_context(facts.lock)
        await async_remove_facts(hass, entry.entry_id, keep)


def _run_in_background(
    hass: HomeAssistant, entry: ChatterboxConfigEntry, work: Coroutine[Any, Any, Any], name: str
) -> None:
    """Start a task that ends with the entry; none while that is unloaded, as nothing would end it.

    It could write what has just been deleted.
    """
    if entry.state in {ConfigEntryState.UNLOAD_IN_PROGRESS, ConfigEntryState.NOT_LOADED}:
        work.close()
    else:
        entry.async_create_background_task(hass, work, name)


async def _async_reload(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    await hass.config_entries.async_reload(entry.entry_id)


def _check_options(entry: ChatterboxConfigEntry) -> None:
    """Raise `ConfigEntryError` if the server or an agent has options that cannot be used."""
    name = entry.title
    try:
        check_server(entry)
        for agent in entry.subentries.values():
            name = agent.title
            if agent.subentry_type in {SUBENTRY_AI_TASK, SUBENTRY_CONVERSATION}:
                check_agent(agent.data)
    except ValueError as err:
        raise ConfigEntryError(
            translation_domain=DOMAIN,
            translation_key="invalid_options",
            translation_placeholders={"name": name, "error": str(err)},
        ) from err


async def _async_test_connection(entry: ChatterboxConfigEntry) -> None:
    """Raise `ConfigEntryAuthFailed` if the server rejects the API key.

    A slow server is not waited for: its answer to the first message will tell.
    """
    try:
        async with asyncio.timeout(_TEST_TIMEOUT):
            await entry.runtime_data.server.list_models()
    except LLMAuthError as err:
        raise ConfigEntryAuthFailed(
            translation_domain=DOMAIN, translation_key="rejected_key"
        ) from err
    except (LLMError, TimeoutError) as err:
        # Not every server has a list of models, and an unreachable one may come back.
        LOGGER.info("Could not list the models of %s: %s", entry.title, type(err).__name__)
