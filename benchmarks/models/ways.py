"""Compared ways of calling a model, and their agents."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from scripts.home.core import CoreFlows, raise_timeouts
from scripts.home.flows import add_chatterbox
from scripts.home.servers import Server

PEER = "llama_cpp"

WAYS: Mapping[str, Mapping[str, Any]] = {
    "auto": {"profile": "auto"},
    "guided": {"profile": "guided"},
    "capable": {"profile": "capable"},
    # An option of an earlier version of the agent, for comparison.
    "native": {"dialect": "native"},
    "structured": {"dialect": "structured"},
    "text": {"dialect": "text"},
}
"""Options of Chatterbox's agent, by the name of the way."""

DEFAULT_WAYS = ("auto", "guided", "capable", PEER)


@dataclass(slots=True)
class Agents:
    """Chatterbox's agent and that of Home Assistant, both for the same server."""

    hass: HomeAssistant
    ours: ConfigEntry
    peer: ConfigEntry | None
    model: str
    _data: Mapping[str, Any]
    """Options of Chatterbox's agent, without those of a way."""

    @classmethod
    async def add(cls, hass: HomeAssistant, server: Server, *, with_peer: bool) -> Agents:
        """Add the agents to a home."""
        flows = CoreFlows(hass)
        ours = await add_chatterbox(flows, server)
        await raise_timeouts(hass, ours)
        data = dict(next(iter(ours.subentries.values())).data)
        model = str(data["model"])
        peer = None
        if with_peer:
            form = await flows.start(PEER)
            form = await flows.submit(form["flow_id"], {"base_url": server.url})
            result = await flows.submit(form["flow_id"], {"chat_model": model})
            peer = result["result"]
        await hass.async_block_till_done()
        return cls(hass, ours, peer, model, data)

    async def select(self, way: str) -> str:
        """Set up the agent of a way; return its entity id."""
        if way == PEER:
            if self.peer is None:
                raise ValueError("Home Assistant's own agent was not added")
            return self._entity(self.peer)
        for subentry in self.ours.subentries.values():
            self.hass.config_entries.async_update_subentry(
                self.ours, subentry, data={**self._data, **WAYS[way]}
            )
        await self.hass.async_block_till_done()
        await self.hass.config_entries.async_reload(self.ours.entry_id)
        await self.hass.async_block_till_done()
        return self._entity(self.ours)

    def _entity(self, entry: ConfigEntry) -> str:
        entities = er.async_entries_for_config_entry(er.async_get(self.hass), entry.entry_id)
        return next(entity.entity_id for entity in entities if entity.domain == "conversation")

    def requests(self, way: str, seen: object) -> int | None:
        """Return the number of requests of the last turn, None without a trace after `seen`."""
        trace = None if way == PEER else self.last_trace()
        if trace is None or trace is seen:
            return None
        iterations: int | None = getattr(trace, "iterations", None)
        return iterations

    def last_trace(self) -> Any:
        """Return the trace of the last turn of Chatterbox's agent."""
        turns = getattr(getattr(self.ours, "runtime_data", None), "turns", None)
        return turns[-1] if turns else None
