"""The names that the home has for its things and rooms, as the agent's own class."""

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr

from .agent.dialects.vocabulary import Thing, Vocabulary


def vocabulary(hass: HomeAssistant) -> Vocabulary:
    """Return the names of what is exposed to voice assistants, and of the rooms and floors."""
    things = [
        _thing(hass, state)
        for state in hass.states.async_all()
        if async_should_expose(hass, CONVERSATION_DOMAIN, state.entity_id)
    ]
    return Vocabulary(
        things=tuple(sorted(things, key=lambda thing: (thing.name, thing.entity_id))),
        areas=tuple(sorted(area.name for area in ar.async_get(hass).async_list_areas())),
        floors=tuple(sorted(floor.name for floor in fr.async_get(hass).async_list_floors())),
    )


def _thing(hass: HomeAssistant, state: State) -> Thing:
    entry = er.async_get(hass).async_get(state.entity_id)
    area = entry.area_id if entry else None
    if entry and area is None and entry.device_id:
        device = dr.async_get(hass).async_get(entry.device_id)
        area = device.area_id if device else None
    return Thing(
        # A name may be a number, where somebody wrote one.
        name=str(state.name),
        domain=state.domain,
        entity_id=state.entity_id,
        area=_area_name(hass, area),
        aliases=tuple(sorted(alias for alias in entry.aliases if isinstance(alias, str)))
        if entry
        else (),
    )


def _area_name(hass: HomeAssistant, area_id: str | None) -> str | None:
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    return area.name if area else None
