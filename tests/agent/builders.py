"""Builders of messages, requests, tools, entities and conversations."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from custom_components.chatterbox.agent.events import LoopOutcome
from custom_components.chatterbox.agent.memory.index import Caller
from custom_components.chatterbox.agent.memory.store import StoredConversation, StoredTurn
from custom_components.chatterbox.agent.mentions import ExposedEntity
from custom_components.chatterbox.agent.messages import Message, ToolCall, ToolDefinition, envelope
from custom_components.chatterbox.agent.model.provider import CompletionRequest
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.agent.trace import ToolTrace, TurnTrace

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def tool_trace(*, ok: bool = True) -> ToolTrace:
    return ToolTrace(name="look", arguments={}, ok=ok, seconds=0.5)


def turn_trace(**values: Any) -> TurnTrace:
    """Return the trace of a finished turn without a tool."""
    defaults: dict[str, Any] = {
        "id": "1",
        "conversation_id": "kitchen",
        "outcome": LoopOutcome.FINAL,
        "iterations": 1,
        "seconds": 1.0,
        "first_token": 0.25,
        "usage": UsageStats(),
        "tools": (),
    }
    return TurnTrace(**{**defaults, **values})


def stored_call(call_id: str = "call_1", name: str = "get_weather", **arguments: Any) -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


def stored_result(call_id: str = "call_1", data: Any = "sunny") -> Message:
    return Message.tool(call_id, envelope(data, error=False))


def stored_turn(number: int = 0, user: str | None = None, *messages: Message) -> StoredTurn:
    """Return the turn of a minute after noon; without messages one with a plain answer."""
    return StoredTurn(
        at=NOON + timedelta(minutes=number),
        user=user or f"Question {number}",
        messages=messages or (Message.assistant(f"Answer {number}"),),
        agent="conversation.test",
    )


def stored_conversation(*turns: StoredTurn, **values: Any) -> StoredConversation:
    """Return a conversation of Ann's."""
    defaults: dict[str, Any] = {
        "id": "0" * 32,
        "ids": ("kitchen",),
        "owner": "ann",
        "device": None,
        "created": NOON,
        "last_used": max([NOON, *(each.at for each in turns)]),
    }
    return StoredConversation(**{**defaults, "turns": turns, **values})


def caller(active_id: str = "kitchen", **values: Any) -> Caller:
    return Caller(active_id=active_id, **{"owner": "ann", **values})


# Histories with any defect that a stored one may have.
IDS = st.sampled_from(["", "a", "b", "a_2"])
TEXTS = st.one_of(st.none(), st.sampled_from(["", "Yes.", "Error: cancelled", "x" * 300]))
CALLS = st.lists(st.builds(stored_call, IDS), max_size=3)
MESSAGES = st.one_of(
    st.builds(Message.user, st.sampled_from(["", "Turn it on", "And now?"])),
    st.builds(Message.assistant, TEXTS, CALLS),
    st.builds(Message.tool, IDS, st.one_of(TEXTS.filter(bool), st.just('{"success":true}'))),
    st.builds(Message.system, st.just("Another one.")),
)
HISTORIES = st.lists(MESSAGES, max_size=30)


def request(
    messages: Sequence[Message] = (), tools: Sequence[ToolDefinition] = (), **more: Any
) -> CompletionRequest:
    """Return a request; `more` are its other fields."""
    return CompletionRequest(messages=tuple(messages), tools=tuple(tools), **more)


def call(name: str = "look", call_id: str = "call_1", **arguments: Any) -> ToolCall:
    """Return a call."""
    return ToolCall(id=call_id, name=name, arguments=arguments)


def tool(tool_name: str, /, required: Sequence[str] = (), **properties: Any) -> ToolDefinition:
    """Return a tool; its properties are schemas, or the names of their types."""
    return ToolDefinition(
        name=tool_name,
        description=f"Does {tool_name}.",
        parameters={
            "type": "object",
            "properties": {
                key: {"type": schema} if isinstance(schema, str) else schema
                for key, schema in properties.items()
            },
            "required": list(required),
        },
    )


def entity(
    name: str, domain: str, area: str | None = None, *capabilities: str, **more: Any
) -> ExposedEntity:
    """Return an entity."""
    return ExposedEntity(
        name=name, domain=domain, area=area, capabilities=frozenset(capabilities), **more
    )
