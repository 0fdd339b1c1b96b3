"""Test of an agent: what is shown of its model and of a sample turn."""

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.data import conversation_agents
from custom_components.chatterbox.sample_turn import async_test_agent
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from .conversation_helpers import AGENT, Ask
from .fake_openai import Call, FakeOpenAI, Fault, Reply

# What a capable model answers to the probe: streaming and reasoning, calls, forced, schema.
PROBE = 4


async def outcome(hass: HomeAssistant, entry: MockConfigEntry) -> dict[str, str]:
    """Test the agent of an entry."""
    [agent] = conversation_agents(entry)
    return await async_test_agent(hass, agent)


@pytest.mark.parametrize("agent_options", [{"profile": "capable"}])
async def test_answer_tools_and_times_are_shown(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """The tool is called by the agent as it is, with its own tools."""
    server.script(
        *[Reply("Yes.")] * PROBE,
        Reply(tool_calls=[Call("get_current_datetime")]),
        Reply("It is\nten."),
    )
    shown = await outcome(home, loaded_entry)
    assert (shown["question"], shown["answer"]) == ("What time is it?", "It is ten.")
    assert shown["tools_called"].startswith("get_current_datetime (")
    assert float(shown["first_word"]) <= float(shown["seconds"])
    assert shown["profile"] == "Capable: calls tools by itself"
    # The probe did not see a call, but there was one.
    assert shown["tools"] == "✓"


@pytest.mark.parametrize("agent_options", [{"profile": "guided"}])
async def test_answer_without_tokens_comes_at_once(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """A guided agent tells the time from the result of the tool."""
    shown = await outcome(home, loaded_entry)
    assert shown["tools_called"].startswith("get_current_datetime (")
    assert shown["first_word"] == shown["seconds"]


async def test_sample_turn_is_not_remembered(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """And no other conversation is forgotten."""
    await ask("Hello")
    await outcome(home, loaded_entry)
    await outcome(home, loaded_entry)
    [agent] = conversation_agents(loaded_entry)
    [kept] = [info for info in agent.history.memory.store.index if info.turns]
    assert "desk" in kept.ids


async def test_what_the_probe_finds_out_is_kept(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    server.refuses = ["tools", "response_format"]
    shown = await outcome(home, loaded_entry)
    assert shown["profile"] == "guided, because the server does not accept tools"
    assert (shown["streaming"], shown["tools"]) == ("✓", "✗")
    assert "tools" in loaded_entry.runtime_data.quirks["scripted-1"].rejected


async def test_failing_server_is_shown_with_the_sentence_of_the_agent(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    server.default = server.models_reply = Reply(fault=Fault.UNAUTHORIZED)
    shown = await outcome(home, loaded_entry)
    assert shown["answer"].startswith("The model's server does not accept my key.")
    assert (shown["tools"], shown["tools_called"], shown["first_word"]) == ("?", "–", "?")


@pytest.mark.parametrize("options", [{"retry_wait": 0}])
async def test_disabled_agent_has_no_answer(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    er.async_get(hass).async_update_entity(AGENT, disabled_by=er.RegistryEntryDisabler.USER)
    hass.states.async_remove(AGENT)
    shown = await outcome(hass, loaded_entry)
    assert shown["answer"] == f"{AGENT} is not a loaded Chatterbox agent."
    assert shown["seconds"] == "?"
