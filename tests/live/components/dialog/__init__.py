"""Gives Wyoming satellites what those of ESPHome have, for the live tests.

They listen again after a question, a conversation can be started from them, a new wake word
interrupts the answer, and an answer plays until they say that it is over.
"""

from typing import Any

from wyoming.event import Event

from homeassistant.components.assist_pipeline import PipelineEvent, PipelineEventType
from homeassistant.components.assist_satellite import (
    AssistSatelliteAnnouncement,
    AssistSatelliteEntityFeature,
)
from homeassistant.components.wyoming.assist_satellite import WyomingAssistSatellite
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import ConfigType

DOMAIN = "dialog"
CONFIG_SCHEMA = cv.empty_config_schema(DOMAIN)
# The satellite of the tests knows it too.
LISTEN = Event("listen")

_accept = WyomingAssistSatellite.async_accept_pipeline_from_satellite
_on_pipeline_event = WyomingAssistSatellite.on_pipeline_event


async def accept(satellite: WyomingAssistSatellite, *args: Any, **kwargs: Any) -> None:
    """Interrupt a run by the next one, whose speech the end of the first must not mute."""
    await satellite._cancel_running_pipeline()
    satellite._is_pipeline_running = True
    await _accept(satellite, *args, **kwargs)


def on_pipeline_event(satellite: WyomingAssistSatellite, event: PipelineEvent) -> None:
    """Let the satellite listen again when the answer asks something."""
    _on_pipeline_event(satellite, event)
    if (
        event.type is PipelineEventType.INTENT_END
        and event.data is not None
        and event.data["intent_output"]["continue_conversation"]
    ):
        satellite.hass.async_create_task(listen(satellite))


async def start_conversation(
    satellite: WyomingAssistSatellite, announcement: AssistSatelliteAnnouncement
) -> None:
    """Say something, and listen."""
    await satellite.async_announce(announcement)
    await listen(satellite)


async def listen(satellite: WyomingAssistSatellite) -> None:
    """Tell the satellite to listen."""
    assert satellite._client is not None
    await satellite._client.write_event(LISTEN)


async def wait_for_played(satellite: WyomingAssistSatellite, *_args: Any) -> None:
    """Do not end an answer by its duration."""


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Change the satellites."""
    changes = {
        "supported_features": AssistSatelliteEntityFeature.ANNOUNCE
        | AssistSatelliteEntityFeature.START_CONVERSATION,
        "async_accept_pipeline_from_satellite": accept,
        "async_start_conversation": start_conversation,
        "on_pipeline_event": on_pipeline_event,
        "_tts_timeout": wait_for_played,
    }
    for name, value in changes.items():
        setattr(WyomingAssistSatellite, name, value)
    return True
