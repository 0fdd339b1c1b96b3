"""Scenario: as many conversations at once as the load test has, in counts."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from benchmarks.agent_turn.load import AT_ONCE, Crowd, sizes
from benchmarks.agent_turn.server_process import scripted_server
from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from tests.conversation_helpers import AGENT

TURNS, TALKS, STORED = 3, 2, AT_ONCE + 8


@dataclass(frozen=True, slots=True)
class ScriptedServer:
    """The server of the benchmark, which answers each message by itself."""

    url: str


@pytest.fixture
async def server(socket_enabled: None) -> AsyncIterator[ScriptedServer]:
    """Run the server of the benchmark, in a process of its own."""
    with scripted_server() as address:
        yield ScriptedServer(f"{address}/v1")


@pytest.fixture
def options() -> dict[str, Any]:
    """Return a server with fewer conversations than there will be."""
    return {"history_conversations": STORED}


@pytest.fixture
async def users(hass: HomeAssistant) -> list[Context]:
    """Return some users."""
    created = [await hass.auth.async_create_user(f"User {number}") for number in range(4)]
    return [Context(user_id=user.id) for user in created]


async def test_many_conversations_at_once_leave_nothing_behind(
    disk: Path,
    home: HomeAssistant,
    users: list[Context],
    loaded_entry: MockConfigEntry,
    caplog: pytest.LogCaptureFixture,
) -> None:
    lit = async_mock_service(home, "light", "turn_on")
    home.states.async_set("light.one", "off", {"friendly_name": "Light 1"})
    async_expose_entity(home, conversation.DOMAIN, "light.one", should_expose=True)
    await home.async_block_till_done(wait_background_tasks=True)
    caplog.clear()
    before = asyncio.all_tasks()
    crowd = Crowd(hass=home, agent=AGENT, contexts=users, turns=TURNS)
    talks = iter(range(AT_ONCE * TALKS))
    await crowd.talk(lambda: next(talks, None) is not None)
    await home.async_block_till_done(wait_background_tasks=True)
    assert crowd.period.errors == []
    assert len(crowd.period.seconds) == AT_ONCE * TALKS * TURNS
    # The first turn of each conversation.
    assert len(lit) == AT_ONCE * TALKS
    assert asyncio.all_tasks() - before == set()
    data = loaded_entry.runtime_data
    (history,) = data.histories.values()
    assert len(sizes(history.memory.store.folder)) == STORED
    assert len(history.memory.store.index) == STORED
    assert (history._active, data.finishing, home.data[DATA_CHAT_LOGS]) == ({}, set(), {})
    ours = [each for each in caplog.records if "chatterbox" in each.name]
    assert [each.getMessage() for each in ours if each.levelno >= logging.WARNING] == []
