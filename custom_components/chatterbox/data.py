"""The runtime data of a config entry."""

from collections import defaultdict, deque
from dataclasses import dataclass, field

from homeassistant.config_entries import ConfigEntry

from .active_conversations import ActiveConversations
from .agent.model.context_window import ContextWindow
from .agent.model.openai_provider import OpenAICompatibleServer
from .agent.model.server_state import ServerState
from .agent.model.usage import CostEstimator
from .agent.tools.cache import ToolResultCache
from .agent.trace import TurnTrace
from .agent_history import AgentHistory
from .options import ServerOptions
from .quirk_store import QuirkStore

_TURNS_KEPT = 100


@dataclass(slots=True)
class ChatterboxData:
    """What lives as long as the entry is loaded."""

    options: ServerOptions
    server: OpenAICompatibleServer
    costs: CostEstimator
    quirks: QuirkStore
    """The learned quirks of the server's models."""
    server_state: ServerState
    """How busy the server is, and whether it can be reached."""
    histories: dict[str, AgentHistory] = field(default_factory=dict)
    """The memory of each agent, by the id of its subentry."""
    context_windows: defaultdict[str, ContextWindow] = field(
        default_factory=lambda: defaultdict(ContextWindow)
    )
    """The context windows of the models, by model."""
    turns: deque[TurnTrace] = field(default_factory=lambda: deque(maxlen=_TURNS_KEPT))
    """The last finished turns of all agents, oldest first."""
    conversations: ActiveConversations = field(default_factory=ActiveConversations)
    """The conversations with all agents."""
    tool_results: ToolResultCache = field(default_factory=ToolResultCache)
    """What tools that ask a service on the internet have answered lately."""
    model_details_queried: set[str] = field(default_factory=set)
    """Agents, by subentry, after whose first turn the server was asked for model details."""
    fallback_told: bool = False
    """Whether the user knows that another agent answers instead of the model."""


type ChatterboxConfigEntry = ConfigEntry[ChatterboxData]
