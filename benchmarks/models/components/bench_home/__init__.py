"""A home whose entities come from a table, in Home Assistant's own domains."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from ...homes import HOMES
from .const import CONF_HOME, ENTITIES
from .entity import TableEntity


async def async_setup_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Set up the platforms of all domains that the home has."""
    hass.data[ENTITIES] = {}
    domains = {item.domain for item in HOMES[entry.data[CONF_HOME]].items} - {"script"}
    await hass.config_entries.async_forward_entry_setups(entry, sorted(domains))
    return True


def add_entities(
    hass: HomeAssistant,
    entry: ConfigEntry,
    add: AddConfigEntryEntitiesCallback,
    kind: type[TableEntity],
    domain: str,
) -> None:
    """Add the home's entities of one domain."""
    items = (item for item in HOMES[entry.data[CONF_HOME]].items if item.domain == domain)
    entities = [kind(item) for item in items]
    hass.data[ENTITIES].update({entity.entity_id: entity for entity in entities})
    add(entities)
