"""Voice satellites: announcements, and whether their speech was interrupted."""

import asyncio

from homeassistant.components.conversation import ConversationInput
from homeassistant.const import ATTR_ENTITY_ID, ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import (
    CALLBACK_TYPE,
    Context,
    Event,
    EventStateChangedData,
    HomeAssistant,
    callback,
)
from homeassistant.helpers.event import (
    TrackStates,
    async_track_state_change_event,
    async_track_state_change_filtered,
)

# Of Home Assistant's `assist_satellite`, which not every home has loaded.
SATELLITE = "assist_satellite"
_IDLE = "idle"
_RESPONDING = "responding"
# The feature of satellites that make announcements.
_ANNOUNCES = 1
# Seconds that an announcement waits for a satellite to become idle.
_LONGEST_WAIT = 600


def can_announce(hass: HomeAssistant, satellite_id: str | None) -> bool:
    """Return whether a satellite is there and can make announcements."""
    state = hass.states.get(satellite_id or f"{SATELLITE}.none")
    return (
        state is not None
        and state.state != STATE_UNAVAILABLE
        and bool(state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & _ANNOUNCES)
    )


async def async_announce(
    hass: HomeAssistant, satellite_id: str, text: str, context: Context
) -> None:
    """Announce a text on a satellite as soon as it is idle: an announcement ends what it does.

    Raises `TimeoutError` if it never is, and `HomeAssistantError` if it cannot announce.
    """
    idle = asyncio.Event()

    @callback
    def changed(event: Event[EventStateChangedData]) -> None:
        if (new := event.data["new_state"]) is not None and new.state == _IDLE:
            idle.set()

    unsubscribe = async_track_state_change_event(hass, satellite_id, changed)
    try:
        if not hass.states.is_state(satellite_id, _IDLE):
            async with asyncio.timeout(_LONGEST_WAIT):
                await idle.wait()
    finally:
        unsubscribe()
    await hass.services.async_call(
        SATELLITE,
        "announce",
        {ATTR_ENTITY_ID: satellite_id, "message": text},
        blocking=True,
        context=context,
    )


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
