"""Runtime data of a config entry."""

import asyncio
from collections import defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass, field

from homeassistant.config_entries import ConfigEntry, ConfigEntryState, ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.util.hass_dict import HassKey

from .active_conversations import ActiveConversations
from .agent.memory.memory import Tombstones
from .agent.model.context_window import ContextWindow
from .agent.model.openai_provider import OpenAICompatibleServer
from .agent.model.server_state import ServerState
from .agent.tools.cache import ToolResultCache
from .agent.trace import TurnTrace
from .agent.turn_stats import TurnStats
from .agent_history import AgentHistory
from .const import DOMAIN, SUBENTRY_AI_TASK, SUBENTRY_CONVERSATION
from .fact_store import FactStore
from .option_table import AI_TASK_DATA
from .options import AgentOptions, ServerOptions
from .quirk_store import QuirkStore, async_remove_quirks
from .satellites import SatelliteWatch

SHUTDOWN_SECONDS = 5.0
"""Time that a shutdown gives the turns in progress."""


@dataclass(slots=True)
class LastingData:
    """Data of a config entry that outlast its reloads."""

    conversations: ActiveConversations = field(default_factory=ActiveConversations)
    """The conversations with all agents."""
    tombstones: defaultdict[str, Tombstones] = field(default_factory=lambda: defaultdict(dict))
    """Deleted conversations of each agent, by the id of its subentry."""
    facts: dict[str, FactStore] = field(default_factory=dict)
    """The remembered facts of each agent, by the id of its subentry."""


_LASTING_DATA: HassKey[dict[str, LastingData]] = HassKey(DOMAIN)


def lasting_data(hass: HomeAssistant, entry_id: str) -> LastingData:
    """Return the data of a config entry that outlast its reloads."""
    return hass.data.setdefault(_LASTING_DATA, {}).setdefault(entry_id, LastingData())


def remove_lasting_data(hass: HomeAssistant, entry_id: str) -> None:
    """Remove the data of a config entry that outlast its reloads, with the entry."""
    hass.data.get(_LASTING_DATA, {}).pop(entry_id, None)


@dataclass(slots=True)
class ChatterboxData:
    """Runtime data of a loaded config entry."""

    options: ServerOptions
    server: OpenAICompatibleServer
    quirks: QuirkStore
    """The learned quirks of the server's models."""
    server_state: ServerState
    """The rate limit and reachability of the server."""
    histories: dict[str, AgentHistory] = field(default_factory=dict)
    """The history of each agent, by the id of its subentry."""
    context_windows: defaultdict[str, ContextWindow] = field(
        default_factory=lambda: defaultdict(ContextWindow)
    )
    """The context windows of the models, by model."""
    stats: TurnStats = field(default_factory=TurnStats)
    """The finished turns of all agents."""
    conversations: ActiveConversations = field(default_factory=ActiveConversations)
    """The conversations with all agents."""
    finishing: set[asyncio.Task[None]] = field(default_factory=set)
    """Tasks that store turns whose result was returned."""
    satellites: SatelliteWatch = field(default_factory=SatelliteWatch)
    """The satellites that were interrupted while they spoke."""
    tool_results: ToolResultCache = field(default_factory=ToolResultCache)
    """Recent results of tools that query an internet service."""
    model_details_queried: set[str] = field(default_factory=set)
    """Agents, by subentry, after whose first turn the server was asked for model details."""
    fallback_announced: bool = False
    """Whether the user was told that the fallback agent answers instead of the model."""

    @property
    def turns(self) -> deque[TurnTrace]:
        """The traces of the last turns of all agents, oldest first."""
        return self.stats.turns

    async def async_shut_down(self) -> None:
        """Wait until the turns in progress have ended, for some seconds, and all are stored."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SHUTDOWN_SECONDS):
                for conversation in self.conversations.running():
                    await conversation.scope.wait()
        await self.async_finish()

    async def async_finish(self) -> None:
        """Wait until all turns are stored whose result was returned."""
        if self.finishing:
            await asyncio.wait(self.finishing)


type ChatterboxConfigEntry = ConfigEntry[ChatterboxData]


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent for conversations or AI tasks: a subentry of a server, with its parsed options."""

    entry: ChatterboxConfigEntry
    subentry: ConfigSubentry
    options: AgentOptions

    @property
    def data(self) -> ChatterboxData:
        """The runtime data of the server."""
        return self.entry.runtime_data

    @property
    def history(self) -> AgentHistory:
        """The history of the agent."""
        return self.data.histories[self.subentry.subentry_id]


def conversation_agents(entry: ChatterboxConfigEntry) -> list[Agent]:
    """Return the conversation agents of a server."""
    return [
        Agent(entry, subentry, AgentOptions.parse(subentry.data))
        for subentry in entry.subentries.values()
        if subentry.subentry_type == SUBENTRY_CONVERSATION
    ]


async def async_clear_quirks(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    """Delete the learned quirks of a server, as its URL may have changed."""
    if entry.state is ConfigEntryState.LOADED:
        entry.runtime_data.quirks.clear()
    else:
        await async_remove_quirks(hass, entry.entry_id)


def ai_task_agents(entry: ChatterboxConfigEntry) -> list[Agent]:
    """Return the agents of a server that handle AI tasks; they have no history."""
    return [
        Agent(entry, subentry, AgentOptions.parse({**AI_TASK_DATA, **subentry.data}))
        for subentry in entry.subentries.values()
        if subentry.subentry_type == SUBENTRY_AI_TASK
    ]
