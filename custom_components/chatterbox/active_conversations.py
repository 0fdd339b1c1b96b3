"""Active conversations: one turn at a time in each, and the completion of cancelled turns."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterable
from dataclasses import dataclass, field

from homeassistant.components.conversation import ConversationInput

from .agent.cancel_scope import CancelScope
from .agent.events import LoopEvent, ToolCallsRequested
from .agent.messages import Message, ToolCall
from .agent.model.provider import TextDelta
from .agent.tools.conversation_state import ConversationState
from .agent.tools.recording import RecordingDispatcher

_MAX_CONVERSATIONS = 200


@dataclass(slots=True)
class ActiveConversation:
    """A conversation in progress: the state that its turns share."""

    state: ConversationState = field(default_factory=ConversationState)
    scope: CancelScope = field(default_factory=CancelScope)
    """Cancel scope of the turn in progress, or of the last one."""
    device_id: str | None = None
    user_id: str | None = None
    """Device and user of the last turn."""
    extra_system_prompt: str | None = None
    """The latest extra prompt of a caller; valid for the rest of the conversation."""
    pending_tools: asyncio.Task[None] | None = None
    """Task that waits for the tools still running after the last turn, and stores their results."""

    def begin(self, user_input: ConversationInput) -> CancelScope:
        """Return the cancel scope in which a message is answered."""
        self.device_id, self.user_id = user_input.device_id, user_input.context.user_id
        self.scope = CancelScope()
        return self.scope

    async def wait_for_pending_tools(self, seconds: float) -> bool:
        """Return whether the tools still running after the last turn finish within some seconds."""
        if self.pending_tools is not None:
            await asyncio.wait({self.pending_tools}, timeout=seconds)
            if not self.pending_tools.done():
                return False
            self.pending_tools = None
        return True


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
            idle = (key for key, item in self._by_id.items() if not item.scope.running)
            del self._by_id[next(idle)]
        return conversation

    def running(self, conversation_id: str | None = None) -> list[ActiveConversation]:
        """Return the conversations with a turn in progress, all or the one of that id."""
        return [
            item
            for key, item in self._by_id.items()
            if item.scope.running and conversation_id in {None, key}
        ]

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
        return next((item for item in self.running() if item.device_id == device_id), None)


class TurnRecorder:
    """Recorder of the text and calls of a turn, for the messages of a cancelled one."""

    def __init__(self, dispatcher: RecordingDispatcher) -> None:
        self._dispatcher = dispatcher
        self._text = ""
        self._rounds: list[tuple[str, tuple[ToolCall, ...]]] = []

    @property
    def called(self) -> bool:
        """Return whether a tool was called."""
        return bool(self._rounds)

    async def record(self, events: AsyncIterable[LoopEvent]) -> AsyncGenerator[LoopEvent]:
        """Yield the events of the turn unchanged."""
        async for event in events:
            match event:
                case TextDelta(text):
                    self._text += text
                case ToolCallsRequested(calls):
                    self._rounds.append((self._text, calls))
                    self._text = ""
            yield event

    async def messages(self, ending: str) -> list[Message]:
        """Return the messages after the user's, the last one an ending, once all tools are done."""
        messages: list[Message] = []
        for text, calls in self._rounds:
            messages.append(Message.assistant(text or None, calls))
            for call in calls:
                result = await self._dispatcher.outcome(call)
                messages.append(Message.tool(call.id, result.content))
        return [*messages, Message.assistant(ending)]
