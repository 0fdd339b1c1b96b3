"""Conversion between Home Assistant's chat log and the agent's messages and events."""

import itertools
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable
from typing import Any

from homeassistant.components.conversation import (
    HOME_ASSISTANT_AGENT,
    AssistantContent,
    AssistantContentDeltaDict,
    ChatLog,
    ToolResultContent,
    ToolResultContentDeltaDict,
    UserContent,
)
from homeassistant.components.conversation.chat_log import Content
from homeassistant.helpers import llm

from .agent.events import (
    LoopEvent,
    LoopState,
    StateChanged,
    ToolCallsRequested,
    ToolFinished,
    TurnFinished,
)
from .agent.memory.store import StoredTurn
from .agent.messages import Message, ToolCall, envelope
from .agent.model.provider import ReasoningDelta, TextDelta
from .const import DOMAIN

# Agents in whose name Home Assistant answers sentences that it handles itself.
_LOCAL_AGENTS = (HOME_ASSISTANT_AGENT, "sentence_trigger")

BLANK_LINE = "\n\n"
"""Text up to which speech output speaks at once, before a tool has finished."""

type Delta = AssistantContentDeltaDict | ToolResultContentDeltaDict


class DeltaStream:
    """Stream of chat log deltas, made from the events of one turn.

    `error_sentence` returns the sentence for the user. Before the stream has started it may return
    None, which ends the turn without a sentence.
    """

    def __init__(self, error_sentence: Callable[[Exception], str | None]) -> None:
        self._error_sentence = error_sentence
        self._has_begun = False
        """Whether an assistant message has begun, with its role."""
        self._is_open = False
        """Whether something was added to it."""
        self._end = ""
        """The latest text of the open message."""
        self.started = False
        """Whether text or reasoning was streamed, or a tool was called."""
        self.spoken = False
        """Whether text was streamed, or a lead-in before a tool."""
        self.finished: TurnFinished | None = None
        self.unexplained_error: Exception | None = None
        """Error that ended the turn without a sentence."""
        self.failure: str | None = None
        """Error sentence that replaced the answer or the rest of it."""

    async def deltas(self, events: AsyncIterable[LoopEvent]) -> AsyncGenerator[Delta]:
        """Yield the deltas of a turn; an error ends them with a sentence if text was streamed.

        Then a satellite has begun to speak, and hears nothing but the deltas.
        """
        try:
            async for event in events:
                for delta in self._deltas_of(event):
                    yield delta
        except Exception as err:  # noqa: BLE001 - whatever it is, the user hears a sentence
            self.failure = self._error_sentence(err)
            if self.failure is None:
                self.unexplained_error = err
                return
            if not self.spoken:
                # The dialog shows the error of the result, and a satellite speaks it.
                return
            text = f" … {self.failure}" if self._is_open else self.failure
            for delta in self._say({"content": text}):
                yield delta

    @property
    def messages(self) -> list[Message]:
        """Messages after the user's; none if the turn failed before a tool was called."""
        messages = list(self.finished.messages) if self.finished is not None else []
        if messages and self.failure is not None:
            messages.append(Message.assistant(self.failure))
        return messages

    def note_lead_in(self) -> None:
        """Note that a satellite has begun to speak before the answer."""
        self.spoken = True

    def finish(self, event: TurnFinished) -> None:
        """Keep the last event of the turn."""
        self.finished = event

    def _deltas_of(self, event: LoopEvent) -> Iterable[Delta]:
        match event:
            case TextDelta(text):
                self.started = self.spoken = True
                yield from self._say({"content": text})
                self._end = text
            case StateChanged(LoopState.LLM_INFERENCE):
                yield from self._begin()
            case ReasoningDelta(text):
                yield from self._say({"thinking_content": text})
            case ToolCallsRequested(calls):
                if self._is_open and self._end and not self._end.endswith(BLANK_LINE):
                    yield {"content": BLANK_LINE}
                self.started = True
                # External: the agent runs the tools itself and streams the results.
                yield from self._say({"tool_calls": [tool_input(call) for call in calls]})
            case ToolFinished(result):
                self._has_begun = self._is_open = False
                yield {
                    "role": "tool_result",
                    "tool_call_id": result.call.id,
                    "tool_name": result.call.name,
                    "result": llm.ToolResult(data=result.data, error=result.error),
                }
            case TurnFinished():
                self.finish(event)

    def _begin(self) -> Iterable[Delta]:
        """Begin an assistant message unless one has begun: speech output depends on its role."""
        if not self._has_begun:
            self._has_begun = True
            yield {"role": "assistant"}

    def _say(self, delta: AssistantContentDeltaDict) -> Iterable[Delta]:
        """Add a delta to the assistant message."""
        yield from self._begin()
        if not self._is_open:
            self._is_open = True
            self._end = ""
            # Home Assistant drops a message without text unless it has something `native`.
            delta["native"] = DOMAIN
        yield delta


def latest_message(chat_log: ChatLog) -> UserContent:
    """Return the latest message of a user."""
    return next(item for item in reversed(chat_log.content) if isinstance(item, UserContent))


def opening_turn(content: Iterable[Content]) -> StoredTurn | None:
    """Return the turn in which a satellite began the conversation, None if the user did."""
    before = itertools.takewhile(lambda item: not isinstance(item, UserContent), content)
    said = [item for item in before if isinstance(item, AssistantContent) and item.content]
    if not said:
        return None
    text = "\n".join(item.content or "" for item in said)
    return StoredTurn(
        at=said[0].created,
        user="",
        messages=(Message.assistant(text),),
        agent=said[0].agent_id,
    )


def local_turns(content: Iterable[Content], agent_id: str) -> list[StoredTurn]:
    """Return the turns that Home Assistant answered itself in a pipeline of this agent."""
    return [
        StoredTurn(
            at=turn[0].created,
            user=turn[0].content,
            messages=tuple(
                message for item in turn[1:] if (message := _to_message(item, agent_id))
            ),
            agent=turn[-1].agent_id,
        )
        for turn in _split_turns(content)
        if isinstance(turn[0], UserContent)
        and isinstance(turn[-1], AssistantContent)
        and turn[-1].agent_id in _LOCAL_AGENTS
        # Home Assistant attributes the tool calls to the pipeline's agent.
        and any(isinstance(item, ToolResultContent) and item.agent_id == agent_id for item in turn)
    ]


def _split_turns(content: Iterable[Content]) -> list[list[Content]]:
    turns: list[list[Content]] = []
    for item in content:
        if isinstance(item, UserContent):
            turns.append([])
        if turns:
            turns[-1].append(item)
    return turns


def _to_message(item: Content, agent_id: str) -> Message | None:
    match item:
        case UserContent():
            return Message.user(item.content)
        case ToolResultContent():
            data = envelope(item.result.data, error=item.result.error)
            return Message.tool(item.tool_call_id, data)
        case AssistantContent():
            return _assistant_message(item, agent_id)
    return None


def _assistant_message(item: AssistantContent, agent_id: str) -> Message | None:
    calls = [
        ToolCall(id=call.id, name=call.tool_name, arguments=call.tool_args)
        for call in item.tool_calls or ()
    ]
    if item.agent_id == agent_id and not calls:
        # The error text with which Home Assistant closed a failed turn.
        return None
    return Message.assistant(item.content, calls)


def tool_input(call: ToolCall) -> llm.ToolInput:
    """Return a call in the chat log's form, marked as run by the agent itself."""
    arguments: dict[str, Any] = call.arguments
    return llm.ToolInput(tool_name=call.name, tool_args=arguments, id=call.id, external=True)
