"""Integration with the entities of a benchmark home, in Home Assistant's own domains."""

from collections.abc import Awaitable, Callable

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from ...homes import HOMES
from .const import CONF_HOME, ENTITIES
from .entity import TableEntity

type PlatformSetup = Callable[
    [HomeAssistant, ConfigEntry, AddConfigEntryEntitiesCallback], Awaitable[None]
]


async def async_setup_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Set up the platforms of all domains that the home has."""
    hass.data[ENTITIES] = {}
    domains = {item.domain for item in HOMES[entry.data[CONF_HOME]].items} - {"script"}
    await hass.config_entries.async_forward_entry_setups(entry, sorted(domains))
    return True


def platform_setup(kind: type[TableEntity], domain: str) -> PlatformSetup:
    """Return the `async_setup_entry` of a platform, which adds the home's entities of a domain."""

    async def async_setup_entry(
        hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
    ) -> None:
        items = (item for item in HOMES[entry.data[CONF_HOME]].items if item.domain == domain)
        entities = [kind(item) for item in items]
        hass.data[ENTITIES].update({entity.entity_id: entity for entity in entities})
        async_add_entities(entities)

    return async_setup_entry
