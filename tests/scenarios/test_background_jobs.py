"""Long jobs: a tool that takes too long finishes in the background, and is announced."""

import asyncio
import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.chatterbox.agent.tools.dispatcher import wait_for_call
from custom_components.chatterbox.const import DOMAIN
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse
from homeassistant.exceptions import HomeAssistantError

from ..builders import Workshop
from ..conversation_helpers import SAW, STOPPED_WRITING, Ask, messages, sent, speech
from ..fake_openai import Call, FakeOpenAI, Fault, Gate, Reply

SATELLITE = "assist_satellite.kitchen"
LATER = "I'll tell you when it is done."
OPTIONS = {
    "llm_hass_api": ["assist", "workshop"],
    "background_tools": True,
}


@pytest.fixture
def options() -> dict[str, Any]:
    """Ask a failing server once."""
    return {"retry_wait": 0}


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent whose tools may finish in the background."""
    return OPTIONS


@pytest.fixture(autouse=True)
def patience(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the slow tool, and no other, take too long: whatever the clock says."""

    async def wait[T](
        task: asyncio.Task[T], *, read_only: bool, seconds: float | None = None
    ) -> bool:
        if seconds is None or read_only:
            return await wait_for_call(task, read_only=read_only)
        await workshop.started.wait()
        return False

    monkeypatch.setattr("custom_components.chatterbox.agent.tools.recording.wait_for_call", wait)


@dataclass(frozen=True)
class Scene:
    """A satellite that is processing a message, and a tool that takes long."""

    home: HomeAssistant
    ask: Ask
    server: FakeOpenAI
    workshop: Workshop
    entry: MockConfigEntry
    announced: list[ServiceCall]

    @property
    def jobs(self) -> list[asyncio.Task[None]]:
        """The background jobs."""
        jobs: list[asyncio.Task[None]] = self.entry.runtime_data.conversations.jobs
        return jobs

    async def say(self, text: str, language: str = "en") -> str:
        """Say something to the satellite; return the answer."""
        return speech(await self.ask(text, satellite_id=SATELLITE, language=language))

    async def promised(self) -> None:
        """Let the agent promise to tell the result of the slow tool."""
        assert await self.say("Saw a board") == LATER
        assert self.workshop.started.is_set()

    def set_state(self, state: str, features: int = 1) -> None:
        """Set the state of the satellite."""
        self.home.states.async_set(SATELLITE, state, {"supported_features": features})

    async def complete(self) -> None:
        """Let the tool complete, and all that follows from it."""
        self.workshop.go_on.set()
        await self.home.async_block_till_done()

    async def finish(self) -> None:
        """Complete the job on an idle satellite."""
        self.set_state("idle")
        self.workshop.go_on.set()
        await asyncio.gather(*self.jobs)

    def results(self) -> list[Any]:
        """Return the results of tools in the last request."""
        sent = [each["content"] for each in messages(self.server) if each["role"] == "tool"]
        return [json.loads(content)["result"] for content in sent]


@pytest.fixture
def scene(
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    workshop: Workshop,
    loaded_entry: MockConfigEntry,
) -> Scene:
    """Return the scene, with the announcements."""
    announced = async_mock_service(home, "assist_satellite", "announce")
    scene = Scene(home, ask, server, workshop, loaded_entry, announced)
    scene.set_state("processing")
    return scene


async def test_result_is_announced_and_remembered(scene: Scene) -> None:
    scene.server.script(SAW, Reply("One board is sawn."), Reply("You are welcome."))
    await scene.promised()
    assert len(scene.server.completions) == 1
    await scene.finish()
    (announcement,) = scene.announced
    assert announcement.data == {"entity_id": SATELLITE, "message": "One board is sawn."}
    assert sent(scene.server)["tool_choice"] == "none"
    assert await scene.say("Thanks") == "You are welcome."
    history = messages(scene.server)[1:]
    promise = ["user", "assistant", "tool", "assistant"]
    assert [message["role"] for message in history] == [*promise, *promise, "user"]
    assert [history[index]["content"] for index in (3, 7)] == [LATER, "One board is sawn."]
    assert scene.results() == [{"status": "still running"}, {"boards": 1}]
    for earlier, later in pairwise(sent(scene.server, index) for index in range(3)):
        count = len(earlier["messages"])
        assert json.dumps(later["messages"][:count]) == json.dumps(earlier["messages"])
        assert later["tools"] == earlier["tools"]
    assert scene.workshop.calls == 1


async def test_promise_is_made_in_the_language_of_the_user(scene: Scene) -> None:
    scene.server.script(SAW, Reply("Das Brett ist gesägt."))
    assert await scene.say("Säge ein Brett", "de") == "Ich sage Bescheid, wenn es fertig ist."
    await scene.finish()
    assert "in German" in messages(scene.server)[5]["content"]


async def test_other_results_are_spoken_before_the_promise(scene: Scene) -> None:
    scene.server.script(
        Reply(tool_calls=[Call("get_current_datetime"), Call("*saw")]), Reply("It is noon.")
    )
    assert await scene.say("What time is it? And saw a board.") == f"It is noon. {LATER}"
    await scene.finish()
    assert len(scene.announced) == 1


@pytest.mark.parametrize(("satellite", "features"), [(None, 1), (SATELLITE, 0)])
async def test_nothing_is_promised_without_a_satellite_that_announces(
    scene: Scene, satellite: str | None, features: int
) -> None:
    scene.set_state("processing", features)
    scene.server.script(SAW, Reply("It takes too long."))
    told = await scene.ask("Saw a board", satellite_id=satellite)
    assert speech(told) == "It takes too long."
    await scene.complete()
    assert not scene.jobs
    assert not scene.announced


async def test_announcement_waits_until_the_satellite_is_idle(scene: Scene) -> None:
    gate = Gate()
    scene.server.script(SAW, Reply("One board is sawn.", hold=gate))
    await scene.promised()
    scene.set_state("listening")
    scene.workshop.go_on.set()
    await gate.reached.wait()
    gate.open()
    scene.set_state("responding")
    await scene.home.async_block_till_done()
    assert scene.announced == []
    await scene.finish()
    assert len(scene.announced) == 1


async def test_stop_gives_up_a_job(scene: Scene) -> None:
    scene.server.script(SAW, Reply("It is sawn."))
    await scene.promised()
    assert await scene.say("Stop") == STOPPED_WRITING
    await scene.complete()
    assert scene.workshop.finished == 1
    assert not scene.jobs
    assert not scene.announced
    assert await scene.say("Is it done?") == "It is sawn."
    assert scene.results() == [{"boards": 1}]


async def test_action_gives_up_a_job(scene: Scene) -> None:
    scene.server.script(SAW)
    await scene.promised()

    async def cancel() -> ServiceResponse:
        return await scene.home.services.async_call(
            DOMAIN, "cancel", {"entity_id": SATELLITE}, blocking=True, return_response=True
        )

    assert await cancel() == {"status": "interrupted"}
    await scene.complete()
    assert not scene.jobs
    assert not scene.announced
    assert await cancel() == {"status": "not_processing"}


async def test_reload_gives_up_a_job_and_keeps_its_result(
    disk: Path, scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    scene.server.script(SAW, Reply("It is sawn."))
    await scene.promised()
    scene.entry.async_on_unload(scene.workshop.go_on.set)
    assert await scene.home.config_entries.async_reload(scene.entry.entry_id)
    await scene.home.async_block_till_done()
    assert "gave up a background job" in caplog.text
    assert scene.announced == []
    await scene.say("Is it done?")
    assert scene.results() == [{"boards": 1}]


async def test_interrupted_turn_promises_nothing(scene: Scene) -> None:
    gate = Gate()
    scene.server.script(
        Reply(tool_calls=[Call("get_current_datetime"), Call("*saw")]), Reply("Noon.", hold=gate)
    )
    turn = scene.ask("What time is it? And saw a board.", satellite_id=SATELLITE)
    await gate.reached.wait()
    turn.cancel()
    await asyncio.wait({turn})
    assert await scene.say("Stop") == STOPPED_WRITING
    assert scene.jobs == []
    await scene.complete()
    await scene.say("Is it done?")
    assert scene.results()[1] == {"boards": 1}
    assert scene.announced == []


async def test_result_is_announced_without_the_model_if_it_fails(scene: Scene) -> None:
    scene.server.script(SAW, Reply(fault=Fault.UNAUTHORIZED))
    await scene.promised()
    await scene.finish()
    assert scene.announced[0].data["message"] == "What you asked me for is done."


async def test_satellite_that_cannot_announce_is_logged(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    async_mock_service(
        scene.home, "assist_satellite", "announce", raise_exception=HomeAssistantError("busy")
    )
    scene.server.script(SAW, Reply("One board is sawn."))
    await scene.promised()
    await scene.finish()
    assert "could not announce a result: HomeAssistantError" in caplog.text
