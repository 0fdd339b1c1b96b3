"""What the model could have meant when Home Assistant found nothing of that name."""

import difflib
from collections.abc import Iterable

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import intent

_SHOWN = 5


def nearest_names(hass: HomeAssistant, err: intent.MatchFailedError) -> str:
    """Return a sentence with the names that come nearest, empty where no name was wrong.

    Only what is exposed to assistants is named.
    """
    wanted = err.constraints
    match err.result.no_match_reason:
        case intent.MatchFailedReason.INVALID_AREA:
            areas = (area.name for area in ar.async_get(hass).async_list_areas())
            return _sentence("areas", wanted.area_name, areas)
        case intent.MatchFailedReason.INVALID_FLOOR:
            floors = (floor.name for floor in fr.async_get(hass).async_list_floors())
            return _sentence("floors", wanted.floor_name, floors)
    return _sentence(
        "exposed names",
        wanted.name,
        (
            state.name
            for state in hass.states.async_all()
            if async_should_expose(hass, conversation.DOMAIN, state.entity_id)
        ),
    )


def _sentence(what: str, wanted: str | None, names: Iterable[str]) -> str:
    if not wanted or not (known := sorted(set(names))):
        return ""
    lower = {name.lower(): name for name in known}
    nearest = difflib.get_close_matches(wanted.lower(), lower, n=_SHOWN, cutoff=0.0)
    return f" The nearest {what}: {', '.join(lower[name] for name in nearest)}."
