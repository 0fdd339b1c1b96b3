"""Builders of conversations for the tests."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from custom_components.chatterbox.agent.memory.index import Caller
from custom_components.chatterbox.agent.memory.store import StoredConversation, StoredTurn
from custom_components.chatterbox.agent.messages import Message, ToolCall, envelope

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def call(call_id: str = "call_1", name: str = "get_weather", **arguments: Any) -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


def result(call_id: str = "call_1", data: Any = "sunny") -> Message:
    return Message.tool(call_id, envelope(data, error=False))


def turn(number: int = 0, user: str | None = None, *messages: Message) -> StoredTurn:
    """Return the turn of a minute after noon; without messages one with a plain answer."""
    return StoredTurn(
        at=NOON + timedelta(minutes=number),
        user=user or f"Question {number}",
        messages=messages or (Message.assistant(f"Answer {number}"),),
        agent="conversation.test",
    )


def conversation(*turns: StoredTurn, **values: Any) -> StoredConversation:
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


# Histories as they may be found: nothing about them is right for sure.
IDS = st.sampled_from(["", "a", "b", "a_2"])
TEXTS = st.one_of(st.none(), st.sampled_from(["", "Yes.", "Error: cancelled", "x" * 300]))
CALLS = st.lists(st.builds(call, IDS), max_size=3)
MESSAGES = st.one_of(
    st.builds(Message.user, st.sampled_from(["", "Turn it on", "And now?"])),
    st.builds(Message.assistant, TEXTS, CALLS),
    st.builds(Message.tool, IDS, st.one_of(TEXTS.filter(bool), st.just('{"success":true}'))),
    st.builds(Message.system, st.just("Another one.")),
)
HISTORIES = st.lists(MESSAGES, max_size=30)
