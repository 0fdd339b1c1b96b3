"""Conversation history of an agent in Home Assistant."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockUser,
    async_fire_time_changed,
    async_mock_service,
)

from custom_components.chatterbox import agent_history as history
from custom_components.chatterbox.data import Agent
from custom_components.chatterbox.options import AgentOptions
from homeassistant.components import conversation
from homeassistant.components.conversation import (
    HOME_ASSISTANT_AGENT,
    AssistantContent,
    ConversationInput,
    ConversationResult,
    ToolResultContent,
)
from homeassistant.components.conversation.chat_log import async_get_chat_log
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import chat_session, llm
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util

from .builders import user_message
from .conversation_helpers import AGENT, perform, restart, speech
from .fake_openai import Call, FakeOpenAI, Fault, Gate, Reply
from .fake_openai.history import history_problems

ULID = "01KXYZ0000000000000000000A"

type Ask = Callable[..., Any]


@pytest.fixture
async def home(hass: HomeAssistant, disk: Path) -> HomeAssistant:
    """Return a home with a disk and one lamp."""
    for component in ("homeassistant", "conversation", "intent", "llm"):
        assert await async_setup_component(hass, component, {})
    for name in ("ann", "bob"):
        MockUser(id=name, name=None, is_owner=False).add_to_hass(hass)
    hass.states.async_set("light.desk", "off", {"friendly_name": "Desk"})
    async_expose_entity(hass, conversation.DOMAIN, "light.desk", should_expose=True)
    async_mock_service(hass, "light", "turn_on")
    return hass


@pytest.fixture
def ask(home: HomeAssistant, loaded_entry: MockConfigEntry) -> Ask:
    """Return what asks the agent, in the conversation `kitchen` unless told otherwise."""

    async def converse(
        text: str,
        conversation_id: str | None = "kitchen",
        *,
        user: str | None = "ann",
        device: str | None = None,
    ) -> ConversationResult:
        result = await conversation.async_converse(
            home,
            text,
            conversation_id,
            Context(user_id=user),
            language="en",
            agent_id=AGENT,
            device_id=device,
        )
        await home.async_block_till_done(wait_background_tasks=True)
        return result

    return converse


def stored(disk: Path) -> list[Path]:
    """Return the files of the conversations."""
    return list(disk.glob(".storage/chatterbox.history/*/*/*"))


def forget_session(hass: HomeAssistant) -> None:
    """Let Home Assistant forget its conversations, as it does after minutes of silence."""
    sessions = hass.data[chat_session.DATA_CHAT_SESSION]
    for session in list(sessions.values()):
        session.async_cleanup()
    sessions.clear()


async def cancel_at(gate: Gate, asked: Coroutine[Any, Any, ConversationResult]) -> None:
    """Ask, and cancel the turn when the answer is held at the gate, which is opened then."""
    asking = asyncio.ensure_future(asked)
    await gate.reached.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    gate.open()


def messages(server: FakeOpenAI, index: int = -1) -> list[dict[str, Any]]:
    """Return the messages of a completion request, which have to be valid."""
    found: list[dict[str, Any]] = server.completions[index].json["messages"]
    assert history_problems(found) == []
    return found


def users(server: FakeOpenAI, index: int = -1) -> list[str]:
    return [each["content"] for each in messages(server, index) if each["role"] == "user"]


async def answer_locally(
    hass: HomeAssistant, text: str, conversation_id: str = "kitchen", agent: str = AGENT
) -> str:
    """Let Home Assistant answer by itself, as an assistant does that prefers local handling."""
    context = Context(user_id="ann")
    asked = ConversationInput(
        text=text,
        context=context,
        conversation_id=conversation_id,
        device_id=None,
        satellite_id=None,
        language="en",
        agent_id=agent,
    )
    with chat_session.async_get_chat_session(hass, conversation_id) as session:
        with async_get_chat_log(hass, session, asked) as chat_log:
            call = llm.ToolInput(tool_name="HassTurnOn", tool_args={"name": "Desk"}, external=True)
            for content in (
                AssistantContent(agent_id=agent, tool_calls=[call]),
                ToolResultContent(
                    agent_id=agent,
                    tool_call_id=call.id,
                    tool_name=call.tool_name,
                    result=llm.ToolResult(data={"response_type": "action_done"}),
                ),
                AssistantContent(agent_id=HOME_ASSISTANT_AGENT, content="Turned on the light"),
            ):
                chat_log.async_add_assistant_content_without_tools(content)
        return session.conversation_id


# Continuing a conversation.


async def test_conversation_is_continued_after_a_restart(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    server.script(
        Reply("One moment.", tool_calls=[Call("*HassTurnOn", {"name": "Desk"})]),
        Reply("It is on."),
        Reply(tool_calls=[Call("get_current_datetime", {"timezone": "Asia/Tokyo"})]),
        Reply("Late."),
        Reply("I am fine."),
    )
    for text in ("Turn on the lamp", "How late is it in Tokyo?", "How are you?"):
        await ask(text)
    before = messages(server)
    await restart(home, loaded_entry)
    await ask("What did I ask first?")
    after = messages(server)
    assert after[1 : len(before)] == before[1:]
    assert users(server) == [
        "Turn on the lamp",
        "How late is it in Tokyo?",
        "How are you?",
        "What did I ask first?",
    ]
    assert [each["role"] for each in after].count("tool") == 2
    assert after[2]["tool_calls"][0]["function"]["arguments"] == '{"name":"Desk"}'


@pytest.mark.parametrize("user", ["bob", None])
async def test_history_is_not_shared_with_other_users(
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
    user: str | None,
) -> None:
    await ask("My secret is tea")
    await ask("Psst", user=user)
    assert users(server) == ["Psst"]
    await restart(home, loaded_entry)
    await ask("What is my secret?", user=user)
    assert users(server) == ["Psst", "What is my secret?"]
    forget_session(home)
    await ask("And mine?")
    assert users(server) == ["My secret is tea", "And mine?"]


async def test_expired_session_is_continued(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    await ask("One")
    forget_session(home)
    await ask("Two")
    assert users(server) == ["One", "Two"]


async def test_replaced_id_is_continued(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    first = (await ask("One", None)).conversation_id
    await restart(home, loaded_entry)
    second = (await ask("Two", first)).conversation_id
    assert second != first
    assert users(server) == ["One", "Two"]
    await ask("Three", second)
    assert users(server) == ["One", "Two", "Three"]
    await restart(home, loaded_entry)
    await ask("Four", second, user="bob")
    assert users(server) == ["Four"]
    await ask("Five", ULID)
    assert users(server) == ["Five"]


@pytest.mark.parametrize("agent_options", [{"memory_scope": "device"}])
async def test_device_continues_its_latest_conversation(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    await ask("One", None, device="satellite", user=None)
    await restart(home, loaded_entry)
    await ask("Two", None, device="satellite", user=None)
    assert users(server) == ["One", "Two"]
    await ask("Three", None, device="other", user=None)
    assert users(server) == ["Three"]
    await ask("Four", None, device="satellite", user="ann")
    assert users(server) == ["Four"]


@pytest.mark.parametrize("agent_options", [{"memory_scope": "user"}])
async def test_user_continues_on_any_device(ask: Ask, server: FakeOpenAI) -> None:
    await ask("One", None, device="phone")
    await ask("Two", None, device="tablet")
    assert users(server) == ["One", "Two"]
    await ask("Three", None, device="phone", user="bob")
    assert users(server) == ["Three"]


@pytest.mark.parametrize("agent_options", [{"remember": "none"}])
async def test_without_retention_nothing_is_stored(
    ask: Ask, server: FakeOpenAI, disk: Path
) -> None:
    await ask("One")
    await ask("Two")
    assert users(server) == ["Two"]
    assert stored(disk) == []


@pytest.mark.parametrize("agent_options", [{"remember": "session"}])
async def test_session_retention_deletes_with_the_session(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, disk: Path
) -> None:
    await ask("One")
    await ask("Two")
    assert users(server) == ["One", "Two"]
    assert stored(disk) == []
    forget_session(home)
    await home.async_block_till_done(wait_background_tasks=True)
    await ask("Three")
    assert users(server) == ["Three"]


@pytest.mark.parametrize("agent_options", [{"remember": "session"}])
async def test_session_retention_deletes_interrupted_conversations_with_the_session(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    """Although Home Assistant may drop the chat log of a turn that was cancelled."""
    gate = Gate(after=2)
    server.script(Reply("A very long answer indeed", hold=gate))
    await cancel_at(gate, ask("One"))
    await home.async_block_till_done(wait_background_tasks=True)
    forget_session(home)
    await home.async_block_till_done(wait_background_tasks=True)
    kept = await perform(home, "list_conversations", agent=AGENT)
    assert kept["conversations"] == []
    await ask("Two")
    assert users(server) == ["Two"]


async def test_phrase_starts_a_new_conversation(ask: Ask, server: FakeOpenAI) -> None:
    await ask("One")
    asked = len(server.completions)
    assert speech(await ask("New conversation.")) == "All right, this is a new conversation."
    assert len(server.completions) == asked
    await ask("Two")
    assert users(server) == ["Two"]
    await ask("Three")
    assert users(server) == ["Two", "Three"]


# Turns that Home Assistant handles itself.


async def test_local_turn_is_recorded(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    active = (await ask("One", ULID)).conversation_id
    await answer_locally(home, "Turn on the desk", active)
    await home.async_block_till_done(wait_background_tasks=True)
    await restart(home, loaded_entry)
    await ask("What did you do?", active)
    assert users(server) == ["One", "Turn on the desk", "What did you do?"]
    roles = [each["role"] for each in messages(server)[3:]]
    assert roles == ["user", "assistant", "tool", "assistant", "user"]


async def test_local_turn_before_the_first_request_is_recorded(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    active = await answer_locally(home, "Turn on the desk", ULID)
    await ask("What did you do?", active)
    await ask("Again?", active)
    assert users(server) == ["Turn on the desk", "What did you do?", "Again?"]


async def test_local_turn_of_another_agent_is_not_recorded(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    active = await answer_locally(home, "Turn on the desk", ULID, "conversation.other")
    await ask("What did you do?", active)
    assert users(server) == ["What did you do?"]


@pytest.mark.parametrize(
    ("release", "known"),
    [("2026.11", ["Turn on the desk", "What did you do?"]), ("2026.10", ["What did you do?"])],
)
async def test_without_session_users_only_generated_ids_are_trusted(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, release: str, known: list[str]
) -> None:
    """Home Assistant 2026.10 lets everybody into a conversation whose id they know."""
    with patch.object(history, "_SESSIONS_HAVE_USERS", release == "2026.11"):
        await answer_locally(home, "Turn on the desk")
        await ask("What did you do?")
    assert users(server) == known


async def test_answers_of_other_agents_are_not_recorded(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    with (
        chat_session.async_get_chat_session(home, "kitchen") as session,
        async_get_chat_log(
            home,
            session,
            ConversationInput(
                text="Psst",
                context=Context(user_id="ann"),
                conversation_id="kitchen",
                device_id=None,
                satellite_id=None,
                language="en",
                agent_id="conversation.other",
            ),
        ) as chat_log,
    ):
        chat_log.async_add_assistant_content_without_tools(
            AssistantContent(agent_id="conversation.other", content="Secret")
        )
    await ask("What did I say?")
    assert users(server) == ["What did I say?"]


# Failed and cancelled turns.


async def test_failed_turn_without_tools_is_not_stored(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply(fault=Fault.RATE_LIMITED, headers={"Retry-After": "60"}))
    await ask("One")
    await ask("Two")
    assert users(server) == ["Two"]


async def test_cancelled_turn_keeps_its_tool_results(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    gate = Gate()
    server.script(
        Reply(tool_calls=[Call("*HassTurnOn", {"name": "Desk"})]), Reply("It is on", hold=gate)
    )
    await cancel_at(gate, ask("Turn on the lamp"))
    await restart(home, loaded_entry)
    await ask("Is it on?")
    roles = [each["role"] for each in messages(server)]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert json.loads(messages(server)[3]["content"])["success"] is True
    assert "interrupted" in messages(server)[4]["content"]


async def test_cancelled_turn_without_tools_is_stored(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    gate = Gate(after=2)
    server.script(Reply("A very long answer indeed", hold=gate))
    await cancel_at(gate, ask("One"))
    await restart(home, loaded_entry)
    await ask("Two")
    assert users(server) == ["One", "Two"]
    assert "interrupted" in messages(server)[2]["content"]


async def test_failed_storing_does_not_lose_the_answer(
    ask: Ask, server: FakeOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    server.script(Reply("Here I am."))
    with patch.object(history.AgentHistory, "async_record", side_effect=ZeroDivisionError):
        assert speech(await ask("Are you there?")) == "Here I am."
    assert "ZeroDivisionError" in caplog.text
    await ask("And now?")
    assert users(server) == ["And now?"]


@pytest.mark.parametrize("agent_options", [{"silent_done": True}])
async def test_silent_answer_is_stored_as_the_confirmation(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply(tool_calls=[Call("*HassTurnOn", {"name": "Desk"})]), Reply(""))
    await ask("Turn on the lamp")
    await ask("Thanks")
    assert messages(server)[-2]["content"] == "Done."


# The context window.


async def test_context_overflow_is_retried_with_a_shorter_history(
    ask: Ask, server: FakeOpenAI
) -> None:
    for number in range(6):
        server.script(Reply(" ".join(map(str, range(250)))))
        await ask(f"Question {number}")
    server.script(Reply(fault=Fault.CONTEXT_LENGTH), Reply("Here I am."))
    assert speech(await ask("Are you there?")) == "Here I am."
    assert len(users(server)) < len(users(server, -2)) == 7


@pytest.mark.parametrize("agent_options", [{"context_window": 3_000, "max_tokens": 500}])
async def test_most_requests_begin_with_the_bytes_of_the_one_before(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    server.default = Reply(" ".join(map(str, range(100))))
    for number in range(40):
        await ask(f"Question {number}")
        if number == 20:
            await restart(home, loaded_entry)
    requests = [json.dumps(messages(server, index)) for index in range(40)]
    same = sum(later.startswith(earlier.removesuffix("]")) for earlier, later in pairwise(requests))
    assert same >= 39 * 2 // 3
    assert all(len(users(server, index)) > 3 for index in range(5, 40))


@pytest.mark.parametrize("agent_options", [{"summarize": True, "max_history_turns": 4}])
async def test_dropped_turns_are_summarized(ask: Ask, server: FakeOpenAI) -> None:
    for number in range(4):
        await ask(f"Question {number}")
    server.script(Reply("Yes."), Reply("Ann asks by number."), Reply("No."))
    await ask("Question 4")
    assert "Question 0" in messages(server)[-1]["content"]
    assert "Question 1" not in messages(server)[-1]["content"]
    await ask("Question 5")
    requests = [request.json for request in server.completions]
    with_summary = next(r for r in requests if r["messages"][-1]["content"] == "Question 5")
    contents = [each["content"] for each in with_summary["messages"][1:]]
    assert "Ann asks by number." in contents[0]
    assert contents[2] == "Question 1"


@pytest.mark.parametrize("agent_options", [{"summarize": True, "max_history_turns": 1}])
async def test_failed_summary_does_not_stop_the_conversation(ask: Ask, server: FakeOpenAI) -> None:
    await ask("One")
    server.script(Reply("Yes."), Reply(fault=Fault.SERVER_ERROR), Reply("No."))
    await ask("Two")
    await ask("Three")
    assert speech(await ask("Four"))


@pytest.mark.parametrize("options", [{"retry_wait": 0}])
@pytest.mark.parametrize("agent_options", [{"summarize": True, "max_history_turns": 1}])
async def test_failed_summary_keeps_the_earlier_one_and_drops_its_turns(
    ask: Ask, server: FakeOpenAI
) -> None:
    await ask("One")
    server.script(Reply("Yes."), Reply("Ann counts."))
    await ask("Two")
    server.script(Reply("Yes."), Reply(fault=Fault.SERVER_ERROR))
    await ask("Three")
    server.script(Reply("Yes."), Reply("Ann still counts."))
    await ask("Four")
    requests = [request.json["messages"] for request in server.completions]
    (last,) = (sent for sent in requests if sent[-1]["content"] == "Four")
    contents = [each["content"] for each in last[1:]]
    assert "Ann counts." in contents[0]
    assert "Two" not in contents
    assert "Three" in contents


# Deletion and search.


async def test_removing_the_agent_or_the_entry_removes_the_files(
    home: HomeAssistant, ask: Ask, disk: Path, loaded_entry: MockConfigEntry
) -> None:
    await ask("One")
    folder = disk / ".storage" / "chatterbox.history" / loaded_entry.entry_id
    (agent,) = folder.iterdir()
    assert len(list(agent.iterdir())) == 1
    home.config_entries.async_remove_subentry(loaded_entry, agent.name)
    await home.async_block_till_done(wait_background_tasks=True)
    assert not agent.exists()
    await home.config_entries.async_remove(loaded_entry.entry_id)
    assert not folder.exists()


@pytest.mark.parametrize("options", [{"history_conversations": 2, "history_days": 1}])
async def test_excess_and_expired_conversations_are_swept(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, disk: Path, loaded_entry: MockConfigEntry
) -> None:
    for number in range(4):
        await ask("One", f"room {number}")
    files = stored(disk)
    assert len(files) == 2
    later = dt_util.utcnow() + history._SWEEP_INTERVAL * 2
    (agent_history,) = loaded_entry.runtime_data.histories.values()
    with patch.object(agent_history.memory, "_now", return_value=later):
        async_fire_time_changed(home, later)
        await home.async_block_till_done(wait_background_tasks=True)
    assert stored(disk) == []


@pytest.mark.parametrize("options", [{"history_conversations": 2}])
async def test_turn_beyond_the_limit_neither_lists_nor_reads_files(
    ask: Ask, server: FakeOpenAI, disk: Path
) -> None:
    for number in range(3):
        await ask("One", f"room {number}")
    with (
        patch.object(Path, "iterdir", autospec=True, side_effect=Path.iterdir) as listed,
        patch.object(Path, "read_bytes", autospec=True, side_effect=Path.read_bytes) as read,
    ):
        for number in range(3, 6):
            await ask("One", f"room {number}")
    folders = [call.args[0] for call in (*listed.mock_calls, *read.mock_calls) if call.args]
    assert [path for path in folders if "chatterbox.history" in str(path)] == []
    assert len(stored(disk)) == 2


@pytest.mark.parametrize("agent_options", [{"built_in_tools": ["search_history"]}])
async def test_earlier_conversations_of_the_user_can_be_searched(
    ask: Ask, server: FakeOpenAI
) -> None:
    await ask("My car is red", "garage")
    await ask("My car is blue", "garage", user="bob")
    server.script(Reply(tool_calls=[Call("search_history", {"query": "car"})]), Reply("Red."))
    await ask("Which colour has my car?", "kitchen")
    found = json.loads(messages(server)[-1]["content"])["result"]["found"]
    assert [each["user"] for each in found] == ["My car is red"]


@pytest.mark.parametrize("agent_options", [{"built_in_tools": ["search_history"]}])
async def test_search_finds_nothing_that_was_deleted_after_a_reload(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """Home Assistant 2026.11 keeps the tools of a conversation beyond the reload."""
    await ask("My car is red", "garage")
    (subentry,) = loaded_entry.subentries.values()
    agent = Agent(loaded_entry, subentry, AgentOptions.parse(subentry.data))
    (tool,) = agent.history.tools(
        ["search_history"], user_message("Which colour?", user_id="ann"), lambda: agent.history
    )
    assert (await tool.call({"query": "car"}))["total"] == 1
    assert await home.config_entries.async_reload(loaded_entry.entry_id)
    await home.services.async_call("chatterbox", "clear_history", {"agent": AGENT}, blocking=True)
    assert (await tool.call({"query": "car"}))["total"] == 0


@pytest.mark.parametrize("agent_options", [{"built_in_tools": ["search_history"]}])
@pytest.mark.parametrize(
    ("device", "found"), [("kitchen", ["My car is red"]), ("hall", []), (None, [])]
)
async def test_without_a_user_only_the_device_can_be_searched(
    ask: Ask, server: FakeOpenAI, device: str | None, found: list[str]
) -> None:
    await ask("My car is red", "one", user=None, device="kitchen")
    await ask("My car is blue", "two", user=None)
    server.script(Reply(tool_calls=[Call("search_history", {"query": "car"})]), Reply("Hm."))
    await ask("Which colour has my car?", "three", user=None, device=device)
    results = json.loads(messages(server)[-1]["content"])["result"]["found"]
    assert [each["user"] for each in results] == found


async def test_conversations_of_a_removed_user_are_deleted(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, disk: Path
) -> None:
    await home.auth.async_create_user("Owner")
    ann = await home.auth.async_create_user("Ann")
    await ask("My secret is tea", user=ann.id)
    await ask("Mine is milk", user="bob")
    assert len(stored(disk)) == 2
    await home.auth.async_remove_user(ann)
    await home.async_block_till_done(wait_background_tasks=True)
    assert len(stored(disk)) == 1


async def test_unreadable_conversations_of_a_removed_user_are_deleted(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, disk: Path
) -> None:
    await home.auth.async_create_user("Owner")
    ann = await home.auth.async_create_user("Ann")
    await ask("My secret is tea", user=ann.id)
    (file,) = stored(disk)
    file.rename(file.with_name(f"{file.name}.corrupt.20261104T120000"))
    await home.auth.async_remove_user(ann)
    await home.async_block_till_done(wait_background_tasks=True)
    assert not list(file.parent.iterdir())


async def test_conversations_of_a_user_who_was_removed_meanwhile_are_deleted(
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
    disk: Path,
) -> None:
    await home.auth.async_create_user("Owner")
    zoe = await home.auth.async_create_user("Zoe")
    await ask("My secret is tea", user=zoe.id)
    await ask("Mine is milk", user="ann")
    assert await home.config_entries.async_unload(loaded_entry.entry_id)
    await home.auth.async_remove_user(zoe)
    assert len(stored(disk)) == 2
    assert await home.config_entries.async_setup(loaded_entry.entry_id)
    await home.async_block_till_done(wait_background_tasks=True)
    assert len(stored(disk)) == 1


async def test_deleted_turns_do_not_return_from_the_chat_log(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    active = (await ask("One", ULID)).conversation_id
    await answer_locally(home, "Turn on the desk", active)
    await home.async_block_till_done(wait_background_tasks=True)
    await home.services.async_call("chatterbox", "clear_history", {"agent": AGENT}, blocking=True)
    await ask("Two", active)
    assert users(server) == ["Two"]
    await home.services.async_call("chatterbox", "clear_history", {"agent": AGENT}, blocking=True)
    assert await home.config_entries.async_reload(loaded_entry.entry_id)
    await ask("Three", active)
    assert users(server) == ["Three"]
