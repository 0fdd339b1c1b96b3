"""Conversations with the agent of the tests: its speech, requests and actions, and restarts."""

import asyncio
from collections.abc import Callable
from typing import Any

from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN
from homeassistant.components.conversation import ConversationResult
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import chat_session

from .fake_openai import Call, FakeOpenAI, Gate, Reply, history_problems

AGENT = "conversation.scripted"
STOPPED = "All right, I stopped."
STOPPED_WRITING = "I've stopped, but what I had already started is still being completed."
BUSY = "I am still working on your last question."
# A reply that calls the slow tool.
SAW = Reply("One moment.", tool_calls=[Call("*saw", id="saw")])

_RECOGNITION = "chatterbox command recognition"

type Ask = Callable[..., asyncio.Task[ConversationResult]]


def speech(result: ConversationResult) -> str:
    """Return the speech of a result."""
    text: str = result.response.speech["plain"]["speech"]
    return text


async def open_after_recognition(gate: Gate) -> None:
    """Let the server go on when Home Assistant has read the message."""
    await gate.reached.wait()
    reading = [task for task in asyncio.all_tasks() if task.get_name() == _RECOGNITION]
    if reading:
        await asyncio.wait(reading)
    gate.open()


def messages(server: FakeOpenAI) -> list[dict[str, Any]]:
    """Return the messages of the last request, which have to be valid."""
    sent = server.completions[-1].messages
    assert history_problems(sent) == []
    return sent


def bodies(server: FakeOpenAI) -> list[dict[str, Any]]:
    """Return the bodies of all completion requests."""
    return [request.json for request in server.completions]


def sent(server: FakeOpenAI, index: int = -1) -> dict[str, Any]:
    """Return the body of a completion request."""
    requests = [request.json for request in server.requests if request.json]
    body: dict[str, Any] = dict(requests[index])
    return body


async def perform(
    hass: HomeAssistant, action: str, user_id: str | None = None, /, **data: Any
) -> dict[str, Any]:
    """Perform an action of the integration, by default as an automation; return its response."""
    response = await hass.services.async_call(
        DOMAIN,
        action,
        data,
        blocking=True,
        return_response=True,
        context=Context(user_id=user_id),
    )
    assert response is not None
    return dict(response)


async def restart(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    """Do to the conversations what a restart does: nothing but the disk survives."""
    assert await hass.config_entries.async_unload(entry.entry_id)
    hass.data.pop(DATA_CHAT_LOGS, None)
    hass.data[chat_session.DATA_CHAT_SESSION].clear()
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert entry.state is ConfigEntryState.LOADED
