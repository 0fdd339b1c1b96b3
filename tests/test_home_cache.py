"""Cache of the home: what drops it, and what does not."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox import home_cache as module
from custom_components.chatterbox.home_cache import HomeCache, home_cache
from homeassistant.components.conversation import DOMAIN as ASSISTANT
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import EVENT_COMPONENT_LOADED
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.setup import async_setup_component

LAMP = {"friendly_name": "Desk", "supported_color_modes": ["onoff"], "brightness": 10}


class Parts(NamedTuple):
    """What a home is made of."""

    hass: HomeAssistant
    floor: str
    area: str
    device: str
    entity: str

    @property
    def areas(self) -> ar.AreaRegistry:
        return ar.async_get(self.hass)

    @property
    def entities(self) -> er.EntityRegistry:
        return er.async_get(self.hass)

    @property
    def devices(self) -> dr.DeviceRegistry:
        return dr.async_get(self.hass)

    @property
    def floors(self) -> fr.FloorRegistry:
        return fr.async_get(self.hass)

    def expose(self, *, exposed: bool) -> None:
        async_expose_entity(self.hass, ASSISTANT, self.entity, should_expose=exposed)

    def state(self, state: str = "on", **attributes: Any) -> None:
        self.hass.states.async_set(self.entity, state, {**LAMP, **attributes})


@pytest.fixture
async def parts(hass: HomeAssistant) -> Parts:
    assert await async_setup_component(hass, "homeassistant", {})
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    floor = fr.async_get(hass).async_create("Upstairs").floor_id
    area = ar.async_get(hass).async_create("Study", floor_id=floor).id
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "1")}, name="Hub"
    )
    entity = er.async_get(hass).async_get_or_create(
        "light", "test", "1", device_id=device.id, original_name="Desk"
    )
    hass.services.async_register("script", "old", lambda _call: None)
    made = Parts(hass, floor, area, device.id, entity.entity_id)
    made.state()
    made.expose(exposed=True)
    await hass.async_block_till_done()
    return made


def is_kept(parts: Parts, change: Callable[[Parts], Any]) -> bool:
    """Return whether a value is still the same after a change of the home."""
    cache = home_cache(parts.hass)
    before = cache.get("key", object)
    assert cache.get("key", object) is before
    change(parts)
    return cache.get("key", object) is before


@pytest.mark.parametrize(
    "change",
    {
        "area added": lambda p: p.areas.async_create("Attic"),
        "area renamed": lambda p: p.areas.async_update(p.area, name="Office"),
        "area has an alias": lambda p: p.areas.async_update(p.area, aliases={"den"}),
        "area moved": lambda p: p.areas.async_update(p.area, floor_id=None),
        "area removed": lambda p: p.areas.async_delete(p.area),
        "floor renamed": lambda p: p.floors.async_update(p.floor, name="First"),
        "floor removed": lambda p: p.floors.async_delete(p.floor),
        "device renamed": lambda p: p.devices.async_update_device(p.device, name_by_user="Box"),
        "device moved": lambda p: p.devices.async_update_device(p.device, area_id=p.area),
        "device removed": lambda p: p.devices.async_remove_device(p.device),
        "entity renamed": lambda p: p.entities.async_update_entity(p.entity, name="Bureau"),
        "entity has an alias": lambda p: p.entities.async_update_entity(p.entity, aliases=["pc"]),
        "entity moved": lambda p: p.entities.async_update_entity(p.entity, area_id=p.area),
        "entity hidden": lambda p: p.expose(exposed=False),
        "entity added": lambda p: p.hass.states.async_set("switch.new", "on"),
        "entity removed": lambda p: p.hass.states.async_remove(p.entity),
        "state has another name": lambda p: p.state(friendly_name="Bureau"),
        "other features": lambda p: p.state(supported_features=4),
        "other color modes": lambda p: p.state(supported_color_modes=["hs"]),
        "other device class": lambda p: p.state(device_class="outlet"),
        "script added": lambda p: p.hass.services.async_register("script", "new", print),
        "script removed": lambda p: p.hass.services.async_remove("script", "old"),
        "integration set up": lambda p: p.hass.bus.async_fire(
            EVENT_COMPONENT_LOADED, {"component": "todo"}
        ),
    }.items(),
    ids=lambda item: item[0],
)
async def test_change_of_the_home_drops_everything(
    parts: Parts, change: tuple[str, Callable[[Parts], Any]]
) -> None:
    assert not is_kept(parts, change[1])


@pytest.mark.parametrize("change", [{"location_name": "Cabin"}, {"language": "de"}])
async def test_change_of_the_configuration_drops_everything(
    parts: Parts, change: dict[str, Any]
) -> None:
    cache = home_cache(parts.hass)
    before = cache.get("key", object)
    await parts.hass.config.async_update(**change)
    assert cache.get("key", object) is not before


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.state("off"),
        lambda p: p.state("unavailable"),
        lambda p: p.state(brightness=200),
        lambda p: p.state(icon="mdi:lamp"),
    ],
)
async def test_another_state_drops_nothing(parts: Parts, change: Callable[[Parts], Any]) -> None:
    assert is_kept(parts, change)


async def test_value_of_a_home_that_changed_meanwhile_is_not_kept(parts: Parts) -> None:
    cache = home_cache(parts.hass)

    async def make() -> str:
        parts.state(friendly_name="Bureau")
        return "old"

    async def make_again() -> str:
        return "new"

    assert await cache.async_get("key", make) == "old"
    assert [await cache.async_get("key", each) for each in (make_again, make)] == ["new", "new"]


async def test_home_has_one_cache_of_limited_size(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SIZE", 2)
    cache: HomeCache = home_cache(parts.hass)
    assert home_cache(parts.hass) is cache
    first = cache.get(1, object)
    for key in (2, 3):
        cache.get(key, object)
    assert len(cache._values) <= 2
    assert cache.get(1, object) is not first


async def test_listener_is_called_after_each_change_until_it_unsubscribes(parts: Parts) -> None:
    calls: list[None] = []
    unsubscribe = HomeCache(parts.hass).async_subscribe(lambda: calls.append(None))
    parts.expose(exposed=False)
    assert calls
    calls.clear()
    unsubscribe()
    parts.expose(exposed=True)
    assert not calls
