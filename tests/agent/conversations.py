"""Builders of conversations for the tests."""

from datetime import UTC, datetime, timedelta
from typing import Any

from custom_components.chatterbox.agent.conversation_index import Caller
from custom_components.chatterbox.agent.messages import Message, ToolCall, envelope
from custom_components.chatterbox.agent.store import Conversation, Turn

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def call(call_id: str = "call_1", name: str = "get_weather", **arguments: Any) -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


def result(call_id: str = "call_1", data: Any = "sunny") -> Message:
    return Message.tool(call_id, envelope(data, error=False))


def turn(number: int = 0, user: str | None = None, *messages: Message) -> Turn:
    """Return the turn of a minute after noon; without messages one with a plain answer."""
    return Turn(
        at=NOON + timedelta(minutes=number),
        user=user or f"Question {number}",
        messages=messages or (Message.assistant(f"Answer {number}"),),
        agent="conversation.test",
    )


def conversation(*turns: Turn, **values: Any) -> Conversation:
    """Return a conversation of Ann's."""
    defaults: dict[str, Any] = {
        "id": "0" * 32,
        "ids": ("kitchen",),
        "owner": "ann",
        "device": None,
        "created": NOON,
        "last_used": max([NOON, *(each.at for each in turns)]),
    }
    return Conversation(**{**defaults, "turns": turns, **values})


def caller(active_id: str = "kitchen", **values: Any) -> Caller:
    return Caller(active_id=active_id, **{"owner": "ann", **values})
