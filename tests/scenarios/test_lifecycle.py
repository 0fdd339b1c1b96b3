"""Turns during whatever may happen to an agent, its server, its home and its clock."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox import data
from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntryDisabler, ConfigSubentry
from homeassistant.core import Context, HomeAssistant
from tests.builders import Workshop
from tests.conversation_helpers import (
    AGENT,
    SAW,
    STOPPED,
    STOPPED_WRITING,
    Ask,
    messages,
    speech,
)
from tests.fake_openai import FakeOpenAI, Gate, Reply

STORY = "It is a long story."
SECOND = "conversation.second"


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent with the slow tool."""
    return {"llm_hass_api": ["workshop"], "recommended": False}


@pytest.fixture
async def home(disk: Path, home: HomeAssistant) -> HomeAssistant:
    """Return a home with a disk."""
    return home


@pytest.fixture
def expected_lingering_timers() -> bool:
    """Allow for the timers of Home Assistant's sessions when it has stopped."""
    return True


def subentry(name: str) -> ConfigSubentry:
    return ConfigSubentry(
        data=MappingProxyType({"model": "scripted-1", "recommended": True}),
        subentry_type="conversation",
        title=name,
        unique_id=None,
    )


async def change(hass: HomeAssistant, entry: MockConfigEntry, what: str) -> None:
    """Change an agent, its server or the home."""
    entries = hass.config_entries
    agent = next(iter(entry.subentries.values()))
    match what:
        case "another agent is added":
            entries.async_add_subentry(entry, subentry("Second"))
        case "the agent is changed":
            data = {**agent.data, "model": "scripted-2"}
            entries.async_update_subentry(entry, agent, data=data, title="Renamed")
        case "the agent is removed":
            entries.async_remove_subentry(entry, agent.subentry_id)
        case "the server is changed":
            entries.async_update_entry(entry, options={"max_requests_per_minute": 60})
        case "the server is unloaded":
            await entries.async_unload(entry.entry_id)
        case "the server is disabled":
            await entries.async_set_disabled_by(entry.entry_id, ConfigEntryDisabler.USER)
        case "the server is removed":
            await entries.async_remove(entry.entry_id)


CHANGES = [
    "another agent is added",
    "the agent is changed",
    "the agent is removed",
    "the server is changed",
    "the server is unloaded",
    "the server is disabled",
    "the server is removed",
]


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("after", [0, 1, 3], ids=["request", "first word", "words"])
async def test_turn_ends_with_a_sentence_whatever_happens_meanwhile(  # noqa: PLR0917 - fixtures
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
    what: str,
    after: int,
) -> None:
    gate = Gate(after)
    server.script(Reply(STORY, hold=gate))
    turn = ask("Tell me a story")
    await gate.reached.wait()
    await change(home, loaded_entry, what)
    gate.open()
    assert speech(await turn).strip()
    await home.async_block_till_done(wait_background_tasks=True)
    assert not [task for task in asyncio.all_tasks() if AGENT in task.get_name()]


@pytest.mark.parametrize("after", [0, 1, 3], ids=["request", "first word", "words"])
async def test_turn_during_a_shutdown_is_stored(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, disk: Path, after: int
) -> None:
    gate = Gate(after)
    server.script(Reply(STORY, hold=gate))
    turn = ask("Tell me a story")
    await gate.reached.wait()
    stopping = asyncio.create_task(home.async_stop(force=True))
    await asyncio.sleep(0)
    gate.open()
    assert speech(await turn) == STORY
    await stopping
    (stored,) = disk.glob(".storage/chatterbox.history/*/*/*")  # noqa: ASYNC240
    assert STORY in stored.read_text()


async def test_shutdown_does_not_wait_long_for_a_turn(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "SHUTDOWN_SECONDS", 0.01)
    gate = Gate(1)
    server.script(Reply(STORY, hold=gate))
    turn = ask("Tell me a story")
    await gate.reached.wait()
    await home.async_stop(force=True)
    assert not turn.done()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn


@pytest.mark.parametrize("what", [*CHANGES[:4]])
async def test_tool_completes_and_its_result_is_told_whatever_happens_meanwhile(  # noqa: PLR0917
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    workshop: Workshop,
    loaded_entry: MockConfigEntry,
    what: str,
) -> None:
    server.script(SAW, Reply("The board is sawn."))
    turn = ask("Saw a board")
    await workshop.started.wait()
    await change(home, loaded_entry, what)
    workshop.go_on.set()
    assert speech(await turn).endswith("The board is sawn.")
    assert workshop.finished == 1
    await home.async_block_till_done()
    if what != "the agent is removed":
        await ask("And now?")
        assert "Saw a board" in str(messages(server))
        assert "boards" in str(messages(server))


async def converse(
    hass: HomeAssistant, text: str, agent: str, *, device: str | None = None, talk: str = "desk"
) -> str:
    result = await conversation.async_converse(
        hass, text, talk, Context(), language="en", agent_id=agent, device_id=device
    )
    return speech(result)


@pytest.fixture
async def second(home: HomeAssistant, ask: Ask, loaded_entry: MockConfigEntry) -> str:
    """Add another agent to the same server."""
    home.config_entries.async_add_subentry(loaded_entry, subentry("Second"))
    await home.async_block_till_done(wait_background_tasks=True)
    return SECOND


async def test_agents_that_share_a_satellite_have_separate_histories(
    home: HomeAssistant, server: FakeOpenAI, second: str
) -> None:
    await converse(home, "My secret is tea", AGENT, device="kitchen", talk="one")
    await converse(home, "Mine is milk", second, device="kitchen", talk="two")
    await converse(home, "What is it?", AGENT, device="kitchen", talk="one")
    sent = str(messages(server))
    assert "tea" in sent
    assert "milk" not in sent


async def test_stop_on_a_shared_satellite_is_for_the_agent_that_answers(
    home: HomeAssistant, server: FakeOpenAI, second: str
) -> None:
    gate = Gate(1)
    server.script(Reply(STORY, hold=gate))
    turn = asyncio.create_task(
        converse(home, "Tell me a story", AGENT, device="kitchen", talk="one")
    )
    await gate.reached.wait()
    assert await converse(home, "Stop", second, device="kitchen", talk="two") == STOPPED
    assert await turn == STOPPED


async def test_change_in_progress_is_mentioned_to_whoever_stops_it(
    home: HomeAssistant, server: FakeOpenAI, workshop: Workshop, second: str
) -> None:
    server.script(SAW)
    turn = asyncio.create_task(converse(home, "Saw", AGENT, device="kitchen", talk="one"))
    await workshop.started.wait()
    assert await converse(home, "Stop", second, device="kitchen", talk="two") == STOPPED_WRITING
    assert await turn == STOPPED_WRITING
    workshop.go_on.set()
    await home.async_block_till_done()
    assert workshop.finished == 1


async def test_servers_do_not_concern_each_other(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    async with FakeOpenAI() as other:
        added = MockConfigEntry(
            domain="chatterbox",
            title="Other",
            data={**loaded_entry.data, "base_url": other.url},
            subentries_data=[{**subentry("Other").as_dict(), "subentry_id": "other"}],
        )
        added.add_to_hass(home)
        assert await home.config_entries.async_setup(added.entry_id)
        gate = Gate(1)
        server.script(Reply(STORY, hold=gate))
        other.script(Reply("I am the other one."), Reply("Still here."))
        turn = ask("Tell me a story")
        await gate.reached.wait()
        assert await converse(home, "Who is it?", "conversation.other") == "I am the other one."
        assert await home.config_entries.async_reload(added.entry_id)
        await home.config_entries.async_remove(added.entry_id)
        gate.open()
        assert speech(await turn) == STORY
        await ask("And now?")
        assert "Who is it?" not in str(messages(server))


@pytest.mark.parametrize("hours", [-3, 3])
async def test_order_of_turns_does_not_depend_on_the_clock(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry, hours: int
) -> None:
    await ask("One")
    await home.async_block_till_done()
    (history,) = loaded_entry.runtime_data.histories.values()
    (info,) = history.memory.store.index
    # The clock was set after the first turn.
    await history.memory.update(
        info.id,
        lambda known: replace(
            known,
            turns=tuple(replace(turn, at=turn.at + timedelta(hours=hours)) for turn in known.turns),
        ),
    )
    for text in ("Two", "Three", "Four"):
        await ask(text)
    users = [each["content"] for each in messages(server) if each["role"] == "user"]
    assert [text.partition("\n")[0] for text in users] == ["One", "Two", "Three", "Four"]
