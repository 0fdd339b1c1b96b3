"""The turns of all conversations: one at a time in each, and what those leave that break off."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterable
from dataclasses import dataclass, field

from homeassistant.components.conversation import ConversationInput

from .agent.events import LoopEvent, ToolCallsRequested
from .agent.interruption import Interruption
from .agent.messages import Message, ToolCall
from .agent.provider import TextDelta
from .agent.state import ConversationState
from .agent.tools.ledger import RecordingDispatcher

_CONVERSATIONS_KEPT = 200


@dataclass(slots=True)
class Conversation:
    """A conversation, as far as it outlives a turn."""

    state: ConversationState = field(default_factory=ConversationState)
    turn: Interruption = field(default_factory=Interruption)
    """The turn that is being answered, or was the last one."""
    device_id: str | None = None
    user_id: str | None = None
    """From where, and for whom, the last turn was asked."""
    extra: str | None = None
    """What a caller wanted the model to know of it, for as long as it lasts."""
    finishing: asyncio.Task[None] | None = None
    """What waits for the tools that the last turn left running."""

    def begin(self, user_input: ConversationInput) -> Interruption:
        """Return the block in which a message is answered; interrupting it leaves the block."""
        self.device_id, self.user_id = user_input.device_id, user_input.context.user_id
        self.turn = Interruption()
        return self.turn

    async def settle(self, seconds: float) -> bool:
        """Wait for the tools that the last turn left running; return whether they are done."""
        if self.finishing is not None:
            await asyncio.wait({self.finishing}, timeout=seconds)
            if not self.finishing.done():
                return False
            self.finishing = None
        return True


class Conversations:
    """The conversations with the agents of a server, the least recent ones forgotten."""

    def __init__(self) -> None:
        """Begin with none."""
        self._by_id: OrderedDict[str, Conversation] = OrderedDict()

    def get(self, conversation_id: str, user_input: ConversationInput) -> Conversation:
        """Return the conversation of a message, a new one if it is not known.

        Home Assistant may have given it another id than the one that the user goes on with.
        """
        conversation = self._by_id.get(conversation_id)
        if conversation is None:
            earlier = self._by_id.get(user_input.conversation_id or "")
            same_user = earlier is not None and earlier.user_id == user_input.context.user_id
            conversation = earlier if earlier is not None and same_user else Conversation()
            self._by_id[conversation_id] = conversation
        self._by_id.move_to_end(conversation_id)
        if len(self._by_id) > _CONVERSATIONS_KEPT:
            idle = (key for key, item in self._by_id.items() if not item.turn.running)
            del self._by_id[next(idle)]
        return conversation

    def running(self, conversation_id: str | None = None) -> list[Conversation]:
        """Return the conversations with a turn in progress, all or the one of that id."""
        return [
            item
            for key, item in self._by_id.items()
            if item.turn.running and conversation_id in {None, key}
        ]

    def in_the_way(self, user_input: ConversationInput) -> Conversation | None:
        """Return the conversation whose turn a message of the same user comes in between."""
        for conversation in self.running(user_input.conversation_id or ""):
            if conversation.user_id == user_input.context.user_id:
                return conversation
        return None

    def on_device(self, device_id: str | None) -> Conversation | None:
        """Return the conversation with a turn in progress on a device."""
        if device_id is None:
            return None
        return next((item for item in self.running() if item.device_id == device_id), None)


class TurnRecord:
    """Remembers what a turn called, to tell what became of it when the turn has broken off."""

    def __init__(self, ledger: RecordingDispatcher) -> None:
        """Take what knows the results."""
        self._ledger = ledger
        self._said = ""
        self._rounds: list[tuple[str, tuple[ToolCall, ...]]] = []

    @property
    def called(self) -> bool:
        """Whether a tool was called."""
        return bool(self._rounds)

    async def watch(self, events: AsyncIterable[LoopEvent]) -> AsyncGenerator[LoopEvent]:
        """Pass the events of the turn on."""
        async for event in events:
            match event:
                case TextDelta(text):
                    self._said += text
                case ToolCallsRequested(calls):
                    self._rounds.append((self._said, calls))
                    self._said = ""
            yield event

    async def messages(self, ending: str) -> list[Message]:
        """Return what followed the user's message, once the tools are done, and an ending."""
        messages: list[Message] = []
        for said, calls in self._rounds:
            messages.append(Message.assistant(said or None, calls))
            for call in calls:
                result = await self._ledger.outcome(call)
                messages.append(Message.tool(call.id, result.content))
        return [*messages, Message.assistant(ending)]
