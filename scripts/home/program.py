"""Entry point of the commands: server, event loop, signals and exit status."""

import asyncio
import logging
import signal
from argparse import Namespace
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from .console import UserError, say
from .options import selected_server
from .servers import Server

EXIT_FAILED = 1
EXIT_INTERRUPTED = 128 + signal.SIGINT
EXIT_TERMINATED = 128 + signal.SIGTERM
TERMINATING = (signal.SIGTERM, signal.SIGHUP)

type Work = Callable[[Namespace, Server], Coroutine[Any, Any, bool]]


def run_program(work: Work, arguments: Namespace, embedded_port: int = 0) -> int:
    """Run the work with the selected server; return the exit status.

    Processes that were started and temporary files are removed in any case.
    """
    # Home Assistant's log is shown on demand only: standard error is for the command's messages.
    logging.basicConfig(level=logging.INFO if arguments.verbose else logging.CRITICAL + 1)
    logging.captureWarnings(capture=True)
    for number in TERMINATING:
        signal.signal(number, _terminate)
    try:
        with selected_server(arguments, embedded_port) as server:
            succeeded = _run_in_loop(work, arguments, server)
    except UserError as err:
        say(str(err))
        return EXIT_FAILED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except asyncio.CancelledError:
        return EXIT_TERMINATED
    return 0 if succeeded else EXIT_FAILED


def _run_in_loop(work: Work, arguments: Namespace, server: Server) -> bool:
    # Importing Home Assistant takes seconds: not before the server is known.
    from homeassistant.runner import create_event_loop  # noqa: PLC0415

    async def work_until_terminated() -> bool:
        if task := asyncio.current_task():
            for number in TERMINATING:
                asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        return await work(arguments, server)

    with asyncio.Runner(loop_factory=create_event_loop) as runner:
        return runner.run(work_until_terminated())


def _terminate(_number: int, _frame: object) -> NoReturn:
    """Exit while no event loop is running."""
    raise SystemExit(EXIT_TERMINATED)
