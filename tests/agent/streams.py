"""Streaming model: answers in given pieces, in either profile, alone or in the loop."""

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, override

from custom_components.chatterbox.agent.dialects.guided.guided_context import GuidedContext
from custom_components.chatterbox.agent.dialects.profile import Profile
from custom_components.chatterbox.agent.dialects.provider import DialectProvider, DialectSettings
from custom_components.chatterbox.agent.events import LoopEvent
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.mentions import Place
from custom_components.chatterbox.agent.messages import (
    Message,
    ToolAnnotations,
    ToolCall,
    ToolDefinition,
)
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    TextDelta,
)
from tests.agent.builders import entity, request
from tests.agent.fake_tools import READS, WRITES, FakeTool, guarded

HOUSE = HomeVocabulary(
    entities=(
        entity("Front Door", "lock", None, "lock", "unlock"),
        entity("Desk", "light", "Office", "on_off", "brightness", "color"),
        entity("Ceiling", "light", "Kitchen", "on_off"),
        entity("Sink", "light", "Kitchen", "on_off"),
    ),
    areas=(Place(name="Kitchen"), Place(name="Office")),
    kinds={"light": ["light"], "lock": ["lock"]},
)


class Agent(StrEnum):
    """Profile of the model, and behavior of its server."""

    CAPABLE = "capable"
    GUIDED = "guided"
    UNCONSTRAINED = "unconstrained"
    """Guided, with a server that ignores the response format."""

    @property
    def profile(self) -> Profile:
        """The profile of the model."""
        return Profile.CAPABLE if self is Agent.CAPABLE else Profile.GUIDED


@dataclass(frozen=True, slots=True)
class StreamedAnswer:
    """Answer in the pieces that its server sends."""

    pieces: Sequence[str] = ()
    calls: tuple[ToolCall, ...] = ()


@dataclass
class StreamingModel(LLMProvider):
    """Provider that gives one answer after the other, and the last one from then on.

    A constrained one that has to follow a schema says the same as the answer in that schema.
    """

    answers: Sequence[StreamedAnswer]
    requests: int = 0
    sent: list[str] = field(default_factory=list)
    """The pieces of all answers that have been sent."""
    is_constrained: bool = True

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the next answer."""
        answer = self.answers[min(self.requests, len(self.answers) - 1)]
        self.requests += 1
        answers_in_words = request.response_format is None or not self.is_constrained
        for piece in answer.pieces if answers_in_words else _object_of(answer.pieces):
            self.sent.append(piece)
            yield TextDelta(piece)
        reason = "tool_calls" if answer.calls else "stop"
        text = "".join(answer.pieces) or None
        yield Completed(
            CompletionResult(content=text, tool_calls=answer.calls, finish_reason=reason)
        )


def _object_of(pieces: Sequence[str]) -> Iterator[str]:
    """Yield an answer in the action grammar in pieces of the same lengths."""
    answer = {"topic": "other", "answer": "".join(pieces)}
    text = json.dumps(answer, ensure_ascii=len(pieces) % 2 == 0)
    for piece in pieces:
        yield text[: len(piece)]
        text = text[len(piece) :]
    yield text


def house_tool(
    tool_name: str, annotations: ToolAnnotations, returns: Any = "fine", **properties: Any
) -> FakeTool:
    """Return a tool of the house; its properties are the names of their types."""

    async def behave(_arguments: dict[str, Any]) -> Any:
        return returns

    schema = {key: {"type": kind} for key, kind in properties.items()}
    definition = ToolDefinition(
        name=tool_name,
        description=f"Does {tool_name}.",
        parameters={"type": "object", "properties": schema},
        annotations=annotations,
    )
    return FakeTool(definition, behave)


def house_tools(context: Any = "All lights are off.") -> dict[str, FakeTool]:
    """Return the tools of a house by name; `context` is what its reading tools return."""
    place = {"name": "string", "area": "string"}
    tools = [
        house_tool("HassTurnOn", WRITES, **place),
        house_tool("HassTurnOff", WRITES, **place),
        house_tool("HassLightSet", WRITES, **place, brightness="integer", color="string"),
        house_tool("HassListAddItem", WRITES, item="string", name="string"),
        house_tool("GetLiveContext", READS, context, **place),
        house_tool("get_weather", READS, context, city="string"),
        house_tool("todo_get_items", READS, context, todo_list="string"),
        house_tool("calendar_get_events", READS, context, calendar="string"),
    ]
    return {tool.definition.name: tool for tool in tools}


async def _house() -> GuidedContext:
    return GuidedContext(vocabulary=HOUSE)


def _provider(model: StreamingModel, agent: Agent) -> DialectProvider:
    model.is_constrained = agent is not Agent.UNCONSTRAINED
    settings = DialectSettings(profile=agent.profile)
    return DialectProvider(model, settings, guided_context=_house)


def ask(
    model: StreamingModel, tools: dict[str, FakeTool], user: str, agent: Agent = Agent.CAPABLE
) -> AsyncGenerator[ProviderEvent]:
    """Return the events of one request."""
    messages = [Message.system("You are a voice assistant."), Message.user(user)]
    definitions = [tool.definition for tool in tools.values()]
    return _provider(model, agent).stream(request(messages, definitions))


def turn(
    model: StreamingModel,
    tools: dict[str, FakeTool],
    user: str,
    history: Sequence[Message] = (),
    agent: Agent = Agent.CAPABLE,
) -> AsyncGenerator[LoopEvent]:
    """Return the events of a turn with all tools."""
    loop = AgenticLoop(_provider(model, agent), system_prompt="You are a voice assistant.")
    return loop.stream(user, history, guarded(*tools.values()))


def written_calls(tools: dict[str, FakeTool]) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls of tools that change something."""
    return [
        (name, arguments)
        for name, tool in tools.items()
        if not tool.definition.annotations.read_only
        for arguments in tool.calls
    ]
