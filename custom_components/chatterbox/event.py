"""Event entity of an agent, which reports its turns."""

from typing import override

from homeassistant.components.event import EventEntity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .agent.events import LoopOutcome
from .agent.trace import TurnTrace
from .data import Agent, ChatterboxConfigEntry, conversation_agents
from .entity import TurnReportEntity

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: ChatterboxConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the events of the agents of a server."""
    for agent in conversation_agents(entry):
        async_add_entities([TurnEvent(agent)], config_subentry_id=agent.subentry.subentry_id)


class TurnEvent(TurnReportEntity, EventEntity):
    """Event of a finished turn, by its outcome; it has no texts and no values of arguments."""

    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent, "turn")
        self._attr_event_types = list(LoopOutcome)

    @override
    def _update(self, trace: TurnTrace) -> None:
        self._trigger_event(
            trace.outcome,
            {
                "trace_id": trace.id,
                "error": None if trace.error is None else trace.error.code,
                "profile": trace.profile,
                "tools": [tool.public_name for tool in trace.tools],
                "failed_tools": [tool.public_name for tool in trace.tools if not tool.ok],
                "requests": trace.iterations,
                "seconds": round(trace.seconds, 3),
                "time_to_first_token": (
                    None if trace.first_token is None else round(trace.first_token, 3)
                ),
            },
        )
