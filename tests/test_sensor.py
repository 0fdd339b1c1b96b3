"""Sensors of an agent."""

from collections.abc import Callable

import pytest
from freezegun.api import FrozenDateTimeFactory
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    mock_restore_cache_with_extra_data,
)

from custom_components.chatterbox.agent.events import LoopOutcome
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.agent.trace import TurnTrace
from custom_components.chatterbox.const import CONF_COMPLETION_PRICE, CONF_PROMPT_PRICE
from custom_components.chatterbox.data import conversation_agents
from custom_components.chatterbox.entity import async_report_turn
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State
from homeassistant.setup import async_setup_component

from .agent.builders import tool_trace, turn_trace
from .conversation_helpers import Ask
from .fake_openai import Call, FakeOpenAI, Reply

pytestmark = pytest.mark.usefixtures("all_entities_enabled")

PRICES = {CONF_PROMPT_PRICE: 5.0, CONF_COMPLETION_PRICE: 15.0}

type Report = Callable[[TurnTrace], None]


@pytest.fixture
def report(hass: HomeAssistant, loaded_entry: MockConfigEntry) -> Report:
    """Return a function that reports a turn of the agent."""
    (agent,) = conversation_agents(loaded_entry)
    return lambda trace: async_report_turn(hass, agent, trace)


def states(hass: HomeAssistant) -> dict[str, str]:
    """Return the states of the sensors by the ends of their names."""
    prefix = "sensor.scripted_"
    return {
        state.entity_id.removeprefix(prefix): state.state
        for state in hass.states.async_all("sensor")
    }


async def test_turns_of_the_agent_are_reported(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    server.script(Reply(tool_calls=[Call("get_current_datetime")]), Reply("It is noon."))
    await ask("What time is it?")
    await hass.async_block_till_done()

    found = states(hass)
    assert found["responses"] == "1.0"
    assert float(found["input_tokens"]) > 0
    assert float(found["output_tokens"]) > 0
    assert float(found["time_to_first_token"]) > 0
    assert float(found["response_time"]) > 0
    assert found["failed_tool_calls"] == "0.0"


async def test_outcomes_are_counted(hass: HomeAssistant, report: Report) -> None:
    for outcome in LoopOutcome:
        report(turn_trace(outcome=outcome, tools=(tool_trace(ok=False), tool_trace())))

    found = states(hass)
    assert {key: found[key] for key in sorted(found) if "response" in key or "tool" in key} == {
        "failed_responses": "2.0",
        "failed_tool_calls": "5.0",
        "interrupted_responses": "1.0",
        "last_response": found["last_response"],
        "response_time": "1.0",
        "responses": "5.0",
        "responses_of_the_fallback_agent": "1.0",
    }


async def test_last_response_is_the_time_of_the_last_answer(
    hass: HomeAssistant, report: Report, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to("2026-11-05T20:15:00+00:00")
    report(turn_trace())
    freezer.move_to("2026-11-05T20:20:00+00:00")
    report(turn_trace(outcome=LoopOutcome.ERROR))

    assert states(hass)["last_response"] == "2026-11-05T20:15:00+00:00"


async def test_value_that_a_turn_lacks_is_kept(hass: HomeAssistant, report: Report) -> None:
    assert states(hass)["time_to_first_token"] == STATE_UNKNOWN
    report(turn_trace(first_token=0.25))
    report(turn_trace(first_token=None))

    assert states(hass)["time_to_first_token"] == "0.25"


async def test_cached_share_is_a_percentage(hass: HomeAssistant, report: Report) -> None:
    report(turn_trace(usage=UsageStats(prompt_tokens=200, cached_tokens=150)))
    report(turn_trace(usage=UsageStats(prompt_tokens=200)))

    assert states(hass)["cached_part_of_the_prompt"] == "75.0"


@pytest.mark.parametrize("options", [PRICES])
async def test_cost_comes_from_the_prices_of_the_user(hass: HomeAssistant, report: Report) -> None:
    report(turn_trace(usage=UsageStats(cost=0.25)))
    report(turn_trace(usage=UsageStats(cost=None)))

    state = hass.states.get("sensor.scripted_cost")
    assert state is not None
    assert (state.state, state.attributes["unit_of_measurement"]) == ("0.25", "USD")


async def test_without_prices_there_is_no_cost(hass: HomeAssistant, report: Report) -> None:
    assert "cost" not in states(hass)


async def test_values_survive_a_restart(hass: HomeAssistant, config_entry: MockConfigEntry) -> None:
    values = {"sensor.scripted_responses": 7.0, "sensor.scripted_time_to_first_token": 0.5}
    mock_restore_cache_with_extra_data(
        hass,
        [
            (State(entity_id, ""), {"native_value": value, "native_unit_of_measurement": None})
            for entity_id, value in values.items()
        ],
    )
    await _set_up(hass, config_entry)

    assert {entity_id: states(hass)[entity_id[16:]] for entity_id in values} == {
        entity_id: str(value) for entity_id, value in values.items()
    }


async def test_unreadable_total_begins_at_zero(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    stored = {"native_value": None, "native_unit_of_measurement": None}
    mock_restore_cache_with_extra_data(hass, [(State("sensor.scripted_responses", ""), stored)])
    await _set_up(hass, config_entry)

    assert states(hass)["responses"] == "0.0"


async def test_unloaded_agent_hears_of_no_turns(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, report: Report
) -> None:
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    report(turn_trace())

    assert set(states(hass).values()) == {STATE_UNAVAILABLE}


async def _set_up(hass: HomeAssistant, entry: ConfigEntry) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
