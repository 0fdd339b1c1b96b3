"""Rows with a real model: its first answer after a start, and what its prompt cache serves."""

import asyncio
import socket
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from benchmarks.models.ways import Agents
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.prewarm import Prewarmer
from homeassistant.components import conversation
from homeassistant.core import Context
from scripts.home.core import create_owner, prepare_folder, running_home
from scripts.home.embedded import embedded_server

from .home import GridHome
from .report import Goal, Row

_AREAS = ("Area 1", "Area 2")
# The first is compared with the commands among the others: a question may have two requests.
_MESSAGES = (
    "Turn on Light 1",
    "What is the capital of France?",
    "Is Light 3 on?",
    "Turn off Light 1",
    "How many legs does a spider have?",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A turn of a real model."""

    message: str
    seconds: float
    usage: UsageStats


@dataclass(frozen=True, slots=True)
class ModelRun:
    """Turns of Chatterbox's agent with an embedded model, which is started anew for them."""

    home: GridHome
    agents: Agents
    context: Context
    size: str
    port: int

    async def answers(self, *, prewarm: bool) -> list[Answer]:
        """Start the server and the agent, and send the messages by turns from two areas."""
        hass, entry = self.agents.hass, self.agents.ours
        entity = await self.agents.select("auto")
        found = []
        pays = (
            nullcontext() if prewarm else patch.object(Prewarmer, "_async_pays", return_value=False)
        )
        with embedded_server(self.size, self.port), pays:
            await hass.config_entries.async_reload(entry.entry_id)
            # Changes settle for two seconds before the agent is prewarmed.
            await asyncio.sleep(3)
            await hass.async_block_till_done(wait_background_tasks=True)
            for number, message in enumerate(_MESSAGES):
                area = _AREAS[number % len(_AREAS)]
                found.append(await self._ask(entity, message, self.home.satellite(area)))
                print(f"{prewarm=}", found[-1], file=sys.stderr, flush=True)
        return found

    async def _ask(self, entity: str, message: str, device: str | None) -> Answer:
        started = time.monotonic()
        await conversation.async_converse(
            self.agents.hass, message, None, self.context, "en", entity, device
        )
        return Answer(message, time.monotonic() - started, self.agents.last_trace().usage)


async def model_rows(folder: Path, size: str) -> list[Row]:
    """Return the rows of an embedded model, without and with prewarming."""
    prepare_folder(folder, port=0)
    home = GridHome()
    port = _free_port()
    async with running_home(folder, home.setup) as hass:
        home.expose(hass)
        with embedded_server(size, port) as server:
            agents = await Agents.add(hass, server, with_peer=False)
            await hass.async_block_till_done(wait_background_tasks=True)
        run = ModelRun(home, agents, await create_owner(hass), size, port)
        return rows(await run.answers(prewarm=False), await run.answers(prewarm=True))


def rows(cold: Sequence[Answer], warm: Sequence[Answer]) -> list[Row]:
    """Return the rows of the turns after two starts, without and with prewarming."""
    commands = [each for each in (*cold[1:], *warm[1:]) if each.message.startswith("Turn ")]
    later = statistics.median(answer.seconds for answer in commands)
    found = [
        Row("later command", "s", None, later),
        Row("first command to later ones, not prewarmed", "×", None, cold[0].seconds / later),
        Row(
            "first command to later ones, prewarmed",
            "×",
            None,
            warm[0].seconds / later,
            Goal(1.3, of_ratio=False),
        ),
    ]
    shares = [answer.usage.cached_share for answer in warm]
    if (first := shares[0]) is not None:
        found.append(Row("prompt from the cache, first command", "%", None, first * 100))
    known = [share for share in shares[1:] if share is not None]
    if known:
        goal = Goal(95, of_ratio=False, at_least=True)
        label = "prompt from the cache, later turns, lowest"
        found.append(Row(label, "%", None, min(known) * 100, goal))
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
