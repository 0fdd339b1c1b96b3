"""Home Assistant's chat log and the agent's messages and events, in both directions."""

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable
from dataclasses import dataclass
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

from .agent.events import LoopEvent, ToolCallsRequested, ToolFinished, TurnFinished
from .agent.messages import Message, ToolCall, envelope
from .agent.provider import ReasoningDelta, TextDelta
from .agent.store import Turn

# Who answers where Home Assistant understands a sentence itself.
_LOCAL_AGENTS = (HOME_ASSISTANT_AGENT, "sentence_trigger")

type Delta = AssistantContentDeltaDict | ToolResultContentDeltaDict


@dataclass(slots=True)
class Note:
    """What we keep beside each of our messages in the chat log.

    It also tells them from those that Home Assistant adds in our name when a turn breaks off.
    """

    failure: str | None = None
    """The sentence that the user heard instead of an answer, or instead of the rest of it."""


class DeltaStream:
    """Turns the events of one turn into the deltas of the chat log."""

    def __init__(self, explain: Callable[[Exception], str | None]) -> None:
        """Take what turns an error into the sentence that the user hears.

        It may return None, so that the turn ends without one, as long as nothing has happened.
        """
        self._explain = explain
        self._note: Note | None = None
        self.begun = False
        """Whether the user has heard something, or a tool was called."""
        self.finished: TurnFinished | None = None
        self.error: Exception | None = None
        """What ended the turn."""
        self.failure: str | None = None
        """What was said instead of the answer, or of its rest."""

    async def deltas(self, events: AsyncIterable[LoopEvent]) -> AsyncGenerator[Delta]:
        """Yield the deltas of a turn. An error of the model ends them with a sentence."""
        try:
            async for event in events:
                for delta in self._deltas_of(event):
                    yield delta
        except Exception as err:  # noqa: BLE001 - whatever it is, the user hears a sentence
            self.error, self.failure = err, self._explain(err)
            for delta in self._say_instead(self.failure) if self.failure is not None else ():
                yield delta

    def answer(self, chat_log: ChatLog, agent_id: str) -> list[Message]:
        """Return what followed the user's message, none if the turn failed and did nothing."""
        if self.failure is None and self.finished is not None:
            return list(self.finished.messages)
        return history(_split(chat_log.content)[-1], agent_id)[1:]

    def _deltas_of(self, event: LoopEvent) -> Iterable[Delta]:
        match event:
            case TextDelta(text):
                yield from self._open()
                yield {"content": text}
            case ReasoningDelta(text):
                yield from self._open()
                yield {"thinking_content": text}
            case ToolCallsRequested(calls):
                yield from self._open()
                # External: the agent has them made itself and tells the results.
                yield {"tool_calls": [tool_input(call) for call in calls]}
            case ToolFinished(result):
                self._note = None
                yield {
                    "role": "tool_result",
                    "tool_call_id": result.call.id,
                    "tool_name": result.call.name,
                    "result": llm.ToolResult(data=result.data, error=result.error),
                }
            case TurnFinished():
                self.finished = event

    def _open(self) -> Iterable[Delta]:
        """Begin a message of the assistant, if none has begun: speech needs to be told of it."""
        if self._note is None:
            self.begun = True
            self._note = Note()
            yield {"role": "assistant", "native": self._note}

    def _say_instead(self, sentence: str) -> Iterable[Delta]:
        begun = self._note is not None
        yield from self._open()
        if self._note is not None:
            self._note.failure = sentence
        yield {"content": f" … {sentence}" if begun else sentence}


def failure_content(agent_id: str, sentence: str) -> AssistantContent:
    """Return the message of a turn that failed before it began."""
    return AssistantContent(agent_id=agent_id, content=sentence, native=Note(failure=sentence))


def history(content: Iterable[Content], agent_id: str) -> list[Message]:
    """Return the messages of the finished turns in a chat log, without the system prompt.

    A turn that failed before a tool ran is as if it had not been. Of one that failed later the
    model gets what the tools did, and the sentence that the user heard.
    """
    messages: list[Message] = []
    for turn in _split(content):
        if _failed_without_a_trace(turn):
            continue
        messages += [message for item in turn if (message := _message(item, agent_id))]
    return messages


def local_turns(content: Iterable[Content], agent_id: str) -> list[Turn]:
    """Return the turns that Home Assistant answered itself, in an assistant with this agent."""
    return [
        Turn(
            at=turn[0].created,
            user=turn[0].content,
            messages=tuple(message for item in turn[1:] if (message := _message(item, agent_id))),
            agent=turn[-1].agent_id,
        )
        for turn in _split(content)
        if isinstance(turn[0], UserContent)
        and isinstance(turn[-1], AssistantContent)
        and turn[-1].agent_id in _LOCAL_AGENTS
        # Its calls are in the name of the agent that would have been asked otherwise.
        and any(isinstance(item, ToolResultContent) and item.agent_id == agent_id for item in turn)
    ]


def _split(content: Iterable[Content]) -> list[list[Content]]:
    turns: list[list[Content]] = []
    for item in content:
        if isinstance(item, UserContent):
            turns.append([])
        if turns:
            turns[-1].append(item)
    return turns


def _failed_without_a_trace(turn: list[Content]) -> bool:
    failed = any(
        isinstance(item, AssistantContent) and isinstance(item.native, Note) and item.native.failure
        for item in turn
    )
    return failed and not any(isinstance(item, ToolResultContent) for item in turn)


def _message(item: Content, agent_id: str) -> Message | None:
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
    if isinstance(item.native, Note):
        return Message.assistant(item.native.failure or item.content, calls)
    if item.agent_id == agent_id and not calls:
        # Not said by us: the text of an error with which Home Assistant closed a turn.
        return None
    return Message.assistant(item.content, calls)


def tool_input(call: ToolCall) -> llm.ToolInput:
    """Return a call as the chat log keeps it: one that the agent has made itself."""
    arguments: dict[str, Any] = call.arguments
    return llm.ToolInput(tool_name=call.name, tool_args=arguments, id=call.id, external=True)
