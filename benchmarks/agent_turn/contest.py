"""Turns of both agents with the same message, interleaved and measured."""

import gc
import time
import tracemalloc
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from benchmarks.models.ways import PEER, Agents
from homeassistant.components import conversation
from homeassistant.components.assist_pipeline.models import (
    PipelineEvent,
    PipelineEventType,
    PipelineStage,
)
from homeassistant.components.assist_pipeline.pipeline import async_get_pipeline
from homeassistant.components.assist_pipeline.run import PipelineInput, PipelineRun
from homeassistant.components.assist_pipeline.runtime import KEY_ASSIST_PIPELINE
from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import Context
from homeassistant.helpers import chat_session
from scripts.home.core import create_owner, prepare_folder, running_home
from scripts.home.demo import pipeline_settings
from scripts.home.servers import Server

from .home import GridHome
from .replies import MODEL, Message

OURS = "chatterbox"


@dataclass(frozen=True, slots=True)
class Sample:
    """One turn; all times are in seconds."""

    wall: float
    cpu: float
    """Processor time of the process, including what followed the result."""
    busy: float
    """Time that the server was busy with the requests."""
    conversation_id: str | None

    @property
    def added(self) -> float:
        """The time that the agent and Home Assistant added."""
        return self.wall - self.busy


@dataclass(frozen=True, slots=True)
class Deltas:
    """The text deltas of a turn in a pipeline."""

    first: float | None
    """Seconds until the first one, None if there was none."""
    count: int


class Contest:
    """Both agents in one home."""

    def __init__(
        self,
        agents: Agents,
        entities: Mapping[str, str],
        context: Context,
        server: aiohttp.ClientSession,
    ) -> None:
        self.agents = agents
        self.hass = agents.hass
        self.entities = entities
        """The entity ids of the agents by name; Chatterbox is the last."""
        self._context = context
        self._server = server

    async def turn(
        self, agent: str, message: Message, conversation_id: str | None = None
    ) -> Sample:
        """Measure one turn; raise `RuntimeError` if it failed."""
        cpu, wall = time.process_time(), time.perf_counter()
        result = await self._converse(agent, message, conversation_id)
        wall = time.perf_counter() - wall
        await self.hass.async_block_till_done()
        cpu = time.process_time() - cpu
        async with self._server.get("/busy") as response:
            busy = (await response.json())["seconds"]
        return Sample(wall, cpu, busy, result.conversation_id)

    async def ask(self, agent: str, message: Message) -> None:
        """Run one turn of a new conversation without measuring it."""
        await self._converse(agent, message, None)

    async def samples(
        self, message: Message, rounds: int, *, warm_up: int = 3
    ) -> dict[str, list[Sample]]:
        """Measure turns of new conversations; the agents take turns at being the first."""
        found: dict[str, list[Sample]] = {agent: [] for agent in self.entities}
        for number in range(-warm_up, rounds):
            if number % 50 == 0:
                gc.collect()
            for agent in self.ordered(number):
                sample = await self.turn(agent, message)
                if number >= 0:
                    found[agent].append(sample)
        return found

    def ordered(self, number: int) -> list[str]:
        """Return the agents in the order of a round."""
        agents = list(self.entities)
        return agents if number % 2 else agents[::-1]

    async def pipeline(self, agent: str) -> str:
        """Create an Assist pipeline with an agent; return its id."""
        store = self.hass.data[KEY_ASSIST_PIPELINE].pipeline_store
        settings = pipeline_settings(self.entities[agent], agent)
        return (await store.async_create_item(settings)).id

    async def deltas(self, pipeline_id: str, message: Message) -> Deltas:
        """Return the text deltas of a turn of a new conversation in a pipeline."""
        times: list[float] = []

        def handle(event: PipelineEvent) -> None:
            if event.type is PipelineEventType.INTENT_PROGRESS and _has_text(event.data):
                times.append(time.perf_counter())

        started = time.perf_counter()
        with chat_session.async_get_chat_session(
            self.hass,
            None,
            context=None,  # type: ignore[call-arg]  # the home's release has it, the tests' not yet
        ) as session:
            run = PipelineRun(
                self.hass,
                context=self._context,
                pipeline=async_get_pipeline(self.hass, pipeline_id),
                start_stage=PipelineStage.INTENT,
                end_stage=PipelineStage.INTENT,
                event_callback=handle,
            )
            pipeline_input = PipelineInput(session=session, intent_input=message, run=run)
            await pipeline_input.execute(validate=True)
        return Deltas(times[0] - started if times else None, len(times))

    async def write_delayed(self) -> None:
        """Write what Home Assistant would write later."""
        self.hass.bus.async_fire_internal(EVENT_HOMEASSISTANT_FINAL_WRITE)
        await self.hass.async_block_till_done(wait_background_tasks=True)

    async def traced_memory(self) -> int:
        """Return the bytes that Python has allocated, after a garbage collection."""
        await self.hass.async_block_till_done()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    async def _converse(
        self, agent: str, message: Message, conversation_id: str | None
    ) -> conversation.ConversationResult:
        result = await conversation.async_converse(
            self.hass,
            message,
            conversation_id,
            self._context,
            "en",
            self.entities[agent],
        )
        if result.response.error_code is not None:
            raise RuntimeError(f"{agent}: {result.response.speech}")
        return result


def _has_text(data: Mapping[str, Any] | None) -> bool:
    delta = (data or {}).get("chat_log_delta") or {}
    return bool(delta.get("content")) and delta.get("role") in {None, "assistant"}


@asynccontextmanager
async def contest(folder: Path, address: str) -> AsyncGenerator[Contest]:
    """Run a home with both agents until the context ends."""
    prepare_folder(folder, port=0)
    home = GridHome()
    server = Server(f"{address}/v1", model=MODEL)
    async with running_home(folder, home.setup) as hass, aiohttp.ClientSession(address) as session:
        home.expose(hass)
        agents = await Agents.add(hass, server, with_peer=True)
        await hass.async_block_till_done(wait_background_tasks=True)
        entities = {PEER: await agents.select(PEER), OURS: await agents.select("capable")}
        await hass.async_block_till_done(wait_background_tasks=True)
        yield Contest(agents, entities, await create_owner(hass), session)
