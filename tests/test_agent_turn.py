"""One turn of a conversation: its answer, its history, its faults and its cancellation."""

import asyncio
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.chatterbox.agent.memory.store import StoredConversation
from custom_components.chatterbox.history_store import HassConversationStore
from homeassistant.config_entries import SOURCE_REAUTH
from homeassistant.core import HassJob, HomeAssistant

from .builders import Workshop
from .conversation_helpers import SAW, Ask, messages, sent, speech
from .fake_openai import Call, FakeOpenAI, Fault, Gate, Reply, history_problems


@pytest.fixture
def options() -> dict[str, Any]:
    """Ask a failing server once."""
    return {"retry_wait": 0}


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent that may use the workshop."""
    return {"llm_hass_api": ["assist", "workshop"]}


async def test_requests_of_later_turns_begin_with_the_bytes_of_earlier_ones(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    async_mock_service(home, "light", "turn_on")
    server.script(
        Reply("One moment.", tool_calls=[Call("*HassTurnOn", {"name": "Desk", "area": ""})]),
        Reply("It is on.", reasoning="Easy."),
        Reply(tool_calls=[Call("get_current_datetime", '{"timezone": "Asia/Tokyo')]),
        Reply("I do not know."),
        Reply("You are welcome."),
    )
    for text in ("Turn on the desk lamp", "What time is it in Tokyo?", "Thanks"):
        await ask(text)
    bodies = [request.json for request in server.requests if request.json]
    assert len(bodies) == 5
    for earlier, later in pairwise(bodies):
        assert json.dumps(later["tools"]) == json.dumps(earlier["tools"])
        count = len(earlier["messages"])
        assert json.dumps(later["messages"][:count]) == json.dumps(earlier["messages"])
    assert "Current time" not in bodies[0]["messages"][0]["content"]
    names = [tool["function"]["name"] for tool in bodies[0]["tools"]]
    assert names == sorted(names)
    assert {"get_weather", "get_current_datetime"} < set(names)


@pytest.mark.parametrize(
    ("agent_options", "expected"),
    [
        ({"max_history_turns": 0}, ["Three"]),
        ({"max_history_turns": 1}, ["Two", "Three"]),
        ({}, ["One", "Two", "Three"]),
    ],
)
async def test_only_the_latest_turns_are_sent(
    ask: Ask, server: FakeOpenAI, expected: list[str]
) -> None:
    for text in ("One", "Two", "Three"):
        await ask(text)
    users = [m["content"] for m in sent(server)["messages"] if m["role"] == "user"]
    assert users == expected


@pytest.mark.parametrize("agent_options", [{"silent_done": True}])
async def test_silent_confirmation_has_empty_speech(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    async_mock_service(home, "light", "turn_on")
    server.script(Reply(tool_calls=[Call("*HassTurnOn", {"name": "Desk"})]), Reply(""))
    result = await ask("Turn on the desk lamp")
    assert speech(result) == ""
    assert result.response.response_type.value == "action_done"


@pytest.mark.parametrize("agent_options", [{"max_iterations": 2}])
async def test_step_limit_ends_with_a_question_and_the_next_turn_continues(
    ask: Ask, server: FakeOpenAI
) -> None:
    server.script(
        *[Reply(tool_calls=[Call("get_current_datetime")])] * 2,
        Reply("I have counted two."),
        Reply("It was a long way."),
    )
    result = await ask("Count the hours")
    assert speech(result) == "I have counted two. Should I continue?"
    assert sent(server)["tool_choice"] == "none"
    assert sent(server)["tools"] == sent(server, 0)["tools"]
    assert result.continue_conversation
    assert speech(await ask("Go on")) == "It was a long way."
    roles = [message["role"] for message in sent(server)["messages"]]
    assert roles.count("tool") == 2
    assert history_problems(sent(server)["messages"]) == []


@pytest.mark.parametrize(
    "options",
    [{"first_token_timeout": 2, "retry_wait": 0}],
    ids=["impatient"],
)
@pytest.mark.parametrize("fault", list(Fault))
async def test_every_fault_ends_in_a_sentence_and_the_next_turn_works(
    ask: Ask, server: FakeOpenAI, fault: Fault
) -> None:
    server.script(Reply("It is noon.", fault=fault))
    said = speech(await ask("Tell me about noon"))
    assert said
    assert not said.endswith("?")
    server.reset()
    server.script(Reply("All is well."))
    assert speech(await ask("And now?")) == "All is well."
    messages = sent(server)["messages"]
    assert history_problems(messages) == []
    assert not any(str(message["content"]).startswith("Error:") for message in messages)


async def test_fault_after_a_tool_call_keeps_the_call_in_the_history(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    async_mock_service(home, "light", "turn_on")
    server.script(
        Reply(tool_calls=[Call("*HassTurnOn", {"name": "Desk"})]),
        Reply("It is", fault=Fault.RESET_MIDWAY),
        Reply("Yes, it is on."),
    )
    failed = await ask("Turn on the desk lamp")
    assert failed.response.response_type.value == "error"
    await ask("Is it on?")
    messages = sent(server)["messages"]
    assert history_problems(messages) == []
    assert [message["role"] for message in messages] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    assert messages[-2]["content"] == speech(failed)


async def test_rejected_key_starts_reauthentication(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    server.script(Reply(fault=Fault.UNAUTHORIZED))
    assert "key" in speech(await ask("Hello"))
    (flow,) = hass.config_entries.flow.async_progress()
    assert flow["context"]["source"] == SOURCE_REAUTH


async def test_unexpected_error_is_logged_and_answered_with_a_sentence(
    ask: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    with patch(
        "custom_components.chatterbox.agent.loop.next_step", side_effect=ZeroDivisionError("inside")
    ):
        result = await ask("Hello")
    assert result.response.response_type.value == "error"
    assert "inside" not in speech(result)
    assert "ZeroDivisionError" in caplog.text


async def test_cancelled_turn_stores_its_tool_results_once(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(SAW, Reply("One board is sawn."))
    turn = ask("Saw a board")
    await workshop.started.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert len(server.completions) == 1
    workshop.go_on.set()
    await home.async_block_till_done()

    assert speech(await ask("Go on")) == "One board is sawn."
    *_, asked, sawing, result, stopped, now = messages(server)
    assert asked["content"] == "Saw a board"
    assert sawing["content"] == "One moment."
    assert [call["id"] for call in sawing["tool_calls"]] == ["saw"]
    assert json.loads(result["content"]) == {"success": True, "result": {"boards": 1}}
    assert stopped["content"] == "(I was interrupted before I could answer.)"
    assert now["content"].startswith("Go on")
    assert (workshop.calls, workshop.finished) == (1, 1)

    # It is the history from then on, and stays there once.
    await ask("And now?")
    assert [message["role"] for message in messages(server)].count("tool") == 1


async def test_conversation_continues_after_its_first_turn_was_cancelled(
    ask: Ask, server: FakeOpenAI, workshop: Workshop, loaded_entry: MockConfigEntry
) -> None:
    server.script(SAW, Reply("One board is sawn."))
    turn = ask("Saw a board", None)
    await workshop.started.wait()
    (known,) = turn_ids(loaded_entry)
    turn.cancel()
    await asyncio.wait({turn})
    workshop.go_on.set()
    await ask("Go on", known)
    assert [message["role"] for message in messages(server)].count("tool") == 1


def turn_ids(entry: MockConfigEntry) -> list[str]:
    """Return the conversations with a turn in progress."""
    by_id = entry.runtime_data.conversations._by_id
    return [key for key, item in by_id.items() if item.scope.running]


async def test_cancelled_turn_keeps_its_place_in_the_history(
    ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(Reply("Hello."), SAW, Reply("One board is sawn."))
    await ask("Hi")
    turn = ask("Saw a board")
    await workshop.started.wait()
    turn.cancel()
    await asyncio.wait({turn})
    workshop.go_on.set()
    await ask("Go on")
    said = [message["content"] for message in messages(server) if message["role"] == "user"]
    assert [text.partition("\n")[0] for text in said] == ["Hi", "Saw a board", "Go on"]


@pytest.fixture
def patient_with_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a tool more time than its turn has."""
    monkeypatch.setattr("custom_components.chatterbox.options._TOOL_SHARE", 10)


@pytest.mark.parametrize("agent_options", [{"turn_timeout": 1, "llm_hass_api": ["workshop"]}])
@pytest.mark.usefixtures("patient_with_tools")
async def test_result_of_a_tool_that_outlasts_the_turn_is_stored(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(SAW, Reply("One board is sawn."))
    first = await ask("Saw a board")
    assert speech(first).endswith("That took too long, so I stopped.")
    workshop.go_on.set()
    await home.async_block_till_done()
    assert speech(await ask("Is it done?")) == "One board is sawn."
    (result,) = [message for message in messages(server) if message["role"] == "tool"]
    assert json.loads(result["content"])["success"] is True


class SlowDisk:
    """A disk that stores nothing until `go_on` is set, and then takes its time."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.stored: list[str] = []
        """The latest message of the user in each stored conversation."""

    async def save(self, conversation: StoredConversation) -> None:
        await self.go_on.wait()
        for _ in range(1000):
            await asyncio.sleep(0)
        self.stored.append(conversation.turns[-1].user)


@pytest.fixture
def slow_disk(loaded_entry: MockConfigEntry) -> Iterator[SlowDisk]:
    disk = SlowDisk()
    with patch.object(HassConversationStore, "save", side_effect=disk.save):
        yield disk
        disk.go_on.set()


async def test_only_the_next_turn_of_the_conversation_waits_for_the_disk(
    ask: Ask, server: FakeOpenAI, slow_disk: SlowDisk
) -> None:
    server.default = Reply("Yes.")
    assert speech(await ask("One")) == "Yes."
    next_turn = ask("Two")
    assert speech(await ask("Three", "kitchen")) == "Yes."
    assert slow_disk.stored == []
    assert not next_turn.done()
    assert len(server.completions) == 2
    slow_disk.go_on.set()
    assert speech(await next_turn) == "Yes."
    said = [message["content"] for message in messages(server) if message["role"] == "user"]
    assert said == ["One", "Two"]


async def test_unloading_waits_for_the_disk(
    home: HomeAssistant, ask: Ask, loaded_entry: MockConfigEntry, slow_disk: SlowDisk
) -> None:
    await ask("One")
    loaded_entry.async_on_unload(slow_disk.go_on.set)
    await home.config_entries.async_unload(loaded_entry.entry_id)
    assert slow_disk.stored == ["One"]


async def test_shutdown_waits_for_the_disk(
    home: HomeAssistant, ask: Ask, slow_disk: SlowDisk
) -> None:
    await ask("One")

    async def go_on() -> None:
        slow_disk.go_on.set()

    home.async_add_shutdown_job(HassJob(go_on))
    await home.async_stop(force=True)
    assert slow_disk.stored == ["One"]


async def test_turn_that_cannot_be_stored_is_still_remembered(
    ask: Ask, server: FakeOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    with patch.object(HassConversationStore, "save", side_effect=OSError("no space")):
        assert speech(await ask("One")) == server.default.text
        await ask("Two")
    assert "could not store the turn" in caplog.text
    said = [message["content"] for message in messages(server) if message["role"] == "user"]
    assert said == ["One", "Two"]


@pytest.mark.parametrize("agent_options", [{"fallback_agent": "conversation.home_assistant"}])
async def test_model_details_are_queried_after_the_first_answer_of_the_model(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    """An answer of the fallback agent says nothing of the model."""
    async_mock_service(home, "light", "turn_on")
    name = "custom_components.chatterbox.agent_turn.async_update_model_details"
    with patch(name) as update:
        server.default = Reply(fault=Fault.RESET)
        assert "what I can" in speech(await ask("Turn on Desk"))
        assert update.call_count == 0
        server.reset()
        server.default = Reply("Yes.")
        for text in ("One", "Two"):
            assert speech(await ask(text)) == "Yes."
        assert update.call_count == 1


async def test_error_while_the_stacks_are_built_is_answered_with_a_sentence(
    ask: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    name = "custom_components.chatterbox.agent_turn.build_provider"
    with patch(name, side_effect=RuntimeError("inside")):
        result = await ask("Hello")
    assert result.response.error_code is not None
    assert "inside" not in speech(result)
    assert "failed unexpectedly" in caplog.text


async def test_turn_during_a_reload_is_remembered(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    gate = Gate(1)
    server.script(Reply("It is a long story.", hold=gate))
    turn = ask("Tell me a story")
    await gate.reached.wait()
    assert await hass.config_entries.async_reload(loaded_entry.entry_id)
    gate.open()
    await turn
    await hass.async_block_till_done()
    await ask("Go on")
    assert "Tell me a story" in str(messages(server))
