"""What is derived from the home, made again only when the home has changed."""

from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
)
from homeassistant.components.light.const import LightEntityCapabilityAttribute
from homeassistant.const import (
    ATTR_DEVICE_CLASS,
    ATTR_FRIENDLY_NAME,
    ATTR_SUPPORTED_FEATURES,
    EVENT_COMPONENT_LOADED,
    EVENT_CORE_CONFIG_UPDATE,
    EVENT_SERVICE_REGISTERED,
    EVENT_SERVICE_REMOVED,
    EVENT_STATE_CHANGED,
)
from homeassistant.core import (
    CALLBACK_TYPE,
    Event,
    EventStateChangedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers.area_registry import EVENT_AREA_REGISTRY_UPDATED
from homeassistant.helpers.device_registry import EVENT_DEVICE_REGISTRY_UPDATED
from homeassistant.helpers.entity_registry import EVENT_ENTITY_REGISTRY_UPDATED
from homeassistant.helpers.floor_registry import EVENT_FLOOR_REGISTRY_UPDATED
from homeassistant.util.hass_dict import HassKey

_SIZE = 100
_CHANGES = (
    EVENT_AREA_REGISTRY_UPDATED,
    EVENT_COMPONENT_LOADED,
    EVENT_CORE_CONFIG_UPDATE,
    EVENT_DEVICE_REGISTRY_UPDATED,
    EVENT_ENTITY_REGISTRY_UPDATED,
    EVENT_FLOOR_REGISTRY_UPDATED,
    # Exposed scripts are tools.
    EVENT_SERVICE_REGISTERED,
    EVENT_SERVICE_REMOVED,
)
# Attributes of a state that say what an entity is, not how it is.
_DESCRIPTION = (
    ATTR_DEVICE_CLASS,
    ATTR_FRIENDLY_NAME,
    ATTR_SUPPORTED_FEATURES,
    LightEntityCapabilityAttribute.SUPPORTED_COLOR_MODES,
)


class HomeCache:
    """Cache of what depends on the exposed entities, areas, floors and tools of the home.

    It does not depend on states: that a light is on changes nothing.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        self._values: dict[Hashable, Any] = {}
        self._listeners: set[Callable[[], None]] = set()
        for event_type in _CHANGES:
            hass.bus.async_listen(event_type, self._async_changed)
        hass.bus.async_listen(EVENT_STATE_CHANGED, self._async_changed, _describes_anew)
        async_listen_entity_updates(hass, CONVERSATION_DOMAIN, self._clear)

    def get[T](self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, made now if the home has changed."""
        if key not in self._values:
            self._put(self._values, key, make())
        value: T = self._values[key]
        return value

    async def async_get[T](self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """Return the value of a key, made now if the home has changed."""
        # If the home changes meanwhile, these values are no longer the current ones.
        values = self._values
        if key not in values:
            self._put(values, key, await make())
        value: T = values[key]
        return value

    @staticmethod
    def _put(values: dict[Hashable, Any], key: Hashable, value: Any) -> None:
        if len(values) >= _SIZE:
            values.clear()
        values[key] = value

    @callback
    def async_subscribe(self, listener: Callable[[], None]) -> CALLBACK_TYPE:
        """Call a listener after each change of the home; return a function to stop that."""
        self._listeners.add(listener)
        return partial(self._listeners.discard, listener)

    @callback
    def _async_changed(self, _event: Event[Any]) -> None:
        self._clear()

    def _clear(self) -> None:
        self._values = {}
        for listener in tuple(self._listeners):
            listener()


@callback
def _describes_anew(data: EventStateChangedData) -> bool:
    """Return whether an entity is new, gone, or described in another way."""
    old, new = data["old_state"], data["new_state"]
    return old is None or new is None or _description(old) != _description(new)


def _description(state: State) -> list[Any]:
    return [state.attributes.get(attribute) for attribute in _DESCRIPTION]


_CACHE: HassKey[HomeCache] = HassKey("chatterbox_home")


def home_cache(hass: HomeAssistant) -> HomeCache:
    """Return the cache of the home."""
    if (cache := hass.data.get(_CACHE)) is None:
        cache = hass.data[_CACHE] = HomeCache(hass)
    return cache
