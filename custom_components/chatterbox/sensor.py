"""Sensors of an agent: usage, speed and outcomes of its turns."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import override

from homeassistant.components.sensor import (
    RestoreSensor,
    SensorDeviceClass,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import PERCENTAGE, EntityCategory, UnitOfTime
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .agent.events import LoopOutcome
from .agent.trace import TurnTrace
from .data import Agent, ChatterboxConfigEntry, conversation_agents
from .entity import TurnReportEntity

PARALLEL_UPDATES = 0


@dataclass(frozen=True, kw_only=True)
class TotalDescription(SensorEntityDescription):
    """Description of a sensor with a total, which survives restarts."""

    amount: Callable[[TurnTrace], float]
    """Returns the amount that a turn adds."""
    state_class: SensorStateClass | None = SensorStateClass.TOTAL_INCREASING
    entity_category: EntityCategory | None = EntityCategory.DIAGNOSTIC
    entity_registry_enabled_default: bool = False
    suggested_display_precision: int | None = 0


@dataclass(frozen=True, kw_only=True)
class LastTurnDescription(SensorEntityDescription):
    """Description of a sensor with a value of the last turn."""

    value: Callable[[TurnTrace], float | datetime | None]
    """Returns the value, None to keep the one of the turn before."""
    entity_category: EntityCategory | None = EntityCategory.DIAGNOSTIC


def _count(*outcomes: LoopOutcome) -> Callable[[TurnTrace], int]:
    return lambda trace: int(trace.outcome in outcomes)


def _cached_percentage(trace: TurnTrace) -> float | None:
    share = trace.usage.cached_share
    return None if share is None else share * 100


TOTALS = (
    TotalDescription(key="input_tokens", amount=lambda trace: trace.usage.prompt_tokens),
    TotalDescription(key="output_tokens", amount=lambda trace: trace.usage.completion_tokens),
    TotalDescription(key="turns", amount=lambda _trace: 1),
    TotalDescription(
        key="tool_failures", amount=lambda trace: sum(not tool.ok for tool in trace.tools)
    ),
    TotalDescription(key="failed_turns", amount=_count(LoopOutcome.ERROR, LoopOutcome.LIMIT)),
    TotalDescription(key="interrupted_turns", amount=_count(LoopOutcome.CANCELLED)),
    TotalDescription(key="fallback_turns", amount=_count(LoopOutcome.FALLBACK)),
)
# In the currency of the prices that the user entered.
COST = TotalDescription(
    key="cost",
    amount=lambda trace: trace.usage.cost or 0.0,
    device_class=SensorDeviceClass.MONETARY,
    native_unit_of_measurement="USD",
    state_class=SensorStateClass.TOTAL,
    suggested_display_precision=2,
)
LAST_TURN = (
    LastTurnDescription(
        key="time_to_first_token",
        value=lambda trace: trace.first_token,
        device_class=SensorDeviceClass.DURATION,
        native_unit_of_measurement=UnitOfTime.SECONDS,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=2,
    ),
    LastTurnDescription(
        key="response_time",
        value=lambda trace: trace.seconds,
        device_class=SensorDeviceClass.DURATION,
        native_unit_of_measurement=UnitOfTime.SECONDS,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=2,
        entity_registry_enabled_default=False,
    ),
    LastTurnDescription(
        key="last_answer",
        value=lambda trace: dt_util.utcnow() if trace.outcome is LoopOutcome.FINAL else None,
        device_class=SensorDeviceClass.TIMESTAMP,
    ),
    LastTurnDescription(
        key="cached_share",
        value=_cached_percentage,
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        entity_registry_enabled_default=False,
    ),
)


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: ChatterboxConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the sensors of the agents of a server."""
    totals = TOTALS if entry.runtime_data.options.price is None else (*TOTALS, COST)
    for agent in conversation_agents(entry):
        async_add_entities(
            [
                *(TotalSensor(agent, description) for description in totals),
                *(LastTurnSensor(agent, description) for description in LAST_TURN),
            ],
            config_subentry_id=agent.subentry.subentry_id,
        )


class TotalSensor(TurnReportEntity, RestoreSensor):
    """Total over all turns of an agent."""

    entity_description: TotalDescription

    def __init__(self, agent: Agent, description: TotalDescription) -> None:
        super().__init__(agent, description.key)
        self.entity_description = description
        self._total = 0.0

    @property
    @override
    def native_value(self) -> float:
        """The total."""
        return self._total

    @override
    async def async_added_to_hass(self) -> None:
        """Restore the total."""
        await super().async_added_to_hass()
        stored = await self.async_get_last_sensor_data()
        if stored is not None and isinstance(stored.native_value, int | float):
            self._total = stored.native_value

    @override
    def _update(self, trace: TurnTrace) -> None:
        self._total += self.entity_description.amount(trace)


class LastTurnSensor(TurnReportEntity, RestoreSensor):
    """Value of the last turn of an agent."""

    entity_description: LastTurnDescription

    def __init__(self, agent: Agent, description: LastTurnDescription) -> None:
        super().__init__(agent, description.key)
        self.entity_description = description

    @override
    async def async_added_to_hass(self) -> None:
        """Restore the value."""
        await super().async_added_to_hass()
        if (stored := await self.async_get_last_sensor_data()) is not None:
            self._attr_native_value = stored.native_value

    @override
    def _update(self, trace: TurnTrace) -> None:
        if (value := self.entity_description.value(trace)) is not None:
            self._attr_native_value = value
