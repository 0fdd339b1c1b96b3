"""Event entity of an agent."""

import logging

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.events import LoopOutcome
from custom_components.chatterbox.agent.trace import ErrorDetail
from custom_components.chatterbox.data import conversation_agents
from custom_components.chatterbox.entity import async_report_turn
from homeassistant.core import HomeAssistant

from .agent.builders import tool_trace, turn_trace
from .conversation_helpers import Ask
from .fake_openai import Call, FakeOpenAI, Reply

ENTITY = "event.scripted_response"
SAID, ANSWERED = "When do I take my pills?", "At noon, my dear."


async def test_turn_is_an_event_without_texts(
    hass: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "custom_components.chatterbox")
    server.script(
        Reply(tool_calls=[Call("get_current_datetime", {"timezone": "Europe/Oslo"})]),
        Reply(ANSWERED),
    )
    await ask(SAID)
    await hass.async_block_till_done()

    state = hass.states.get(ENTITY)
    assert state is not None
    shown = dict(state.attributes)
    assert shown["event_type"] == "final"
    assert (shown["tools"], shown["failed_tools"], shown["requests"]) == (
        ["get_current_datetime"],
        [],
        2,
    )
    assert shown["seconds"] > 0
    (trace,) = loaded_entry.runtime_data.turns
    assert shown["trace_id"] == trace.id
    assert (shown["profile"], shown["error"]) == ("capable", None)
    assert f"[{trace.id}] Tool get_current_datetime is called" in caplog.text
    assert not any(text in str(shown) for text in (SAID, ANSWERED, "Oslo"))


@pytest.mark.parametrize("outcome", list(LoopOutcome))
async def test_each_outcome_has_its_event_type(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, outcome: LoopOutcome
) -> None:
    (agent,) = conversation_agents(loaded_entry)
    error = ErrorDetail(code="timeout", message="Late.", type="LLMTimeoutError", retryable=True)
    async_report_turn(
        hass,
        agent,
        turn_trace(outcome=outcome, first_token=None, tools=(tool_trace(ok=False),), error=error),
    )

    state = hass.states.get(ENTITY)
    assert state is not None
    assert state.attributes["event_type"] == outcome
    assert state.attributes["failed_tools"] == ["look"]
    assert state.attributes["error"] == "timeout"
    assert state.attributes["time_to_first_token"] is None
