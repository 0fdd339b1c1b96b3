"""Load test: many conversations at once, with many stored ones, measured by the minute.

Each of the users goes on with a conversation for some turns, and begins another. Home Assistant
keeps the chat log of each for some minutes more, whatever the agent; here it ends at once, so that
the memory is that of the agent.
"""

import asyncio
import logging
import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import override

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import chat_session

from .replies import Message

AT_ONCE = 32
STORED = 10_000
_TURNS = 20
# One of so many turns calls a tool.
_TOOL_EVERY = 4
_MEBIBYTE = 1024**2
_HEADER = ("minute", "turns", "errors", "median", "95 %", "processor", "memory", "stored")


@dataclass(slots=True)
class Period:
    """The turns of a part of the load test, and what there was at its end."""

    seconds: list[float] = field(default_factory=list)
    """Duration of each turn."""
    errors: list[str] = field(default_factory=list)
    memory: int = 0
    """Resident memory of the process in bytes."""
    cpu: float = 0.0
    """Processor time of the process, in seconds."""
    files: int = 0
    """Stored conversations."""

    @property
    def median(self) -> float:
        """Median duration of a turn, in milliseconds."""
        return statistics.median(self.seconds) * 1000

    @property
    def cpu_of_turn(self) -> float:
        """Processor time of a turn, in milliseconds."""
        return self.cpu / len(self.seconds) * 1000

    @property
    def slow(self) -> float:
        """Duration of a turn that 95 of 100 do not exceed, in milliseconds."""
        return statistics.quantiles(self.seconds, n=20)[-1] * 1000


@dataclass(slots=True, kw_only=True)
class Crowd:
    """Users who talk to an agent at once, until they are told to stop."""

    hass: HomeAssistant
    agent: str
    """Entity id of the agent."""
    contexts: Sequence[Context]
    """Users, of whom each may have several conversations."""
    at_once: int = AT_ONCE
    turns: int = _TURNS
    """Turns of a conversation."""
    period: Period = field(default_factory=Period)
    """Period that is being measured."""

    async def talk(self, goes_on: Callable[[], bool]) -> None:
        """Let all users talk until this returns False before a conversation."""

        async def work(context: Context) -> None:
            while goes_on():
                await self._converse(context)

        users = (self.contexts[number % len(self.contexts)] for number in range(self.at_once))
        await asyncio.gather(*map(work, users))

    async def _converse(self, context: Context) -> None:
        """Have a conversation; an error ends it."""
        conversation_id: str | None = None
        for number in range(self.turns):
            message = Message.PLAIN if number % _TOOL_EVERY else Message.TOOL
            started = time.perf_counter()
            try:
                result = await conversation.async_converse(
                    self.hass, message, conversation_id, context, "en", self.agent
                )
            except Exception as err:  # noqa: BLE001 - counted
                self.period.errors.append(repr(err))
                break
            self.period.seconds.append(time.perf_counter() - started)
            if result.response.error_code is not None:
                self.period.errors.append(str(result.response.speech))
            conversation_id = result.conversation_id
        if conversation_id is not None:
            session = self.hass.data[chat_session.DATA_CHAT_SESSION].pop(conversation_id)
            session.async_cleanup()


class Warnings(logging.Handler):
    """Counts what is logged as a warning or worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: Counter[str] = Counter()

    @override
    def emit(self, record: logging.LogRecord) -> None:
        """Count a record."""
        self.found[f"{record.name}: {record.msg}"] += 1


def sockets() -> int:
    """Return the number of open sockets of the process."""
    count = 0
    for path in Path("/proc/self/fd").iterdir():
        try:
            count += str(path.readlink()).startswith("socket:")
        except FileNotFoundError:
            # The descriptor that lists the folder.
            continue
    return count


def resident() -> int:
    """Return the resident memory of the process in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def run(crowd: Crowd, folder: Path, minutes: float) -> str:
    """Run the load test with an agent whose conversations are in a folder; return the report.

    Before the first minute everybody has a conversation, which is not measured.
    """
    heard = Warnings()
    logging.getLogger().addHandler(heard)
    first = iter(range(crowd.at_once))
    await crowd.talk(lambda: next(first, None) is not None)
    await crowd.hass.async_block_till_done()
    tasks, opened = len(asyncio.all_tasks()), sockets()
    periods: list[Period] = []
    end, cpu = time.monotonic() + minutes * 60, time.process_time()
    crowd.period = Period()
    talking = asyncio.create_task(crowd.talk(lambda: time.monotonic() < end))
    while not talking.done():
        await asyncio.wait({talking}, timeout=min(60, minutes * 30))
        crowd.period, period = Period(), crowd.period
        period.memory, period.files = resident(), len(sizes(folder))
        cpu, before = time.process_time(), cpu
        period.cpu = cpu - before
        periods.append(period)
        print(_line(len(periods), period), flush=True)
    await talking
    await crowd.hass.async_block_till_done()
    logging.getLogger().removeHandler(heard)
    left = len(asyncio.all_tasks()) - tasks
    # The last one may have begun when there was nothing more to do.
    full = [each for each in periods if len(each.seconds) * 2 >= len(periods[0].seconds)]
    errors = Counter(error for period in periods for error in period.errors)
    summary = (
        f"Errors: {errors.total()}. Warnings in the log: {heard.found.total()}. Last minute to the "
        f"first: median {_growth(full, lambda each: each.median)}, 95 % "
        f"{_growth(full, lambda each: each.slow)}, processor time of a turn "
        f"{_growth(full, lambda each: each.cpu_of_turn)}, memory "
        f"{_growth(full, lambda each: each.memory)}. At the end there are {max(0, left)} tasks "
        f"more than at the start, {sockets()} open sockets ({opened} at the start), and "
        f"{sum(sizes(folder)) / _MEBIBYTE:.0f} MiB of stored conversations."
    )
    found = [*_most_common("error", errors), *_most_common("warning", heard.found)]
    return "\n".join([_table(full), "", summary, *found])


def sizes(folder: Path) -> list[int]:
    """Return the sizes of the files in a folder, in bytes, without those being written."""
    return [path.stat().st_size for path in folder.iterdir() if not path.name.startswith("tmp")]


def _growth(periods: Sequence[Period], value: Callable[[Period], float]) -> str:
    return f"{value(periods[-1]) / value(periods[0]):.2f} ×"


def _table(periods: Iterable[Period]) -> str:
    lines = [f"| {' | '.join(_HEADER)} |", f"|{' ---: |' * len(_HEADER)}"]
    lines += [_line(number, period) for number, period in enumerate(periods, 1)]
    return "\n".join(lines)


def _line(number: int, period: Period) -> str:
    cells = (
        f"{number}",
        f"{len(period.seconds):,}",
        f"{len(period.errors)}",
        f"{period.median:.0f} ms" if period.seconds else "–",
        f"{period.slow:.0f} ms" if len(period.seconds) > 1 else "–",
        f"{period.cpu_of_turn:.1f} ms" if period.seconds else "–",
        f"{period.memory / _MEBIBYTE:.0f} MiB",
        f"{period.files:,}",
    )
    return f"| {' | '.join(cells)} |"


def _most_common(kind: str, found: Counter[str]) -> list[str]:
    return [f"\n- {kind}, {count} times: {text}" for text, count in found.most_common(5)]
