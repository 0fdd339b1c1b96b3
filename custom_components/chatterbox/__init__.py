"""Chatterbox: talk to your home with a model of your choice."""

import logging

from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import ConfigType

from .agent.errors import LLMAuthError, LLMError
from .agent.state import ServerState
from .const import CONF_MAX_REQUESTS_PER_MINUTE, DEFAULT_MAX_REQUESTS_PER_MINUTE, DOMAIN
from .data import ChatterboxConfigEntry, ChatterboxData
from .history_store import async_remove_history
from .knowledge import Knowledge, async_forget
from .memories import async_create_histories
from .migration import async_migrate
from .model_windows import async_learn_windows
from .server import async_create_server, cost_estimator
from .services import async_setup_services

LOGGER = logging.getLogger(__package__)

PLATFORMS = (Platform.CONVERSATION,)
CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup(hass: HomeAssistant, _config: ConfigType) -> bool:
    """Set up what there is once, however many servers there are."""
    async_setup_services(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> bool:
    """Set up a server and its agents.

    A server that is switched off does not stop this: the agents have to be there to say so.
    """
    knowledge = Knowledge(hass, entry.entry_id)
    await knowledge.async_load()
    server = await async_create_server(hass, entry.data, entry.options)
    entry.runtime_data = ChatterboxData(
        server=server,
        costs=cost_estimator(entry.options),
        knowledge=knowledge,
        server_state=ServerState(
            server.list_models,
            requests_per_minute=entry.options.get(
                CONF_MAX_REQUESTS_PER_MINUTE, DEFAULT_MAX_REQUESTS_PER_MINUTE
            ),
        ),
    )
    entry.runtime_data.histories = await async_create_histories(hass, entry)
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    entry.async_on_unload(entry.add_update_listener(_async_reload))
    entry.async_create_background_task(
        hass, _async_check_server(hass, entry), f"{entry.domain} looks for {entry.title}"
    )
    return True


async def async_migrate_entry(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> bool:
    """Bring an entry of an earlier release up to date."""
    async_migrate(hass, entry)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> bool:
    """Unload a server and its agents."""
    unloaded = await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
    if unloaded:
        await entry.runtime_data.knowledge.async_close()
    return unloaded


async def async_remove_entry(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    """Remove what the agents of a server remember, and what was learned of its models."""
    await async_remove_history(hass, entry.entry_id)
    await async_forget(hass, entry)


async def _async_reload(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    await hass.config_entries.async_reload(entry.entry_id)


async def _async_check_server(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    """Notice a refused key before somebody speaks, and ask how much the models can take."""
    try:
        await entry.runtime_data.server.list_models()
    except LLMAuthError:
        entry.async_start_reauth(hass)
    except LLMError as err:
        # Not every server has a list of models, and one that is off may be on again in time.
        LOGGER.info("%s does not answer yet: %s", entry.title, err)
    await async_learn_windows(hass, entry)
