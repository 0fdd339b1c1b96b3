"""A home with mocked services, in which Home Assistant's intents are called as a model does."""

from collections.abc import Mapping
from typing import Any, override

from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_mock_service,
    setup_test_component_platform,
)

from custom_components.chatterbox.agent.assist import short_name
from custom_components.chatterbox.agent.messages import ToolCall, ToolResult
from custom_components.chatterbox.agent.tools.guard import ToolGuard
from custom_components.chatterbox.llm_api import registry
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.intent.timers import async_register_timer_handler
from homeassistant.components.todo.const import TodoListEntityFeature
from homeassistant.components.todo.entity import TodoItem, TodoListEntity
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component

DIMMABLE = {"supported_color_modes": ["hs"], "color_mode": "hs"}

ENTITIES: Mapping[str, tuple[str, str | None, Mapping[str, Any]]] = {
    "light.desk": ("Desk Lamp", "Office", DIMMABLE),
    "light.counter": ("Counter Light", "Kitchen", DIMMABLE),
    "light.sink": ("Sink Light", "Kitchen", DIMMABLE),
    "light.pantry": ("Pantry Light", "Pantry", DIMMABLE),
    "switch.kettle": ("Kettle", "Kitchen", {}),
    "fan.attic": ("Attic Fan", "Attic", {"supported_features": 1}),
    "cover.left": ("Left Blind", "Office", {"device_class": "blind", "supported_features": 15}),
    "cover.right": ("Right Blind", "Office", {"device_class": "blind", "supported_features": 15}),
    "cover.garage": ("Garage Door", None, {"device_class": "garage", "supported_features": 15}),
    "lock.front": ("Front Door", None, {}),
    "lock.back": ("Back Door", None, {}),
    "climate.hall": ("Hallway", "Hall", {"supported_features": 1, "temperature": 20}),
    "scene.film": ("Film Night", None, {}),
    "siren.alarm": ("Alarm Siren", None, {}),
}

SERVICES = {
    "homeassistant": ("turn_on", "turn_off"),
    "light": ("turn_on", "turn_off"),
    **dict.fromkeys(("switch", "fan", "siren"), ("turn_on", "turn_off")),
    "cover": ("open_cover", "close_cover", "set_cover_position"),
    "lock": ("lock", "unlock"),
    "climate": ("set_temperature",),
    "scene": ("turn_on",),
}

SATELLITE = "satellite"


def make_satellite(hass: HomeAssistant) -> str:
    """Add a device that a user can speak to; return its id."""
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", SATELLITE)}
    )
    return device.id


class ShoppingList(TodoListEntity):
    """A to-do list without storage."""

    _attr_name = "Shopping List"
    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM | TodoListEntityFeature.UPDATE_TODO_ITEM
    )

    def __init__(self) -> None:
        self._attr_todo_items = []

    @override
    async def async_create_todo_item(self, item: TodoItem) -> None:
        pass


class IntentHome:
    """Calls tools in a language."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass

    async def furnish(self) -> None:
        """Add the entities, all exposed, and the services."""
        hass = self.hass
        for component in ("homeassistant", "intent", "conversation", "light", "climate", "cover"):
            assert await async_setup_component(hass, component, {})
        setup_test_component_platform(hass, "todo", [ShoppingList()])
        assert await async_setup_component(hass, "todo", {"todo": {"platform": "test"}})
        await hass.async_block_till_done()
        areas, entities = ar.async_get(hass), er.async_get(hass)
        for entity_id, (name, area, attributes) in ENTITIES.items():
            domain, _, object_id = entity_id.partition(".")
            entities.async_get_or_create(
                domain, "test", object_id, suggested_object_id=object_id, original_name=name
            )
            area_id = areas.async_get_or_create(area).id if area else None
            entities.async_update_entity(entity_id, area_id=area_id)
            hass.states.async_set(entity_id, "off", {"friendly_name": name, **attributes})
        for entity_id in hass.states.async_entity_ids():
            async_expose_entity(hass, "conversation", entity_id, should_expose=True)
        for domain, services in SERVICES.items():
            for service in services:
                async_mock_service(hass, domain, service)
        async_register_timer_handler(hass, SATELLITE, lambda *_: None)
        await hass.async_block_till_done()

    def break_service(self, domain: str, service: str, *entity_ids: str) -> None:
        """Have a service fail for some entities."""

        async def fail(call: ServiceCall) -> None:
            if call.data["entity_id"] in entity_ids:
                raise HomeAssistantError("It is stuck.")

        self.hass.services.async_register(domain, service, fail)

    async def call(self, tool: str, **arguments: Any) -> ToolResult:
        """Call a tool as the agent does, by the end of its name."""
        api = await llm.async_get_api(
            self.hass,
            llm.LLM_API_ASSIST,
            llm.LLMContext(
                platform="chatterbox",
                context=Context(),
                language="en",
                assistant="conversation",
                device_id=SATELLITE,
            ),
        )
        tools = registry(api)
        (name,) = (name for name in tools.names if short_name(name) == tool)
        return await ToolGuard(tools).dispatch(ToolCall(id="c", name=name, arguments=arguments))
