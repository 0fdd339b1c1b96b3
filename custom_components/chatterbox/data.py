"""The runtime data of a config entry."""

from collections import defaultdict, deque
from dataclasses import dataclass, field

from homeassistant.config_entries import ConfigEntry

from .agent.openai_provider import OpenAICompatibleServer, ServerQuirks
from .agent.trace import TurnTrace
from .agent.usage import CostEstimator
from .agent.window import ModelWindow
from .history import AgentHistory

_TURNS_KEPT = 100


@dataclass(slots=True)
class ChatterboxData:
    """What lives as long as the entry is loaded."""

    server: OpenAICompatibleServer
    costs: CostEstimator
    histories: dict[str, AgentHistory] = field(default_factory=dict)
    """The memory of each agent, by the id of its subentry."""
    windows: defaultdict[str, ModelWindow] = field(default_factory=lambda: defaultdict(ModelWindow))
    """What is known of the windows of the models, by model."""
    quirks: defaultdict[str, ServerQuirks] = field(
        default_factory=lambda: defaultdict(ServerQuirks)
    )
    """What the server was found to refuse, by model."""
    turns: deque[TurnTrace] = field(default_factory=lambda: deque(maxlen=_TURNS_KEPT))
    """The last finished turns of all agents, oldest first."""


type ChatterboxConfigEntry = ConfigEntry[ChatterboxData]
