"""The fallback agent for when the model is unreachable."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from homeassistant.core import HomeAssistant

from .builders import Workshop
from .conversation_helpers import AGENT, SAW, Ask, speech
from .fake_openai import FakeOpenAI, Fault, Reply


@pytest.fixture
def options() -> dict[str, Any]:
    """Ask a failing server once."""
    return {"retry_wait": 0}


@pytest.mark.parametrize(
    "agent_options", [{"fallback_agent": "conversation.home_assistant", "recommended": False}]
)
async def test_another_agent_answers_for_a_server_that_is_down(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    turn_on = async_mock_service(home, "light", "turn_on")
    server.default = Reply(fault=Fault.RESET)
    first, second = await ask("Turn on Desk"), await ask("Turn on Desk")
    assert len(turn_on) == 2
    assert (
        speech(first)
        == f"I cannot reach the model, so I do what I can without it. {speech(second)}"
    )
    assert first.response.error_code is None

    assert speech(await ask("Tell me a story")).startswith("I cannot reach the model. Its server")
    server.reset()
    server.script(Reply("Once upon a time."))
    assert speech(await ask("Tell me a story")) == "Once upon a time."
    server.default = Reply(fault=Fault.RESET)
    assert "what I can" in speech(await ask("Turn on Desk"))


@pytest.mark.parametrize("agent_options", [{"fallback_agent": AGENT}, {"fallback_agent": "gone"}])
async def test_a_fallback_that_is_none(ask: Ask, server: FakeOpenAI) -> None:
    server.default = Reply(fault=Fault.RESET)
    assert speech(await ask("Turn on Desk")).startswith("I cannot reach the model. Its server")


@pytest.mark.parametrize(
    "agent_options",
    [{"fallback_agent": "conversation.home_assistant", "llm_hass_api": ["workshop"]}],
)
async def test_nothing_is_handed_over_that_has_begun(
    ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    workshop.go_on.set()
    server.script(SAW)
    server.default = Reply(fault=Fault.RESET)
    assert (await ask("Saw a board")).response.error_code is not None
    assert workshop.calls == 1
