"""Asks homes what people say, in every way of calling a model; can be stopped and resumed.

    home/bin/python -m benchmarks.models --sizes 0.5b 1.5b --table docs/models.md

Every sentence is a line of the results, which a second run does not ask for again.
"""

import argparse
import asyncio
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.home.core import create_owner, prepare_folder, running_home
from scripts.home.embedded import embedded_server
from scripts.home.options import add_arguments, check_arguments, chosen_server
from scripts.home.servers import Server
from scripts.home.weights import WEIGHTS

from .home import Stage
from .report import read_results, tables, write_tables
from .runner import Bench
from .stages import SETS, STAGES
from .ways import DEFAULT_WAYS, PEER, WAYS, Agents


async def run(stage: Stage, server: Server, arguments: argparse.Namespace) -> None:
    """Ask everything in a home that was not asked yet."""
    sets = [name for name in arguments.sets if name in stage.sets]
    if not sets:
        return
    with tempfile.TemporaryDirectory(prefix="chatterbox-bench-") as folder:
        prepare_folder(Path(folder), port=0)
        async with running_home(Path(folder), stage.plan) as hass:
            context = await create_owner(hass)
            agents = await Agents.add(hass, server, with_peer=PEER in arguments.ways)
            bench = Bench(stage, agents, context, arguments.results)
            for way in arguments.ways:
                for name in sets:
                    await bench.run(way, name)


def servers(arguments: argparse.Namespace) -> Iterator[contextlib.AbstractContextManager[Server]]:
    """Return the servers to ask, each to be run while it is asked."""
    if arguments.sizes:
        yield from map(embedded_server, arguments.sizes)
    else:
        yield chosen_server(arguments)


def main() -> None:
    """Run the benchmark and write its tables."""
    parser = argparse.ArgumentParser(prog="benchmarks.models", description=__doc__)
    add_arguments(parser)
    parser.add_argument(
        "--sizes", nargs="+", choices=sorted(WEIGHTS), help="embedded models, one after the other"
    )
    parser.add_argument("--homes", nargs="+", choices=STAGES, default=list(STAGES))
    parser.add_argument("--sets", nargs="+", choices=SETS, default=["forty", "new"])
    parser.add_argument("--ways", nargs="+", choices=[*WAYS, PEER], default=list(DEFAULT_WAYS))
    parser.add_argument("--results", type=Path, default=Path(__file__).with_name("results.jsonl"))
    parser.add_argument("--table", type=Path, help="the document that gets the tables")
    parser.add_argument("--kinds", action="store_true", help="break the tables down by kind")
    parser.add_argument("--report", action="store_true", help="ask nothing, show what there is")
    arguments = parser.parse_args()
    check_arguments(parser, arguments)
    if not arguments.report:
        for context in servers(arguments):
            with context as server:
                for home in arguments.homes:
                    asyncio.run(run(STAGES[home](), server, arguments))
    lines = read_results(arguments.results)
    print(tables(lines, by_kind=arguments.kinds))
    if arguments.table:
        write_tables(lines, arguments.table, by_kind=arguments.kinds)


if __name__ == "__main__":
    main()
