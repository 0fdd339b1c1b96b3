"""Command line of the benchmark; `scripts/bench` runs it.

scripts/bench                              all rows, medians of 100 turns
scripts/bench --quick                      the same with few turns
scripts/bench --rows plain tool --turns 50
scripts/bench --model 1.5b                 rows of a real model instead
scripts/bench --load 10                    a load test of ten minutes instead
scripts/bench --table docs/performance.md  write the table into this document
"""

import argparse
import asyncio
import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from homeassistant.const import __version__
from homeassistant.runner import create_event_loop
from scripts.home.weights import WEIGHTS

from . import load
from .contest import OURS, contest
from .conversations import create_users, store_conversations
from .home import EXPOSED
from .model_rows import model_rows
from .report import LOAD_TABLE, MODEL_TABLE, TURN_TABLE, Row, table, write_table
from .rows import MEASURES
from .server_process import scripted_server

_TURNS, _QUICK_TURNS = 100, 10


async def measure(names: Iterable[str], turns: int) -> list[Row]:
    """Return the rows of the measures with these names."""
    rows: list[Row] = []
    with scripted_server() as address, tempfile.TemporaryDirectory() as folder:
        async with contest(Path(folder), address) as both:
            for name in names:
                started = time.monotonic()
                rows += [row async for row in MEASURES[name](both, turns)]
                seconds = time.monotonic() - started
                print(f"{name}: {seconds:.0f} s", file=sys.stderr, flush=True)
    return rows


async def measure_model(size: str) -> list[Row]:
    """Return the rows of an embedded model."""
    with tempfile.TemporaryDirectory() as folder:
        return await model_rows(Path(folder), size)


async def measure_load(minutes: float) -> str:
    """Return the report of a load test."""
    with scripted_server() as address, tempfile.TemporaryDirectory() as folder:
        async with contest(Path(folder), address) as both:
            users = await create_users(both.hass)
            store = await store_conversations(
                both.hass, both.agents.ours, load.STORED, users, limit=load.STORED
            )
            crowd = load.Crowd(hass=both.hass, agent=both.entities[OURS], contexts=users)
            return await load.run(crowd, store.folder, minutes)


def method_of_load() -> str:
    """Return the sentence on how the table of the load test was made."""
    return (
        f"Home Assistant {__version__}, {os.cpu_count()} processor cores, of which the scripted "
        f"server uses one; {load.AT_ONCE} conversations at once, each turn at once after the last, "
        f"and {load.STORED:,} stored conversations, which is also their maximum. Memory is that of "
        "the whole process of Home Assistant."
    )


def method_of_model(size: str) -> str:
    """Return the sentence on how the table of a model was made."""
    return (
        f"Home Assistant {__version__}, {os.cpu_count()} processor cores without a graphics card; "
        f"{WEIGHTS[size].name} (Q4_K_M), served by llama.cpp; a home of {EXPOSED} exposed entities."
    )


def method(turns: int) -> str:
    """Return the sentence on how the table was made."""
    return (
        f"Home Assistant {__version__}, {os.cpu_count()} processor cores; medians of {turns} turns "
        "of each agent, which take turns with every message. The scripted server is a process of "
        "its own, and the time that it was busy is subtracted."
    )


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rows", nargs="+", choices=MEASURES, default=list(MEASURES))
    parser.add_argument("--model", choices=sorted(WEIGHTS), help="rows of an embedded model")
    parser.add_argument("--load", type=float, metavar="MINUTES", help="a load test instead")
    parser.add_argument("--turns", type=int, default=_TURNS, help="turns per row (%(default)s)")
    parser.add_argument("--quick", action="store_true", help=f"{_QUICK_TURNS} turns per row")
    parser.add_argument("--table", type=Path, help="the document that gets the table")
    parsed = parser.parse_args(arguments)
    if parsed.quick:
        parsed.turns = _QUICK_TURNS
    return parsed


def main() -> None:
    """Run the benchmark and print its table."""
    arguments = parse()
    # The load test counts warnings.
    logging.disable(logging.INFO if arguments.load else logging.CRITICAL)
    with asyncio.Runner(loop_factory=create_event_loop) as runner:
        if arguments.load:
            name, sentence = LOAD_TABLE, method_of_load()
            result = runner.run(measure_load(arguments.load))
        elif arguments.model:
            name, sentence = MODEL_TABLE, method_of_model(arguments.model)
            result = table(runner.run(measure_model(arguments.model)))
        else:
            name, sentence = TURN_TABLE, method(arguments.turns)
            result = table(runner.run(measure(arguments.rows, arguments.turns)))
    content = f"{sentence}\n\n{result}"
    print(content)
    if arguments.table:
        write_table(name, content, arguments.table)


if __name__ == "__main__":
    main()
