"""Persistent store of learned server quirks."""

import json
from pathlib import Path
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.model.server_quirks import LIFETIME, Quirk
from custom_components.chatterbox.quirk_store import QuirkStore
from homeassistant.core import HomeAssistant

from .conversation_helpers import Ask
from .fake_openai import FakeOpenAI

KEY = "chatterbox.models.entry"


@pytest.fixture
def file(disk: Path) -> Path:
    folder = disk / ".storage"
    folder.mkdir()
    return folder / KEY


async def loaded(hass: HomeAssistant) -> QuirkStore:
    store = QuirkStore(hass, "entry")
    await store.async_load()
    return store


def write(file: Path, data: dict[str, Any]) -> None:
    file.write_text(json.dumps({"version": 1, "minor_version": 1, "key": KEY, "data": data}))


def stored(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text())
    return content


async def test_migration_from_version_1_sets_the_timestamps(
    hass: HomeAssistant, file: Path, freezer: FrozenDateTimeFactory
) -> None:
    released = {
        "a": {"refused": ["stream", "temperature"], "starts_thinking": False},
        "b": {"refused": ["tools"], "starts_thinking": True},
        "c": {"refused": [], "starts_thinking": True},
    }
    write(file, released)
    store = await loaded(hass)
    assert store.keys() == {"a", "b"}
    assert store["a"].rejected == {"stream", "temperature"}
    assert store["b"].rejected == {"tools"}
    assert not store["b"].starts_thinking
    assert store["a"].age_in_days == {"stream": 0, "temperature": 0}
    assert stored(file)["version"] == 2
    # The week begins at the migration, and a restart does not begin it again.
    freezer.tick(LIFETIME - 1)
    assert (await loaded(hass))["a"].has("stream")
    freezer.tick(1)
    assert not (await loaded(hass))["a"].has("stream")


async def test_learned_quirks_survive_a_restart(hass: HomeAssistant, file: Path) -> None:
    store = await loaded(hass)
    store["m"].learn(Quirk.CALLED_NATIVELY)
    store["m"].set_parameters(1.5)
    store["sized"].set_parameters(7.6)
    assert not store["asked for"].known
    await store.async_close()
    again = await loaded(hass)
    assert again.keys() == {"m", "sized"}
    assert again["m"].called_natively
    assert (again["m"].parameters, again["sized"].parameters) == (1.5, 7.6)


async def test_expired_quirks_are_not_stored(
    hass: HomeAssistant, file: Path, freezer: FrozenDateTimeFactory
) -> None:
    store = await loaded(hass)
    store["m"].learn("stream")
    store["old"].learn("stream")
    freezer.tick(LIFETIME)
    store["m"].learn("temperature")
    await store.async_close()
    data = stored(file)["data"]
    assert data.keys() == {"m"}
    assert data["m"]["learned"].keys() == {"temperature"}


async def test_nothing_is_written_after_closing(hass: HomeAssistant, file: Path) -> None:
    store = await loaded(hass)
    await store.async_close()
    store["m"].learn("stream")
    await hass.async_block_till_done()
    assert (await loaded(hass)).keys() == set()


# With an agent.


async def test_rejected_parameters_are_not_sent_after_a_restart(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    ask: Ask,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
) -> None:
    """Nothing that was refused once is sent again, until the server is another one."""
    server.refuses = ["temperature", "tools with stream"]
    await ask("Hello")
    assert len(server.refused) == 2
    assert await hass.config_entries.async_reload(loaded_entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    [key] = [key for key in hass_storage if key.startswith("chatterbox.models.")]
    learned = hass_storage[key]["data"]["scripted-1"]["learned"]
    assert learned.keys() == {"stream with tools", "temperature"}
    server.refused.clear()
    await ask("Hello again")
    assert server.refused == []
    assert await hass.config_entries.async_remove(loaded_entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert key not in hass_storage


async def test_quirks_of_an_old_turn_are_not_stored_after_clearing(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """Its server may have been updated meanwhile."""
    server.refuses = ["temperature"]
    await ask("Hello")
    store = loaded_entry.runtime_data.quirks
    assert store["scripted-1"].rejected == {"temperature"}
    kept = store["scripted-1"]
    store.clear("scripted-1")
    assert store.as_dict() == {}
    # What a turn learns that outlasts all this is not written over what is known since.
    assert await hass.config_entries.async_reload(loaded_entry.entry_id)
    kept.learn("stream")
    assert loaded_entry.runtime_data.quirks.as_dict() == {}
    await hass.async_block_till_done(wait_background_tasks=True)
