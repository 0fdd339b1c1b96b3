"""Erasure: whatever erases a conversation leaves no copy of it in the storage folder."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed

from custom_components.chatterbox.const import DOMAIN
from homeassistant.components.conversation import ConversationResult
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from tests.builders import Workshop
from tests.conversation_helpers import AGENT, SAW, Ask
from tests.fake_openai import FakeOpenAI, Gate, Reply

PLANTED = "The treasure lies under the old oak"
TELLING = f"I know: {PLANTED}. Dig there."


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent with the slow tool, which summarizes all turns but the last."""
    return {"llm_hass_api": ["workshop"], "summarize": True, "max_history_turns": 1}


@pytest.fixture
async def home(disk: Path, home: HomeAssistant) -> HomeAssistant:
    """Return a home with a disk."""
    return home


def content(path: Path) -> bytes:
    """Return the content of a file, nothing for a folder or what has just been deleted."""
    try:
        return path.read_bytes()
    except FileNotFoundError, IsADirectoryError:
        return b""


@dataclass
class Scene:
    """A user who has told the agent something, and what of it is still in progress."""

    home: HomeAssistant
    ask: Ask
    server: FakeOpenAI
    workshop: Workshop
    entry: MockConfigEntry
    disk: Path
    user: str
    gate: Gate = field(default_factory=lambda: Gate(1))
    turn: asyncio.Task[Any] | None = None
    removal: asyncio.Task[Any] | None = None

    def say(
        self, text: str = PLANTED, conversation_id: str = "desk"
    ) -> asyncio.Task[ConversationResult]:
        """Say something as the user."""
        return self.ask(text, conversation_id, user_id=self.user)

    def found(self) -> list[Path]:
        """Return the files that contain what was planted."""
        return [path for path in self.disk.rglob("*") if PLANTED.encode() in content(path)]

    async def begin(self, what: str) -> None:
        """Begin something with what was planted."""
        match what:
            case "turn" | "first turn":
                self.server.script(Reply(TELLING, hold=self.gate))
                self.turn = self.say(conversation_id="new" if what == "first turn" else "desk")
                await self.gate.reached.wait()
            case "tool":
                self.server.script(SAW, Reply(TELLING))
                self.turn = self.say()
                await self.workshop.started.wait()
                self.turn.cancel()
                await asyncio.wait({self.turn})
            case "summary":
                self.server.script(Reply("Yes."), Reply(TELLING, hold=self.gate))
                await self.say()
                await self.gate.reached.wait()
            case "reload":
                await self.reload()

    async def end(self) -> None:
        """End what was begun, and write what is to be written."""
        self.gate.open()
        self.workshop.go_on.set()
        for task in (self.turn, self.removal):
            if task is not None:
                await asyncio.wait({task})
        await self.home.async_block_till_done(wait_background_tasks=True)
        self.home.bus.async_fire_internal(EVENT_HOMEASSISTANT_FINAL_WRITE)
        await self.home.async_block_till_done(wait_background_tasks=True)

    async def reload(self) -> None:
        """Reload the agent."""
        assert await self.home.config_entries.async_reload(self.entry.entry_id)

    async def erase(self, way: str) -> None:
        """Erase what was said, in one of the ways."""
        match way:
            case "clear all":
                await self.clear()
            case "clear the user's":
                await self.clear(user=self.user)
            case "remove the user":
                user = await self.home.auth.async_get_user(self.user)
                assert user is not None
                await self.home.auth.async_remove_user(user)
            case "wait":
                later = dt_util.utcnow() + timedelta(days=40)
                (history,) = self.entry.runtime_data.histories.values()
                with patch.object(history.memory, "_now", return_value=later):
                    async_fire_time_changed(self.home, later)
                    await self.home.async_block_till_done()
            case "remove the agent":
                entries = self.home.config_entries
                entries.async_remove_subentry(self.entry, next(iter(self.entry.subentries)))
            case "remove the entry":
                self.removal = asyncio.create_task(
                    self.home.config_entries.async_remove(self.entry.entry_id)
                )
        # Nobody waits for what follows from an event.
        async with asyncio.timeout(30):
            while self.found() and not self.unloading:  # noqa: ASYNC110 - files are no events
                await asyncio.sleep(0.01)

    @property
    def unloading(self) -> bool:
        """Return whether the entry is being unloaded, which waits for a change in progress."""
        return self.entry.state is ConfigEntryState.UNLOAD_IN_PROGRESS and self.workshop.calls > 0

    async def clear(self, **data: str) -> None:
        """Call the action."""
        await self.home.services.async_call(
            DOMAIN, "clear_history", {"agent": AGENT, **data}, blocking=True
        )


@pytest.fixture
async def scene(  # noqa: PLR0917 - fixtures
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    workshop: Workshop,
    loaded_entry: MockConfigEntry,
    disk: Path,
) -> Scene:
    """Return a user, and what they told the agent before."""
    await home.auth.async_create_user("Owner")
    user = (await home.auth.async_create_user("Ann")).id
    scene = Scene(home, ask, server, workshop, loaded_entry, disk, user)
    server.script(Reply(TELLING))
    await scene.say()
    await home.async_block_till_done(wait_background_tasks=True)
    assert scene.found()
    return scene


IN_PROGRESS = ["turn", "first turn", "summary"]
BY_HAND = ["clear all", "clear the user's", "remove the user"]


@pytest.mark.parametrize("what", ["nothing", "reload", *IN_PROGRESS, "tool"])
@pytest.mark.parametrize("way", [*BY_HAND, "remove the agent", "remove the entry"])
async def test_no_copy_is_left(scene: Scene, what: str, way: str) -> None:
    await scene.begin(what)
    await scene.erase(way)
    await scene.end()
    assert scene.found() == []


@pytest.mark.parametrize("what", IN_PROGRESS)
@pytest.mark.parametrize("way", BY_HAND)
async def test_no_copy_is_left_of_what_ends_after_a_reload(
    scene: Scene, what: str, way: str
) -> None:
    """A reload waits for tools that change something."""
    await scene.begin(what)
    await scene.erase(way)
    await scene.reload()
    await scene.end()
    assert scene.found() == []


@pytest.mark.parametrize("what", ["nothing", "reload"])
async def test_no_copy_is_left_of_what_expired(scene: Scene, what: str) -> None:
    await scene.begin(what)
    await scene.erase("wait")
    await scene.end()
    assert scene.found() == []


async def test_conversation_goes_on_after_it_was_erased_during_a_turn(scene: Scene) -> None:
    await scene.begin("first turn")
    await scene.erase("clear all")
    await scene.end()
    await scene.say("What is the capital of Norway?", "new")
    await scene.say("And of Sweden?", "new")
    sent = str(scene.server.completions[-1].messages)
    assert "Norway" in sent
    assert PLANTED not in sent
