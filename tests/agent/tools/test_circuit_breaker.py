"""Tests of the circuit breaker of tools."""

from custom_components.chatterbox.agent.circuit_breaker import ToolBreaker
from custom_components.chatterbox.agent.errors import ToolArgumentError, ToolError
from custom_components.chatterbox.agent.tools.builtin.open_meteo import WeatherStatusError
from custom_components.chatterbox.agent.tools.circuit_breaker import CircuitBreakerDispatcher
from tests.agent.builders import call
from tests.agent.fake_clock import FakeClock
from tests.agent.fake_tools import fake_tool, guarded


async def test_tool_is_withdrawn_for_five_minutes_after_three_failures() -> None:
    clock = FakeClock()
    tool = fake_tool("dim", raises=ToolError("no power"))
    tools = CircuitBreakerDispatcher(guarded(tool, fake_tool()), ToolBreaker(clock.now))
    for _ in range(3):
        assert [definition.name for definition in tools.definitions] == ["dim", "look"]
        assert (await tools.dispatch(call("dim"))).error_type == "tool_error"
    assert [definition.name for definition in tools.definitions] == ["look"]
    result = await tools.dispatch(call("dim"))
    assert result.error_type == "unavailable"
    assert "dim" in (result.error_text or "")
    assert len(tool.calls) == 3
    clock.seconds += 300
    assert [definition.name for definition in tools.definitions] == ["dim", "look"]


async def test_failures_of_an_internet_service_count() -> None:
    tool = fake_tool("weather", raises=WeatherStatusError(503))
    tools = CircuitBreakerDispatcher(guarded(tool), ToolBreaker())
    for _ in range(3):
        await tools.dispatch(call("weather"))
    assert not tools.definitions


async def test_partial_result_neither_counts_as_a_failure_nor_resets_them() -> None:
    results = iter([None, {"partial": True}, None, {"partial": True}, {"partial": True}, None])

    async def degraded(_arguments: object) -> object:
        if (result := next(results)) is None:
            raise WeatherStatusError(503)
        return result

    tools = CircuitBreakerDispatcher(guarded(fake_tool("weather", degraded)), ToolBreaker())
    for _ in range(5):
        await tools.dispatch(call("weather"))
    assert tools.definitions
    await tools.dispatch(call("weather"))
    assert not tools.definitions


async def test_wrong_arguments_do_not_count_as_failures() -> None:
    tool = fake_tool("dim", raises=ToolArgumentError("no name"))
    tools = CircuitBreakerDispatcher(guarded(tool), ToolBreaker())
    for _ in range(5):
        await tools.dispatch(call("dim"))
    assert tools.definitions


async def test_success_resets_the_failures() -> None:
    results = iter([False, False, True, False, False])

    async def sometimes(_arguments: object) -> str:
        if next(results):
            return "fine"
        raise ToolError("no power")

    tools = CircuitBreakerDispatcher(guarded(fake_tool("dim", sometimes)), ToolBreaker())
    for _ in range(5):
        await tools.dispatch(call("dim"))
    assert tools.definitions
