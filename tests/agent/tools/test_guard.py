"""Tests of the tool guard: results, errors, timeouts and cancellation."""

import asyncio
import dataclasses
import json
import logging
import tracemalloc
from datetime import UTC, datetime
from typing import Any, override

import pytest
from hypothesis import given

from custom_components.chatterbox.agent.errors import ToolArgumentError, ToolError
from custom_components.chatterbox.agent.messages import ToolDefinition
from custom_components.chatterbox.agent.tools.guard import describe_error, example_arguments
from tests.agent.builders import call
from tests.agent.fake_tools import WRITES, fake_tool, guarded, waiting
from tests.agent.tools.test_result import nested, strict_json

AGENT_LOGGER = "custom_components.chatterbox.agent"
SOON = 0.01
never = asyncio.Event


def error_of(content: str) -> tuple[str, str]:
    """Return text and type of an error, after making sure that it is one."""
    envelope = json.loads(content)
    assert envelope.keys() == {"success", "error", "error_type"}
    assert envelope["success"] is False
    return envelope["error"], envelope["error_type"]


# Results.


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ({"name": "Ulm", "units": "°C"}, {"name": "Ulm", "units": "°C"}),
        (None, None),
        ("", ""),
        ([], []),
        (datetime(2026, 11, 5, tzinfo=UTC), "2026-11-05T00:00:00+00:00"),
        ({"error": "only a name"}, {"error": "only a name"}),
    ],
)
async def test_returned_value_is_in_the_envelope(returned: Any, expected: Any) -> None:
    """None is a success, too."""
    result = await guarded(fake_tool(returns=returned)).dispatch(call())
    assert not result.error
    assert result.data == expected
    assert json.loads(result.content) == {"success": True, "result": expected}
    assert result.seconds >= 0


async def test_result_keeps_what_the_tool_returned() -> None:
    """The original object, although the model reads a shortened copy."""
    returned = {"text": "x" * 100_000}
    result = await guarded(fake_tool(returns=returned)).dispatch(call())
    assert result.raw is returned
    assert result.data != returned
    assert "raw" not in repr(result)


async def test_result_keeps_what_the_tool_raised() -> None:
    """With its cause, from which the reason can be read."""
    raised = ToolError("It is stuck.")

    async def stuck(arguments: dict[str, Any]) -> str:
        raise raised

    result = await guarded(fake_tool(behavior=stuck)).dispatch(call())
    assert result.error
    assert result.raw is raised


async def test_tool_gets_a_copy_of_its_arguments() -> None:
    """And may change them without changing what was called."""

    async def greedy(arguments: dict[str, Any]) -> str:
        return str(arguments.pop("where"))

    made = call(where="here")
    result = await guarded(fake_tool(behavior=greedy)).dispatch(made)
    assert result.data == "here"
    assert result.call is made
    assert made.arguments == {"where": "here"}


def test_definitions_are_those_of_the_tools() -> None:
    guard = guarded(fake_tool("walk"), fake_tool("ask"))
    assert [definition.name for definition in guard.definitions] == ["ask", "walk"]


async def test_long_result_is_pruned() -> None:
    """A megabyte becomes ten thousand characters, and stays readable."""
    rows = [{"name": f"row {number}", "text": "x" * 1000} for number in range(1000)]
    result = await guarded(fake_tool(returns={"rows": rows})).dispatch(call())
    assert len(result.content) <= 10_000
    shown = json.loads(result.content)["result"]["rows"]
    assert shown[0]["name"] == "row 0"
    assert shown[-1] == f"… ({1000 - len(shown) + 1} more)"


@pytest.mark.parametrize("error", [ToolError("x" * 100_000), ValueError("y" * 100_000)])
async def test_long_error_is_pruned(error: Exception) -> None:
    """Errors are no longer than results."""
    result = await guarded(fake_tool(raises=error), max_result_chars=700).dispatch(call())
    assert len(result.content) <= 700
    text, _ = error_of(result.content)
    assert "more characters" in text


@given(nested)
async def test_any_result_fits_the_limit(returned: Any) -> None:
    """The limit holds for what the model reads, envelope and all."""
    guard = guarded(fake_tool(returns=returned), max_result_chars=300)
    result = await guard.dispatch(call())
    assert not result.error
    assert len(result.content) <= 300
    assert strict_json(result.content)["success"] is True


# Errors.


async def test_unknown_tool_gets_similar_names_suggested() -> None:
    """The model is told which there are, the most alike first, and not more than ten."""
    names = [f"look_at_{number:02}" for number in range(20)]
    guard = guarded(*(fake_tool(name) for name in [*names, "turn_on"]))
    text, kind = error_of((await guard.dispatch(call("turnon"))).content)
    assert kind == "unknown_tool"
    assert text.startswith("There is no tool named turnon. There are: turn_on, look_at")
    assert text.count(",") == 9


async def test_unknown_tool_without_any_tools_gets_no_suggestion() -> None:
    """Without any tool there is nothing to suggest."""
    text, _ = error_of((await guarded().dispatch(call("fly"))).content)
    assert text == "There is no tool named fly, and no other; answer without tools."


async def test_invalid_arguments_are_rejected_with_an_example() -> None:
    """The tool does not run, and the model sees how its arguments look."""
    tool = fake_tool(annotations=WRITES)
    result = await guarded(tool).dispatch(dataclasses.replace(call(), invalid='{"where": "he'))
    text, kind = error_of(result.content)
    assert kind == "invalid_arguments"
    assert text == (
        "The arguments of look are not a JSON object. "
        'Call it again with arguments like {"where": …}.'
    )
    assert not tool.calls


BUG = ". That is a fault of the tool: do without it, and tell the user."
REFUSED = ". Its access was refused: tell the user to check its credentials."


class RefusedError(Exception):
    """An error of an HTTP client."""

    def __init__(self, status: int) -> None:
        self.status = status


def caused_by[E: Exception](error: E, cause: Exception) -> E:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "text", "kind"),
    [
        (ToolArgumentError("where must be a room"), "where must be a room", "invalid_arguments"),
        (ToolError("the lamp is broken"), "the lamp is broken", "tool_error"),
        (ToolError("refused with token=abc"), "refused with token=***", "tool_error"),
        (ValueError("no such room"), "look failed: no such room", "tool_error"),
        (ValueError("key sk-abcdefgh1"), "look failed: key ***", "tool_error"),
        (ValueError(), "look failed: ValueError", "tool_error"),
        (KeyError("entity"), f"look failed: KeyError{BUG}", "tool_error"),
        (TypeError("no argument where"), f"look failed: TypeError{BUG}", "tool_error"),
        (RefusedError(401), f"look failed: RefusedError{REFUSED}", "tool_error"),
        (RefusedError(403), f"look failed: RefusedError{REFUSED}", "tool_error"),
        (RefusedError(404), "look failed: RefusedError", "tool_error"),
        (caused_by(ToolError("no lamps"), RefusedError(401)), f"no lamps{REFUSED}", "tool_error"),
        (RuntimeError("at /config/secrets.yaml"), "look failed: RuntimeError", "tool_error"),
        (TimeoutError(), "look failed: TimeoutError", "tool_error"),
    ],
)
async def test_error_of_a_tool_is_described_without_internals(
    error: Exception, text: str, kind: str
) -> None:
    """The model reads what it can act upon, nothing of the inside and no secrets."""
    result = await guarded(fake_tool(raises=error)).dispatch(call())
    assert result.error
    assert error_of(result.content) == (text, kind)
    assert describe_error("look", error) == {"error": text, "error_type": kind}


class Unreadable:
    """An object without a text."""

    @override
    def __str__(self) -> str:
        raise LookupError


async def test_result_that_cannot_be_serialized_is_an_error() -> None:
    """An error of the tool, not of the turn."""
    result = await guarded(fake_tool(returns=[Unreadable()])).dispatch(call())
    text, _ = error_of(result.content)
    assert text.startswith("look failed: LookupError")


DEEP: list[Any] = []
for _ in range(200_000):
    DEEP = [DEEP]
HUGE: dict[str, Any] = {
    "text": "x" * 20 * 2**20,
    "list": [0] * 10**6,
    "object": dict.fromkeys(map(str, range(10**5)), 0),
    "wide": [[{"a": ["x" * 1000] * 100} for _ in range(100)] for _ in range(100)],
    "deep": DEEP,
    "long name": {"x" * 2**20: 1},
}


@pytest.mark.parametrize("name", HUGE)
async def test_huge_result_is_shortened_without_a_copy(name: str) -> None:
    """A write may have succeeded, so that its result is no error, whatever it says."""
    guard = guarded(fake_tool(returns=HUGE[name]))
    tracemalloc.start()
    try:
        result = await guard.dispatch(call())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert not result.error
    assert len(result.content) < 11_000
    assert peak < 2**20


@pytest.mark.parametrize(
    ("parameters", "shown"),
    [
        ({}, "{}"),
        ({"properties": {"a": {}, "b": {}}}, '{"a": …, "b": …}'),
        ({"properties": None}, "{}"),
    ],
)
def test_example_of_arguments_follows_the_schema(parameters: dict[str, Any], shown: str) -> None:
    """Arguments are shown as the model would write them."""
    definition = ToolDefinition(name="a", description="A.", parameters=parameters)
    assert example_arguments(definition) == shown


# Time.


async def test_slow_read_is_stopped_at_the_timeout() -> None:
    """It is stopped, and the model is told after how long."""
    tool = fake_tool(behavior=waiting(never()))
    result = await guarded(tool, timeout=SOON).dispatch(call())
    assert error_of(result.content) == ("look timed out after 0.01 s and was stopped.", "timeout")
    await tool.stopped.wait()


async def test_slow_write_is_not_stopped_at_the_timeout() -> None:
    """It is not stopped half way and not called again, and the model does not count on it."""
    go_on = asyncio.Event()
    tool = fake_tool(behavior=waiting(go_on), annotations=WRITES)
    result = await guarded(tool, timeout=SOON).dispatch(call())
    assert error_of(result.content) == (
        "look timed out after 0.01 s and may still take effect.",
        "timeout",
    )
    go_on.set()
    await tool.ended.wait()
    assert not tool.stopped.is_set()
    assert len(tool.calls) == 1


# Cancellation.


async def test_tool_that_cancels_itself_has_failed() -> None:
    """It is a tool that failed, not a turn that was cancelled."""
    tool = fake_tool(raises=None)

    async def give_up(_arguments: dict[str, Any]) -> None:
        raise asyncio.CancelledError

    tool.behavior = give_up
    result = await guarded(tool).dispatch(call())
    assert error_of(result.content) == ("look was interrupted.", "tool_error")


async def test_cancelled_read_is_stopped() -> None:
    """The cancellation goes through to it."""
    tool = fake_tool(behavior=waiting(never()))
    dispatch = asyncio.create_task(guarded(tool).dispatch(call()))
    await tool.started.wait()
    dispatch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await dispatch
    await tool.stopped.wait()


async def test_cancelled_write_goes_on_and_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    """A later error is only in the debug log."""
    caplog.set_level(logging.DEBUG, AGENT_LOGGER)
    go_on = asyncio.Event()

    async def fail_late(_arguments: dict[str, Any]) -> None:
        await go_on.wait()
        raise KeyError("entity")

    tool = fake_tool(behavior=fail_late, annotations=WRITES)
    guard = guarded(tool)
    dispatch = asyncio.create_task(guard.dispatch(call()))
    await tool.started.wait()
    dispatch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await dispatch
    assert len(guard._unfinished) == 1
    go_on.set()
    await asyncio.wait(guard._unfinished)
    assert not guard._unfinished
    assert "A tool raised KeyError" in [record.message for record in caplog.records]


async def test_calls_are_logged_for_debugging_only(caplog: pytest.LogCaptureFixture) -> None:
    """The values of arguments are left out: they may be secret, such as the code of a lock."""
    caplog.set_level(logging.DEBUG, AGENT_LOGGER)
    await guarded(fake_tool()).dispatch(call(where="here"))
    await guarded().dispatch(call())
    messages = [record.message for record in caplog.records]
    assert "Tool look is called with where" in messages
    assert "here" not in caplog.text.replace("where", "")
    assert any(line.startswith("Tool look succeeded after 0.") for line in messages)
    assert any(line.startswith("Tool look failed after 0.") for line in messages)
    assert {record.levelno for record in caplog.records} == {logging.DEBUG}
