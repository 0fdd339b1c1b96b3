"""Conversation entities: answers, stop phrases, and messages during a turn."""

import asyncio
import json
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.chatterbox.agent.events import LoopOutcome
from custom_components.chatterbox.const import DOMAIN
from homeassistant.components import conversation
from homeassistant.core import HomeAssistant

from .builders import Workshop
from .conversation_helpers import (
    AGENT,
    BUSY,
    SAW,
    STOPPED,
    STOPPED_WRITING,
    Ask,
    messages,
    sent,
    speech,
)
from .fake_openai import Call, FakeOpenAI, Gate, Reply, history_problems


@pytest.fixture
def options() -> dict[str, Any]:
    """Ask a failing server once."""
    return {"retry_wait": 0}


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent that may use the workshop."""
    return {"llm_hass_api": ["assist", "workshop"]}


async def test_answer_of_the_model_is_spoken(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply("It is noon."))
    result = await ask("What time is it?")
    assert speech(result) == "It is noon."
    assert result.response.response_type.value == "action_done"
    assert result.conversation_id == "desk"
    assert not result.continue_conversation
    assert [message["role"] for message in sent(server)["messages"]] == ["system", "user"]


async def test_question_continues_the_conversation(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply("Which lamp?"))
    assert (await ask("Turn on the lamp")).continue_conversation


async def test_tool_calls_are_executed_answered_and_traced(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    turn_on = async_mock_service(home, "light", "turn_on")
    server.script(
        Reply(
            tool_calls=[
                Call("*HassTurnOn", {"name": "Desk"}),
                Call("get_current_datetime"),
            ]
        ),
        Reply("The desk lamp is on."),
    )
    result = await ask("Turn on the desk lamp")
    assert speech(result) == "The desk lamp is on."
    assert [call.data["entity_id"] for call in turn_on] == [["light.desk"]]
    assert [target.id for target in result.response.success_results] == ["light.desk"]
    results = [json.loads(m["content"]) for m in sent(server)["messages"] if m["role"] == "tool"]
    assert [result["success"] for result in results] == [True, True]
    assert history_problems(sent(server)["messages"]) == []
    trace = loaded_entry.runtime_data.turns[-1]
    assert trace.outcome is LoopOutcome.FINAL
    assert trace.iterations == 2
    assert [tool.ok for tool in trace.tools] == [True, True]
    assert trace.conversation_id == "desk"


@pytest.mark.parametrize("text", ["", "   "])
async def test_empty_message_is_an_error_without_a_request(
    ask: Ask, server: FakeOpenAI, text: str
) -> None:
    server.reset()
    result = await ask(text)
    assert speech(result).endswith(".")
    assert result.response.response_type.value == "error"
    assert server.requests == []


async def test_history_is_not_shared_between_conversations(ask: Ask, server: FakeOpenAI) -> None:
    await ask("My name is Ann", "one")
    await ask("What is my name?", "two")
    assert "Ann" not in json.dumps(sent(server)["messages"])


async def test_every_language_is_supported(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    assert conversation.async_get_conversation_languages(hass, AGENT) == "*"
    info = conversation.async_get_agent_info(hass, AGENT)
    assert info is not None
    assert info.supports_streaming
    assert loaded_entry.domain == DOMAIN


async def test_stop_phrase_cancels_the_turn_and_is_not_sent_to_the_model(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(SAW, Reply("One board is sawn."))
    turn = ask("Saw a board")
    await workshop.started.wait()
    assert speech(await ask("Stop!")) == STOPPED_WRITING
    assert speech(await turn) == STOPPED_WRITING
    workshop.go_on.set()
    await home.async_block_till_done()
    # Said once more, it is not for the model either.
    assert speech(await ask("stop")) == STOPPED
    assert len(server.completions) == 1
    assert speech(await ask("Is it done?")) == "One board is sawn."
    assert [message["role"] for message in messages(server)].count("tool") == 1


async def test_second_repetition_of_a_stop_phrase_is_sent_to_the_model(
    ask: Ask, server: FakeOpenAI
) -> None:
    gate = Gate()
    server.script(Reply("Late.", hold=gate), Reply("The music is off."))
    turn = ask("Tell a story")
    await gate.reached.wait()
    assert speech(await ask("Stop")) == STOPPED
    assert speech(await turn) == STOPPED
    assert speech(await ask("Stop")) == STOPPED
    assert speech(await ask("Stop")) == "The music is off."


async def test_stop_phrase_from_the_same_device_cancels_the_turn(
    ask: Ask, server: FakeOpenAI
) -> None:
    gate = Gate()
    server.script(Reply("Late.", hold=gate))
    turn = ask("Tell a story", device_id="satellite")
    await gate.reached.wait()
    assert speech(await ask("Stop", "another", device_id="satellite")) == STOPPED
    assert speech(await turn) == STOPPED


async def test_stop_phrase_without_a_running_turn_is_sent_to_the_model(
    ask: Ask, server: FakeOpenAI
) -> None:
    server.script(Reply("Stop what?"))
    assert speech(await ask("Stop")) == "Stop what?"
    server.script(Reply("There is no music."))
    assert speech(await ask("Stop", device_id="satellite")) == "There is no music."


async def test_message_during_a_turn_is_refused_as_busy(ask: Ask, server: FakeOpenAI) -> None:
    gate = Gate()
    server.script(Reply("Here is your answer.", hold=gate), Reply("Later."))
    turn = ask("A question")
    await gate.reached.wait()
    between = await ask("Another question", language="de")
    assert between.response.error_code is not None
    assert speech(between)
    gate.open()
    assert speech(await turn) == "Here is your answer."
    assert speech(await ask("A third one")) == "Later."
    said = [message["content"] for message in messages(server) if message["role"] == "user"]
    assert [text.partition("\n")[0] for text in said] == ["A question", "A third one"]


async def test_second_of_two_simultaneous_messages_is_refused_as_busy(
    ask: Ask, server: FakeOpenAI
) -> None:
    server.default = Reply("Yes.")
    answers = [speech(result) for result in await asyncio.gather(ask("One"), ask("Two"))]
    assert sorted(answers) == [BUSY, "Yes."]


async def test_simultaneous_conversations_have_separate_histories(
    ask: Ask, server: FakeOpenAI
) -> None:
    server.default = Reply("Yes.")
    await asyncio.gather(ask("One", "kitchen"), ask("Two", "attic"))
    await asyncio.gather(ask("Three", "kitchen"), ask("Four", "attic"))
    histories = [
        [message["content"].partition("\n")[0] for message in request.messages[1:]]
        for request in server.completions[2:]
    ]
    assert sorted(histories) == [["One", "Yes.", "Three"], ["Two", "Yes.", "Four"]]


async def test_stop_phrase_of_another_user_does_not_cancel_the_turn(
    ask: Ask, server: FakeOpenAI
) -> None:
    gate = Gate()
    server.script(Reply("Late.", hold=gate))
    turn = ask("A question", user_id="ada")
    await gate.reached.wait()
    assert speech(await ask("Stop", user_id="bob")) != STOPPED
    gate.open()
    assert speech(await turn) == "Late."
