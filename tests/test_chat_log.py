"""Conversion between Home Assistant's chat log and the agent's messages and events."""

from collections.abc import AsyncGenerator, Iterable
from typing import Any

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
from custom_components.chatterbox.agent.memory.context import repair
from custom_components.chatterbox.agent.messages import Message, ToolCall, ToolResult
from custom_components.chatterbox.agent.model.provider import ReasoningDelta, TextDelta
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.chat_log import (
    DeltaStream,
    NativeMetadata,
    failure_content,
    to_messages,
)
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


async def test_error_before_the_first_word_becomes_a_sentence() -> None:
    deltas, stream = await deltas_of([LLMServerError("x")])
    assert deltas == [{"role": "assistant"}, {"content": "Sorry: LLMServerError."}]
    assert stream.failure == "Sorry: LLMServerError."


async def test_error_within_the_answer_is_appended() -> None:
    deltas, stream = await deltas_of([TextDelta("It is"), KeyError("x")])
    assert deltas == [
        {"role": "assistant"},
        {"content": "It is"},
        {"content": " … Sorry: KeyError."},
    ]
    assert stream.failure == "Sorry: KeyError."


def answer(text: str | None, *calls: llm.ToolInput, failure: str | None = None) -> AssistantContent:
    return AssistantContent(
        agent_id=ME, content=text, tool_calls=list(calls) or None, native=NativeMetadata(failure)
    )


def called() -> tuple[AssistantContent, ToolResultContent]:
    return (
        answer(None, llm.ToolInput("dim", {"name": "Desk"}, "c1", external=True)),
        ToolResultContent(
            agent_id=ME,
            tool_call_id="c1",
            tool_name="dim",
            result=llm.ToolResult(data={"dimmed": True}),
        ),
    )


def messages_of(*content: Content) -> list[Message]:
    return repair(to_messages([SystemContent("Be brief."), *content], ME))


def test_finished_turn_is_unchanged() -> None:
    assert messages_of(UserContent("Dim the desk"), *called(), answer("Done.")) == [
        Message.user("Dim the desk"),
        Message.assistant(None, [CALL]),
        Message.tool("c1", ToolResult(call=CALL, data={"dimmed": True}).content),
        Message.assistant("Done."),
    ]


def test_a_failed_result_is_sent_as_a_failure() -> None:
    data = {"error": "no such lamp", "error_type": "tool_error"}
    call, _ = called()
    failed = ToolResultContent(
        agent_id=ME,
        tool_call_id="c1",
        tool_name="dim",
        result=llm.ToolResult(data=dict(data), error=True),
    )
    sent = messages_of(UserContent("Dim the desk"), call, failed, answer("There is none."))
    assert sent[2] == Message.tool("c1", ToolResult(call=CALL, data=data, error=True).content)


def test_turn_that_failed_before_a_tool_ran_is_left_out() -> None:
    assert (
        messages_of(
            UserContent("Hello"),
            answer("It is … Sorry.", failure="Sorry."),
            UserContent("Hello?"),
            failure_content(ME, "Sorry."),
        )
        == []
    )


def test_turn_that_failed_after_a_tool_keeps_its_calls_and_the_error_sentence() -> None:
    sent = messages_of(
        UserContent("Dim the desk"), *called(), answer("I have … Sorry.", failure="Sorry.")
    )
    assert [message.role for message in sent] == ["user", "assistant", "tool", "assistant"]
    assert sent[-1] == Message.assistant("Sorry.")


def test_error_texts_of_home_assistant_are_left_out() -> None:
    assert (
        messages_of(
            UserContent("Hello"),
            AssistantContent(agent_id=ME, content="Error: CancelledError"),
            UserContent("Hello?"),
            AssistantContent(agent_id=ME, content="(no response)"),
        )
        == []
    )


def test_system_prompt_within_a_conversation_is_left_out() -> None:
    sent = messages_of(UserContent("Hello"), SystemContent("Be brief."), answer("Hi."))
    assert sent == [Message.user("Hello"), Message.assistant("Hi.")]


def test_a_cancelled_turn_keeps_its_calls_and_every_call_has_a_result() -> None:
    call, _ = called()
    sent = messages_of(
        UserContent("Dim the desk"),
        call,
        AssistantContent(agent_id=ME, content="Error: CancelledError"),
    )
    assert [message.role for message in sent] == ["user", "assistant", "tool", "assistant"]
    assert "lost" in (sent[2].content or "")
    assert "interrupted" in (sent[3].content or "")


def test_locally_handled_turn_is_included() -> None:
    sent = messages_of(
        UserContent("Turn on the desk lamp"),
        AssistantContent(agent_id="conversation.home_assistant", content="Turned on the light"),
    )
    assert sent == [
        Message.user("Turn on the desk lamp"),
        Message.assistant("Turned on the light"),
    ]
