"""Detection of answers that are spoken rather than read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant
from homeassistant.util.hass_dict import HassKey

if TYPE_CHECKING:
    from homeassistant.components.assist_pipeline import PipelineEvent
    from homeassistant.components.assist_pipeline.runtime import PipelineData

# Of Home Assistant's `assist_pipeline`, which not every home has loaded.
_PIPELINES: HassKey[PipelineData] = HassKey("assist_pipeline")


def may_be_spoken(hass: HomeAssistant, message: ConversationInput) -> bool:
    """Return whether somebody may hear the answer to a message, rather than read it.

    It is only read if an Assist pipeline without speech output runs for the message, such as that
    of a text in the Assist dialog. An automation or another program may speak what it gets.
    """
    if message.satellite_id is not None or not (runs := _runs(hass, message)):
        return True
    return any("tts_output" in (event.data or {}) for events in runs for event in events)


def _runs(hass: HomeAssistant, message: ConversationInput) -> list[Sequence[PipelineEvent]]:
    """Return the events of the pipeline run of a message, of several if they cannot be told apart.

    A message has no reference to its run; Assist keeps the events of the latest runs for its debug
    view.
    """
    debug = getattr(hass.data.get(_PIPELINES), "pipeline_debug", {})
    runs = (run.events for pipeline in debug.values() for run in pipeline.values())
    return [events for events in runs if _is_of(events, message)]


def _is_of(events: Sequence[PipelineEvent], message: ConversationInput) -> bool:
    """Return whether these are the events of a run that is answering a message."""
    for event in reversed(events):
        if event.type == "run-end":
            return False
        if event.type == "intent-start":
            started = event.data or {}
            return (started.get("intent_input"), started.get("conversation_id")) == (
                message.text,
                message.conversation_id,
            )
    return False
