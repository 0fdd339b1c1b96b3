"""Requests to the scripted model over HTTP, and raw replies of its server."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from custom_components.chatterbox.agent.messages import Message, ToolDefinition
from custom_components.chatterbox.agent.model.openai_provider import (
    OpenAICompatibleProvider,
    OpenAICompatibleServer,
)
from custom_components.chatterbox.agent.model.provider import ProviderEvent
from custom_components.chatterbox.agent.model.request_body import ModelSettings
from tests.agent.builders import request
from tests.fake_openai import Reply

MODEL = "scripted-1"
MESSAGES = [Message.system("Be brief."), Message.user("Hello?")]
QUESTION = request(MESSAGES)
TOOLS = [
    ToolDefinition(name="get_weather", description="Tells the weather."),
    ToolDefinition(name="turn_on", description="Turns something on."),
]


def provider(
    server: OpenAICompatibleServer, *, more: Mapping[str, Any] | None = None, **settings: Any
) -> OpenAICompatibleProvider:
    """Return the provider of the scripted model; `more` goes to the server's `provider`."""
    return server.provider(ModelSettings(model=MODEL, **settings), **(more or {}))


async def events(
    asked: OpenAICompatibleProvider, tools: Sequence[ToolDefinition] = ()
) -> list[ProviderEvent]:
    """Return all events of an answer."""
    return [event async for event in asked.stream(request(MESSAGES, tools))]


def delta(finish_reason: str | None = None, **content: Any) -> dict[str, Any]:
    """Return a chunk of a stream."""
    return {"choices": [{"index": 0, "delta": content, "finish_reason": finish_reason}]}


def raw_stream(*chunks: Mapping[str, Any]) -> Reply:
    """Return a reply that is exactly these chunks."""
    lines = [json.dumps(chunk) for chunk in chunks] + ["[DONE]"]
    body = "".join(f"data: {line}\n\n" for line in lines)
    return Reply(body=body, headers={"Content-Type": "text/event-stream"})


def raw_whole(content: Any) -> Reply:
    """Return a reply that is exactly this JSON."""
    return Reply(body=json.dumps(content))


def fragment(
    index: int | None = None,
    call_id: str | None = None,
    name: str | None = None,
    arguments: str | None = None,
) -> dict[str, Any]:
    """Return a fragment of a tool call; parts that are None are omitted."""
    function = {"name": name, "arguments": arguments}
    pieces = {
        "index": index,
        "id": call_id,
        "function": {key: value for key, value in function.items() if value is not None},
    }
    return {key: value for key, value in pieces.items() if value is not None}
