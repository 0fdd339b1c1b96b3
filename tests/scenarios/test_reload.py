"""Reloads: what a conversation keeps, and what becomes of a turn in progress."""

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.chatterbox.data import lasting_data
from homeassistant.core import HomeAssistant
from tests.conversation_helpers import BUSY, STOPPED, Ask, speech
from tests.fake_openai import Call, FakeOpenAI, Gate, Reply

UNLOCK = Reply(tool_calls=[Call("*HassTurnOff", {"name": "Front Door"})])
SHUT = Reply(tool_calls=[Call("*HassTurnOn", {"name": "Front Door"})])


async def reload(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    assert await hass.config_entries.async_reload(entry.entry_id)


def offered(server: FakeOpenAI) -> list[str]:
    """Return the tools of the last request."""
    return [tool["function"]["name"] for tool in server.completions[-1].json["tools"]]


@pytest.mark.parametrize("agent_options", [{"confirm": ["locks"]}], ids=["locks"])
async def test_pending_confirmation_survives_a_reload(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    unlock = async_mock_service(home, "lock", "unlock")
    server.script(UNLOCK, Reply("Shall I unlock the front door?"), Reply("All right."))
    await ask("Unlock the front door")
    await reload(home, loaded_entry)
    assert speech(await ask("Yes, please")) == "All right."
    assert len(unlock) == 1


async def test_failures_of_a_tool_are_counted_across_a_reload(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """There is no such service, so that the tool always fails."""
    for number in range(3):
        server.script(SHUT, Reply("It does not work."))
        await ask(f"Lock the front door {number}")
        assert any("HassTurnOn" in name for name in offered(server)) is (number < 2)
        await reload(home, loaded_entry)
    await ask("Lock the front door")
    assert not any("HassTurnOn" in name for name in offered(server))
    await ask("Lock the front door", "another")
    assert any("HassTurnOn" in name for name in offered(server))


async def test_turn_in_progress_is_still_known_after_a_reload(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    gate = Gate(1)
    server.script(Reply("It is a long story.", hold=gate))
    turn = ask("Tell me a story")
    await gate.reached.wait()
    await reload(home, loaded_entry)
    assert speech(await ask("And another one")) == BUSY
    assert speech(await ask("Stop")) == STOPPED
    assert speech(await turn) == STOPPED


async def test_conversations_end_with_the_entry(
    home: HomeAssistant, ask: Ask, loaded_entry: MockConfigEntry
) -> None:
    await ask("Hello")
    conversations = loaded_entry.runtime_data.conversations
    await reload(home, loaded_entry)
    assert loaded_entry.runtime_data.conversations is conversations
    await home.config_entries.async_remove(loaded_entry.entry_id)
    assert lasting_data(home, loaded_entry.entry_id).conversations is not conversations
