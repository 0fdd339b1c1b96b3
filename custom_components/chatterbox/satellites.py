"""Voice satellites: whether their speech was interrupted."""

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import (
    CALLBACK_TYPE,
    Event,
    EventStateChangedData,
    HomeAssistant,
    callback,
)
from homeassistant.helpers.event import TrackStates, async_track_state_change_filtered

# Of Home Assistant's `assist_satellite`, which not every home has loaded.
SATELLITE = "assist_satellite"
_IDLE = "idle"
_RESPONDING = "responding"


class SatelliteWatch:
    """Watch on the satellites of the home.

    A satellite whose user speaks while it does goes from `responding` to `listening`, without
    being `idle` in between.
    """

    def __init__(self) -> None:
        self._interrupted: set[str] = set()

    @callback
    def async_start(self, hass: HomeAssistant) -> CALLBACK_TYPE:
        """Watch the satellites; return a function to stop that."""
        satellites = TrackStates(all_states=False, entities=set(), domains={SATELLITE})
        return async_track_state_change_filtered(hass, satellites, self._async_changed).async_remove

    def interrupted(self, message: ConversationInput) -> bool:
        """Return whether the satellite of a message was still speaking when its user spoke."""
        return message.satellite_id in self._interrupted

    @callback
    def _async_changed(self, event: Event[EventStateChangedData]) -> None:
        satellite = event.data["entity_id"]
        old, new = event.data["old_state"], event.data["new_state"]
        if new is None or new.state in {_IDLE, _RESPONDING}:
            self._interrupted.discard(satellite)
        elif old is not None and old.state == _RESPONDING:
            self._interrupted.add(satellite)
