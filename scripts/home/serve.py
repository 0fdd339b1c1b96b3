"""`scripts/serve`: the agent of a demo home behind an HTTP API."""

import os
import sys
from argparse import ArgumentParser, Namespace

from .options import add_arguments, check_arguments
from .program import run_program
from .servers import Server

DEFAULT_PORT = 8765
THIS_MACHINE = "127.0.0.1"


def parse(arguments: list[str]) -> Namespace:
    """Return the parsed command line; exit with status 2 for a usage error."""
    parser = ArgumentParser(
        prog="scripts/serve",
        description="Serve the agent of a demo home over HTTP, in a real Home Assistant without "
        "its web page, until Ctrl-C. The address is printed on standard output.",
    )
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port, 0 for any free one (%(default)s)"
    )
    parser.add_argument(
        "--host", default=THIS_MACHINE, help="address to listen at (%(default)s: this machine only)"
    )
    parser.add_argument(
        "--token",
        default=os.environ.get("CHATTERBOX_TOKEN"),
        help="bearer token that requests need (or the variable CHATTERBOX_TOKEN); by default none",
    )
    add_arguments(parser)
    parsed = parser.parse_args(arguments)
    check_arguments(parser, parsed)
    if not 0 <= parsed.port < 2**16:
        parser.error("--port is a number from 0 to 65535")
    if parsed.host != THIS_MACHINE and not parsed.token:
        parser.error("--host opens the home to other machines: that needs a --token")
    return parsed


async def work(arguments: Namespace, server: Server) -> bool:
    """Serve until the program is stopped."""
    # Importing Home Assistant takes seconds, which --help does not need.
    from .web import serve  # noqa: PLC0415

    return await serve(arguments, server)


def main() -> int:
    """Run the command; return its exit status."""
    return run_program(work, parse(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
