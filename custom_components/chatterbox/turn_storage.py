"""Storage of a turn in the history of its agent, also if that was reloaded or removed meanwhile."""

from collections.abc import Sequence

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant

from .agent.memory.memory import Retention
from .agent.messages import Message
from .agent.model.context_window import ContextWindowProvider
from .agent_history import AgentHistory, PendingTurn
from .const import CONF_REMEMBER, LOGGER
from .data import Agent, ChatterboxData
from .error_log import log_unexpected


class TurnStorage:
    """Stores a turn of an agent with what has become of its answer, once or several times."""

    def __init__(self, hass: HomeAssistant, agent: Agent, agent_id: str) -> None:
        self._hass = hass
        self._agent = agent
        self._agent_id = agent_id
        # The runtime data is gone where a turn outlasts its entry.
        self._history = agent.history

    async def async_store(
        self, turn: PendingTurn, answer: Sequence[Message], provider: ContextWindowProvider
    ) -> None:
        """Store a turn with its answer; an error is only logged.

        `provider` makes summaries, and knows the size of the history.
        """
        if (history := self._current_history()) is None:
            return
        stored = history if self._may_store_in(history) else None
        if stored is not None:
            await self._async_record(stored, turn, answer, provider)
        loaded = self._agent.entry.state is ConfigEntryState.LOADED
        if not loaded or self._current_history() is not stored:
            # A reload may have read what is stored before.
            self._hass.async_create_task(
                self._async_store_again(stored, turn, answer, provider),
                f"{self._agent_id} store turn after reload",
            )

    async def _async_store_again(
        self,
        stored: AgentHistory | None,
        turn: PendingTurn,
        answer: Sequence[Message],
        provider: ContextWindowProvider,
    ) -> None:
        """Store a turn after a reload, in the history that has replaced the one where it is."""
        async with self._agent.entry.setup_lock:
            history = self._current_history()
        if history is not None and history is not stored and self._may_store_in(history):
            await self._async_record(history, turn, answer, provider)

    def _may_store_in(self, history: AgentHistory) -> bool:
        """Return whether a history remembers what the agent is set to remember now.

        During a reload that changes it, what the earlier history has stored may be deleted already.
        """
        subentry = self._agent.entry.subentries[self._agent.subentry.subentry_id]
        retention: str = subentry.data.get(CONF_REMEMBER, Retention.PERSISTENT)
        return retention == history.memory.settings.retention

    def _current_history(self) -> AgentHistory | None:
        """Return the history of the agent, None if the agent was removed and its history with it.

        After a reload, only the new history finds what is stored.
        """
        entry, subentry_id = self._agent.entry, self._agent.subentry.subentry_id
        known = self._hass.config_entries.async_get_entry(entry.entry_id)
        if known is None or subentry_id not in entry.subentries:
            return None
        data: ChatterboxData | None = getattr(entry, "runtime_data", None)
        histories = data.histories if data is not None else {}
        return histories.get(subentry_id, self._history)

    async def _async_record(
        self,
        history: AgentHistory,
        turn: PendingTurn,
        answer: Sequence[Message],
        provider: ContextWindowProvider,
    ) -> None:
        try:
            await history.async_record(
                turn,
                answer,
                history_budget=provider.history_budget,
                summarizer=provider if self._agent.options.summarize else None,
            )
        except Exception as err:  # noqa: BLE001 - the user has heard the answer all the same
            log_unexpected(f"{self._agent_id} could not store the turn", err)
        else:
            LOGGER.debug("%s has stored the turn", self._agent_id)
