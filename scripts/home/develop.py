"""`scripts/develop`: the demo home with Home Assistant's frontend."""

import sys
from argparse import ArgumentParser, Namespace

from .options import add_arguments, check_arguments
from .program import run_program
from .servers import Server

DEFAULT_PORT = 8123
# The embedded model listens on the next port, so that a kept home finds it again.
HIGHEST_PORT = 65534


def parse(arguments: list[str]) -> Namespace:
    """Return the parsed command line; exit with status 2 for a usage error."""
    parser = ArgumentParser(
        prog="scripts/develop",
        description="Run the demo home with Home Assistant's web page, with Chatterbox set up and "
        "an Assist pipeline that uses it, until Ctrl-C. The home is kept in the folder config/.",
    )
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port of the web page (%(default)s)"
    )
    parser.add_argument("--fresh", action="store_true", help="throw the kept home away first")
    add_arguments(parser)
    parsed = parser.parse_args(arguments)
    check_arguments(parser, parsed)
    if not 0 < parsed.port <= HIGHEST_PORT:
        parser.error(f"--port is a number from 1 to {HIGHEST_PORT}")
    return parsed


async def work(arguments: Namespace, server: Server) -> bool:
    """Run the home until it is stopped; return whether it exited without an error."""
    # Importing Home Assistant takes seconds, which --help does not need.
    from .process import run_home  # noqa: PLC0415

    return await run_home(arguments, server)


def main() -> int:
    """Run the command; return its exit status."""
    arguments = parse(sys.argv[1:])
    return run_program(work, arguments, embedded_port=arguments.port + 1)


if __name__ == "__main__":
    sys.exit(main())
