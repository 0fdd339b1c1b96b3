"""Tests of the cache of tool results."""

from typing import Any

from custom_components.chatterbox.agent.errors import ToolError
from custom_components.chatterbox.agent.messages import ToolCall
from custom_components.chatterbox.agent.tools.cache import CachingDispatcher, ToolResultCache
from tests.agent.builders import call
from tests.agent.fake_clock import FakeClock
from tests.agent.fake_tools import WRITES, FakeTool, fake_tool, guarded


def caching(tool: FakeTool, cache: ToolResultCache, *names: str) -> CachingDispatcher:
    return CachingDispatcher(guarded(tool), cache, names)


async def test_repeated_call_is_answered_from_the_cache() -> None:
    tool, cache = fake_tool(), ToolResultCache()
    tools = caching(tool, cache, "look")
    first = await tools.dispatch(call(where="here", when="now"))
    again = call(call_id="call_2", when="now", where="here")
    second = await tools.dispatch(again)
    assert (second.data, second.call) == (first.data, again)
    assert len(tool.calls) == 1
    await tools.dispatch(call(where="there"))
    assert len(tool.calls) == 2
    assert tools.definitions == [tool.definition]


async def test_cached_result_expires() -> None:
    clock = FakeClock()
    tool, cache = fake_tool(), ToolResultCache(300, now=clock.now)
    tools = caching(tool, cache, "look")
    for seconds in (0, 299, 1):
        clock.seconds += seconds
        await tools.dispatch(call())
    assert len(tool.calls) == 2


async def test_errors_are_not_cached() -> None:
    results = iter([False, True, True])

    async def sometimes(_arguments: dict[str, Any]) -> str:
        if next(results):
            return "fine"
        raise ToolError("no signal")

    tool, cache = fake_tool("look", sometimes), ToolResultCache()
    tools = caching(tool, cache, "look")
    errors = [(await tools.dispatch(call())).error for _ in range(3)]
    assert errors == [True, False, False]
    assert len(tool.calls) == 2


async def test_partial_results_are_not_cached() -> None:
    results = iter([{"partial": True}, {"rain": 3}, None])

    async def degraded(_arguments: dict[str, Any]) -> Any:
        return next(results)

    tool = fake_tool("look", degraded)
    tools = caching(tool, ToolResultCache(), "look")
    data = [(await tools.dispatch(call())).data for _ in range(3)]
    assert data == [{"partial": True}, {"rain": 3}, {"rain": 3}]


async def test_unlisted_and_writing_tools_are_not_cached() -> None:
    for tool, names in ((fake_tool(), ()), (fake_tool(annotations=WRITES), ("look",))):
        tools = caching(tool, ToolResultCache(), *names)
        for _ in range(2):
            await tools.dispatch(call())
        assert len(tool.calls) == 2


async def test_call_with_invalid_arguments_is_not_answered_from_the_cache() -> None:
    tools = caching(fake_tool(), ToolResultCache(), "look")
    await tools.dispatch(call())
    wrong = ToolCall(id="1", name="look", arguments={}, invalid="{")
    assert (await tools.dispatch(wrong)).error


async def test_oldest_result_is_evicted() -> None:
    tool, cache = fake_tool(), ToolResultCache()
    tools = caching(tool, cache, "look")
    for number in range(101):
        await tools.dispatch(call(where=str(number)))
    await tools.dispatch(call(where="1"))
    assert len(tool.calls) == 101
    await tools.dispatch(call(where="0"))
    assert len(tool.calls) == 102


async def test_cleared_cache_answers_nothing() -> None:
    tool, cache = fake_tool(), ToolResultCache()
    tools = caching(tool, cache, "look")
    await tools.dispatch(call())
    await tools.dispatch(call(where="here"))
    assert [cache.clear(), cache.clear()] == [2, 0]
    await tools.dispatch(call())
    assert len(tool.calls) == 3
