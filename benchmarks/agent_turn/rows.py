"""Measurements of both agents, as functions that yield rows of the table."""

import asyncio
import statistics
import sys
import time
import tracemalloc
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence

from benchmarks.models.ways import PEER

from .contest import OURS, Contest, Sample
from .conversations import create_users, store_conversations
from .home import GridHome
from .replies import Message
from .report import Goal, Row

type Rows = AsyncGenerator[Row]
type Measure = Callable[[Contest, int], Rows]

_AT_ONCE = (1, 8, 32)
_EXPOSED = (20, 100, 500)
_STORED = (10, 1_000, 10_000)
_LONG_CONVERSATION = 40
_TURNS_PER_THOUSAND = 1_000
_WARM_UP = 250
_MEBIBYTE = 1024**2


async def plain(contest: Contest, rounds: int) -> Rows:
    """Measure turns without tools."""
    for row in _time_and_cpu("plain turn", await contest.samples(Message.PLAIN, rounds)):
        yield row


async def tool(contest: Contest, rounds: int) -> Rows:
    """Measure turns of two requests with a tool call between them."""
    for row in _time_and_cpu("tool turn", await contest.samples(Message.TOOL, rounds)):
        yield row


async def long_answer(contest: Contest, rounds: int) -> Rows:
    """Measure an answer of many tokens that come at once."""
    found = await contest.samples(Message.LONG, rounds)
    added = _medians(found, lambda sample: sample.added * 1000)
    yield _row("answer of 400 tokens, added time", "ms", added, Goal(15, of_ratio=False))


async def streaming(contest: Contest, rounds: int) -> Rows:
    """Measure the first delta in a pipeline; the first token comes after 100 ms."""
    pipelines = {agent: await contest.pipeline(agent) for agent in contest.entities}
    firsts: dict[str, list[float]] = {agent: [] for agent in pipelines}
    counts: dict[str, list[float]] = {agent: [] for agent in pipelines}
    for number in range(rounds):
        for agent in contest.ordered(number):
            deltas = await contest.deltas(pipelines[agent], Message.PACED)
            if deltas.first is not None:
                firsts[agent].append(deltas.first * 1000)
            counts[agent].append(deltas.count)
    first = {agent: statistics.median(values) for agent, values in firsts.items()}
    yield _row("first delta in a pipeline", "ms", first, Goal(105, of_ratio=False))
    count = {agent: statistics.median(values) for agent, values in counts.items()}
    goal = Goal(50, of_ratio=False, at_least=True)
    yield _row("deltas of 50 tokens", "", count, goal)


async def throughput(contest: Contest, rounds: int) -> Rows:
    """Measure tool turns per second, with several conversations at once."""
    for at_once in _AT_ONCE:
        turns = max(rounds // 2, at_once * 2)
        rates: dict[str, list[float]] = {agent: [] for agent in contest.entities}
        for number in range(5):
            for agent in contest.ordered(number):
                rates[agent].append(await _rate(contest, agent, turns, at_once))
        rate = {agent: statistics.median(values) for agent, values in rates.items()}
        goal = Goal(1.5, at_least=True) if at_once > 1 else None
        yield _row(f"tool turns per second, {at_once} at once", "", rate, goal)


async def _rate(contest: Contest, agent: str, turns: int, at_once: int) -> float:
    """Return the turns per second of a number of turns."""
    waiting = iter(range(turns))

    async def work() -> None:
        for _ in waiting:
            await contest.ask(agent, Message.TOOL)

    started = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(at_once)))
    return turns / (time.perf_counter() - started)


async def conversation(contest: Contest, rounds: int) -> Rows:
    """Compare the last turn of a long conversation with its first."""
    growths: dict[str, float] = {}
    firsts: dict[str, list[float]] = {agent: [] for agent in contest.entities}
    lasts: dict[str, list[float]] = {agent: [] for agent in contest.entities}
    for number in range(rounds):
        for agent in contest.ordered(number):
            conversation_id: str | None = None
            for turn in range(_LONG_CONVERSATION):
                sample = await contest.turn(agent, Message.PLAIN, conversation_id)
                conversation_id = sample.conversation_id
                if turn == 0:
                    firsts[agent].append(sample.added)
            lasts[agent].append(sample.added)
    for agent in contest.entities:
        growths[agent] = statistics.median(lasts[agent]) / statistics.median(firsts[agent])
    yield _row("40th turn of a conversation to its first", "×", growths, Goal(1.1, of_ratio=False))


async def memory(contest: Contest, rounds: int) -> Rows:
    """Measure what stays allocated by turns of new conversations, in blocks of both agents."""
    turns = min(_TURNS_PER_THOUSAND, rounds * 5)
    block = max(1, turns // 4)
    allocated = dict.fromkeys(contest.entities, 0.0)
    tracemalloc.start()
    try:
        # The first turns fill what is bounded: caches, the last traces, the parsed sentences. They
        # also let registries be written, which holds their JSON until then.
        for agent in contest.entities:
            for _ in range(_WARM_UP):
                await contest.ask(agent, Message.PLAIN)
        await contest.write_delayed()
        for number in range(4):
            for agent in contest.ordered(number):
                before = await contest.traced_memory()
                for _ in range(block):
                    await contest.ask(agent, Message.PLAIN)
                kept_by_block = await contest.traced_memory() - before
                print(
                    f"memory of {agent}: {kept_by_block / block / 1024:.1f} KiB a turn",
                    file=sys.stderr,
                    flush=True,
                )
                allocated[agent] += kept_by_block
    finally:
        tracemalloc.stop()
    scale = _TURNS_PER_THOUSAND / (4 * block) / _MEBIBYTE
    kept = {agent: size * scale for agent, size in allocated.items()}
    yield _row("memory per 1,000 turns", "MiB", kept, Goal(10, of_ratio=False))


async def exposed(contest: Contest, rounds: int) -> Rows:
    """Measure plain turns by the number of exposed entities."""
    home = GridHome()
    for count in _EXPOSED:
        home.expose(contest.hass, count)
        added = _medians(await contest.samples(Message.PLAIN, rounds), _added)
        yield _row(f"plain turn, {count} exposed entities", "ms", added, Goal(0.6))
    home.expose(contest.hass)


async def stored(contest: Contest, rounds: int) -> Rows:
    """Measure plain turns by the number of conversations that Chatterbox has stored."""
    users = await create_users(contest.hass)
    for count in _STORED:
        await store_conversations(contest.hass, contest.agents.ours, count, users)
        added = _medians(await contest.samples(Message.PLAIN, rounds), _added)
        yield _row(f"plain turn, {count:,} stored conversations", "ms", added, Goal(0.6))


MEASURES: Mapping[str, Measure] = {
    measure.__name__: measure
    for measure in (
        plain,
        tool,
        streaming,
        long_answer,
        throughput,
        conversation,
        memory,
        exposed,
        stored,
    )
}


def _time_and_cpu(turn: str, found: Mapping[str, Sequence[Sample]]) -> Iterable[Row]:
    yield _row(f"{turn}, added time", "ms", _medians(found, _added), Goal(0.6))
    cpu = _medians(found, lambda sample: sample.cpu * 1000)
    yield _row(f"{turn}, processor time", "ms", cpu, Goal(0.7))


def _added(sample: Sample) -> float:
    return sample.added * 1000


def _medians(
    found: Mapping[str, Sequence[Sample]], value: Callable[[Sample], float]
) -> dict[str, float]:
    return {agent: statistics.median(map(value, samples)) for agent, samples in found.items()}


def _row(label: str, unit: str, values: Mapping[str, float], goal: Goal | None) -> Row:
    return Row(label, unit, values.get(PEER), values[OURS], goal)
