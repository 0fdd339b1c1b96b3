"""The fallback agent for when the model is unreachable."""

from typing import Any
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.chatterbox.fallback import async_fall_back
from homeassistant.components import conversation
from homeassistant.components.conversation import HOME_ASSISTANT_AGENT, ConversationResult
from homeassistant.core import HomeAssistant

from .builders import Workshop, user_message
from .conversation_helpers import AGENT, SAW, Ask, speech
from .fake_openai import FakeOpenAI, Fault, Reply


@pytest.fixture
def options() -> dict[str, Any]:
    """Ask a failing server once."""
    return {"retry_wait": 0}


@pytest.mark.parametrize("agent_options", [{"fallback_agent": "conversation.home_assistant"}])
async def test_fallback_agent_answers_while_the_server_is_down(
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
async def test_missing_fallback_agent_leaves_the_error(ask: Ask, server: FakeOpenAI) -> None:
    server.default = Reply(fault=Fault.RESET)
    assert speech(await ask("Turn on Desk")).startswith("I cannot reach the model. Its server")


@pytest.mark.parametrize(
    "agent_options",
    [{"fallback_agent": "conversation.home_assistant", "llm_hass_api": ["workshop"]}],
)
async def test_turn_that_called_a_tool_does_not_fall_back(
    ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    workshop.go_on.set()
    server.script(SAW)
    server.default = Reply(fault=Fault.RESET)
    assert (await ask("Saw a board")).response.error_code is not None
    assert workshop.calls == 1


@pytest.mark.parametrize("agent_id", [AGENT, "conversation.gone"])
async def test_missing_agent_and_the_agent_itself_return_nothing(
    home: HomeAssistant, agent_id: str
) -> None:
    assert await async_fall_back(home, agent_id, user_message("Turn on Desk"), "desk") is None


async def test_error_of_the_fallback_agent_returns_nothing(home: HomeAssistant) -> None:
    message = user_message("Tell me a story")
    assert await async_fall_back(home, HOME_ASSISTANT_AGENT, message, "desk") is None


async def test_answer_of_the_fallback_agent_is_returned(home: HomeAssistant) -> None:
    turn_on = async_mock_service(home, "light", "turn_on")
    message = user_message("Turn on Desk")
    result = await async_fall_back(home, HOME_ASSISTANT_AGENT, message, "desk")
    assert result is not None
    assert speech(result)
    assert len(turn_on) == 1


async def test_two_agents_that_fall_back_to_each_other_end(home: HomeAssistant) -> None:
    """The second one does not fall back while the first one does."""
    message = user_message("Turn on Desk", agent_id="conversation.other")
    inner: list[ConversationResult | None] = []

    async def answer(*_args: Any, **_more: Any) -> ConversationResult:
        inner.append(await async_fall_back(home, "conversation.other", user_message(), "desk"))
        raise ValueError

    with patch.object(conversation, "async_converse", answer):
        assert await async_fall_back(home, AGENT, message, "desk") is None
    assert inner == [None]
