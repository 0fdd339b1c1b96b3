"""Conversion between Home Assistant's chat log and the agent's messages and events."""

from collections.abc import AsyncGenerator, Iterable
from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import LLMServerError
from custom_components.chatterbox.agent.events import (
    LoopEvent,
    LoopOutcome,
    LoopState,
    StateChanged,
    ToolCallsRequested,
    ToolFinished,
    TurnFinished,
)
from custom_components.chatterbox.agent.messages import Message, ToolCall, ToolResult
from custom_components.chatterbox.agent.model.provider import ReasoningDelta, TextDelta
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.chat_log import DeltaStream, local_turns, opening_turn
from homeassistant.components.conversation import (
    AssistantContent,
    SystemContent,
    ToolResultContent,
    UserContent,
)
from homeassistant.components.conversation.chat_log import Content
from homeassistant.helpers import llm

ME = "conversation.me"
CALL = ToolCall(id="c1", name="dim", arguments={"name": "Desk"})
FINISHED = TurnFinished(
    outcome=LoopOutcome.FINAL,
    text="Done.",
    messages=(),
    iterations=1,
    usage=UsageStats(),
    results=(),
    seconds=1.0,
)


async def deltas_of(
    events: Iterable[LoopEvent | Exception],
) -> tuple[list[dict[str, Any]], DeltaStream]:
    """Return the deltas of a turn, without what is only for us."""

    async def turn() -> AsyncGenerator[LoopEvent]:
        for event in events:
            if isinstance(event, Exception):
                raise event
            yield event

    stream = DeltaStream(lambda err: f"Sorry: {type(err).__name__}.")
    deltas: list[dict[str, Any]] = [dict(delta) async for delta in stream.deltas(turn())]
    for delta in deltas:
        delta.pop("native", None)
    return deltas, stream


async def test_answer_starts_with_its_role() -> None:
    deltas, stream = await deltas_of(
        [
            StateChanged(LoopState.LLM_INFERENCE, 1),
            ReasoningDelta("Hm."),
            TextDelta("It is "),
            TextDelta("noon."),
            FINISHED,
        ]
    )
    assert deltas == [
        {"role": "assistant"},
        {"thinking_content": "Hm."},
        {"content": "It is "},
        {"content": "noon."},
    ]
    assert stream.finished is FINISHED
    assert stream.failure is None


async def test_calls_are_external_and_followed_by_results() -> None:
    result = ToolResult(call=CALL, data={"dimmed": True})
    deltas, _ = await deltas_of(
        [ToolCallsRequested((CALL,)), ToolFinished(result), TextDelta("Done."), FINISHED]
    )
    assert deltas == [
        {"role": "assistant"},
        {"tool_calls": [llm.ToolInput("dim", {"name": "Desk"}, "c1", external=True)]},
        {
            "role": "tool_result",
            "tool_call_id": "c1",
            "tool_name": "dim",
            "result": llm.ToolResult(data={"dimmed": True}),
        },
        {"role": "assistant"},
        {"content": "Done."},
    ]


@pytest.mark.parametrize(
    ("texts", "added"),
    [
        (["Let me check."], [{"content": "\n\n"}]),
        (["Let me", " check.\n\n"], []),
        ([], []),
    ],
)
async def test_text_before_a_call_ends_with_a_blank_line(
    texts: list[str], added: list[dict[str, Any]]
) -> None:
    """It is spoken while the tool runs."""
    deltas, _ = await deltas_of([*map(TextDelta, texts), ToolCallsRequested((CALL,))])
    said = [{"content": text} for text in texts]
    assert deltas[:-1] == [{"role": "assistant"}, *said, *added]
    assert "tool_calls" in deltas[-1]


async def test_error_before_the_first_word_is_no_delta() -> None:
    """The dialog would show it twice: as an answer, and as the error of the result."""
    deltas, stream = await deltas_of([LLMServerError("x")])
    assert deltas == []
    assert stream.failure == "Sorry: LLMServerError."
    deltas, stream = await deltas_of([ToolCallsRequested((CALL,)), LLMServerError("x")])
    assert [delta.keys() & {"content"} for delta in deltas] == [set()] * 2
    assert (stream.failure, stream.spoken) == ("Sorry: LLMServerError.", False)


async def test_reasoning_alone_is_no_beginning_of_an_answer() -> None:
    """Another agent may still answer."""
    _, stream = await deltas_of([ReasoningDelta("Hm"), LLMServerError("x")])
    assert not stream.started
    _, stream = await deltas_of([ReasoningDelta("Hm"), TextDelta("It"), LLMServerError("x")])
    assert stream.started


async def test_error_within_the_answer_is_appended() -> None:
    deltas, stream = await deltas_of([TextDelta("It is"), KeyError("x")])
    assert deltas == [
        {"role": "assistant"},
        {"content": "It is"},
        {"content": " … Sorry: KeyError."},
    ]
    assert stream.failure == "Sorry: KeyError."


def finished(*messages: Message) -> TurnFinished:
    return replace(FINISHED, messages=messages)


async def test_messages_are_those_of_the_finished_turn() -> None:
    spoken = Message.assistant("Done.")
    _, stream = await deltas_of([TextDelta("Done."), finished(spoken)])
    assert stream.messages == [spoken]


async def test_turn_that_failed_before_a_tool_was_called_has_no_messages() -> None:
    _, stream = await deltas_of([TextDelta("It is"), finished(), LLMServerError("x")])
    assert stream.messages == []


async def test_turn_that_failed_after_a_tool_ends_with_the_error_sentence() -> None:
    called = Message.assistant(None, [CALL])
    _, stream = await deltas_of([ToolCallsRequested((CALL,)), finished(called), KeyError("x")])
    assert stream.messages == [called, Message.assistant("Sorry: KeyError.")]


def test_cancelled_turn_has_the_messages_of_its_last_event() -> None:
    stream = DeltaStream(lambda _: None)
    assert stream.messages == []
    stream.finish(finished(Message.assistant("Once")))
    assert stream.messages == [Message.assistant("Once")]


LOCAL = "conversation.home_assistant"


def called(*, error: bool = False) -> list[Content]:
    """Return the call and result that Home Assistant records of a command it handles itself."""
    return [
        AssistantContent(
            agent_id=ME, tool_calls=[llm.ToolInput("dim", {"name": "Desk"}, "c1", external=True)]
        ),
        ToolResultContent(
            agent_id=ME,
            tool_call_id="c1",
            tool_name="dim",
            result=llm.ToolResult(data={"error": "no such lamp"}, error=error),
        ),
    ]


def answered(text: str, agent_id: str = LOCAL) -> AssistantContent:
    return AssistantContent(agent_id=agent_id, content=text)


@pytest.mark.parametrize("error", [False, True])
def test_turn_that_home_assistant_handled_is_returned_with_its_call(*, error: bool) -> None:
    question = UserContent("Dim the desk")
    (turn,) = local_turns([SystemContent(""), question, *called(error=error), answered("OK")], ME)
    assert (turn.at, turn.user, turn.agent) == (question.created, "Dim the desk", LOCAL)
    result = ToolResult(call=CALL, data={"error": "no such lamp"}, error=error)
    assert turn.messages == (
        Message.assistant(None, [CALL]),
        Message.tool("c1", result.content),
        Message.assistant("OK"),
    )


def test_error_text_of_home_assistant_is_left_out_of_a_turn() -> None:
    failed = AssistantContent(agent_id=ME, content="Error: CancelledError")
    (turn,) = local_turns([UserContent("Dim the desk"), *called(), failed, answered("OK")], ME)
    assert [message.content for message in turn.messages][2:] == ["OK"]


@pytest.mark.parametrize(
    "content",
    [
        [],
        [SystemContent("")],
        [UserContent("Hello"), answered("Hi.", ME)],
        [UserContent("Hello"), answered("Hi.")],
        [UserContent("Dim the desk"), *called()],
    ],
    ids=["empty", "no user", "own answer", "not of this agent", "no answer"],
)
def test_other_turns_are_not_of_home_assistant(content: list[Content]) -> None:
    assert local_turns(content, ME) == []


def test_question_of_a_satellite_opens_the_conversation() -> None:
    asked = [
        answered("I am home.", "assist_satellite.k"),
        answered("Lights on?", "assist_satellite.k"),
    ]
    turn = opening_turn([SystemContent(""), *asked, UserContent("Yes"), answered("OK")])
    assert turn is not None
    assert (turn.at, turn.user, turn.agent) == (asked[0].created, "", "assist_satellite.k")
    assert turn.messages == (Message.assistant("I am home.\nLights on?"),)


@pytest.mark.parametrize("first", [[], [SystemContent("")], [answered("")]])
def test_conversation_that_the_user_began_has_no_opening(first: list[Content]) -> None:
    assert opening_turn([*first, UserContent("Hello"), answered("Hi.")]) is None
