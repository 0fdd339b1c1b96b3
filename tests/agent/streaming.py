"""A model whose answers come in given pieces, behind a dialect and within the loop."""

import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

from custom_components.chatterbox.agent.dialects.dialect import DialectName, DialectSettings
from custom_components.chatterbox.agent.dialects.provider import DialectProvider
from custom_components.chatterbox.agent.events import LoopEvent
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.messages import (
    Message,
    ToolAnnotations,
    ToolCall,
    ToolDefinition,
)
from custom_components.chatterbox.agent.provider import (
    Completed,
    CompletionResult,
    ProviderEvent,
    ResponseFormat,
    TextDelta,
    ToolChoice,
)

from .fakes import READS, WRITES, FakeTool, guarded

CAPABLE = "gpt-4o"
GUIDED = "qwen2.5-coder-1.5b-instruct"


@dataclass(frozen=True, slots=True)
class StreamedAnswer:
    """An answer as its server sends it."""

    pieces: Sequence[str] = ()
    calls: tuple[ToolCall, ...] = ()


@dataclass
class StreamingModel:
    """A model that gives one answer after the other, and the last one from then on.

    Where it has to follow a schema, what it says is the answer in that schema.
    """

    answers: Sequence[StreamedAnswer]
    requests: int = 0
    sent: list[str] = field(default_factory=list)
    """The pieces of all answers that have been sent."""

    async def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None = None,
        *,
        tool_choice: ToolChoice = "auto",
        response_format: ResponseFormat | None = None,
    ) -> AsyncGenerator[ProviderEvent]:
        """Yield the next answer."""
        answer = self.answers[min(self.requests, len(self.answers) - 1)]
        self.requests += 1
        for piece in _constrained(answer.pieces, response_format):
            self.sent.append(piece)
            yield TextDelta(piece)
        reason = "tool_calls" if answer.calls else "stop"
        text = "".join(answer.pieces) or None
        yield Completed(
            CompletionResult(content=text, tool_calls=answer.calls, finish_reason=reason)
        )


def _constrained(pieces: Sequence[str], response_format: ResponseFormat | None) -> Sequence[str]:
    if response_format is None:
        return pieces
    said = {"answer": "".join(pieces)}
    topic = {"topic": "other"} if '"topic"' in json.dumps(dict(response_format)) else {}
    return [json.dumps({**topic, **said}, ensure_ascii=False)]


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


def ask(
    model: StreamingModel,
    tools: dict[str, FakeTool],
    user: str,
    *,
    name: str = CAPABLE,
    dialect: DialectName = DialectName.AUTO,
) -> AsyncGenerator[ProviderEvent]:
    """Ask the model once, behind a dialect."""
    provider = DialectProvider(model, name, DialectSettings(dialect=dialect))
    messages = [Message.system("You are a voice assistant."), Message.user(user)]
    return provider.stream(messages, [tool.definition for tool in tools.values()])


def turn(
    model: StreamingModel,
    tools: dict[str, FakeTool],
    user: str,
    history: Sequence[Message] = (),
    *,
    name: str = CAPABLE,
    dialect: DialectName = DialectName.AUTO,
) -> AsyncGenerator[LoopEvent]:
    """Start a turn with all tools."""
    provider = DialectProvider(model, name, DialectSettings(dialect=dialect))
    loop = AgenticLoop(provider, system_prompt="You are a voice assistant.")
    return loop.stream(user, history, guarded(*tools.values()))


def written_calls(tools: dict[str, FakeTool]) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls of tools that change something."""
    return [
        (name, arguments)
        for name, tool in tools.items()
        if not tool.definition.annotations.read_only
        for arguments in tool.calls
    ]
