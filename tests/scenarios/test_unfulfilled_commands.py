"""Scenario: commands that a capable model answers without a tool call."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from homeassistant.components import conversation
from homeassistant.components.conversation import ChatLog, ConversationResult
from homeassistant.components.conversation.chat_log import async_get_chat_log
from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Context, Event, HomeAssistant
from homeassistant.helpers.chat_session import async_get_chat_session

from ..conversation_helpers import AGENT, open_after_recognition, speech
from ..fake_openai import Call, FakeOpenAI, Gate, Reply
from ..intent_home import IntentHome

CLAIM = "Done, the lamp is on."
COMMAND = "turn on the desk lamp"
CALL = Call("*HassTurnOn", {"name": "Desk Lamp"})

type Ask = Callable[[str, Gate], Awaitable[ConversationResult]]


@pytest.fixture
async def services(hass: HomeAssistant) -> list[Event]:
    await IntentHome(hass).furnish()
    return async_capture_events(hass, EVENT_CALL_SERVICE)


@pytest.fixture
def ask(hass: HomeAssistant, services: list[Event], loaded_entry: MockConfigEntry) -> Ask:
    """Return what asks the agent; the gate opens when Home Assistant has read the message."""

    async def converse(text: str, gate: Gate) -> ConversationResult:
        turn = hass.async_create_task(
            conversation.async_converse(hass, text, None, Context(), language="en", agent_id=AGENT)
        )
        await open_after_recognition(gate)
        return await turn

    return converse


def choices(server: FakeOpenAI) -> list[str | None]:
    """Return the `tool_choice` of each request."""
    return [request.json.get("tool_choice") for request in server.completions]


async def test_unfulfilled_command_is_retried_with_a_required_tool_call(
    ask: Ask, server: FakeOpenAI, services: list[Event]
) -> None:
    gate = Gate()
    server.script(Reply(CLAIM, hold=gate), Reply(tool_calls=[CALL]), Reply("It is on."))
    assert speech(await ask(COMMAND, gate)) == "It is on."
    assert choices(server)[1] == "required"
    assert choices(server)[0] != "required"
    assert len(services) == 1
    assert CLAIM not in str(server.completions[-1].messages)


async def test_command_that_is_never_fulfilled_is_reported_as_not_done(
    ask: Ask, server: FakeOpenAI, services: list[Event]
) -> None:
    gate = Gate()
    server.script(Reply(CLAIM, hold=gate), Reply(CLAIM))
    assert speech(await ask(COMMAND, gate)) == "I have not done that."
    assert len(server.completions) == 2
    assert services == []


@pytest.mark.parametrize(
    "text",
    [
        "is the desk lamp on",
        "why did you turn on the desk lamp",
        "turn on the moon lander",
        "What is the capital of Italy?",
    ],
)
async def test_answer_to_a_message_that_is_no_command_is_spoken(
    ask: Ask, server: FakeOpenAI, text: str
) -> None:
    gate = Gate()
    server.script(Reply(CLAIM, hold=gate))
    assert speech(await ask(text, gate)) == CLAIM
    assert len(server.completions) == 1


async def test_fulfilled_command_is_not_retried(
    ask: Ask, server: FakeOpenAI, services: list[Event]
) -> None:
    gate = Gate()
    server.script(Reply(tool_calls=[CALL], hold=gate), Reply(CLAIM))
    assert speech(await ask(COMMAND, gate)) == CLAIM
    assert "required" not in choices(server)
    assert len(services) == 1


async def test_answer_to_a_message_that_is_no_command_streams_at_once(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    """Its first words are heard before the server has sent the last ones."""
    heard, last_words = asyncio.Event(), Gate(after=4)

    def listen(_log: ChatLog, delta: dict[str, Any]) -> None:
        if "Once" in (delta.get("content") or ""):
            heard.set()

    server.script(Reply("Once upon a time there was a lamp.", hold=last_words))
    with (
        async_get_chat_session(hass) as session,
        async_get_chat_log(hass, session, chat_log_delta_listener=listen),
    ):
        turn = hass.async_create_task(
            conversation.async_converse(
                hass,
                "tell me a story",
                session.conversation_id,
                Context(),
                language="en",
                agent_id=AGENT,
            )
        )
        await heard.wait()
        assert not turn.done()
        last_words.open()
        assert speech(await turn) == "Once upon a time there was a lamp."
