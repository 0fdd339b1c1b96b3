"""A home in this process: Home Assistant's core without the frontend."""

import contextlib
import json
import tempfile
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

from .console import UserError, say
from .demo import ALL_LIGHTS, AREAS, EXPOSED, HOME
from .flows import INTEGRATION, FlowDriver, Result, add_chatterbox
from .servers import Server

ASSISTANT = "conversation"
CONFIGURATION = {
    "homeassistant": HOME,
    **{name: {} for name in ("assist_pipeline", "history", "logbook", "todo")},
}


def prepare_folder(folder: Path, port: int) -> None:
    """Create the files that a home needs in its configuration folder before it starts.

    Links the integration, and binds the web server to this machine; port 0 is any free port.
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
    # Stable settings: pending ones are reverted after some minutes.
    content = {"stable": stable, "pending": None, "yaml_migration_done": True}
    write_store(folder, "http", content, version=http_config.STORAGE_VERSION)


def write_store(folder: Path, key: str, data: Mapping[str, Any], version: int) -> None:
    """Write one of Home Assistant's storage files."""
    storage = folder / ".storage"
    storage.mkdir(parents=True, exist_ok=True)
    content = {"version": version, "minor_version": 1, "key": key, "data": data}
    (storage / key).write_text(json.dumps(content))


async def set_up_demo(hass: HomeAssistant) -> None:
    """Assign the entities to their areas, expose those of the home, and turn the lights off."""
    areas = ar.async_get(hass)
    devices = dr.async_get(hass)
    entities = er.async_get(hass)
    for name, entity_ids in AREAS.items():
        area = areas.async_get_or_create(name)
        for entity_id in entity_ids:
            # An entity of a device is in the area of the device.
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
class HomeSetup:
    """Settings and integrations of a home, and its preparation; by default of the demo home."""

    settings: Mapping[str, object] = field(default_factory=lambda: HOME)
    integrations: tuple[str, ...] = ("demo",)
    prepare: Callable[[HomeAssistant], Awaitable[None]] = set_up_demo


DEMO = HomeSetup()


@contextlib.asynccontextmanager
async def running_home(folder: Path, setup: HomeSetup = DEMO) -> AsyncIterator[HomeAssistant]:
    """Run a home with this configuration folder until the context ends."""
    hass = HomeAssistant(str(folder))
    try:
        await _start(hass, setup)
        await setup.prepare(hass)
        yield hass
    finally:
        await hass.async_stop(force=True)


async def _start(hass: HomeAssistant, setup: HomeSetup) -> None:
    """Start the core with only the components that an Assist pipeline needs."""
    # All requirements are installed; none are to be downloaded at startup.
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await loader.async_get_custom_components(hass)
    await bootstrap.async_load_base_functionality(hass)
    await async_setup_component(hass, "homeassistant", {})
    await async_process_ha_core_config(hass, dict(setup.settings))
    for component in (*setup.integrations, "assist_pipeline"):
        if not await async_setup_component(hass, component, {}):
            raise UserError(f"Home Assistant could not start its '{component}'; see the log (-v).")
    await hass.async_start()
    await hass.async_block_till_done()


async def create_owner(hass: HomeAssistant) -> Context:
    """Create the user who talks to the home; return the context of that user."""
    user = await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
    return Context(user_id=user.id)


async def raise_timeouts(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Raise the timeouts of an entry: a small machine needs minutes to read a long prompt."""
    hass.config_entries.async_update_entry(
        entry, options={**entry.options, "first_token_timeout": 600}
    )
    for subentry in entry.subentries.values():
        hass.config_entries.async_update_subentry(
            entry, subentry, data={**subentry.data, "turn_timeout": 600}
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


@dataclass(frozen=True, slots=True)
class AgentHome:
    """A home in this process, the context of its owner, and the entry of Chatterbox."""

    hass: HomeAssistant
    owner: Context
    entry: ConfigEntry


@contextlib.asynccontextmanager
async def running_agent(server: Server) -> AsyncIterator[AgentHome]:
    """Run the demo home with an agent for this server until the context ends."""
    say("Starting Home Assistant ...")
    with tempfile.TemporaryDirectory(prefix="chatterbox-home-") as folder:
        prepare_folder(Path(folder), port=0)
        async with running_home(Path(folder)) as hass:
            owner = await create_owner(hass)
            entry = await add_chatterbox(CoreFlows(hass), server)
            if server.slow:
                await raise_timeouts(hass, entry)
            yield AgentHome(hass, owner, entry)


def _as_json(result: config_entries.ConfigFlowResult) -> Result:
    """Return the result as the REST API serializes it, except for the entry."""
    if (schema := result.get("data_schema")) is None:
        return dict(result)
    fields = probatio.to_field_list(schema, custom_serializer=cv.custom_serializer)
    return {**result, "data_schema": fields}
