"""Command-line options for the server: a given URL, a local server, or the embedded one."""

import contextlib
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from .console import UserError
from .embedded import embedded_server
from .servers import Server, running_server
from .weights import WEIGHTS


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options for the server to a parser."""
    group = parser.add_argument_group(
        "server",
        "Without a server, Ollama, LM Studio and llama.cpp are looked for at their usual ports on "
        "this machine; where none runs, a small embedded model answers.",
    )
    group.add_argument(
        "--url", help="base URL of an OpenAI-compatible server (or the variable OPENAI_BASE_URL)"
    )
    group.add_argument("--key", help="its API key (or the variable OPENAI_API_KEY)")
    group.add_argument("--model", help="the model's name; by default one that the server has")
    group.add_argument(
        "--embedded",
        choices=sorted(WEIGHTS),
        metavar="SIZE",
        help="use the embedded model, of size 0.5b (491 MB; the default) or 1.5b (1.1 GB)",
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="show Home Assistant's log as well"
    )


def check_arguments(parser: ArgumentParser, arguments: Namespace) -> None:
    """Exit with a usage error for contradictory options."""
    if arguments.embedded and (arguments.url or arguments.key or arguments.model):
        parser.error("--embedded is a server of its own: it goes without --url, --key and --model")
    if arguments.key and not named_server(arguments):
        parser.error("--key needs the --url of the server that it is for")


def named_server(arguments: Namespace) -> Server | None:
    """Return the server given by the arguments or the environment, None without one."""
    if arguments.embedded or not (url := arguments.url or os.environ.get("OPENAI_BASE_URL")):
        return None
    return Server(url, arguments.key or os.environ.get("OPENAI_API_KEY") or None, arguments.model)


@contextlib.contextmanager
def selected_server(arguments: Namespace, embedded_port: int = 0) -> Iterator[Server]:
    """Yield the selected server; the embedded one runs as long as the context.

    Raises `UserError` if a model is given and no server is found.
    """
    server = named_server(arguments)
    if not server and not arguments.embedded:
        server = running_server(arguments.model)
    if server:
        yield server
        return
    if arguments.model:
        raise UserError(
            f"There is no server for the model '{arguments.model}': none runs on this machine at "
            "the usual ports. Name one with --url."
        )
    with embedded_server(arguments.embedded or "0.5b", embedded_port) as embedded:
        yield embedded
