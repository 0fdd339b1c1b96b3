"""Storage of a turn whose agent is reloaded meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.history_store import HassConversationStore
from homeassistant.core import HomeAssistant

from .conversation_helpers import Ask, messages, speech
from .fake_openai import FakeOpenAI, Gate, Reply


@pytest.fixture
async def home(disk: Path, home: HomeAssistant) -> HomeAssistant:
    """Return a home with a disk."""
    return home


async def test_turn_is_found_although_it_ended_after_a_reload_had_read_the_files(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    gate, read, go_on = Gate(1), asyncio.Event(), asyncio.Event()
    read_index: Callable[[HassConversationStore], Awaitable[None]] = (
        HassConversationStore.async_read_index
    )

    async def slow(store: HassConversationStore) -> None:
        await read_index(store)
        read.set()
        await go_on.wait()

    server.script(Reply("It is a long story.", hold=gate))
    turn = ask("Tell me a story")
    await gate.reached.wait()
    with patch.object(HassConversationStore, "async_read_index", slow):
        reload = asyncio.create_task(home.config_entries.async_reload(loaded_entry.entry_id))
        await read.wait()
        gate.open()
        assert speech(await turn) == "It is a long story."
        go_on.set()
        assert await reload
    await home.async_block_till_done()
    await ask("Go on")
    assert "Tell me a story" in str(messages(server))


async def test_turn_of_an_unloaded_agent_is_stored(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    gate = Gate(1)
    server.script(Reply("It is a long story.", hold=gate))
    turn = ask("Tell me a story")
    await gate.reached.wait()
    await home.config_entries.async_unload(loaded_entry.entry_id)
    gate.open()
    await turn
    await home.async_block_till_done()
    assert await home.config_entries.async_setup(loaded_entry.entry_id)
    await ask("Go on")
    assert "Tell me a story" in str(messages(server))


@pytest.mark.parametrize("remember", ["none", "session"])
async def test_turn_is_not_stored_once_conversations_are_not_any_more(
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
    remember: str,
) -> None:
    await ask("Good morning")
    await home.async_block_till_done()
    assert stored(home)
    gate, deleted, go_on = Gate(1), asyncio.Event(), asyncio.Event()

    async def slow(*_args: object, **_keep: object) -> None:
        deleted.set()
        await go_on.wait()

    server.script(Reply("It is a long story.", hold=gate))
    turn = ask("Tell me a story")
    await gate.reached.wait()
    # Called once the stored conversations were deleted.
    with patch("custom_components.chatterbox.async_remove_facts", slow):
        (agent,) = loaded_entry.subentries.values()
        home.config_entries.async_update_subentry(
            loaded_entry, agent, data={**agent.data, "remember": remember}
        )
        await deleted.wait()
        gate.open()
        assert speech(await turn) == "It is a long story."
        await wait_for_storage()
        go_on.set()
        await home.async_block_till_done()
    assert stored(home) == []
    await ask("Go on")
    assert ("Tell me a story" in str(messages(server))) is (remember == "session")


def stored(home: HomeAssistant) -> list[Path]:
    """Return the stored conversations."""
    folder = Path(home.config.path(".storage", "chatterbox.history"))
    return [path for path in folder.rglob("*") if path.is_file()]


async def wait_for_storage() -> None:
    """Wait for the task that stores a turn."""
    tasks = [task for task in asyncio.all_tasks() if task.get_name().endswith("finish turn")]
    if tasks:
        await asyncio.wait(tasks)
