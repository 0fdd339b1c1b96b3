"""The turns of all conversations: one at a time in each, and what those leave that break off."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterable
from dataclasses import dataclass, field

from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    ConversationInput,
    ToolResultContent,
    UserContent,
)
from homeassistant.components.conversation.chat_log import Content
from homeassistant.core import HomeAssistant
from homeassistant.helpers import chat_session, llm

from .agent.events import LoopEvent, ToolCallsRequested
from .agent.interruption import Interruption
from .agent.messages import ToolCall
from .agent.provider import TextDelta
from .agent.state import ConversationState
from .agent.tools.ledger import CallLedger
from .chat_log import Note, tool_input

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
    finishing: asyncio.Task[None] | None = None
    """What waits for the tools that the last turn left running."""
    left: list[Content] = field(default_factory=list)
    """What the last turn should have left in the chat log and could not."""

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

    async def keep(self, turn: TurnRecord, ending: str) -> None:
        """Keep what a turn did that broke off, for the next one."""
        self.left = await turn.contents(ending)

    def restore(self, chat_log: ChatLog) -> None:
        """Put what the last turn left into the chat log, in the place of what is there of it."""
        if not self.left:
            return
        content = chat_log.content
        asked = [index for index, item in enumerate(content) if isinstance(item, UserContent)]
        end = asked[-1]
        start = next((index for index in asked if content[index] is self.left[0]), end)
        if start != end:
            end = asked[asked.index(start) + 1]
        grown = len(self.left) - (end - start)
        content[start:end] = self.left
        self.left = []
        # Where the turn in progress begins; the oldest supported release does not keep it.
        if (turn_start := vars(chat_log).get("turn_start")) is not None:
            vars(chat_log)["turn_start"] = turn_start + grown


class Conversations:
    """The conversations with the agents of a server, the least recent ones forgotten."""

    def __init__(self) -> None:
        """Begin with none."""
        self._by_id: OrderedDict[str, Conversation] = OrderedDict()

    def get(self, conversation_id: str) -> Conversation:
        """Return a conversation, a new one if it is not known."""
        conversation = self._by_id.setdefault(conversation_id, Conversation())
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


def keep_session(hass: HomeAssistant) -> None:
    """Keep the session of a cancelled turn; the oldest supported release forgets a new one."""
    if (session := chat_session.current_session.get()) is not None:
        sessions = hass.data[chat_session.DATA_CHAT_SESSION]
        sessions.setdefault(session.conversation_id, session)


class TurnRecord:
    """Remembers what a turn called, to tell what became of it when the turn has broken off."""

    def __init__(self, agent_id: str, asked: UserContent, ledger: CallLedger) -> None:
        """Take who answers, the user's message, and what knows the results."""
        self._agent_id = agent_id
        self._asked = asked
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

    async def contents(self, ending: str) -> list[Content]:
        """Return the turn for the chat log, once its tools are done; it ends with a sentence."""
        contents: list[Content] = [self._asked]
        for said, calls in self._rounds:
            contents.append(
                AssistantContent(
                    agent_id=self._agent_id,
                    content=said or None,
                    tool_calls=[tool_input(call) for call in calls],
                    native=Note(),
                )
            )
            for call in calls:
                result = await self._ledger.outcome(call)
                contents.append(
                    ToolResultContent(
                        agent_id=self._agent_id,
                        tool_call_id=call.id,
                        tool_name=call.name,
                        result=llm.ToolResult(data=result.data, error=result.error),
                    )
                )
        contents.append(
            AssistantContent(agent_id=self._agent_id, content=ending, native=Note(failure=ending))
        )
        return contents
