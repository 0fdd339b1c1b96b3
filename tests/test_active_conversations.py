"""Active conversations, and the rest of cancelled turns."""

import asyncio
from collections.abc import AsyncGenerator
from typing import override

from custom_components.chatterbox.active_conversations import (
    ActiveConversation,
    ActiveConversations,
    TurnRecorder,
)
from custom_components.chatterbox.agent.events import LoopEvent, ToolCallsRequested
from custom_components.chatterbox.agent.messages import (
    Message,
    ToolCall,
    ToolDefinition,
    ToolResult,
)
from custom_components.chatterbox.agent.model.provider import TextDelta
from custom_components.chatterbox.agent.tools.dispatcher import ToolDispatcher
from custom_components.chatterbox.agent.tools.recording import RecordingDispatcher

from .builders import user_message


class Sunny(ToolDispatcher):
    """Returns the same result for every call."""

    @property
    @override
    def definitions(self) -> list[ToolDefinition]:
        return []

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        return ToolResult(call=call, data="sunny")


def test_oldest_conversation_is_dropped_beyond_the_limit() -> None:
    conversations, message = ActiveConversations(), user_message()
    first = conversations.get("0", message)
    for number in range(200):
        conversations.get(str(number), message)
    assert conversations.get("0", message) is first
    conversations.get("200", message)
    conversations.get("201", message)
    assert conversations.get("0", message) is first


async def test_running_conversation_is_kept_beyond_the_limit() -> None:
    conversations, message = ActiveConversations(), user_message()
    first = conversations.get("0", message)
    async with first.begin(message):
        for number in range(1, 300):
            conversations.get(str(number), message)
        assert conversations.get("0", message) is first


def test_conversation_continues_under_a_new_id_for_the_same_user() -> None:
    conversations = ActiveConversations()
    by_ada = user_message(user_id="ada", conversation_id="first")
    by_bob = user_message(user_id="bob", conversation_id="first")
    unknown = user_message(user_id="ada", conversation_id="unknown")
    first = conversations.get("first", user_message(user_id="ada"))
    first.begin(user_message(user_id="ada"))
    assert conversations.get("second", by_ada) is first
    assert conversations.get("third", by_bob) is not first
    assert conversations.get("fourth", unknown) is not first


async def test_running_conversation_is_found_by_its_user_and_its_device() -> None:
    conversations = ActiveConversations()
    message = user_message(user_id="ada", conversation_id="one", device_id="satellite")
    conversation = conversations.get("one", message)
    assert conversations.find_busy(message) is None
    async with conversation.begin(message):
        assert conversations.running() == conversations.running("one") == [conversation]
        assert conversations.running("two") == []
        assert conversations.find_busy(message) is conversation
        assert conversations.find_busy(user_message(conversation_id="one")) is None
        assert conversations.find_on_device("satellite") is conversation
        assert conversations.find_on_device("another") is None
        assert conversations.find_on_device(None) is None
    assert conversations.running() == []
    assert conversations.find_on_device("satellite") is None


async def test_pending_tools_are_waited_for_once_they_are_done() -> None:
    conversation, done = ActiveConversation(), asyncio.Event()
    assert await conversation.wait_for_pending_tools(0)

    async def finish() -> None:
        await done.wait()

    conversation.pending_tools = asyncio.create_task(finish())
    assert not await conversation.wait_for_pending_tools(0)
    done.set()
    assert await conversation.wait_for_pending_tools(5)
    assert conversation.pending_tools is None


async def test_recorder_returns_the_calls_of_a_cancelled_turn_with_their_results() -> None:
    look = ToolCall(id="c1", name="look", arguments={})
    ledger = RecordingDispatcher(Sunny())
    recorder = TurnRecorder(ledger)
    assert not TurnRecorder(ledger).called

    async def turn() -> AsyncGenerator[LoopEvent]:
        yield TextDelta("One ")
        yield TextDelta("moment.")
        yield ToolCallsRequested((look,))
        await ledger.dispatch(look)
        yield TextDelta("It is")

    events = [event async for event in recorder.record(turn())]
    assert len(events) == 4
    assert recorder.called
    result = await ledger.outcome(look)
    assert result.data == "sunny"
    assert await recorder.messages("Stopped.") == [
        Message.assistant("One moment.", [look]),
        Message.tool("c1", result.content),
        Message.assistant("Stopped."),
    ]
