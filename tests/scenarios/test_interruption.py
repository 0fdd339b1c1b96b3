"""Turns that are interrupted: what is said at once, and what is remembered."""

import asyncio
import json
from itertools import pairwise
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from homeassistant.components.conversation import AssistantContent, ChatLog
from homeassistant.components.conversation.chat_log import async_get_chat_log
from homeassistant.core import HomeAssistant
from homeassistant.helpers import chat_session

from ..builders import Workshop, user_message
from ..conversation_helpers import BUSY, SAW, STOPPED, STOPPED_WRITING, Ask, messages, sent, speech
from ..fake_openai import FakeOpenAI, Fault, Gate, Reply

SATELLITE = "assist_satellite.kitchen"


@pytest.fixture
def options() -> dict[str, Any]:
    """Ask a failing server once."""
    return {"retry_wait": 0}


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent that may use the workshop."""
    return {"llm_hass_api": ["assist", "workshop"]}


async def interrupted(turn: asyncio.Task[Any]) -> None:
    """Cancel the task of a turn, as a satellite does at a new wake word."""
    turn.cancel()
    await asyncio.wait({turn})
    assert turn.cancelled()


def said(server: FakeOpenAI) -> list[tuple[str, str]]:
    """Return the roles and texts of the last request, without the system prompt."""
    return [(each["role"], str(each["content"]).partition("\n")[0]) for each in messages(server)][
        1:
    ]


async def test_stop_after_an_interrupted_write_is_answered_at_once(
    ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(SAW)
    turn = ask("Saw a board")
    await workshop.started.wait()
    await interrupted(turn)
    assert speech(await ask("Stop")) == STOPPED_WRITING
    assert workshop.finished == 0
    assert len(server.completions) == 1
    workshop.go_on.set()


async def test_message_after_an_interrupted_write_is_answered_at_once(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(SAW, Reply("It is noon."), Reply("It is sawn."))
    turn = ask("Saw a board")
    await workshop.started.wait()
    await interrupted(turn)
    assert speech(await ask("What time is it?")) == "It is noon."
    (result,) = [each for each in messages(server) if each["role"] == "tool"]
    assert json.loads(result["content"]) == {
        "success": True,
        "result": {"status": "still running"},
    }
    workshop.go_on.set()
    await home.async_block_till_done()
    assert speech(await ask("Is it done?")) == "It is sawn."
    (result,) = [each for each in messages(server) if each["role"] == "tool"]
    assert json.loads(result["content"]) == {"success": True, "result": {"boards": 1}}
    assert workshop.calls == 1


async def listen(home: HomeAssistant, ask: Ask, text: str, heard: asyncio.Event) -> None:
    """Ask in a pipeline, which hears the answer piece by piece."""

    def hear(_chat_log: ChatLog, delta: dict[str, Any]) -> None:
        if "content" in delta:
            heard.set()

    message = user_message(text, conversation_id="desk")
    with (
        chat_session.async_get_chat_session(home, "desk") as session,
        async_get_chat_log(home, session, message, chat_log_delta_listener=hear),
    ):
        await ask(text)


async def test_interrupted_answer_is_remembered_with_its_question(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    gate = Gate(after=3)
    server.script(
        Reply("Hello."),
        Reply("Once upon a time there was a king.", hold=gate),
        Reply("And he had three sons."),
    )
    await ask("Hi")
    heard = asyncio.Event()
    turn = asyncio.create_task(listen(home, ask, "Tell a story", heard))
    await heard.wait()
    await interrupted(turn)
    assert speech(await ask("Go on")) == "And he had three sons."
    *_, question, answer, now = said(server)
    assert question == ("user", "Tell a story")
    assert answer[0] == "assistant"
    assert answer[1].startswith("Once")
    assert answer[1].endswith("(I was interrupted here.)")
    assert now == ("user", "Go on")
    for earlier, later in pairwise(sent(server, index) for index in range(3)):
        count = len(earlier["messages"])
        assert json.dumps(later["messages"][:count]) == json.dumps(earlier["messages"])


async def test_turn_that_is_interrupted_before_its_first_word_is_remembered(
    ask: Ask, server: FakeOpenAI
) -> None:
    gate = Gate()
    server.script(Reply("Late.", hold=gate), Reply("Yes."))
    turn = ask("Are you there?")
    await gate.reached.wait()
    assert speech(await ask("Stop")) == STOPPED
    assert speech(await turn) == STOPPED
    await ask("And now?")
    assert said(server) == [
        ("user", "Are you there?"),
        ("assistant", "(I was interrupted before I could answer.)"),
        ("user", "And now?"),
    ]


async def test_interrupted_turn_is_traced(
    ask: Ask, server: FakeOpenAI, workshop: Workshop, loaded_entry: MockConfigEntry
) -> None:
    server.script(SAW)
    turn = ask("Saw a board")
    await workshop.started.wait()
    await interrupted(turn)
    workshop.go_on.set()
    (trace,) = loaded_entry.runtime_data.turns
    assert (trace.outcome, trace.iterations) == ("cancelled", 1)


@pytest.mark.parametrize("agent_options", [{"fallback_agent": "conversation.home_assistant"}])
async def test_turn_of_the_fallback_agent_is_traced(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    async_mock_service(home, "light", "turn_on")
    server.default = Reply(fault=Fault.RESET)
    await ask("Turn on Desk")
    (trace,) = loaded_entry.runtime_data.turns
    assert trace.outcome == "fallback"


INTERRUPTING = {
    "llm_hass_api": ["assist", "workshop"],
    "interrupt": True,
}


@pytest.mark.parametrize("agent_options", [INTERRUPTING])
async def test_new_message_interrupts_the_answer(ask: Ask, server: FakeOpenAI) -> None:
    gate = Gate()
    server.script(Reply("Late.", hold=gate), Reply("It is noon."))
    turn = ask("Tell a story")
    await gate.reached.wait()
    assert speech(await ask("What time is it?")) == "It is noon."
    assert speech(await turn) == STOPPED
    assert said(server) == [
        ("user", "Tell a story"),
        ("assistant", "(I was interrupted before I could answer.)"),
        ("user", "What time is it?"),
    ]


@pytest.mark.parametrize("agent_options", [INTERRUPTING])
async def test_new_message_lets_a_change_complete(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(SAW, Reply("It is noon."))
    turn = ask("Saw a board")
    await workshop.started.wait()
    assert speech(await ask("What time is it?")) == "It is noon."
    assert speech(await turn) == STOPPED_WRITING
    workshop.go_on.set()
    await home.async_block_till_done()
    assert workshop.finished == 1


@pytest.mark.parametrize("agent_options", [INTERRUPTING])
async def test_only_the_newest_of_several_messages_is_answered(
    ask: Ask, server: FakeOpenAI
) -> None:
    gate = Gate()
    server.script(Reply("Late.", hold=gate), Reply("Newest."))
    turn = ask("One")
    await gate.reached.wait()
    assert [speech(each) for each in await asyncio.gather(turn, ask("Two"), ask("Three"))] == [
        STOPPED,
        STOPPED,
        "Newest.",
    ]
    assert [text for role, text in said(server) if role == "user"] == ["One", "Three"]


@pytest.mark.parametrize("agent_options", [INTERRUPTING])
async def test_message_of_another_user_does_not_interrupt(ask: Ask, server: FakeOpenAI) -> None:
    gate = Gate()
    server.script(Reply("Late.", hold=gate))
    turn = ask("One", user_id="ada")
    await gate.reached.wait()
    assert speech(await ask("Two", user_id="bob")) == BUSY
    gate.open()
    assert speech(await turn) == "Late."


def satellite_asks(home: HomeAssistant, question: str) -> str:
    """Let a satellite begin a conversation, as Home Assistant does; return the conversation."""
    with (
        chat_session.async_get_chat_session(home) as session,
        async_get_chat_log(home, session) as chat_log,
    ):
        chat_log.async_add_assistant_content_without_tools(
            AssistantContent(agent_id=SATELLITE, content=question)
        )
    return session.conversation_id


@pytest.mark.parametrize(
    "agent_options", [{"remember": remember} for remember in ("persistent", "session", "none")]
)
@pytest.mark.parametrize("prompt", ["Shall I close the garage?", "Be brief."])
async def test_question_of_a_satellite_is_sent_and_remembered(
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    agent_options: dict[str, Any],
    prompt: str,
) -> None:
    server.script(Reply("It is closed."), Reply("Yes."))
    conversation = satellite_asks(home, "Shall I close the garage?")
    await ask("Yes, please", conversation, satellite_id=SATELLITE, extra_system_prompt=prompt)
    assert ("Be brief." in messages(server)[-1]["content"]) is (prompt == "Be brief.")
    assert json.dumps(messages(server)).count("Shall I close the garage?") == 1
    opening = [
        ("user", "(Begin the conversation.)"),
        ("assistant", "Shall I close the garage?"),
    ]
    assert said(server) == [*opening, ("user", "Yes, please")]
    await ask("Really?", conversation, satellite_id=SATELLITE)
    assert said(server)[:2] == opening
    remembers = agent_options["remember"] != "none"
    assert [role for role, _ in said(server)].count("user") == (3 if remembers else 2)


async def test_stop_while_the_satellite_speaks_is_not_sent_to_the_model(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    server.default = Reply("A long story.")
    await ask("Tell a story", satellite_id=SATELLITE)
    for state in ("responding", "listening", "processing"):
        home.states.async_set(SATELLITE, state)
    assert speech(await ask("Stop", satellite_id=SATELLITE)) == STOPPED
    assert len(server.completions) == 1
    for state in ("responding", "idle", "listening", "processing"):
        home.states.async_set(SATELLITE, state)
    assert speech(await ask("Stop", satellite_id=SATELLITE)) == "A long story."
