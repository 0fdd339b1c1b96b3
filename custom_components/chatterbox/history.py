"""The memory of an agent, and Home Assistant's conversations that it goes by."""

import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from homeassistant.auth import EVENT_USER_REMOVED
from homeassistant.components.conversation import ChatLog, ConversationInput, UserContent
from homeassistant.components.conversation.chat_log import (
    DATA_CHAT_LOGS,
    async_subscribe_chat_logs,
)
from homeassistant.components.conversation.const import ChatLogEventType
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers.chat_session import ChatSession
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_to_bytes

from .agent.context import history, next_start
from .agent.conversation_index import Caller
from .agent.errors import LLMError
from .agent.memory import ConversationMemory, Remember
from .agent.messages import Message
from .agent.provider import LLMProvider
from .agent.store import Conversation, Turn
from .agent.summary import summarize
from .agent.tools.registry import Tool
from .agent.tools.search_history import SearchHistoryTool
from .chat_log import local_turns
from .const import TOOL_SEARCH_HISTORY

LOGGER = logging.getLogger(__package__)

_SWEEP_EVERY = timedelta(hours=24)
# Home Assistant knows whose a running conversation is since 2026.11.
_SESSIONS_HAVE_OWNERS = "user_id" in ChatSession.__dataclass_fields__


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """A turn that is going on, and the conversation that it belongs to."""

    conversation: Conversation
    chat_id: str
    """The id under which Home Assistant leads the conversation now."""
    at: datetime
    user: str
    agent: str
    history: list[Message]
    """What was said before, as it is sent."""
    suffix: str | None = None
    """What the model is told of this moment behind the user's words."""

    def with_answer(self, messages: Sequence[Message]) -> Turn:
        """Return the turn with what followed."""
        return Turn(
            at=self.at,
            user=self.user,
            messages=tuple(messages),
            agent=self.agent,
            suffix=self.suffix,
        )


class AgentHistory:
    """What an agent remembers.

    What is kept here is the only source of what is sent. From a chat log of Home Assistant's it
    takes what Home Assistant answered itself, in the same conversation: the chat log lives for
    minutes and by an id that changes, so that it cannot be what a memory is made of.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        memory: ConversationMemory,
        *,
        max_turns: int,
        run_in_background: Callable[[Any, str], Any],
    ) -> None:
        """Take the memory, and the number of earlier turns that are sent at most."""
        self.memory = memory
        self._hass = hass
        self._max_turns = max_turns
        self._run_in_background = run_in_background
        self._live: dict[str, Conversation] = {}
        self._summarizing: set[str] = set()

    async def async_begin(
        self, user_input: ConversationInput, chat_log: ChatLog, agent_id: str
    ) -> OpenTurn:
        """Return the turn with what was said before it.

        An earlier turn of the conversation that is still being stored is waited for.
        """
        conversation = await self.memory.open(caller_of(user_input, chat_log))
        conversation = await self._async_take_local_turns(conversation, chat_log, agent_id)
        self._live[chat_log.conversation_id] = conversation
        return OpenTurn(
            chat_id=chat_log.conversation_id,
            conversation=conversation,
            at=next(
                item.created for item in reversed(chat_log.content) if isinstance(item, UserContent)
            ),
            user=user_input.text,
            agent=agent_id,
            history=history(conversation, next_start(conversation, self._max_turns)),
        )

    async def async_record(
        self,
        turn: OpenTurn,
        messages: Sequence[Message],
        *,
        history_budget: int | None = None,
        summarizer: LLMProvider | None = None,
    ) -> None:
        """Keep a turn with the messages that followed; when this returns it is on the disk.

        It can be recorded again, with more: the later one counts. `history_budget` is the
        length of the history that fits, in characters. What no longer fits is summarized by the
        model that is given.
        """

        def plan(known: Conversation) -> Conversation:
            if summarizer is not None:
                return known
            return replace(known, start=next_start(known, self._max_turns, history_budget))

        known = await self.memory.record(turn.conversation, turn.with_answer(messages), then=plan)
        self._live[turn.chat_id] = known
        if summarizer is not None and known.id not in self._summarizing:
            start = next_start(known, self._max_turns, history_budget)
            if start > max(known.start, known.dropped):
                self._summarizing.add(known.id)
                self._run_in_background(
                    self._async_summarize(known, start, summarizer), "Summarize a conversation"
                )
        if self.memory.crowded:
            self._run_in_background(self.memory.sweep(), "Sweep conversations")

    async def async_end(self, user_input: ConversationInput, chat_log: ChatLog) -> None:
        """End the conversation that the caller would go on with."""
        self._live.pop(chat_log.conversation_id, None)
        await self.memory.end(await self.memory.open(caller_of(user_input, chat_log)))

    def tools(self, names: Iterable[str], user_input: ConversationInput) -> list[Tool]:
        """Return the tools of these names that have to do with what the caller said before."""
        if TOOL_SEARCH_HISTORY not in names:
            return []
        owner, device = user_input.context.user_id, device_of(user_input)
        return [SearchHistoryTool(partial(self._conversations, owner, device), dt_util.as_local)]

    @callback
    def async_follow(self, agent_id: str) -> CALLBACK_TYPE:
        """Keep what Home Assistant answers in the conversations of an agent.

        And forget what is too old, once a day, and what users said who are removed.
        """

        @callback
        def changed(conversation_id: str, event: ChatLogEventType, _data: dict[str, Any]) -> None:
            if (conversation := self._live.get(conversation_id)) is None:
                return
            if event is ChatLogEventType.UPDATED:
                self._async_updated(conversation, conversation_id, agent_id)
            elif event is ChatLogEventType.DELETED:
                self._async_deleted(conversation, conversation_id)

        async def sweep(_now: datetime) -> None:
            await self.memory.sweep()

        async def forget_user(event: Event[dict[str, Any]]) -> None:
            gone = event.data["user_id"]
            await self.memory.clear(
                info.id for info in self.memory.store.index if info.owner == gone
            )

        ends = (
            async_subscribe_chat_logs(self._hass, changed),
            async_track_time_interval(self._hass, sweep, _SWEEP_EVERY, cancel_on_shutdown=True),
            self._hass.bus.async_listen(EVENT_USER_REMOVED, forget_user),
        )
        self._run_in_background(self.memory.sweep(), "Sweep conversations")

        @callback
        def unfollow() -> None:
            for end in ends:
                end()

        return unfollow

    @callback
    def _async_updated(self, conversation: Conversation, chat_id: str, agent_id: str) -> None:
        """Keep what Home Assistant answered in a conversation."""
        chat_log = self._hass.data[DATA_CHAT_LOGS].get(chat_id)
        if chat_log and self._new_local_turns(conversation, chat_log, agent_id):
            self._hass.async_create_task(
                self._async_take_local_turns(conversation, chat_log, agent_id),
                "Store what Home Assistant answered",
            )

    @callback
    def _async_deleted(self, conversation: Conversation, chat_id: str) -> None:
        """Notice that Home Assistant has ended a conversation."""
        del self._live[chat_id]
        if self.memory.settings.remember is Remember.SESSION:
            self._run_in_background(self.memory.clear([conversation.id]), "Forget a conversation")

    async def _conversations(
        self, owner: str | None, device: str | None
    ) -> AsyncGenerator[Conversation]:
        """Yield the conversations of a user; where nobody is known, those of the device."""
        for info in list(self.memory.store.index):
            if (
                info.owner == owner
                and (owner or (device and device == info.device))
                and (found := await self.memory.read(info.id)) is not None
            ):
                yield found

    async def _async_take_local_turns(
        self, conversation: Conversation, chat_log: ChatLog, agent_id: str
    ) -> Conversation:
        if turns := self._new_local_turns(conversation, chat_log, agent_id):
            conversation = await self.memory.record(conversation, *turns)
            self._live[chat_log.conversation_id] = conversation
        return conversation

    def _new_local_turns(
        self, conversation: Conversation, chat_log: ChatLog, agent_id: str
    ) -> list[Turn]:
        if not (_SESSIONS_HAVE_OWNERS or _is_ulid(chat_log.conversation_id)):
            # Others may use the same name for a conversation, and nobody knows who said what.
            return []
        return self.memory.missing(
            conversation, chat_log.conversation_id, local_turns(chat_log.content, agent_id)
        )

    async def _async_summarize(
        self, conversation: Conversation, start: int, provider: LLMProvider
    ) -> None:
        """Put a summary in the place of the turns before `start`."""
        first = max(conversation.start, conversation.dropped) - conversation.dropped
        left_out = conversation.turns[first : start - conversation.dropped]
        try:
            summary = await summarize(provider, conversation.summary, left_out)
        except LLMError as err:
            LOGGER.debug("No summary: %s", err)
            summary = None
        finally:
            self._summarizing.discard(conversation.id)
        await self.memory.change(
            conversation.id,
            lambda known: replace(
                known, start=max(known.start, start), summary=summary or known.summary
            ),
        )


def caller_of(user_input: ConversationInput, chat_log: ChatLog) -> Caller:
    """Return who speaks."""
    return Caller(
        active_id=chat_log.conversation_id,
        sent_id=user_input.conversation_id,
        owner=user_input.context.user_id,
        device=device_of(user_input),
    )


def device_of(user_input: ConversationInput) -> str | None:
    """Return where somebody speaks, if that is known."""
    return user_input.device_id or user_input.satellite_id


def _is_ulid(text: str) -> bool:
    try:
        ulid_to_bytes(text)
    except ValueError:
        return False
    return True
