"""Tests of the loop: limits, errors, and `run`."""

import inspect
import logging
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import get_type_hints, override

import pytest

from custom_components.chatterbox.agent.errors import (
    IterationLimitReached,
    LLMAuthError,
    LLMConnectionError,
    LLMError,
    LLMRateLimitError,
    LLMResponseError,
)
from custom_components.chatterbox.agent.events import LoopOutcome, LoopState, TurnFinished
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.loop_settings import LoopSettings, OnLimit, Phrases
from custom_components.chatterbox.agent.memory.context import repair
from custom_components.chatterbox.agent.messages import Message, Role
from custom_components.chatterbox.agent.model.provider import (
    CompletionRequest,
    ProviderEvent,
    TextDelta,
)
from custom_components.chatterbox.agent.model.usage import UsageStats
from tests.agent.fake_provider import Answer, ScriptedProvider, calls
from tests.agent.fake_tools import fake_tool, guarded
from tests.agent.turns import collect, collect_until, run_turn, spoken, states

AGENT_LOGGER = "custom_components.chatterbox.agent"
PHRASES = Phrases()


# The limit.


@pytest.mark.parametrize("limit", [1, 3])
async def test_limit_counts_requests(limit: int) -> None:
    """The last tools run and their results stay; the user is asked whether to go on."""
    tool = fake_tool()
    settings = LoopSettings(max_iterations=limit)
    finished, events, provider = await run_turn(calls("look"), tools=[tool], settings=settings)
    assert len(tool.calls) == finished.iterations == limit
    assert [asked.tool_choice for asked in provider.asked] == ["auto"] * limit + ["none"]
    assert {len(asked.tools) for asked in provider.asked} == {1}
    assert finished.outcome is LoopOutcome.LIMIT
    assert finished.text == spoken(events) == PHRASES.limit_ask.format(limit=limit)
    assert finished.text.endswith("?")
    assert finished.messages[-1] == Message.assistant(finished.text)
    assert states(events)[-4:] == [
        LoopState.RESULT_AGGREGATION,
        LoopState.LLM_INFERENCE,
        LoopState.RESPONSE_COMPOSITION,
        LoopState.OUTPUT,
    ]


async def test_limit_with_stop_asks_for_a_more_specific_request() -> None:
    """The user is asked for less instead."""
    settings = LoopSettings(max_iterations=2, on_limit=OnLimit.STOP)
    finished, _, provider = await run_turn(calls("look"), tools=[fake_tool()], settings=settings)
    assert finished.text == PHRASES.limit_stop.format(limit=2)
    assert len(provider.asked) == 2


async def test_limit_requests_a_final_reply() -> None:
    """The model may say where it stands; the tools stay in the request, as servers cache it."""
    usage = UsageStats(total_tokens=5)
    settings = LoopSettings(max_iterations=1)
    finished, events, provider = await run_turn(
        calls("look"), Answer("So far.", usage=usage), tools=[fake_tool()], settings=settings
    )
    assert [asked.tool_choice for asked in provider.asked] == ["auto", "none"]
    assert provider.asked[0].tools == provider.asked[1].tools
    assert finished.outcome is LoopOutcome.LIMIT
    assert finished.text == f"So far. {PHRASES.go_on}"
    assert finished.messages[-1] == Message.assistant(finished.text)
    assert finished.iterations == 1
    assert finished.usage == usage
    assert states(events)[-3:] == [
        LoopState.LLM_INFERENCE,
        LoopState.RESPONSE_COMPOSITION,
        LoopState.OUTPUT,
    ]


@pytest.mark.parametrize(
    "last", [Answer(), calls("look"), Answer("So", error=LLMConnectionError("gone"))]
)
async def test_failed_final_reply_at_the_limit_gets_a_text(last: Answer) -> None:
    """Where the model has none, or the server breaks off, the agent asks itself."""
    tool = fake_tool()
    settings = LoopSettings(max_iterations=1)
    finished, _, _ = await run_turn(calls("look"), last, tools=[tool], settings=settings)
    assert finished.outcome is LoopOutcome.LIMIT
    assert finished.text.endswith(PHRASES.limit_ask.format(limit=1))
    assert len(tool.calls) == 1


async def test_next_turn_continues_after_the_limit() -> None:
    """The results of the tools are in the request of the next turn."""
    settings = LoopSettings(max_iterations=1)
    finished, _, _ = await run_turn(
        calls("look"), tools=[fake_tool(returns="a red door")], settings=settings
    )
    provider = ScriptedProvider(Answer("It is red."))
    history = [Message.user("Hello?"), *finished.messages]
    await collect(AgenticLoop(provider).stream("Go on", history))
    assert any("a red door" in (item.content or "") for item in provider.asked[0].messages)
    assert repair(history) == history


# Errors.


@pytest.mark.parametrize(
    "error", [LLMConnectionError("gone"), LLMAuthError("no", 401), LLMRateLimitError("busy", 429)]
)
async def test_error_of_the_model_ends_the_turn_and_is_raised(error: Exception) -> None:
    """The turn tells that it is over, then the error passes through as it is."""
    provider = ScriptedProvider(calls("look"), Answer("So", error=error))
    stream = AgenticLoop(provider).stream("Hello?", [], guarded(fake_tool()))
    told, raised = await collect_until(LLMError, stream)
    assert raised is error
    finished = told[-1]
    assert isinstance(finished, TurnFinished)
    assert finished.outcome is LoopOutcome.ERROR
    assert finished.text == ""
    # What the tools did is kept, and in good order.
    assert [message.role for message in finished.messages] == [Role.ASSISTANT, Role.TOOL]
    assert len(provider.asked) == provider.closed == 2


class EndlessProvider(ScriptedProvider):
    """A model whose answers have no end, against its contract."""

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield some text."""
        yield TextDelta("So")


async def test_stream_without_a_completion_is_an_error() -> None:
    """The previous answer is not taken for this one."""
    with pytest.raises(LLMResponseError):
        await AgenticLoop(EndlessProvider()).run("Hello?", [])


# `run`.


def test_run_has_the_documented_signature() -> None:
    """A message and a history, tools if there are any; text comes back."""
    parameters = inspect.signature(AgenticLoop.run).parameters
    assert list(parameters) == ["self", "user_text", "chat_history", "tools"]
    assert parameters["tools"].default is None
    assert get_type_hints(AgenticLoop.run)["return"] is str


@pytest.mark.parametrize(("said", "heard"), [("Hi.", "Hi."), (None, PHRASES.no_answer)])
async def test_run_returns_text(
    said: str | None, heard: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Always text, and the turn ends once."""
    caplog.set_level(logging.INFO, AGENT_LOGGER)
    history = [Message.user("Hi"), Message.assistant("Hello.")]
    before = list(history)
    assert await AgenticLoop(ScriptedProvider(Answer(said))).run("Hello?", history) == heard
    assert history == before
    assert len([record for record in caplog.records if "Turn ended" in record.message]) == 1


async def test_run_raises_at_the_limit() -> None:
    """The limit is a runtime error that names it and carries what was found out."""
    loop = AgenticLoop(ScriptedProvider(calls("look")), LoopSettings(max_iterations=2))
    with pytest.raises(RuntimeError, match="2 model calls") as caught:
        await loop.run("Hello?", [], guarded(fake_tool()))
    assert isinstance(caught.value, IterationLimitReached)
    assert caught.value.limit == 2
    assert [message.role for message in caught.value.messages] == [
        Role.ASSISTANT,
        Role.TOOL,
        Role.ASSISTANT,
        Role.TOOL,
        Role.ASSISTANT,
    ]


async def test_run_raises_errors_of_the_model() -> None:
    error = LLMConnectionError("gone")
    with pytest.raises(LLMConnectionError) as caught:
        await AgenticLoop(ScriptedProvider(Answer(error=error))).run("Hello?", [])
    assert caught.value is error


# In bare Python.

WITHOUT_A_HOME = """
import asyncio, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"homeassistant", "aiohttp"}:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocker())
sys.path.insert(0, sys.argv[1])

from agent.loop import AgenticLoop
from agent.messages import ToolAnnotations, ToolCall, ToolDefinition
from agent.model.provider import Completed, CompletionResult, LLMProvider
from agent.tools.guard import ToolGuard
from agent.tools.registry import ToolRegistry

class Model(LLMProvider):
    async def stream(self, request):
        last = request.messages[-1]
        if last.role == "user":
            call = ToolCall(id="1", name="double", arguments={"number": 21})
            yield Completed(CompletionResult(tool_calls=(call,)))
        else:
            yield Completed(CompletionResult(content=last.content))

class Double:
    definition = ToolDefinition(name="double", description="Doubles a number.")

    async def call(self, arguments):
        return 2 * arguments["number"]

print(asyncio.run(AgenticLoop(Model()).run("Double 21", [], ToolGuard(ToolRegistry([Double()])))))
"""


def test_turn_runs_without_home_assistant_and_http() -> None:
    """A turn with a tool needs neither Home Assistant nor the HTTP library."""
    integration = Path(__file__).parents[2] / "custom_components" / "chatterbox"
    result = subprocess.run(
        [sys.executable, "-I", "-c", WITHOUT_A_HOME, str(integration)],
        capture_output=True,
        check=False,
        text=True,
        timeout=50,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == '{"result":42,"success":true}'
