"""Snapshots of the values that a sentence may change."""

from collections.abc import Iterable
from typing import Any

from homeassistant.components.todo.const import DATA_COMPONENT, TodoItemStatus
from homeassistant.core import HomeAssistant, State

from .judging import Snapshot, Values

_UNCHANGEABLE = {"sensor", "binary_sensor", "weather", "calendar"}


def snapshot(hass: HomeAssistant, entity_ids: Iterable[str]) -> Snapshot:
    """Return the values of the entities that a sentence may change."""
    states = (hass.states.get(entity_id) for entity_id in sorted(entity_ids))
    return {
        state.entity_id: _values(hass, state)
        for state in states
        if state is not None and state.domain not in _UNCHANGEABLE
    }


def _values(hass: HomeAssistant, state: State) -> Values:
    attributes = state.attributes
    color = attributes.get("hs_color")
    values: dict[str, Any] = {
        "state": state.state,
        "brightness": attributes.get("brightness"),
        "hue": color[0] if color else None,
        "position": attributes.get("current_position"),
        "percentage": attributes.get("percentage"),
        "temperature": attributes.get("temperature"),
        "humidity": attributes.get("humidity"),
        "volume": attributes.get("volume_level"),
        "muted": attributes.get("is_volume_muted"),
        "track": attributes.get("media_track"),
        "activated": None,
        "items": None,
    }
    match state.domain:
        case "fan":
            values["percentage"] = values["percentage"] or 0
        case "scene":
            # The state of a scene is the time of its activation, that of a script whether it runs.
            values |= {"state": None, "activated": state.state}
        case "script":
            values |= {"state": None, "activated": attributes.get("last_triggered")}
        case "todo":
            values |= {"state": None, "items": _open_items(hass, state.entity_id)}
    return values


def _open_items(hass: HomeAssistant, entity_id: str) -> tuple[str, ...]:
    entity = hass.data[DATA_COMPONENT].get_entity(entity_id)
    items = (entity.todo_items if entity else None) or ()
    return tuple(str(item.summary) for item in items if item.status != TodoItemStatus.COMPLETED)
