"""Base of the entities that report the turns of an agent."""

from abc import abstractmethod
from typing import override

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.dispatcher import async_dispatcher_connect, async_dispatcher_send
from homeassistant.helpers.entity import Entity
from homeassistant.util.signal_type import SignalTypeFormat

from .agent.trace import TurnTrace
from .const import DOMAIN
from .data import Agent

_SIGNAL_TURN: SignalTypeFormat[TurnTrace] = SignalTypeFormat(f"{DOMAIN}_turn_{{}}")


@callback
def async_report_turn(hass: HomeAssistant, agent: Agent, trace: TurnTrace) -> None:
    """Report a finished turn of an agent to its entities."""
    async_dispatcher_send(hass, _SIGNAL_TURN.format(agent.subentry.subentry_id), trace)


def device_info(agent: Agent) -> dr.DeviceInfo:
    """Return the device of an agent."""
    return dr.DeviceInfo(
        identifiers={(DOMAIN, agent.subentry.subentry_id)},
        name=agent.subentry.title,
        manufacturer="Chatterbox",
        model=agent.options.model,
        entry_type=dr.DeviceEntryType.SERVICE,
    )


class TurnReportEntity(Entity):
    """Entity of an agent that is updated after each turn; `key` is its translation key."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, agent: Agent, key: str) -> None:
        self._agent = agent
        self._attr_translation_key = key
        self._attr_unique_id = f"{agent.subentry.subentry_id}_{key}"
        self._attr_device_info = device_info(agent)

    @override
    async def async_added_to_hass(self) -> None:
        """Subscribe to the turns of the agent."""
        await super().async_added_to_hass()
        signal = _SIGNAL_TURN.format(self._agent.subentry.subentry_id)
        self.async_on_remove(async_dispatcher_connect(self.hass, signal, self._turn_finished))

    @callback
    def _turn_finished(self, trace: TurnTrace) -> None:
        self._update(trace)
        self.async_write_ha_state()

    @abstractmethod
    def _update(self, trace: TurnTrace) -> None:
        """Update the state after a turn."""
