"""Peak memory and loop lag while a server sends what no server should.

Run it with `python -m benchmarks.hostile`.

The server runs in a thread of its own. The lag is the processor time of the event loop between two
runs of a task that always wants to run, at the most: it does not depend on what else the machine
does. The memory is the peak of the process beyond its start, with the server's own part.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import aiohttp

# First: it replaces modules.
import homeassistant  # noqa: F401
from custom_components.chatterbox.agent.errors import LLMError
from custom_components.chatterbox.agent.model.http_client import Timeouts
from custom_components.chatterbox.agent.model.openai_provider import OpenAICompatibleServer
from tests.agent.model.test_openai_provider_bounds import BOMB, GZIP, STREAMS
from tests.agent.scripted_server import QUESTION, provider
from tests.fake_openai import FakeOpenAI, Reply

JSON = {"Content-Type": "application/json"}
BODIES = {
    "long body": Reply(body="{", headers=JSON, flood=b" " * 65_536),
    "compressed body": Reply(body=BOMB, headers=JSON | GZIP),
    "nested body": Reply(body="[" * 1_000_000, headers=JSON),
    "long error": Reply(status=400, body="{", headers=JSON, flood=b"content " * 8_000),
}
# Writing this resets the peak.
RESET = "5"


def peak() -> float:
    """Return the peak of the resident memory, in mebibytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def reset_peak() -> None:
    """Let the peak begin anew."""
    Path("/proc/self/clear_refs").write_text(RESET)


@contextmanager
def serving() -> Iterator[FakeOpenAI]:
    """Run a scripted server in a thread with an event loop of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = FakeOpenAI()

    def do(step: object) -> None:
        asyncio.run_coroutine_threadsafe(step, loop).result()  # type: ignore[arg-type]

    do(server.__aenter__())
    try:
        yield server
    finally:
        do(server.__aexit__(None, None, None))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


class Lag:
    """The most processor time between two runs of a task, in milliseconds."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def watch(self) -> None:
        """Watch until cancelled."""
        last = time.thread_time()
        while True:
            await asyncio.sleep(0)
            now = time.thread_time()
            self.longest, last = max(self.longest, (now - last) * 1000), now


async def measure(endpoint: OpenAICompatibleServer, *, stream: bool) -> tuple[str, float, float]:
    """Return how a request ends, the lag, and the memory that it took."""
    reset_peak()
    before, lag, outcome = peak(), Lag(), "an answer"
    watching = asyncio.create_task(lag.watch())
    try:
        await provider(endpoint, stream=stream).complete(QUESTION)
    except LLMError as err:
        outcome = type(err).__name__
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    return outcome, lag.longest, peak() - before


async def main() -> None:
    """Print a row for each case."""
    # The server is cut off in the middle of what it sends.
    logging.disable()
    print("| case | outcome | loop lag, ms | memory, MiB |\n| --- | --- | --- | --- |")
    with serving() as server:
        async with aiohttp.ClientSession() as session:
            endpoint = OpenAICompatibleServer(session, server.url, timeouts=Timeouts())
            for name, reply in (STREAMS | BODIES).items():
                server.default = reply
                outcome, lag, memory = await measure(endpoint, stream=name in STREAMS)
                print(f"| {name} | {outcome} | {lag:.1f} | {memory:.0f} |", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
