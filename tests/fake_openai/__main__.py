"""Scripted server as a program: prints its base URL and serves until it is stopped."""

import argparse
import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any

from .server import FakeOpenAI


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fake_openai", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument("--script", type=Path, help="a JSON file: replies, or settings with them")
    return parser.parse_args()


async def serve(host: str, port: int, script: Any) -> None:
    """Serve until a signal comes."""
    server = FakeOpenAI(host=host, port=port)
    if script is not None:
        server.load(script)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        await stopped.wait()


if __name__ == "__main__":
    options = arguments()
    given = options.script and json.loads(options.script.read_text())
    asyncio.run(serve(options.host, options.port, given))
