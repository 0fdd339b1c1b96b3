"""A scripted model, tools that tell what happens to them, and short ways to make things."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, override

from custom_components.chatterbox.agent.events import (
    LoopEvent,
    LoopState,
    StateChanged,
    TurnFinished,
)
from custom_components.chatterbox.agent.loop import AgenticLoop, LoopSettings
from custom_components.chatterbox.agent.messages import (
    Message,
    ToolAnnotations,
    ToolCall,
    ToolDefinition,
    ToolResult,
)
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
    ToolChoice,
)
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.agent.tools.dispatcher import ToolDispatcher
from custom_components.chatterbox.agent.tools.guard import ToolGuard
from custom_components.chatterbox.agent.tools.registry import ToolRegistry

READS = ToolAnnotations(read_only=True, destructive=False, idempotent=True)
WRITES = ToolAnnotations()


@dataclass(frozen=True)
class Answer:
    """What the model answers to one request. An error is raised behind the text."""

    text: str | None = None
    calls: tuple[ToolCall, ...] = ()
    reason: str = "stop"
    usage: UsageStats | None = None
    reasoning: str | None = None
    error: Exception | None = None
    hang: bool = False
    """Whether the answer never ends."""


@dataclass(frozen=True)
class Asked:
    """One request to the model."""

    messages: list[Message]
    tools: list[ToolDefinition]
    tool_choice: ToolChoice

    @property
    def wire(self) -> list[dict[str, Any]]:
        """The messages as they are sent."""
        return [message.to_wire() for message in self.messages]


def request(
    messages: Sequence[Message] = (), tools: Sequence[ToolDefinition] = (), **more: Any
) -> CompletionRequest:
    """Return a request; `more` are its other fields."""
    return CompletionRequest(messages=tuple(messages), tools=tuple(tools), **more)


class ScriptedProvider(LLMProvider):
    """A model that gives one answer after the other, and the last one from then on."""

    def __init__(self, *answers: Answer) -> None:
        """Take the answers."""
        self._answers = answers
        self.asked: list[Asked] = []
        self.hanging = asyncio.Event()
        self.closed = 0
        """How many answers have come to their end, good or bad."""

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer word by word, then what it is as a whole."""
        answer = self._answers[min(len(self.asked), len(self._answers) - 1)]
        asked = Asked(list(request.messages), list(request.tools), request.tool_choice)
        self.asked.append(asked)
        try:
            if answer.reasoning is not None:
                yield ReasoningDelta(answer.reasoning)
            for word in re.findall(r"\s*\S+|\s+", answer.text or ""):
                yield TextDelta(word)
            if answer.hang:
                self.hanging.set()
                await asyncio.get_running_loop().create_future()
            if answer.error is not None:
                raise answer.error
            yield Completed(
                CompletionResult(
                    content=answer.text,
                    tool_calls=answer.calls,
                    finish_reason=answer.reason,
                    usage=answer.usage,
                )
            )
        finally:
            self.closed += 1


@dataclass
class FakeTool:
    """A tool that does what it is told and keeps what it was called with."""

    definition: ToolDefinition
    behaviour: Callable[[dict[str, Any]], Awaitable[Any]]

    def __post_init__(self) -> None:
        """Nothing has happened yet."""
        self.calls: list[dict[str, Any]] = []
        self.finished = 0
        self.started = asyncio.Event()
        self.ended = asyncio.Event()
        """Set when a call has come to its own end."""
        self.stopped = asyncio.Event()
        """Set when a call is cancelled."""

    async def call(self, arguments: dict[str, Any]) -> Any:
        """Behave."""
        self.calls.append(arguments)
        self.started.set()
        try:
            result = await self.behaviour(arguments)
        except asyncio.CancelledError:
            self.stopped.set()
            raise
        self.finished += 1
        self.ended.set()
        return result


def fake_tool(
    name: str = "look",
    behaviour: Callable[[dict[str, Any]], Awaitable[Any]] | None = None,
    *,
    returns: Any = "fine",
    raises: Exception | None = None,
    annotations: ToolAnnotations = READS,
) -> FakeTool:
    """Return a tool that returns something, raises something, or behaves in its own way."""

    async def behave(_arguments: dict[str, Any]) -> Any:
        if raises is not None:
            raise raises
        return returns

    definition = ToolDefinition(
        name=name,
        description=f"Does {name}.",
        parameters={"properties": {"where": {"type": "string"}}},
        annotations=annotations,
    )
    return FakeTool(definition, behaviour or behave)


def waiting(event: asyncio.Event, returns: Any = "fine") -> Callable[[Any], Awaitable[Any]]:
    """Return the behaviour of a tool that waits for an event."""

    async def behave(_arguments: dict[str, Any]) -> Any:
        await event.wait()
        return returns

    return behave


def guarded(*tools: FakeTool, **options: Any) -> ToolGuard:
    """Return a dispatcher for these tools."""
    return ToolGuard(ToolRegistry(tools), **options)


def call(name: str = "look", call_id: str = "call_1", **arguments: Any) -> ToolCall:
    """Return a call."""
    return ToolCall(id=call_id, name=name, arguments=arguments)


def calls(*names: str) -> Answer:
    """Return an answer that calls these tools, with the ids `call_1`, `call_2`, …."""
    made = [call(name, f"call_{number}") for number, name in enumerate(names, start=1)]
    return Answer(calls=tuple(made), reason="tool_calls")


class RaisingDispatcher(ToolDispatcher):
    """A dispatcher that does not keep to its contract: every call raises an error."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    @property
    @override
    def definitions(self) -> list[ToolDefinition]:
        """Return one tool."""
        return [fake_tool().definition]

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Raise."""
        raise self._error


async def collect(events: AsyncIterable[LoopEvent]) -> list[LoopEvent]:
    """Return all events of a turn."""
    return [event async for event in events]


async def collect_until[E: BaseException](
    kind: type[E], events: AsyncIterable[LoopEvent]
) -> tuple[list[LoopEvent], E]:
    """Return the events of a turn that ends with an error, and the error."""
    told: list[LoopEvent] = []
    try:
        async for event in events:
            told.append(event)  # noqa: PERF401 - what came before the error is kept
    except kind as err:
        return told, err
    raise AssertionError(f"no {kind.__name__} after {told}")


def only[T](kind: type[T], events: Iterable[object]) -> list[T]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def states(events: Iterable[object]) -> list[LoopState]:
    """Return the states that a turn went through."""
    return [event.state for event in only(StateChanged, events)]


async def run_turn(
    *answers: Answer,
    tools: Sequence[FakeTool] | None = None,
    settings: LoopSettings | None = None,
) -> tuple[TurnFinished, list[LoopEvent], ScriptedProvider]:
    """Run a turn to its end; return its last event, all of them, and the model."""
    provider = ScriptedProvider(*answers)
    loop = AgenticLoop(provider, settings)
    dispatcher = None if tools is None else guarded(*tools)
    events = await collect(loop.stream("Hello?", [], dispatcher))
    (finished,) = only(TurnFinished, events)
    assert events[-1] is finished
    return finished, events, provider


def spoken(events: Sequence[LoopEvent]) -> str:
    """Return what was heard."""
    return "".join(event.text for event in only(TextDelta, events))
