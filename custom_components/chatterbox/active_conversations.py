"""Active conversations: one turn at a time in each."""

import asyncio
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field

from homeassistant.components.conversation import ConversationInput

from .agent.cancel_scope import CancelScope
from .agent.messages import ToolCall
from .agent.tools.conversation_state import ConversationState
from .agent.tools.recording import RecordingDispatcher

_MAX_CONVERSATIONS = 200


@dataclass(slots=True)
class ActiveConversation:
    """A conversation in progress: the state that its turns share."""

    state: ConversationState = field(default_factory=ConversationState)
    scope: CancelScope = field(default_factory=CancelScope)
    """Cancel scope of the turn in progress, or of the last one."""
    message: ConversationInput | None = None
    """The user's message of the last turn."""
    confirmed_calls: tuple[ToolCall, ...] = ()
    """The calls that the user has just confirmed."""
    jobs: set[asyncio.Task[None]] = field(default_factory=set)
    """Background jobs of its turns."""
    newest: ConversationInput | None = None
    """The newest message that waited for the end of a turn."""
    extra_system_prompt: str | None = None
    """The latest extra prompt of a caller; valid for the rest of the conversation."""
    tools: RecordingDispatcher | None = None
    """The tools of the last turn."""
    unspoken: str = ""
    """The part of the last answer that is spoken on request."""

    def begin(self, user_input: ConversationInput) -> CancelScope:
        """Return the cancel scope in which a message is answered."""
        self.message = user_input
        self.scope = CancelScope()
        return self.scope

    @property
    def user_id(self) -> str | None:
        """User of the last turn."""
        return self.message.context.user_id if self.message is not None else None

    def cancel(self) -> bool:
        """Cancel the turn in progress and the background jobs; return whether there were any."""
        if self.jobs and self.tools is not None:
            self.tools.give_up()
        return any([self.scope.cancel(), *(job.cancel() for job in self.jobs)])

    async def async_interrupt(self, message: ConversationInput) -> bool:
        """Cancel the turn in progress for a new message, and wait for its end.

        Return False if a newer message came meanwhile.
        """
        self.newest = message
        self.scope.cancel()
        await self.scope.wait()
        return self.newest is message

    def has_unspoken(self, user_input: ConversationInput) -> bool:
        """Return whether a part of the last answer is left, and the message is of its user."""
        return bool(self.unspoken) and self.user_id == user_input.context.user_id

    @property
    def stop_sentence(self) -> str:
        """Key of the sentence after a stop: whether a change is still being completed."""
        writing = self.tools is not None and self.tools.writing
        return "stopped_writing" if writing else "stopped"


class ActiveConversations:
    """The most recent conversations with the agents of a server."""

    def __init__(self) -> None:
        self._by_id: OrderedDict[str, ActiveConversation] = OrderedDict()

    def get(self, conversation_id: str, user_input: ConversationInput) -> ActiveConversation:
        """Return the conversation of a message, a new one if it is not known.

        Home Assistant may have replaced the id that the client sent.
        """
        conversation = self._by_id.get(conversation_id)
        if conversation is None:
            earlier = self._by_id.get(user_input.conversation_id or "")
            same_user = earlier is not None and earlier.user_id == user_input.context.user_id
            conversation = earlier if earlier is not None and same_user else ActiveConversation()
            self._by_id[conversation_id] = conversation
        self._by_id.move_to_end(conversation_id)
        if len(self._by_id) > _MAX_CONVERSATIONS:
            idle = (
                key for key, item in self._by_id.items() if not (item.scope.running or item.jobs)
            )
            del self._by_id[next(idle)]
        return conversation

    @property
    def jobs(self) -> list[asyncio.Task[None]]:
        """The background jobs."""
        return [job for item in self._by_id.values() for job in item.jobs]

    async def async_give_up_jobs(self) -> None:
        """Cancel the background jobs; on return their turns are being stored."""
        jobs = self.jobs
        for job in jobs:
            job.cancel()
        if jobs:
            await asyncio.wait(jobs)

    def forget(self, conversation_ids: Collection[str], user_id: str | None) -> None:
        """Forget what is left to say and to confirm in a user's conversations."""
        for key in conversation_ids:
            conversation = self._by_id.get(key)
            if conversation is not None and conversation.user_id == user_id:
                conversation.unspoken = ""
                conversation.state.pending_calls = ()

    def find(self, conversation_id: str | None = None) -> list[ActiveConversation]:
        """Return all conversations, or the one of that id."""
        if conversation_id is None:
            return list(self._by_id.values())
        return [self._by_id[conversation_id]] if conversation_id in self._by_id else []

    def running(self, conversation_id: str | None = None) -> list[ActiveConversation]:
        """Return the conversations with a turn in progress, all or the one of that id."""
        return [item for item in self.find(conversation_id) if item.scope.running]

    def find_busy(self, user_input: ConversationInput) -> ActiveConversation | None:
        """Return the conversation of a message whose turn, of the same user, is in progress."""
        for conversation in self.running(user_input.conversation_id or ""):
            if conversation.user_id == user_input.context.user_id:
                return conversation
        return None

    def find_on_device(self, device_id: str | None) -> ActiveConversation | None:
        """Return the conversation with a turn in progress on a device."""
        if device_id is None:
            return None
        return next(
            (
                item
                for item in self.running()
                if item.message and item.message.device_id == device_id
            ),
            None,
        )
