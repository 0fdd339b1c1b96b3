"""Service actions: cancelling turns."""

from typing import Any

import pytest

from custom_components.chatterbox.const import DOMAIN
from homeassistant.core import HomeAssistant

from .conversation_helpers import STOPPED, Ask, messages, speech
from .fake_openai import FakeOpenAI, Gate, Reply


async def cancel(hass: HomeAssistant, **data: Any) -> str:
    """Call the action; return what it says."""
    response = await hass.services.async_call(
        DOMAIN, "cancel", data, blocking=True, return_response=True
    )
    assert response is not None
    return str(response["status"])


@pytest.mark.parametrize("data", [{}, {"conversation_id": "desk"}])
async def test_the_action_stops_a_turn(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, data: dict[str, str]
) -> None:
    assert await cancel(home) == "not_processing"
    gate = Gate(after=3)
    server.script(Reply("This is a long story. It never ends.", hold=gate), Reply("Here I am."))
    turn = ask("Tell a story")
    await gate.reached.wait()
    assert await cancel(home, conversation_id="other") == "not_processing"
    assert await cancel(home, **data) == "interrupted"
    result = await turn
    assert speech(result) == STOPPED
    assert result.response.error_code is None
    await server.completions[0].disconnected.wait()
    assert speech(await ask("Are you there?")) == "Here I am."
    assert [message["role"] for message in messages(server)] == ["system", "user"]
