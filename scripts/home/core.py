"""A home in this process: Home Assistant's core without the web page."""

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, override

import probatio

from homeassistant import bootstrap, config_entries, loader
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.components.http import config as http_config
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.core_config import async_process_ha_core_config
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from .console import UserError
from .demo import ALL_LIGHTS, AREAS, EXPOSED, HOME
from .flows import INTEGRATION, FlowDriver, Result

ASSISTANT = "conversation"
CONFIGURATION = {
    "homeassistant": HOME,
    **{name: {} for name in ("assist_pipeline", "history", "logbook", "todo")},
}


def prepare_folder(folder: Path, port: int) -> None:
    """Put into a configuration folder what a home needs before it starts.

    Chatterbox is linked in, and the web server is kept to this machine; port 0 is any free one.
    """
    components = folder / "custom_components"
    components.mkdir(parents=True, exist_ok=True)
    link = components / INTEGRATION.name
    link.unlink(missing_ok=True)
    link.symlink_to(INTEGRATION, target_is_directory=True)
    configuration = folder / "configuration.yaml"
    if not configuration.exists():
        # Every JSON is YAML.
        configuration.write_text(json.dumps(CONFIGURATION, indent=2))
    web = http_config.HTTP_STORAGE_SCHEMA({"server_host": ["127.0.0.1"]})
    stable = {**web, "server_port": port, "created_at": "", "error": None, "error_message": None}
    # As confirmed: what is only tried is taken back after some minutes.
    content = {"stable": stable, "pending": None, "yaml_migration_done": True}
    write_store(folder, "http", content, version=http_config.STORAGE_VERSION)


def write_store(folder: Path, key: str, data: Mapping[str, Any], version: int) -> None:
    """Write one of Home Assistant's storage files, as if it had been saved there."""
    storage = folder / ".storage"
    storage.mkdir(parents=True, exist_ok=True)
    content = {"version": version, "minor_version": 1, "key": key, "data": data}
    (storage / key).write_text(json.dumps(content))


async def furnish_demo(hass: HomeAssistant) -> None:
    """Put the entities in their areas, expose those of the home, and turn its lights off."""
    areas = ar.async_get(hass)
    devices = dr.async_get(hass)
    entities = er.async_get(hass)
    for name, entity_ids in AREAS.items():
        area = areas.async_get_or_create(name)
        for entity_id in entity_ids:
            # What is named by its device is where its device is.
            if device_id := entities.entities[entity_id].device_id:
                devices.async_update_device(device_id, area_id=area.id)
            else:
                entities.async_update_entity(entity_id, area_id=area.id)
    exposed = hass.data[DATA_EXPOSED_ENTITIES]
    for entity_id in hass.states.async_entity_ids():
        exposed.async_set_assistant_option(
            ASSISTANT, entity_id, "should_expose", entity_id in EXPOSED
        )
    await hass.services.async_call("light", "turn_off", ALL_LIGHTS, blocking=True)


@dataclass(frozen=True, slots=True)
class HomePlan:
    """What a home is started with, and what is done to it then; by default the demo home."""

    settings: Mapping[str, object] = field(default_factory=lambda: HOME)
    integrations: tuple[str, ...] = ("demo",)
    furnish: Callable[[HomeAssistant], Awaitable[None]] = furnish_demo


DEMO = HomePlan()


@contextlib.asynccontextmanager
async def running_home(folder: Path, plan: HomePlan = DEMO) -> AsyncIterator[HomeAssistant]:
    """Run a home with this configuration folder while the context lasts."""
    hass = HomeAssistant(str(folder))
    try:
        await _start(hass, plan)
        await plan.furnish(hass)
        yield hass
    finally:
        await hass.async_stop(force=True)


async def _start(hass: HomeAssistant, plan: HomePlan) -> None:
    """Start the core with what an Assist pipeline in the home needs, and nothing else."""
    # Whatever is needed is installed; nothing is to be fetched while a home starts.
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await loader.async_get_custom_components(hass)
    await bootstrap.async_load_base_functionality(hass)
    await async_setup_component(hass, "homeassistant", {})
    await async_process_ha_core_config(hass, dict(plan.settings))
    for component in (*plan.integrations, "assist_pipeline"):
        if not await async_setup_component(hass, component, {}):
            raise UserError(f"Home Assistant could not start its '{component}'; see the log (-v).")
    await hass.async_start()
    await hass.async_block_till_done()


async def create_owner(hass: HomeAssistant) -> Context:
    """Make the person who talks to the home; return the context of what they do."""
    user = await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
    return Context(user_id=user.id)


async def be_patient(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Give the entry's server the time that a small machine needs to read a long prompt."""
    hass.config_entries.async_update_entry(
        entry, options={**entry.options, "first_token_timeout": 600, "token_timeout": 300}
    )
    for subentry in entry.subentries.values():
        hass.config_entries.async_update_subentry(
            entry, subentry, data={**subentry.data, "recommended": False, "turn_timeout": 600}
        )
    await hass.config_entries.async_reload(entry.entry_id)


class CoreFlows(FlowDriver):
    """Config flows of the home in this process."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._manager = hass.config_entries.flow

    @override
    async def start(self, domain: str) -> Result:
        return _as_json(
            await self._manager.async_init(domain, context={"source": config_entries.SOURCE_USER})
        )

    @override
    async def submit(self, flow_id: str, answers: Mapping[str, Any]) -> Result:
        return _as_json(await self._manager.async_configure(flow_id, dict(answers)))


def _as_json(result: config_entries.ConfigFlowResult) -> Result:
    """Return the result as the REST API would give it; only the entry stays an object."""
    if (schema := result.get("data_schema")) is None:
        return dict(result)
    fields = probatio.to_field_list(schema, custom_serializer=cv.custom_serializer)
    return {**result, "data_schema": fields}
