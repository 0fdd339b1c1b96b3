"""Tests of the execution of calls, in turns of the loop."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from custom_components.chatterbox.agent.events import ToolFinished, TurnFinished
from custom_components.chatterbox.agent.loop import AgenticLoop
from tests.agent.builders import call
from tests.agent.fake_provider import Answer, ScriptedProvider, calls
from tests.agent.fake_tools import READS, WRITES, RaisingDispatcher, fake_tool, guarded, waiting
from tests.agent.turns import collect, only

# Only a tool that waits in vain for another one takes that long.
STUCK = 5


async def breathe() -> None:
    """Let everything else that can go on do so."""
    rested = asyncio.Event()
    asyncio.get_running_loop().call_soon(rested.set)
    await rested.wait()


def logged(log: list[str], name: str) -> Callable[[dict[str, Any]], Awaitable[str]]:
    """Return the behavior of a tool that notes when it begins and ends."""

    async def behave(_arguments: dict[str, Any]) -> str:
        log.append(f"{name} begins")
        await breathe()
        await breathe()
        log.append(f"{name} ends")
        return name

    return behave


async def order(*names: str) -> list[str]:
    """Have tools called in one answer; return what began and ended when.

    Those whose name begins with `read` only read.
    """
    log: list[str] = []
    tools = [
        fake_tool(
            name,
            logged(log, name),
            annotations=READS if name.startswith("read") else WRITES,
        )
        for name in names
    ]
    loop = AgenticLoop(ScriptedProvider(calls(*names), Answer("Done.")))
    events = await collect(loop.stream("Go", [], guarded(*tools)))
    assert [event.result.call.name for event in only(ToolFinished, events)] == list(names)
    return log


def one_by_one(*names: str) -> list[str]:
    """Return the log of tools that do not overlap."""
    return [f"{name} {what}" for name in names for what in ("begins", "ends")]


async def test_adjacent_reads_run_concurrently() -> None:
    """Each waits until the other has begun: they would wait for ever one after the other."""
    meeting = asyncio.Barrier(2)

    async def meet(_arguments: dict[str, Any]) -> str:
        await meeting.wait()
        return "met"

    tools = guarded(fake_tool("a", meet), fake_tool("b", meet), timeout=STUCK)
    loop = AgenticLoop(ScriptedProvider(calls("a", "b"), Answer("Done.")))
    events = await collect(loop.stream("Go", [], tools))
    assert [event.result.data for event in only(ToolFinished, events)] == ["met", "met"]


async def test_writes_run_in_order() -> None:
    """Writes never overlap, in the order of the calls."""
    assert await order("write 2", "write 1", "write 3") == one_by_one(
        "write 2", "write 1", "write 3"
    )


async def test_read_behind_a_write_waits_for_it() -> None:
    """It sees what the write has changed, and a write does not overtake a read."""
    assert await order("read 1", "write", "read 2") == one_by_one("read 1", "write", "read 2")


async def test_reads_run_concurrently_up_to_the_next_write() -> None:
    """Reads run together up to the next write."""
    log = await order("read 1", "read 2", "write", "read 3", "read 4")
    assert log[:2] == ["read 1 begins", "read 2 begins"]
    assert log[4:6] == ["write begins", "write ends"]
    assert log[6:8] == ["read 3 begins", "read 4 begins"]


async def test_equal_reads_around_a_write_are_both_made() -> None:
    """The second one gets the changed state; equal reads without a write between share it."""
    lights: list[str] = []

    async def switch(_arguments: dict[str, Any]) -> None:
        lights.append("on")

    async def get(_arguments: dict[str, Any]) -> int:
        return len(lights)

    reader = fake_tool("get", get)
    provider = ScriptedProvider(calls("get", "switch", "get", "get"), Answer("Done."))
    loop = AgenticLoop(provider)
    tools = guarded(reader, fake_tool("switch", switch, annotations=WRITES))
    results = only(ToolFinished, await collect(loop.stream("Go", [], tools)))
    assert [event.result.data for event in results] == [0, None, 1, 1]
    assert len(reader.calls) == 2


async def test_equal_writes_around_another_write_are_both_made() -> None:
    """The last one decides what the state is."""
    log: list[str] = []
    tools = [
        fake_tool(name, logged(log, name), annotations=WRITES) for name in ("turn on", "turn off")
    ]
    provider = ScriptedProvider(calls("turn on", "turn off", "turn on"), Answer("Done."))
    await collect(AgenticLoop(provider).stream("Go", [], guarded(*tools)))
    assert log == one_by_one("turn on", "turn off", "turn on")


async def test_results_are_in_the_order_of_the_calls() -> None:
    """The first call is the slower one; its result still comes first."""
    quick = fake_tool("quick")
    slow = fake_tool("slow", waiting(quick.ended, "slow"))
    provider = ScriptedProvider(calls("slow", "quick"), Answer("Done."))
    await collect(AgenticLoop(provider).stream("Go", [], guarded(slow, quick, timeout=STUCK)))
    results = provider.asked[1].messages[-2:]
    assert [result.tool_call_id for result in results] == ["call_1", "call_2"]
    assert json.loads(results[0].content or "") == {"success": True, "result": "slow"}


async def test_unknown_tool_fails_beside_others() -> None:
    """It is answered like any other, and counts as one that changes nothing."""
    tool = fake_tool(annotations=WRITES)
    wanted = (call("look", "1", where="here"), call("fly", "2"), call("look", "3"))
    provider = ScriptedProvider(Answer(calls=wanted), Answer("Done."))
    events = await collect(AgenticLoop(provider).stream("Go", [], guarded(tool)))
    assert [event.result.error for event in only(ToolFinished, events)] == [False, True, False]
    assert len(tool.calls) == 2


async def test_error_of_a_dispatcher_is_a_failed_result() -> None:
    """No dispatcher breaks a turn: its error goes to the model, without the inside."""
    provider = ScriptedProvider(calls("look", "look"), Answer("Sorry."))
    dispatcher = RaisingDispatcher(KeyError("token=abc"))
    events = await collect(AgenticLoop(provider).stream("Go", [], dispatcher))
    assert only(TurnFinished, events)[0].text == "Sorry."
    for message in provider.asked[1].messages[-2:]:
        assert json.loads(message.content or "") == {
            "success": False,
            "error": "look failed: KeyError. That is a fault of the tool: do without it, and tell "
            "the user.",
            "error_type": "tool_error",
        }
