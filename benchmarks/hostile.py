"""Peak memory and loop lag while a server, a tool or the disk gives what none should.

Run it with `python -m benchmarks.hostile`.

The server runs in a thread of its own. The lag is the processor time of the event loop between two
runs of a task that always wants to run, at the most: it does not depend on what else the machine
does. Where files are read, in threads, it is the processor time of the process: parsing in a thread
holds the event loop up as well. The memory is the peak of the process beyond its start, with the
server's own part.
"""

import asyncio
import gc
import json
import logging
import os
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import aiohttp

# First: it replaces modules.
import homeassistant  # noqa: F401
from benchmarks.history import conversation
from custom_components.chatterbox.agent.attachments import Attachment
from custom_components.chatterbox.agent.errors import LLMError
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.model.http_client import Timeouts
from custom_components.chatterbox.agent.model.openai_provider import OpenAICompatibleServer
from custom_components.chatterbox.agent.model.provider import CompletionRequest, LLMProvider
from custom_components.chatterbox.attachments import MAX_BYTES
from custom_components.chatterbox.history_store import HassConversationStore
from homeassistant.core import HomeAssistant
from tests.agent.builders import call
from tests.agent.fake_tools import FakeTool, fake_tool, guarded
from tests.agent.model.test_openai_provider_bounds import BOMB, GZIP, STREAMS
from tests.agent.scripted_server import QUESTION, provider
from tests.agent.tools.test_guard import HUGE
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
_FILES = 10_000
_LARGEST, _HUGE = 4 * 2**20, 64 * 2**20


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

    def __init__(self, clock: Callable[[], float]) -> None:
        self.longest = 0.0
        self._clock = clock

    async def watch(self) -> None:
        """Watch until cancelled."""
        last = self._clock()
        while True:
            await asyncio.sleep(0)
            now = self._clock()
            self.longest, last = max(self.longest, (now - last) * 1000), now


async def report(
    name: str, work: Awaitable[str], clock: Callable[[], float] = time.thread_time
) -> None:
    """Print the row of something that is done: how it ends, the lag, and the memory it took."""
    gc.collect()
    reset_peak()
    before, lag = peak(), Lag(clock)
    watching = asyncio.create_task(lag.watch())
    # It has to run before and after what it measures.
    await asyncio.sleep(0)
    try:
        outcome = await work
    except LLMError as err:
        outcome = type(err).__name__
    await asyncio.sleep(0)
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    print(f"| {name} | {outcome} | {lag.longest:.1f} | {peak() - before:.0f} |", flush=True)


async def ask(provider: LLMProvider, request: CompletionRequest = QUESTION) -> str:
    """Ask the server."""
    await provider.complete(request)
    return "an answer"


async def servers() -> None:
    """Print the rows of servers, and of what is sent to one."""
    with serving() as server:
        async with aiohttp.ClientSession() as session:
            endpoint = OpenAICompatibleServer(session, server.url, timeouts=Timeouts())
            for name, reply in (STREAMS | BODIES).items():
                server.default = reply
                await report(name, ask(provider(endpoint, stream=name in STREAMS)))
            server.default = Reply("Yes.")
            for name, message in messages().items():
                asked = replace(QUESTION, messages=(message,))
                await report(name, ask(provider(endpoint), asked))


def messages() -> dict[str, Message]:
    """Return messages of a user that are as large as they may be."""
    picture = Attachment.of(b"\x89PNG\r\n\x1a\n" + bytes(MAX_BYTES - 8), "picture.png")
    if picture is None:
        raise RuntimeError("not a picture")
    return {
        "largest attachment": replace(Message.user("What is it?"), attachments=(picture,)),
        "long message": Message.user("Hello " * 500_000),
    }


async def tools() -> None:
    """Print the rows of results of tools."""

    async def use(tool: FakeTool) -> str:
        result = await guarded(tool).dispatch(call())
        return "an error" if result.error else f"{len(result.content):,} characters"

    for name, result in HUGE.items():
        await report(f"result: {name}", use(fake_tool(returns=result)))


async def disks(hass: HomeAssistant) -> None:
    """Print the rows of stored conversations."""
    stored = HassConversationStore(hass, "entry", "agent", "Benchmark")
    for number in range(_FILES):
        await stored.save(conversation(number))
    valid = (stored.folder / conversation(0).id).read_bytes()

    broken = json.loads(valid)
    broken["data"]["turns"] = [{}] * (_LARGEST // 3 - 1000)

    async def start() -> str:
        store = HassConversationStore(hass, "entry", "agent", "Benchmark")
        await store.async_read_index()
        return f"{len(store.index):,} conversations"

    await report(f"{_FILES:,} files", start(), time.process_time)
    await report("the same files, event loop only", start())
    contents = {
        "huge file": valid.ljust(_HUGE),
        "nested file": b"[" * _LARGEST,
        "file of garbage": os.urandom(_LARGEST),
        "largest file": json.dumps(broken, separators=(",", ":")).encode(),
    }
    for path in stored.folder.iterdir():
        path.unlink()
    for name, content in contents.items():
        (stored.folder / conversation(0).id).write_bytes(content)
        await report(name, start(), time.process_time)


async def main() -> None:
    """Print a row for each case."""
    # The server is cut off in the middle of what it sends.
    logging.disable()
    print("| case | outcome | loop lag, ms | memory, MiB |\n| --- | --- | --- | --- |")
    await servers()
    await tools()
    with tempfile.TemporaryDirectory() as folder:
        hass = HomeAssistant(folder)
        await disks(hass)
        await hass.async_stop(force=True)


if __name__ == "__main__":
    asyncio.run(main())
