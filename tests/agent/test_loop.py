"""How a turn goes: its states, its requests, its end."""

import inspect
import logging
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_type_hints

import pytest

from custom_components.chatterbox.agent.context import repair
from custom_components.chatterbox.agent.errors import (
    IterationLimitReached,
    LLMAuthError,
    LLMConnectionError,
    LLMError,
    LLMRateLimitError,
    LLMResponseError,
)
from custom_components.chatterbox.agent.events import (
    LoopEvent,
    LoopOutcome,
    LoopState,
    StateChanged,
    ToolCallsRequested,
    ToolFinished,
    TurnFinished,
)
from custom_components.chatterbox.agent.loop import (
    AgenticLoop,
    Decision,
    LoopSettings,
    OnLimit,
    Phrases,
    decide,
)
from custom_components.chatterbox.agent.messages import Message, Role, ToolDefinition
from custom_components.chatterbox.agent.provider import (
    CompletionResult,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
    ToolChoice,
)
from custom_components.chatterbox.agent.usage import UsageStats

from .fakes import (
    WRITES,
    Answer,
    FakeTool,
    ScriptedProvider,
    call,
    calls,
    collect,
    collect_until,
    fake_tool,
    guarded,
    only,
    states,
)

AGENT_LOGGER = "custom_components.chatterbox.agent"
PHRASES = Phrases()


async def turn(
    *answers: Answer,
    tools: Sequence[FakeTool] | None = None,
    settings: LoopSettings | None = None,
) -> tuple[TurnFinished, list[LoopEvent], ScriptedProvider]:
    """Run a turn to its end; return its last event, all of them, and the model."""
    provider = ScriptedProvider(*answers)
    loop = AgenticLoop(provider, settings)
    dispatcher = None if tools is None else guarded(*tools)
    events = await collect(loop.stream("Hello?", [], dispatcher))
    (finished,) = only(TurnFinished, events)
    assert events[-1] is finished
    return finished, events, provider


def spoken(events: Sequence[LoopEvent]) -> str:
    """Return what was heard."""
    return "".join(event.text for event in only(TextDelta, events))


# The states.


async def test_states_of_a_turn_with_one_tool() -> None:
    """A tool and then an answer: nine states."""
    _, events, _ = await turn(calls("look"), Answer("Nice."), tools=[fake_tool()])
    assert states(events) == [
        LoopState.RECEIVE_INPUT,
        LoopState.LLM_INFERENCE,
        LoopState.TOOL_DECISION,
        LoopState.TOOL_EXECUTION,
        LoopState.RESULT_AGGREGATION,
        LoopState.LLM_INFERENCE,
        LoopState.TOOL_DECISION,
        LoopState.RESPONSE_COMPOSITION,
        LoopState.OUTPUT,
    ]


async def test_states_of_a_plain_answer() -> None:
    """Without a tool there is one request and no state of tools."""
    finished, events, provider = await turn(Answer("Hi."))
    assert states(events) == [
        LoopState.RECEIVE_INPUT,
        LoopState.LLM_INFERENCE,
        LoopState.TOOL_DECISION,
        LoopState.RESPONSE_COMPOSITION,
        LoopState.OUTPUT,
    ]
    assert finished.text == "Hi."
    assert finished.outcome is LoopOutcome.FINAL
    assert finished.messages == (Message.assistant("Hi."),)
    assert len(provider.asked) == 1
    assert provider.asked[0].tools == []


async def test_iterations_count_from_one_in_every_turn() -> None:
    """The counter belongs to the turn."""
    provider = ScriptedProvider(calls("look"), Answer("One."), Answer("Two."))
    loop, tools = AgenticLoop(provider), guarded(fake_tool())
    for expected in (2, 1):
        events = await collect(loop.stream("Hello?", [], tools))
        asked = [
            event.iteration
            for event in only(StateChanged, events)
            if event.state is LoopState.LLM_INFERENCE
        ]
        assert asked == list(range(1, expected + 1))
        assert only(TurnFinished, events)[0].iterations == expected


async def test_events_of_a_turn_in_order() -> None:
    """What the model says, wants and gets comes in this order."""
    wanted = call(where="here")
    _, events, _ = await turn(
        Answer("Let me see.", calls=(wanted,), reasoning="Where?"),
        Answer("All fine."),
        tools=[fake_tool(returns="sunny")],
    )
    told = [event for event in events if not isinstance(event, StateChanged)]
    assert told[:5] == [
        ReasoningDelta("Where?"),
        TextDelta("Let"),
        TextDelta(" me"),
        TextDelta(" see."),
        ToolCallsRequested((wanted,)),
    ]
    assert isinstance(told[5], ToolFinished)
    assert (told[5].result.call, told[5].result.data) == (wanted, "sunny")
    assert told[6:8] == [TextDelta("All"), TextDelta(" fine.")]


async def test_changes_of_state_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Every edge is a line for whoever debugs, the end of the turn one for everybody."""
    caplog.set_level(logging.DEBUG, AGENT_LOGGER)
    await turn(
        calls("look"),
        Answer("Hi.", usage=UsageStats(total_tokens=12, cost=0.5)),
        tools=[fake_tool()],
    )
    debug = [record.message for record in caplog.records if record.levelno == logging.DEBUG]
    edges = [line for line in debug if line.startswith("state ")]
    assert edges[:2] == [
        "state receive_input -> llm_inference",
        "state llm_inference -> tool_decision",
    ]
    assert len(edges) == 8
    assert "Turn used 12 tokens, cost 0.5" in debug
    (info,) = [record.message for record in caplog.records if record.levelno == logging.INFO]
    assert re.fullmatch(r"Turn ended \(final\) after 2 iterations in \d+\.\d\d s", info)


async def test_time_is_told_by_state() -> None:
    """The last event says how long each state took, and when the first word came."""
    finished, _, _ = await turn(calls("look"), Answer("Hi."), tools=[fake_tool()])
    assert finished.timings.keys() == set(LoopState)
    assert sum(finished.timings.values()) <= finished.seconds
    assert finished.first_token is not None
    assert 0 <= finished.first_token <= finished.seconds
    silent, _, _ = await turn(Answer())
    assert silent.first_token is None


# What is sent.


async def test_request_is_prompt_history_and_message() -> None:
    """System prompt, history, message: in this order, and the history stays as it was."""
    provider = ScriptedProvider(calls("look"), Answer("Fine."))
    history = [Message.user("Hi"), Message.assistant("Hello.")]
    before = list(history)
    loop = AgenticLoop(provider, system_prompt="Be brief.")
    await collect(loop.stream("And now?", history, guarded(fake_tool())))
    assert history == before
    first, second = (asked.messages for asked in provider.asked)
    assert first == [Message.system("Be brief."), *history, Message.user("And now?")]
    assert second[: len(first)] == first
    assert [message.role for message in second[len(first) :]] == [Role.ASSISTANT, Role.TOOL]


@pytest.mark.parametrize("prompt", [None, ""])
async def test_without_a_prompt(prompt: str | None) -> None:
    """No prompt is no system message."""
    provider = ScriptedProvider(Answer("Hi."))
    await collect(AgenticLoop(provider, system_prompt=prompt).stream("Hello?", []))
    assert provider.asked[0].messages == [Message.user("Hello?")]


async def test_suffix_is_sent_and_not_kept() -> None:
    """What changes stands behind the message, in every request, and not in the history."""
    provider = ScriptedProvider(calls("look"), Answer("Noon."))
    events = await collect(
        AgenticLoop(provider).stream("Time?", [], guarded(fake_tool()), suffix="It is noon")
    )
    for asked in provider.asked:
        assert asked.messages[0] == Message.user("Time?\n\n(It is noon)")
    (finished,) = only(TurnFinished, events)
    assert not any("noon" in (message.content or "") for message in finished.messages)


async def test_tools_are_the_same_in_every_request() -> None:
    """Sorted by name, whatever the order in which they were registered."""
    tools = [fake_tool("look"), fake_tool("ask"), fake_tool("walk")]
    _, _, provider = await turn(calls("look"), Answer("Hi."), tools=tools)
    for asked in provider.asked:
        assert [tool.name for tool in asked.tools] == ["ask", "look", "walk"]
        assert asked.tool_choice == "auto"


async def test_calls_and_results_are_in_the_history() -> None:
    """The message with the calls, one result for each in their order, the answer."""
    finished, _, provider = await turn(
        calls("look", "ask"), Answer("Both."), tools=[fake_tool("look"), fake_tool("ask")]
    )
    assert provider.asked[1].messages[1:] == list(finished.messages[:-1])
    asking, *results, answer = finished.messages
    assert [made.name for made in asking.tool_calls] == ["look", "ask"]
    assert [result.tool_call_id for result in results] == ["call_1", "call_2"]
    assert answer == Message.assistant("Both.")
    assert repair([Message.user("Hello?"), *finished.messages])[1:] == list(finished.messages)


# The decision.


@pytest.mark.parametrize(
    ("result", "decision"),
    [
        (CompletionResult(content="Hi."), Decision()),
        (CompletionResult(tool_calls=(call(),)), Decision(calls=(call(),))),
        (
            CompletionResult(tool_calls=(call(),), finish_reason="tool_calls"),
            Decision(calls=(call(),)),
        ),
        (
            CompletionResult(tool_calls=(call(),), finish_reason="length"),
            Decision(calls=(call(),)),
        ),
        (
            CompletionResult(content="Hi.", finish_reason="tool_calls"),
            Decision(warning="announced tool calls and made none"),
        ),
        (
            CompletionResult(content="Hi.", finish_reason="weird"),
            Decision(warning="stopped with the reason weird"),
        ),
    ],
)
def test_decision(result: CompletionResult, decision: Decision) -> None:
    """Calls are made whatever the reason; their absence ends the turn."""
    assert decide(result) == decision


async def test_calls_beside_the_reason_stop_are_made() -> None:
    """Some servers say `stop` beside a call."""
    tool = fake_tool()
    finished, _, _ = await turn(replace(calls("look"), reason="stop"), Answer("Hi."), tools=[tool])
    assert len(tool.calls) == 1
    assert finished.text == "Hi."


@pytest.mark.parametrize("reason", ["tool_calls", "weird", "content_filter"])
async def test_odd_reason_is_warned_of(reason: str, caplog: pytest.LogCaptureFixture) -> None:
    """The answer is given as it is, and the log says what was odd."""
    finished, _, provider = await turn(Answer("Hi.", reason=reason), tools=[fake_tool()])
    assert finished.text == "Hi."
    assert len(provider.asked) == 1
    (warning,) = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert warning.message.startswith("The model ")


async def test_call_where_there_are_no_tools() -> None:
    """A model that calls a tool without having any gets no chance to."""
    finished, events, provider = await turn(replace(calls("look"), text="Hm."), Answer("Never."))
    assert finished.text == "Hm."
    assert len(provider.asked) == 1
    assert not only(ToolCallsRequested, events)


# The end.


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        (fake_tool(annotations=WRITES), PHRASES.done),
        (fake_tool(annotations=WRITES, raises=ValueError("no")), PHRASES.no_answer),
        (fake_tool(), PHRASES.no_answer),
        (fake_tool("other", annotations=WRITES), PHRASES.no_answer),
    ],
    ids=["written", "not written", "only read", "unknown tool"],
)
@pytest.mark.parametrize("silence", [None, "", " \n"])
async def test_silence_after_a_tool(tool: FakeTool, expected: str, silence: str | None) -> None:
    """Something is said to be done only where it was."""
    finished, events, _ = await turn(calls("look"), Answer(silence), tools=[tool])
    assert finished.text == expected
    assert spoken(events).strip() == expected
    assert finished.messages[-1] == Message.assistant(expected)


async def test_silence_without_a_tool() -> None:
    """Whoever asked hears that there is no answer."""
    finished, events, _ = await turn(Answer())
    assert finished.text == spoken(events) == PHRASES.no_answer


async def test_refusal() -> None:
    """A filtered answer is called one, also after a write."""
    finished, _, _ = await turn(
        calls("look"), Answer(reason="content_filter"), tools=[fake_tool(annotations=WRITES)]
    )
    assert finished.text == PHRASES.refused


@pytest.mark.parametrize(("note", "expected"), [(True, f"So … {PHRASES.cut_off}"), (False, "So")])
async def test_answer_that_was_cut_off(
    note: bool,  # noqa: FBT001 - a parameter of the test
    expected: str,
) -> None:
    """The user is told that there is more, if that is wanted."""
    settings = LoopSettings(note_cut_off=note)
    finished, events, _ = await turn(Answer("So", reason="length"), settings=settings)
    assert finished.text == spoken(events) == expected
    assert finished.messages[-1] == Message.assistant(expected)


async def test_cut_off_before_the_first_word() -> None:
    """Nothing is no beginning of an answer."""
    finished, _, _ = await turn(Answer(reason="length"))
    assert finished.text == PHRASES.no_answer


async def test_tool_that_ends_the_turn() -> None:
    """The model is not asked again, and the last message is what the user hears."""
    tool = fake_tool(annotations=WRITES, ends_turn=True)
    finished, events, provider = await turn(calls("look"), Answer("Never."), tools=[tool])
    assert len(provider.asked) == 1
    assert finished.outcome is LoopOutcome.FINAL
    assert finished.messages[-1] == Message.assistant(PHRASES.done)
    assert states(events)[-3:] == [
        LoopState.RESULT_AGGREGATION,
        LoopState.RESPONSE_COMPOSITION,
        LoopState.OUTPUT,
    ]


async def test_tool_that_would_have_ended_the_turn() -> None:
    """When it fails the model is told."""
    tool = fake_tool(raises=ValueError("no"), ends_turn=True)
    finished, _, provider = await turn(calls("look"), Answer("It failed."), tools=[tool])
    assert len(provider.asked) == 2
    assert finished.text == "It failed."


async def test_usage_is_summed() -> None:
    """Every request of the turn counts; what is not known counts nothing."""
    usage = UsageStats(prompt_tokens=10, completion_tokens=2, total_tokens=12, cost=0.25)
    finished, _, _ = await turn(
        replace(calls("look"), usage=usage),
        calls("look"),
        Answer("Hi.", usage=usage),
        tools=[fake_tool()],
    )
    assert finished.usage == UsageStats(
        prompt_tokens=20, completion_tokens=4, total_tokens=24, cost=0.5
    )


async def test_model_corrects_itself() -> None:
    """A tool's error goes to the model, which tries another way; nothing is tried for it."""

    async def picky(arguments: dict[str, object]) -> str:
        if arguments != {"where": "here"}:
            raise ValueError("where must be here")
        return "fine"

    tool = fake_tool(behaviour=picky)
    finished, _, provider = await turn(
        Answer(calls=(call(where="there"),)),
        Answer(calls=(call(where="here"),)),
        Answer("Found."),
        tools=[tool],
    )
    assert [result.error for result in finished.results] == [True, False]
    assert "where must be here" in str(provider.asked[1].messages[-1].content)
    assert finished.text == "Found."
    assert len(provider.asked) == 3


# The limit.


@pytest.mark.parametrize("limit", [1, 3])
async def test_limit_is_a_number_of_requests(limit: int) -> None:
    """The last tools run and their results stay; the user is asked whether to go on."""
    tool = fake_tool()
    settings = LoopSettings(max_iterations=limit)
    finished, events, provider = await turn(calls("look"), tools=[tool], settings=settings)
    assert len(tool.calls) == finished.iterations == limit
    assert [bool(asked.tools) for asked in provider.asked] == [True] * limit + [False]
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


def test_limit_by_default() -> None:
    """Ten requests in 120 seconds, then the user is asked."""
    settings = LoopSettings()
    assert (settings.max_iterations, settings.turn_timeout) == (10, 120)
    assert settings.on_limit is OnLimit.ASK
    assert settings.concurrent_reads


async def test_limit_that_stops() -> None:
    """The user is asked for less instead."""
    settings = LoopSettings(max_iterations=2, on_limit=OnLimit.STOP)
    finished, _, provider = await turn(calls("look"), tools=[fake_tool()], settings=settings)
    assert finished.text == PHRASES.limit_stop.format(limit=2)
    assert len(provider.asked) == 2


async def test_limit_with_a_last_word() -> None:
    """The model may say what it knows; it has no tools any more."""
    usage = UsageStats(total_tokens=5)
    settings = LoopSettings(max_iterations=1, on_limit=OnLimit.ANSWER)
    finished, events, provider = await turn(
        calls("look"), Answer("So far.", usage=usage), tools=[fake_tool()], settings=settings
    )
    assert [bool(asked.tools) for asked in provider.asked] == [True, False]
    assert finished.outcome is LoopOutcome.LIMIT
    assert finished.text == "So far."
    assert finished.messages[-1] == Message.assistant("So far.")
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
async def test_limit_without_a_last_word(last: Answer) -> None:
    """Where the model has none, or the server breaks off, the user is asked for less."""
    tool = fake_tool()
    settings = LoopSettings(max_iterations=1, on_limit=OnLimit.ANSWER)
    finished, _, _ = await turn(calls("look"), last, tools=[tool], settings=settings)
    assert finished.outcome is LoopOutcome.LIMIT
    assert finished.text.endswith(PHRASES.limit_stop.format(limit=1))
    assert len(tool.calls) == 1


async def test_next_turn_goes_on_after_the_limit() -> None:
    """What the tools found is in the request of the next turn."""
    settings = LoopSettings(max_iterations=1)
    finished, _, _ = await turn(
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
async def test_error_of_the_model(error: Exception) -> None:
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

    async def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None = None,
        *,
        tool_choice: ToolChoice = "auto",
    ) -> AsyncGenerator[ProviderEvent]:
        """Yield some text."""
        yield TextDelta("So")


async def test_answer_without_an_end() -> None:
    """It is an error, and no reason to take the answer before it for this one."""
    with pytest.raises(LLMResponseError):
        await AgenticLoop(EndlessProvider()).run("Hello?", [])


# `run`.


def test_signature_of_run() -> None:
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


async def test_run_raises_the_error_of_the_model() -> None:
    """An answer that failed is not an empty one."""
    error = LLMConnectionError("gone")
    with pytest.raises(LLMConnectionError) as caught:
        await AgenticLoop(ScriptedProvider(Answer(error=error))).run("Hello?", [])
    assert caught.value is error


async def test_scripted_provider_completes() -> None:
    """Both methods of a provider say the same."""
    assert (await ScriptedProvider(Answer("Hi.")).complete([])).content == "Hi."


# In bare Python.

WITHOUT_A_HOME = """
import asyncio, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"homeassistant", "openai", "httpx", "aiohttp"}:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocker())
sys.path.insert(0, sys.argv[1])

from agent.loop import AgenticLoop
from agent.messages import ToolAnnotations, ToolCall, ToolDefinition
from agent.provider import Completed, CompletionResult
from agent.tools.guard import ToolGuard
from agent.tools.registry import ToolRegistry

class Model:
    async def stream(self, messages, tools=None, *, tool_choice="auto"):
        last = messages[-1]
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


def test_turn_in_bare_python() -> None:
    """A turn with a tool needs neither Home Assistant nor the SDK nor any other package."""
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
