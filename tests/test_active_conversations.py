"""Active conversations: one turn at a time in each."""

import asyncio

from custom_components.chatterbox.active_conversations import (
    ActiveConversation,
    ActiveConversations,
)
from custom_components.chatterbox.agent.tools.recording import RecordingDispatcher

from .agent.builders import call
from .agent.fake_tools import WRITES, fake_tool, guarded, waiting
from .builders import user_message


async def forever() -> None:
    await asyncio.Event().wait()


async def test_newest_of_several_messages_goes_on_after_an_interruption() -> None:
    conversation, first = ActiveConversation(), user_message("One")
    running = asyncio.Event()

    async def turn() -> None:
        async with conversation.begin(first):
            running.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(turn())
    await running.wait()
    later = [user_message("Two"), user_message("Three")]
    assert await asyncio.gather(*map(conversation.async_interrupt, later)) == [False, True]
    await task
    assert not conversation.scope.running
    assert await conversation.async_interrupt(first)


async def test_given_up_jobs_are_cancelled_and_waited_for() -> None:
    conversations = ActiveConversations()
    await conversations.async_give_up_jobs()
    jobs = conversations.get("one", user_message()).jobs
    job = asyncio.create_task(forever())
    jobs.add(job)
    job.add_done_callback(jobs.discard)
    assert conversations.jobs == [job]
    await conversations.async_give_up_jobs()
    assert job.cancelled()
    assert conversations.jobs == []


async def test_conversation_with_a_job_is_kept_beyond_the_limit_and_cancelled_as_a_whole() -> None:
    conversations, message = ActiveConversations(), user_message()
    first = conversations.get("0", message)
    assert not first.cancel()
    job = asyncio.create_task(forever())
    first.jobs.add(job)
    for number in range(1, 300):
        conversations.get(str(number), message)
    assert conversations.find("0") == [first]
    assert first.cancel()
    await asyncio.wait({job})
    assert job.cancelled()


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
    assert first.user_id is None
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


async def test_stop_sentence_tells_whether_a_change_is_still_being_completed() -> None:
    released = asyncio.Event()
    tool = fake_tool("dim", waiting(released), annotations=WRITES)
    conversation = ActiveConversation()
    assert conversation.stop_sentence == "stopped"
    conversation.tools = RecordingDispatcher(guarded(tool))
    task = asyncio.create_task(conversation.tools.dispatch(call("dim")))
    await tool.started.wait()
    assert conversation.stop_sentence == "stopped_writing"
    released.set()
    await task
    assert conversation.stop_sentence == "stopped"
