"""Time to load and save a turn with 10, 1,000 and 10,000 stored conversations.

Run it with the Python of an environment that has Home Assistant, from the repository's root:

    python benchmarks/history.py

The ratios are relative to the first line, and should stay near 1. Conversations are loaded as in a
process that has just started, without anything in memory.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from custom_components.chatterbox.agent.memory.index import Caller, MemoryScope
from custom_components.chatterbox.agent.memory.memory import ConversationMemory, MemorySettings
from custom_components.chatterbox.agent.memory.store import StoredConversation, StoredTurn
from custom_components.chatterbox.agent.messages import Message, ToolCall, envelope
from custom_components.chatterbox.history_store import HassConversationStore
from homeassistant.core import HomeAssistant

SIZES = (10, 1_000, 10_000)
TURNS = 20
ROUNDS = 40
BEGIN = datetime(2026, 11, 1, tzinfo=UTC)


def turn(number: int) -> StoredTurn:
    """Return a typical turn, with a tool call."""
    call = ToolCall(id=f"call_{number}", name="get_weather", arguments={"location": "Utrecht"})
    return StoredTurn(
        at=BEGIN + timedelta(minutes=number),
        user="What will the weather be like tomorrow?",
        messages=(
            Message.assistant(None, [call]),
            Message.tool(call.id, envelope({"text": "sunny " * 60}, error=False)),
            Message.assistant("Tomorrow it will be sunny, with a light breeze from the west."),
        ),
    )


def conversation(number: int) -> StoredConversation:
    """Return a conversation of one of ten users, on one of twenty devices."""
    created = BEGIN + timedelta(minutes=number)
    return StoredConversation(
        id=f"{number:032x}",
        ids=(f"room {number}",),
        owner=f"user {number % 10}",
        device=f"device {number % 20}",
        created=created,
        last_used=created,
        turns=tuple(turn(each) for each in range(TURNS)),
    )


async def measure(folder: Path, count: int) -> tuple[float, float, float]:
    """Return the seconds of a start, and the medians of a load and of a save."""
    hass = HomeAssistant(str(folder))
    settings = MemorySettings(scope=MemoryScope.DEVICE, max_conversations=count + ROUNDS)
    filled = HassConversationStore(hass, "entry", "agent", "Benchmark")
    for number in range(count):
        await filled.save(conversation(number))

    started = time.perf_counter()
    store = HassConversationStore(hass, "entry", "agent", "Benchmark")
    await store.async_read_index()
    start = time.perf_counter() - started

    loads: list[float] = []
    saves: list[float] = []
    for index in range(ROUNDS):
        memory = ConversationMemory(store, settings, lambda: BEGIN + timedelta(days=1))
        number = index * 7 % count
        stored_turn = replace(turn(TURNS), at=BEGIN + timedelta(hours=8, minutes=index))
        before = time.perf_counter()
        opened = await memory.open(Caller(active_id=f"room {number}", owner=f"user {number % 10}"))
        loaded = time.perf_counter()
        await memory.record(opened, stored_turn)
        loads.append(loaded - before)
        saves.append(time.perf_counter() - loaded)
    await hass.async_stop(force=True)
    return start, statistics.median(loads), statistics.median(saves)


def main() -> None:
    """Print the table."""
    print("| conversations | start | load | ratio | save | ratio |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    first: tuple[float, float] | None = None
    for count in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            start, load, save = asyncio.run(measure(Path(folder), count))
        first = first or (load, save)
        print(
            f"| {count:,} | {start * 1000:.0f} ms | {load * 1000:.2f} ms | {load / first[0]:.2f} "
            f"| {save * 1000:.2f} ms | {save / first[1]:.2f} |"
        )


if __name__ == "__main__":
    main()
