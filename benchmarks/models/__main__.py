"""Command line of the benchmark, which can be stopped and resumed.

    home/bin/python -m benchmarks.models --sizes 0.5b 1.5b --table docs/models.md

Every sentence is a line of the results file; a second run skips the sentences in it.
"""

import argparse
import asyncio
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.home.core import create_owner, prepare_folder, running_home
from scripts.home.embedded import embedded_server
from scripts.home.options import add_arguments, check_arguments, selected_server
from scripts.home.servers import Server
from scripts.home.weights import WEIGHTS

from .bench_homes import BENCH_HOMES, SETS
from .home import BenchHome
from .report import read_results, tables, write_tables
from .runner import BenchmarkRun
from .ways import DEFAULT_WAYS, PEER, WAYS, Agents


async def run(home: BenchHome, server: Server, arguments: argparse.Namespace) -> None:
    """Ask the sentences of a home that are not in the results yet."""
    sets = [name for name in arguments.sets if name in home.sets]
    if not sets:
        return
    with tempfile.TemporaryDirectory(prefix="chatterbox-bench-") as folder:
        prepare_folder(Path(folder), port=0)
        async with running_home(Path(folder), home.setup) as hass:
            context = await create_owner(hass)
            agents = await Agents.add(hass, server, with_peer=PEER in arguments.ways)
            benchmark = BenchmarkRun(home, agents, context, arguments.results)
            for way in arguments.ways:
                for name in sets:
                    await benchmark.run(way, name)


def servers(arguments: argparse.Namespace) -> Iterator[contextlib.AbstractContextManager[Server]]:
    """Yield the contexts of the servers to ask."""
    if arguments.sizes:
        yield from map(embedded_server, arguments.sizes)
    else:
        yield selected_server(arguments)


def main() -> None:
    """Run the benchmark and write its tables."""
    parser = argparse.ArgumentParser(prog="benchmarks.models", description=__doc__)
    add_arguments(parser)
    parser.add_argument(
        "--sizes", nargs="+", choices=sorted(WEIGHTS), help="embedded models, one after the other"
    )
    parser.add_argument("--homes", nargs="+", choices=BENCH_HOMES, default=list(BENCH_HOMES))
    parser.add_argument("--sets", nargs="+", choices=SETS, default=["forty", "new"])
    parser.add_argument("--ways", nargs="+", choices=[*WAYS, PEER], default=list(DEFAULT_WAYS))
    parser.add_argument("--results", type=Path, default=Path(__file__).with_name("results.jsonl"))
    parser.add_argument("--table", type=Path, help="the document that gets the tables")
    parser.add_argument("--kinds", action="store_true", help="break the tables down by kind")
    parser.add_argument("--report", action="store_true", help="only show the results so far")
    arguments = parser.parse_args()
    check_arguments(parser, arguments)
    if not arguments.report:
        for context in servers(arguments):
            with context as server:
                for home in arguments.homes:
                    asyncio.run(run(BENCH_HOMES[home](), server, arguments))
    lines = read_results(arguments.results)
    print(tables(lines, by_kind=arguments.kinds))
    if arguments.table:
        write_tables(lines, arguments.table, by_kind=arguments.kinds)


if __name__ == "__main__":
    main()
