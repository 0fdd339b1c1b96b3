"""An agent's history: its conversation memory, connected to Home Assistant's chat logs."""

from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from homeassistant.auth import EVENT_USER_REMOVED
from homeassistant.components.conversation import ChatLog, ConversationInput
from homeassistant.components.conversation.chat_log import (
    DATA_CHAT_LOGS,
    async_subscribe_chat_logs,
)
from homeassistant.components.conversation.const import ChatLogEventType
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers.chat_session import (
    DATA_CHAT_SESSION,
    DATA_CHAT_SESSION_CLEANUP,
    ChatSession,
    current_session,
)
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_to_bytes

from .agent.errors import LLMError
from .agent.memory.context import build_history, next_start
from .agent.memory.index import Caller
from .agent.memory.memory import ConversationMemory, Retention
from .agent.memory.store import StoredConversation, StoredTurn
from .agent.memory.summary import summarize
from .agent.messages import Message
from .agent.model.provider import LLMProvider
from .agent.tools.builtin.facts import told_fact, without_erased_facts
from .agent.tools.builtin.search_history import SearchHistoryTool
from .agent.tools.registry import Tool
from .chat_log import latest_message, local_turns, opening_turn
from .const import LOGGER, TOOL_SEARCH_HISTORY
from .fact_store import CallerFacts, Fact, FactStore

_SWEEP_INTERVAL = timedelta(hours=24)
# Chat sessions of Home Assistant are bound to a user since 2026.11.
_SESSIONS_HAVE_USERS = "user_id" in ChatSession.__dataclass_fields__


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingTurn:
    """A turn in progress, with its conversation."""

    conversation: StoredConversation
    chat_id: str
    """Id of the conversation's chat log in Home Assistant."""
    at: datetime
    """Time of the user's message."""
    user: str
    """The user's message."""
    agent: str
    """Id of the agent."""
    history: list[Message]
    """Messages of the earlier turns to send."""
    asked: datetime
    """Time of the message that it goes back to: a result that is told later is a turn as well."""
    begins: bool = False
    """Whether this is the user's first message of the conversation."""
    opening: str | None = None
    """Words of a satellite that began the conversation."""
    suffix: str | None = None
    """Context appended to the user's message."""

    def with_answer(self, messages: Sequence[Message]) -> StoredTurn:
        """Return the turn to store, with the messages that followed the user's."""
        return StoredTurn(
            at=self.at,
            user=self.user,
            messages=tuple(message.without_attachments for message in messages),
            agent=self.agent,
            suffix=self.suffix,
        )


class AgentHistory:
    """Conversation history of an agent.

    It is the only source of the messages sent to the model. A chat log of Home Assistant is no such
    source, as it lasts for minutes and changes its id; only turns that Home Assistant answered
    itself are copied from it. At most `max_turns` earlier turns are sent.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        memory: ConversationMemory,
        facts: FactStore,
        *,
        max_turns: int,
        run_in_background: Callable[[Any, str], Any],
    ) -> None:
        self.memory = memory
        self.facts = facts
        facts.erased = self._async_facts_erased
        self._hass = hass
        self._max_turns = max_turns
        self._run_in_background = run_in_background
        self._active: dict[str, StoredConversation] = {}
        self._summarizing: set[str] = set()

    async def async_begin(
        self, user_input: ConversationInput, chat_log: ChatLog, agent_id: str
    ) -> PendingTurn:
        """Start a turn; return it with the history to send.

        Waits for an earlier turn of the conversation that is still being stored.
        """
        conversation = await self.memory.open(caller_of(user_input, chat_log))
        conversation = await self._async_record_local_turns(conversation, chat_log, agent_id)
        opening = opening_turn(chat_log.content)
        if opening is not None and self.memory.settings.retention is Retention.NONE:
            conversation = conversation.with_turn(opening, 1)
        self._async_activate(chat_log.conversation_id, conversation)
        at = latest_message(chat_log).created
        if conversation.turns:
            # Turns are in the order of their times, also when the clock was set back.
            at = max(at, conversation.turns[-1].at + timedelta(microseconds=1))
        return PendingTurn(
            chat_id=chat_log.conversation_id,
            conversation=conversation,
            at=at,
            asked=at,
            user=user_input.text,
            agent=agent_id,
            history=build_history(conversation, next_start(conversation, self._max_turns)),
            begins=not any(turn.user for turn in conversation.turns),
            opening=opening.messages[0].content if opening is not None else None,
        )

    async def async_peek(self, caller: Caller) -> list[Message]:
        """Return the history that the caller's next turn would send."""
        if (conversation := await self.memory.peek(caller)) is None:
            return []
        return build_history(conversation, next_start(conversation, self._max_turns))

    async def async_resume(self, turn: PendingTurn, user: str) -> PendingTurn:
        """Return a later turn of the same conversation, with a message in the user's name."""
        known = await self.memory.read(turn.conversation.id)
        if known is None:
            # Nothing was stored, or it was deleted in the meantime.
            stored = self.memory.settings.retention is not Retention.NONE
            known = replace(turn.conversation, turns=()) if stored else turn.conversation
        history = build_history(known, next_start(known, self._max_turns))
        return replace(turn, at=dt_util.utcnow(), user=user, suffix=None, history=history)

    async def async_record(
        self,
        turn: PendingTurn,
        messages: Sequence[Message],
        *,
        history_budget: int | None = None,
        summarizer: LLMProvider | None = None,
    ) -> None:
        """Store a turn with the messages that followed; on return it is saved.

        Recording a turn again replaces it; one whose conversation was deleted since it began is
        dropped. `history_budget` is the maximum size of the history in
        characters. Turns that exceed it are summarized by `summarizer`, if there is one.
        """

        def update(known: StoredConversation) -> StoredConversation:
            # Some may have been erased during the turn.
            known = self._without_erased_facts(known)
            if summarizer is None:
                start = next_start(known, self._max_turns, history_budget)
                known = replace(known, start=start)
            # Before the write, which may outlast the chat log.
            if turn.chat_id in self._active:
                self._active[turn.chat_id] = known
            return known

        known = await self.memory.record(
            turn.conversation, turn.with_answer(messages), asked=turn.asked, update=update
        )
        if summarizer is not None and known.id not in self._summarizing:
            start = next_start(known, self._max_turns, history_budget)
            if start > max(known.start, known.dropped):
                self._summarizing.add(known.id)
                self._run_in_background(
                    self._async_summarize(known, start, summarizer), "summarize conversation"
                )
        if self.memory.over_limit:
            self._run_in_background(self.memory.delete_excess(), "delete excess conversations")

    async def async_end(self, user_input: ConversationInput, chat_log: ChatLog) -> None:
        """End the conversation that the caller would continue."""
        self._active.pop(chat_log.conversation_id, None)
        await self.memory.end(await self.memory.open(caller_of(user_input, chat_log)))

    @staticmethod
    def tools(
        names: Collection[str], user_input: ConversationInput, current: Callable[[], AgentHistory]
    ) -> list[Tool]:
        """Return those of the named tools that search the caller's history, or remember facts.

        `current` returns the history at the time of a call: Home Assistant may keep the tools of a
        conversation beyond a reload.
        """
        owner, device = user_input.context.user_id, device_of(user_input)
        tools = CallerFacts(current().facts, owner, device).tools(names)
        if TOOL_SEARCH_HISTORY in names:
            search = SearchHistoryTool(
                lambda: current().conversations(owner, device), dt_util.as_local
            )
            tools.append(search)
        return tools

    def known_facts(self, user_input: ConversationInput) -> list[str]:
        """Return the facts about the caller, oldest first."""
        owner, device = user_input.context.user_id, device_of(user_input)
        return CallerFacts(self.facts, owner, device).texts

    @callback
    def async_subscribe(self, agent_id: str) -> CALLBACK_TYPE:
        """Keep the history in sync with Home Assistant; return a function to stop that.

        Turns that Home Assistant answers itself are recorded, expired conversations are deleted
        once a day, and the conversations of a user with that user.
        """

        @callback
        def changed(conversation_id: str, event: ChatLogEventType, _data: dict[str, Any]) -> None:
            conversation = self._active.get(conversation_id)
            if conversation is not None and event is ChatLogEventType.UPDATED:
                self._async_chat_log_updated(conversation, conversation_id, agent_id)

        async def sweep(_now: datetime) -> None:
            await self.memory.sweep()

        async def delete_of_user(event: Event[dict[str, Any]]) -> None:
            await self._async_delete_of_users({event.data["user_id"]})

        unsubscribers = (
            async_subscribe_chat_logs(self._hass, changed),
            async_track_time_interval(self._hass, sweep, _SWEEP_INTERVAL, cancel_on_shutdown=True),
            self._hass.bus.async_listen(EVENT_USER_REMOVED, delete_of_user),
        )
        self._run_in_background(self._async_clean_up(), "delete expired conversations")

        @callback
        def unsubscribe() -> None:
            for unsubscriber in unsubscribers:
                unsubscriber()

        return unsubscribe

    async def _async_clean_up(self) -> None:
        """Delete what expired, or belongs to users removed, while the agent was not loaded."""
        await self.memory.sweep()
        users = {user.id for user in await self._hass.auth.async_get_users()}
        owners = {info.owner for info in self.memory.store.index if info.owner is not None}
        owners |= {fact.user for fact in self.facts.facts if fact.user is not None}
        await self._async_delete_of_users(owners - users)

    async def _async_delete_of_users(self, users: Collection[str]) -> None:
        await self.facts.async_erase(lambda fact: fact.user in users)
        await self.memory.clear(info.id for info in self.memory.store.index if info.owner in users)
        for user in users:
            await self.memory.store.delete_unreadable([user])

    async def _async_facts_erased(self, erased: Sequence[Fact]) -> None:
        """Delete what the suffixes of earlier messages tell of erased facts."""
        for fact in erased:
            await self.memory.update_suffixes(told_fact(fact.text), self._without_erased_facts)

    def _without_erased_facts(self, known: StoredConversation) -> StoredConversation:
        texts = [fact.text for fact in self.facts.facts if fact.user == known.owner]
        return known.with_suffixes(lambda suffix: without_erased_facts(suffix, texts))

    @callback
    def _async_chat_log_updated(
        self, conversation: StoredConversation, chat_id: str, agent_id: str
    ) -> None:
        """Record turns that Home Assistant answered itself."""
        chat_log = self._hass.data[DATA_CHAT_LOGS].get(chat_id)
        if chat_log and self._new_local_turns(conversation, chat_log, agent_id):
            self._hass.async_create_task(
                self._async_record_local_turns(conversation, chat_log, agent_id),
                "store local turns",
            )

    @callback
    def _async_activate(self, chat_id: str, conversation: StoredConversation) -> None:
        """Continue a conversation in a session of Home Assistant, at most until that ends.

        The end of the chat log would not do: one of which no turn was completed has none.
        """
        known = self._active.get(chat_id)
        self._active[chat_id] = conversation
        session = current_session.get()
        if session is not None and (known is None or known.id != conversation.id):
            session.async_on_cleanup(partial(self._async_session_ended, chat_id, conversation.id))
            # Before 2026.11 a session is only kept, and cleaned up, if its first turn is completed.
            self._hass.data[DATA_CHAT_SESSION].setdefault(chat_id, session)
            self._hass.data[DATA_CHAT_SESSION_CLEANUP].schedule()

    @callback
    def _async_session_ended(self, chat_id: str, conversation_id: str) -> None:
        """Forget the session; with session retention its conversation is deleted."""
        self._active.pop(chat_id, None)
        if self.memory.settings.retention is Retention.SESSION:
            self._run_in_background(
                self.memory.clear([conversation_id]), "delete session conversation"
            )

    async def conversations(
        self, owner: str | None, device: str | None
    ) -> AsyncGenerator[StoredConversation]:
        """Yield the conversations of a user; without a user those of the device."""
        for info in list(self.memory.store.index):
            if (
                info.owner == owner
                and (owner or (device and device == info.device))
                and (found := await self.memory.read(info.id)) is not None
            ):
                yield found

    async def _async_record_local_turns(
        self, conversation: StoredConversation, chat_log: ChatLog, agent_id: str
    ) -> StoredConversation:
        if turns := self._new_local_turns(conversation, chat_log, agent_id):
            conversation = await self.memory.record(conversation, *turns)
            self._async_activate(chat_log.conversation_id, conversation)
        return conversation

    def _new_local_turns(
        self, conversation: StoredConversation, chat_log: ChatLog, agent_id: str
    ) -> list[StoredTurn]:
        if not (_SESSIONS_HAVE_USERS or _is_ulid(chat_log.conversation_id)):
            # Several users may use the same id, and the chat log does not tell them apart.
            return []
        turns = local_turns(chat_log.content, agent_id)
        if (opening := opening_turn(chat_log.content)) is not None:
            turns.append(opening)
        return self.memory.missing_turns(conversation, chat_log.conversation_id, turns)

    async def _async_summarize(
        self, conversation: StoredConversation, start: int, provider: LLMProvider
    ) -> None:
        """Replace the turns before `start` by a summary."""
        first = max(conversation.start, conversation.dropped) - conversation.dropped
        left_out = conversation.turns[first : start - conversation.dropped]
        try:
            summary = await summarize(provider, conversation.summary, left_out)
        except LLMError as err:
            LOGGER.debug("Could not summarize the conversation: %s", err)
            summary = None
        finally:
            self._summarizing.discard(conversation.id)

        def update(known: StoredConversation) -> StoredConversation:
            if known.created != conversation.created:
                # Deleted in the meantime, and begun again.
                return known
            return replace(known, start=max(known.start, start), summary=summary or known.summary)

        await self.memory.update(conversation.id, update)


def caller_of(user_input: ConversationInput, chat_log: ChatLog) -> Caller:
    """Return the caller of a message."""
    return Caller(
        active_id=chat_log.conversation_id,
        sent_id=user_input.conversation_id,
        owner=user_input.context.user_id,
        device=device_of(user_input),
    )


def device_of(user_input: ConversationInput) -> str | None:
    """Return the id of the device or satellite of a message, if known."""
    return user_input.device_id or user_input.satellite_id


def _is_ulid(text: str) -> bool:
    try:
        ulid_to_bytes(text)
    except ValueError:
        return False
    return True
