"""Homes under test, which are reset before every sentence."""

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol, override

from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.config_entries import SOURCE_IMPORT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.loader import Integration, async_get_custom_components
from homeassistant.setup import async_setup_component
from scripts.home.core import ASSISTANT, DEMO, HomeSetup
from scripts.home.demo import EXPOSED, HOME

from . import components
from .components.bench_home.const import CONF_HOME, DOMAIN, ENTITIES
from .homes.table import Home, Item
from .judging import Snapshot
from .observation import snapshot
from .sentence import Check, Sentence
from .sentences import DEVELOPMENT, SENTENCES

_MOVING = {"opening", "closing", "locking", "unlocking"}
_SETTLE_SECONDS = 30.0
_STEP_SECONDS = 1.2


class BenchHome(Protocol):
    """Home under test."""

    key: str
    setup: HomeSetup
    sets: Mapping[str, tuple[Sentence, ...]]
    """Sentences by the name of their set."""

    def snapshot(self, hass: HomeAssistant) -> Snapshot:
        """Return the values that a sentence may change, by entity."""

    async def wait_until_idle(self, hass: HomeAssistant) -> None:
        """Wait until all movements are finished."""

    async def reset(self, hass: HomeAssistant, given: Mapping[str, Check]) -> None:
        """Restore the initial state, with these overrides."""

    def satellite(self, area: str | None) -> str | None:
        """Return the device id of the satellite in an area."""


class DemoBenchHome(BenchHome):
    """The demo home, whose entities can only be reset by service calls."""

    key = "demo"
    setup = DEMO
    sets: Mapping[str, tuple[Sentence, ...]] = {"development": DEVELOPMENT, "forty": SENTENCES}

    def __init__(self) -> None:
        self._base: Snapshot = {}

    @override
    def snapshot(self, hass: HomeAssistant) -> Snapshot:
        return snapshot(hass, EXPOSED)

    @override
    async def wait_until_idle(self, hass: HomeAssistant) -> None:
        deadline = hass.loop.time() + _SETTLE_SECONDS
        while hass.loop.time() < deadline:
            before = self.snapshot(hass)
            # Covers move once a second, and not all of them report it.
            await asyncio.sleep(_STEP_SECONDS)
            await hass.async_block_till_done()
            after = self.snapshot(hass)
            if before == after and not any(item["state"] in _MOVING for item in after.values()):
                return

    @override
    async def reset(self, hass: HomeAssistant, given: Mapping[str, Check]) -> None:
        if not self._base:
            await self.wait_until_idle(hass)
            self._base = self.snapshot(hass)
        for entity_id, values in self.snapshot(hass).items():
            base = self._base[entity_id]
            if values != base or entity_id in given:
                wanted = "on" if entity_id in given else base["state"]
                await self._restore(hass, entity_id, wanted, base["position"])
        await self.wait_until_idle(hass)

    @override
    def satellite(self, area: str | None) -> str | None:
        return None

    async def _restore(
        self, hass: HomeAssistant, entity_id: str, wanted: str, position: int | None
    ) -> None:
        domain = entity_id.partition(".")[0]
        data: dict[str, Any] = {"entity_id": entity_id}
        match domain:
            case "light" | "switch" | "fan":
                service = f"turn_{wanted}"
            case "lock":
                service = wanted.removesuffix("ed")
            case "cover" if position is not None:
                service, data["position"] = "set_cover_position", position
            case "cover":
                service = "open_cover" if wanted == "open" else "close_cover"
            case _:
                return
        await hass.services.async_call(domain, service, data, blocking=True)


class TableBenchHome(BenchHome):
    """A home with the entities of a table."""

    def __init__(self, home: Home, sets: Mapping[str, tuple[Sentence, ...]]) -> None:
        self.key = home.key
        self.home = home
        self.sets = sets
        self._satellites: dict[str, str] = {}
        settings = {**HOME, "name": home.name, "language": home.language}
        self.setup = HomeSetup(settings=settings, integrations=(), prepare=self.set_up)

    async def set_up(self, hass: HomeAssistant) -> None:
        """Create the areas, entities and satellites of the home."""
        integration = await hass.async_add_executor_job(
            Integration.resolve_from_root, hass, components, DOMAIN
        )
        if integration is None:
            raise FileNotFoundError(DOMAIN)
        (await async_get_custom_components(hass))[DOMAIN] = integration
        areas = self._create_areas(hass)
        scripts = [item for item in self.home.items if item.domain == "script"]
        await async_setup_component(hass, "script", {"script": dict(map(_script, scripts))})
        result = await hass.config_entries.flow.async_init(
            DOMAIN, context={"source": SOURCE_IMPORT}, data={CONF_HOME: self.key}
        )
        await hass.async_block_till_done()
        exposed = hass.data[DATA_EXPOSED_ENTITIES]
        exposed.async_set_expose_new_entities(ASSISTANT, expose_new=False)
        entities = er.async_get(hass)
        for item in self.home.items:
            aliases: list[er.AliasEntry] = [er.COMPUTED_NAME, *item.aliases]
            area_id = areas[item.area] if item.area else None
            entities.async_update_entity(item.entity_id, area_id=area_id, aliases=aliases)
            exposed.async_set_assistant_option(
                ASSISTANT, item.entity_id, "should_expose", item.exposed
            )
        devices = dr.async_get(hass)
        for area in self.home.satellites:
            device = devices.async_get_or_create(
                config_entry_id=result["result"].entry_id, identifiers={(DOMAIN, area)}, name=area
            )
            devices.async_update_device(device.id, area_id=areas[area])
            self._satellites[area] = device.id

    def _create_areas(self, hass: HomeAssistant) -> dict[str, str]:
        """Create the areas with their floors; return their ids by name."""
        floors = fr.async_get(hass)
        # A dictionary keeps the order.
        names = dict.fromkeys(floor for floor in self.home.areas.values() if floor)
        floor_ids = {
            name: floors.async_create(name, level=level).floor_id
            for level, name in enumerate(names)
        }
        registry = ar.async_get(hass)
        areas = {}
        for name, floor in self.home.areas.items():
            areas[name] = registry.async_create(name).id
            if floor:
                registry.async_update(areas[name], floor_id=floor_ids[floor])
        return areas

    @override
    def snapshot(self, hass: HomeAssistant) -> Snapshot:
        return snapshot(hass, [item.entity_id for item in self.home.items])

    @override
    async def wait_until_idle(self, hass: HomeAssistant) -> None:
        await hass.async_block_till_done()

    @override
    async def reset(self, hass: HomeAssistant, given: Mapping[str, Check]) -> None:
        for entity_id, entity in hass.data[ENTITIES].items():
            entity.restore(given.get(entity_id, {}))
        await self.wait_until_idle(hass)

    @override
    def satellite(self, area: str | None) -> str | None:
        return None if area is None else self._satellites[area]


def _script(item: Item) -> tuple[str, dict[str, Any]]:
    """Return the key and configuration of a script that only fires an event."""
    key = item.entity_id.partition(".")[2]
    return key, {
        "alias": item.name,
        "description": item.attributes["description"],
        "sequence": [{"event": "bench_home_script", "event_data": {"script": key}}],
    }
