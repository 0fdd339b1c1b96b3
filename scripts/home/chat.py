"""`scripts/chat`: talk to a demo home through Chatterbox."""

import sys
from argparse import ArgumentParser, Namespace

from .console import say
from .options import add_arguments, check_arguments
from .program import EXIT_FAILED, run_program
from .servers import Server


def parse(arguments: list[str]) -> Namespace:
    """Return the parsed command line; exit with status 2 for a usage error."""
    parser = ArgumentParser(
        prog="scripts/chat",
        description="Talk to a demo home through Chatterbox, in a real Home Assistant without its "
        "web page. Without a text, it asks for one after the other and keeps the conversation; "
        "where standard input is no terminal, each of its lines is a text.",
        epilog="The answer goes to standard output, everything else to standard error. The exit "
        "status is 0 when every turn was good, 1 when one was not or nothing could be asked, "
        "2 for a wrong command line.",
    )
    parser.add_argument("text", nargs="*", help="what to say to the home")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object for each turn, with speech, conversation_id, trace_id, tools, "
        "usage, seconds and trace: its outcome, profile, error and steps",
    )
    add_arguments(parser)
    parsed = parser.parse_args(arguments)
    check_arguments(parser, parsed)
    return parsed


async def work(arguments: Namespace, server: Server) -> bool:
    """Converse with the home; return whether all turns succeeded."""
    # Importing Home Assistant takes seconds, which --help does not need.
    from .talk import converse  # noqa: PLC0415

    return await converse(arguments, server)


def main() -> int:
    """Run the command; return its exit status."""
    arguments = parse(sys.argv[1:])
    # A process may have been started without standard input.
    if not (" ".join(arguments.text).strip() if arguments.text else sys.stdin):
        say("There is nothing to ask: the text is empty.")
        return EXIT_FAILED
    return run_program(work, arguments)


if __name__ == "__main__":
    sys.exit(main())
