"""Asks the demo home all sentences, in every way of calling tools; can be stopped and gone on with.

    home/bin/python -m benchmarks.models --embedded 1.5b --ways auto structured --results FILE

Every answer is a line of the results, which a second run does not ask for again.
"""

import argparse
import asyncio
import contextlib
import json
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
from scripts.home.core import CoreFlows, be_patient, create_owner, prepare_folder, running_home
from scripts.home.flows import add_chatterbox
from scripts.home.options import add_arguments, check_arguments, chosen_server
from scripts.home.servers import Server

from .home import Snapshot, arrange, problems, settle, snapshot
from .report import write_table
from .sentences import DEVELOPMENT, SENTENCES, Sentence

PEER = "llama_cpp"
WAYS = ("auto", "native", "structured", "text", PEER)
TURN_SECONDS = 600.0

# Nothing of this belongs into a spoken answer.
_CALL_SYNTAX = re.compile(
    r"</?tool|<function|<\||\{\s*\"|\"(?:name|arguments|parameters|tool)\"|```|\bHass[A-Z]\w+|__\w+"
)


async def add_agents(hass: HomeAssistant, server: Server) -> tuple[ConfigEntry, ConfigEntry]:
    """Add Chatterbox and Home Assistant's own agent, both with the same server."""
    flows = CoreFlows(hass)
    ours = await add_chatterbox(flows, server)
    await be_patient(hass, ours)
    form = await flows.start(PEER)
    form = await flows.submit(form["flow_id"], {"base_url": server.url})
    result = await flows.submit(form["flow_id"], {"chat_model": model_of(ours)})
    await hass.async_block_till_done()
    return ours, result["result"]


def model_of(entry: ConfigEntry) -> str:
    """Return the model of an entry's agent."""
    return next(str(subentry.data["model"]) for subentry in entry.subentries.values())


async def choose(hass: HomeAssistant, entry: ConfigEntry, way: str) -> None:
    """Have Chatterbox's agent call tools in this way."""
    for subentry in entry.subentries.values():
        data = {**subentry.data, "dialect": way}
        hass.config_entries.async_update_subentry(entry, subentry, data=data)
    await hass.async_block_till_done()
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()


def agent_of(hass: HomeAssistant, entry: ConfigEntry) -> str:
    """Return the entity of an entry's agent."""
    entities = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    return next(entity.entity_id for entity in entities if entity.domain == "conversation")


class Bench:
    """Asks one agent after the other."""

    def __init__(self, hass: HomeAssistant, context: Context, results: Path, model: str) -> None:
        """Take the home as it is as the one to come back to."""
        self._hass = hass
        self._context = context
        self._results = results
        self.model = model
        self._base: Snapshot = snapshot(hass)

    def done(self) -> set[tuple[str, str, str]]:
        """Return what was asked already."""
        if not self._results.exists():
            return set()
        lines = map(json.loads, self._results.read_text().splitlines())
        return {(line["model"], line["way"], line["text"]) for line in lines}

    async def warm_up(self, agent: str) -> None:
        """Have the server read the prompt, which it keeps from then on."""
        started = time.monotonic()
        await self._speech(agent, "Good morning!")
        print(f"warm after {time.monotonic() - started:.1f} s", file=sys.stderr, flush=True)

    async def ask(self, agent: str, way: str, sentence: Sentence) -> None:
        """Ask one sentence and note what came of it."""
        hass = self._hass
        before = await arrange(hass, self._base, sentence.given)
        started = time.monotonic()
        speech, failed = await self._speech(agent, sentence.text)
        seconds = time.monotonic() - started
        await settle(hass)
        wrong = problems(before, snapshot(hass), sentence.changes)
        if failed:
            wrong.append("the turn failed")
        if not sentence.answered(speech):
            wrong.append("the answer does not say it")
        leaked = _CALL_SYNTAX.search(speech) is not None
        line = {
            "model": self.model,
            "way": way,
            "text": sentence.text,
            "right": not wrong and not leaked,
            "leaked": leaked,
            "wrong": wrong,
            "speech": speech,
            "seconds": round(seconds, 1),
        }
        with self._results.open("a") as results:
            results.write(f"{json.dumps(line, ensure_ascii=False)}\n")
        print(
            "ok  " if line["right"] else "BAD ",
            f"{seconds:5.1f}",
            way,
            "|",
            sentence.text,
            "|",
            speech[:160],
            "|",
            *wrong,
            file=sys.stderr,
            flush=True,
        )

    async def _speech(self, agent: str, text: str) -> tuple[str, bool]:
        try:
            async with asyncio.timeout(TURN_SECONDS):
                result = await conversation.async_converse(
                    self._hass, text, None, self._context, "en", agent
                )
        except Exception as err:  # noqa: BLE001 - whatever it is, the sentence was not answered
            return f"({type(err).__name__}: {err})", True
        speech: Any = result.response.speech.get("plain", {}).get("speech", "")
        return speech, result.response.error_code is not None


@contextlib.asynccontextmanager
async def bench_home() -> AsyncIterator[HomeAssistant]:
    """Run the demo home."""
    with tempfile.TemporaryDirectory(prefix="chatterbox-bench-") as folder:
        prepare_folder(Path(folder), port=0)
        async with running_home(Path(folder)) as hass:
            yield hass


async def run(server: Server, arguments: argparse.Namespace) -> None:
    """Ask everything that was not asked yet."""
    async with bench_home() as hass:
        context = await create_owner(hass)
        ours, peer = await add_agents(hass, server)
        await settle(hass)
        bench = Bench(hass, context, arguments.results, model_of(ours))
        for way in arguments.ways:
            done = bench.done()
            missing = [
                sentence
                for sentence in (DEVELOPMENT if arguments.development else SENTENCES)
                if (bench.model, way, sentence.text) not in done
            ]
            if missing and way != PEER:
                await choose(hass, ours, way)
            agent = agent_of(hass, peer if way == PEER else ours)
            if missing:
                await bench.warm_up(agent)
            for sentence in missing:
                await bench.ask(agent, way, sentence)


def main() -> None:
    """Run the benchmark and write its table."""
    parser = argparse.ArgumentParser(prog="benchmarks.models", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument(
        "--development", action="store_true", help="ask what prompts are tried with instead"
    )
    parser.add_argument("--results", type=Path, default=Path(__file__).with_name("results.jsonl"))
    parser.add_argument("--table", type=Path, help="the document that gets the table")
    arguments = parser.parse_args()
    check_arguments(parser, arguments)
    with chosen_server(arguments) as server:
        asyncio.run(run(server, arguments))
    if arguments.table:
        write_table(arguments.results, arguments.table)


if __name__ == "__main__":
    main()
