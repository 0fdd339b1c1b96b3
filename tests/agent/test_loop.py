"""Tests of the loop: states, requests and answers of a turn."""

import logging
import re
from dataclasses import replace

import pytest

from custom_components.chatterbox.agent.events import (
    LoopOutcome,
    LoopState,
    StateChanged,
    ToolCallsRequested,
    ToolFinished,
    TurnFinished,
)
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.loop_settings import LoopSettings, Phrases
from custom_components.chatterbox.agent.memory.context import repair
from custom_components.chatterbox.agent.messages import Message, Role
from custom_components.chatterbox.agent.model.provider import ReasoningDelta, TextDelta
from custom_components.chatterbox.agent.model.usage import UsageStats
from tests.agent.builders import call
from tests.agent.fake_provider import Answer, ScriptedProvider, calls
from tests.agent.fake_tools import WRITES, FakeTool, fake_tool, guarded
from tests.agent.turns import collect, only, run_turn, spoken, states

AGENT_LOGGER = "custom_components.chatterbox.agent"
PHRASES = Phrases()


# The states.


async def test_states_of_a_turn_with_one_tool() -> None:
    """A tool and then an answer: nine states."""
    _, events, _ = await run_turn(calls("look"), Answer("Nice."), tools=[fake_tool()])
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
    finished, events, provider = await run_turn(Answer("Hi."))
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
    wanted = call(where="here")
    _, events, _ = await run_turn(
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


async def test_state_changes_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Every edge is a line for whoever debugs, the end of the turn one for everybody."""
    caplog.set_level(logging.DEBUG, AGENT_LOGGER)
    await run_turn(
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


async def test_time_per_state_is_reported() -> None:
    """The last event says how long each state took, and when the first word came."""
    finished, _, _ = await run_turn(calls("look"), Answer("Hi."), tools=[fake_tool()])
    assert {step.state for step in finished.steps} == set(LoopState)
    assert sum(step.seconds for step in finished.steps) <= finished.seconds
    asked = [step for step in finished.steps if step.state is LoopState.LLM_INFERENCE]
    assert [step.iteration for step in asked] == [1, 2]
    assert [step.calls for step in finished.steps if step.calls] == [1]
    assert finished.first_token is not None
    assert 0 <= finished.first_token <= finished.seconds
    silent, _, _ = await run_turn(Answer())
    assert silent.first_token is None


# The request.


async def test_request_has_prompt_history_and_message() -> None:
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
async def test_request_without_a_prompt_has_no_system_message(prompt: str | None) -> None:
    provider = ScriptedProvider(Answer("Hi."))
    await collect(AgenticLoop(provider, system_prompt=prompt).stream("Hello?", []))
    assert provider.asked[0].messages == [Message.user("Hello?")]


async def test_suffix_is_sent_but_not_kept_in_the_history() -> None:
    """It stands behind the message in every request of the turn."""
    provider = ScriptedProvider(calls("look"), Answer("Noon."))
    events = await collect(
        AgenticLoop(provider).stream("Time?", [], guarded(fake_tool()), suffix="It is noon")
    )
    for asked in provider.asked:
        assert asked.messages[0].to_wire()["content"] == "Time?\n\n(It is noon)"
    (finished,) = only(TurnFinished, events)
    assert not any("noon" in (message.content or "") for message in finished.messages)


async def test_tools_are_the_same_in_every_request() -> None:
    """Sorted by name, whatever the order in which they were registered."""
    tools = [fake_tool("look"), fake_tool("ask"), fake_tool("walk")]
    _, _, provider = await run_turn(calls("look"), Answer("Hi."), tools=tools)
    for asked in provider.asked:
        assert [tool.name for tool in asked.tools] == ["ask", "look", "walk"]
        assert asked.tool_choice == "auto"


async def test_calls_and_results_are_in_the_history() -> None:
    """The message with the calls, one result for each in their order, the answer."""
    finished, _, provider = await run_turn(
        calls("look", "ask"), Answer("Both."), tools=[fake_tool("look"), fake_tool("ask")]
    )
    assert provider.asked[1].messages[1:] == list(finished.messages[:-1])
    asking, *results, answer = finished.messages
    assert [made.name for made in asking.tool_calls] == ["look", "ask"]
    assert [result.tool_call_id for result in results] == ["call_1", "call_2"]
    assert answer == Message.assistant("Both.")
    assert repair([Message.user("Hello?"), *finished.messages])[1:] == list(finished.messages)


# The decision.


async def test_calls_with_finish_reason_stop_are_made() -> None:
    """Some servers say `stop` beside a call."""
    tool = fake_tool()
    finished, _, _ = await run_turn(
        replace(calls("look"), reason="stop"), Answer("Hi."), tools=[tool]
    )
    assert len(tool.calls) == 1
    assert finished.text == "Hi."


@pytest.mark.parametrize("reason", ["tool_calls", "weird", "content_filter"])
async def test_unexpected_finish_reason_is_logged(
    reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The answer is given as it is, and the log says what was odd."""
    finished, _, provider = await run_turn(Answer("Hi.", reason=reason), tools=[fake_tool()])
    assert finished.text == "Hi."
    assert len(provider.asked) == 1
    (warning,) = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert warning.message.startswith("The model ")


async def test_call_without_tools_is_not_made() -> None:
    """A model that calls a tool without having any gets no chance to."""
    finished, events, provider = await run_turn(
        replace(calls("look"), text="Hm."), Answer("Never.")
    )
    assert finished.text == "Hm."
    assert len(provider.asked) == 1
    assert not only(ToolCallsRequested, events)


async def test_calls_without_tools_are_retried_within_the_budget() -> None:
    """A model that does nothing but call tools that it does not have is not asked for ever."""
    finished, events, provider = await run_turn(calls("look"))
    assert finished.text == PHRASES.no_answer
    assert len(provider.asked) == 3
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
async def test_empty_answer_after_a_tool_gets_a_text(
    tool: FakeTool, expected: str, silence: str | None
) -> None:
    """It is a confirmation only after a write."""
    finished, events, _ = await run_turn(calls("look"), Answer(silence), tools=[tool])
    assert finished.text == expected
    assert spoken(events).strip() == expected
    assert finished.messages[-1] == Message.assistant(expected)


async def test_empty_answer_without_a_tool_gets_a_text() -> None:
    finished, events, _ = await run_turn(Answer())
    assert finished.text == spoken(events) == PHRASES.no_answer


async def test_filtered_answer_is_replaced_by_a_refusal() -> None:
    """A filtered answer is called one, also after a write."""
    finished, _, _ = await run_turn(
        calls("look"), Answer(reason="content_filter"), tools=[fake_tool(annotations=WRITES)]
    )
    assert finished.text == PHRASES.refused


@pytest.mark.parametrize(("note", "expected"), [(True, f"So … {PHRASES.cut_off}"), (False, "So")])
async def test_truncated_answer_is_marked_when_configured(
    note: bool,  # noqa: FBT001 - a parameter of the test
    expected: str,
) -> None:
    """The user is told that there is more, if that is wanted."""
    settings = LoopSettings(note_cut_off=note)
    finished, events, _ = await run_turn(Answer("So", reason="length"), settings=settings)
    assert finished.text == spoken(events) == expected
    assert finished.messages[-1] == Message.assistant(expected)


async def test_truncated_answer_without_text_is_reported() -> None:
    finished, _, _ = await run_turn(Answer(reason="length"), Answer(reason="length"))
    assert finished.text == PHRASES.cut_off


async def test_usage_of_all_requests_is_added_up() -> None:
    """Every request of the turn counts; what is not known counts nothing."""
    usage = UsageStats(prompt_tokens=10, completion_tokens=2, total_tokens=12, cost=0.25)
    finished, _, _ = await run_turn(
        replace(calls("look"), usage=usage),
        calls("look"),
        Answer("Hi.", usage=usage),
        tools=[fake_tool()],
    )
    assert finished.usage == UsageStats(
        prompt_tokens=20, completion_tokens=4, total_tokens=24, cost=0.5
    )


async def test_model_can_correct_a_failed_call() -> None:
    """A tool's error goes to the model, which tries another way; nothing is tried for it."""

    async def picky(arguments: dict[str, object]) -> str:
        if arguments != {"where": "here"}:
            raise ValueError("where must be here")
        return "fine"

    tool = fake_tool(behavior=picky)
    finished, _, provider = await run_turn(
        Answer(calls=(call(where="there"),)),
        Answer(calls=(call(where="here"),)),
        Answer("Found."),
        tools=[tool],
    )
    assert [result.error for result in finished.results] == [True, False]
    assert "where must be here" in str(provider.asked[1].messages[-1].content)
    assert finished.text == "Found."
    assert len(provider.asked) == 3
