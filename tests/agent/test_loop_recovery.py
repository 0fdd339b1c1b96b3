"""Tests of the loop: retries and final replies."""

import asyncio
from collections.abc import Sequence
from typing import Any, override

import pytest

from custom_components.chatterbox.agent.errors import LLMServerError, ToolArgumentError, ToolError
from custom_components.chatterbox.agent.events import LoopOutcome, ToolFinished, TurnFinished
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.loop_settings import LoopSettings, OnLimit, Phrases
from custom_components.chatterbox.agent.messages import (
    Message,
    ToolCall,
    ToolDefinition,
    ToolResult,
)
from custom_components.chatterbox.agent.model.provider import TextDelta
from custom_components.chatterbox.agent.tools.confirmation import ConfirmationDispatcher
from custom_components.chatterbox.agent.tools.conversation_state import ConversationState
from custom_components.chatterbox.agent.tools.dispatcher import ToolDispatcher, ToolMiddleware
from custom_components.chatterbox.agent.tools.recording import RecordingDispatcher
from tests.agent.builders import call
from tests.agent.fake_provider import Answer, ScriptedProvider, calls
from tests.agent.fake_tools import WRITES, fake_tool, guarded, waiting
from tests.agent.turns import collect, only
from tests.fake_openai import history_problems

ENGLISH = Phrases(language="en")


async def turn(
    model: ScriptedProvider,
    tools: ToolDispatcher | None = None,
    *,
    asked: str = "turn on the light",
    **settings: Any,
) -> TurnFinished:
    """Return how a turn ends, after a look at every request and at what was said."""
    loop = AgenticLoop(model, LoopSettings(**settings), phrases=ENGLISH, system_prompt="Be good.")
    events = await collect(loop.stream(asked, [], tools))
    for request in model.asked:
        assert history_problems(request.wire) == []
    (finished,) = only(TurnFinished, events)
    last_call = max(
        (index for index, event in enumerate(events) if isinstance(event, ToolFinished)), default=0
    )
    assert "".join(delta.text for delta in only(TextDelta, events[last_call:])) == finished.text
    history = [
        Message.system("Be good."),
        Message.user(asked),
        *finished.messages,
        Message.user("next"),
    ]
    assert history_problems([message.to_wire() for message in history]) == []
    return finished


def notes(model: ScriptedProvider) -> list[str]:
    """Return the last message of every request."""
    return [request.messages[-1].text for request in model.asked]


async def test_empty_answer_is_retried() -> None:
    model = ScriptedProvider(Answer(), Answer(), Answer(text="It is noon."))
    finished = await turn(model, max_iterations=1)
    assert finished.text == "It is noon."
    assert len(model.asked) == 3
    assert "empty" in notes(model)[1]
    assert model.asked[1].messages[:-1] == model.asked[0].messages[:-1]


async def test_retries_of_empty_answers_are_limited() -> None:
    model = ScriptedProvider(Answer())
    assert (await turn(model)).text == ENGLISH.no_answer
    assert len(model.asked) == 3


async def test_empty_answer_after_a_read_is_retried() -> None:
    model = ScriptedProvider(calls("look"), Answer(), Answer(text="It is noon."))
    assert (await turn(model, guarded(fake_tool()))).text == "It is noon."


async def test_empty_answer_after_a_write_is_a_confirmation() -> None:
    model = ScriptedProvider(calls("dim"), Answer())
    assert (await turn(model, guarded(fake_tool("dim", annotations=WRITES)))).text == ENGLISH.done
    assert len(model.asked) == 2


async def test_filtered_answer_is_not_retried() -> None:
    model = ScriptedProvider(Answer(reason="content_filter"))
    await turn(model)
    assert len(model.asked) == 1


async def test_reasoning_that_used_up_the_tokens_is_repeated_once_with_more() -> None:
    model = ScriptedProvider(Answer(reason="length"), calls("look"), Answer(text="It is noon."))
    assert (await turn(model, guarded(fake_tool()), max_iterations=2)).text == "It is noon."
    assert [request.extended for request in model.asked] == [False, True, True]
    assert model.asked[0].messages == model.asked[1].messages


async def test_invalid_calls_do_not_count_as_steps() -> None:
    model = ScriptedProvider(calls("fly"), calls("fly"), calls("look"), Answer(text="Yes."))
    finished = await turn(model, guarded(fake_tool()), max_iterations=2)
    assert (finished.outcome, finished.text) == (LoopOutcome.FINAL, "Yes.")


async def test_repeated_invalid_calls_lead_to_a_final_reply() -> None:
    tool = fake_tool("dim", raises=ToolArgumentError("no name"), annotations=WRITES)
    model = ScriptedProvider(calls("dim"), calls("dim"), calls("dim"), Answer(text="I cannot."))
    assert (await turn(model, guarded(tool))).text == "I cannot."
    assert [request.tool_choice for request in model.asked] == ["auto", "auto", "auto", "none"]
    assert model.asked[3].tools == model.asked[2].tools


@pytest.mark.parametrize("last", [Answer(), calls("dim"), Answer(error=LLMServerError("", 500))])
async def test_same_tool_error_twice_leads_to_a_final_reply(last: Answer) -> None:
    tool = fake_tool("dim", raises=ToolError("no power"), annotations=WRITES)
    model = ScriptedProvider(calls("dim"), calls("dim"), last)
    finished = await turn(model, guarded(tool))
    assert finished.text == ENGLISH.stuck
    assert len(tool.calls) == 2
    assert len(model.asked) == 3


@pytest.mark.parametrize(
    ("on_limit", "said", "heard"),
    [
        (OnLimit.ASK, "Two of five are done.", "Two of five are done. Should I continue?"),
        (OnLimit.ASK, "Two of five. Go on?", "Two of five. Go on?"),
        (OnLimit.ASK, None, ENGLISH.limit_ask.format(limit=1)),
        (OnLimit.STOP, "Not asked for.", ENGLISH.limit_stop.format(limit=1)),
    ],
)
async def test_iteration_limit_leads_to_a_final_reply(
    on_limit: OnLimit, said: str | None, heard: str
) -> None:
    model = ScriptedProvider(calls("look"), Answer(text=said))
    finished = await turn(model, guarded(fake_tool()), max_iterations=1, on_limit=on_limit)
    assert (finished.outcome, finished.text) == (LoopOutcome.LIMIT, heard)
    assert [request.tool_choice for request in model.asked[1:]] == (
        [] if on_limit is OnLimit.STOP else ["none"]
    )


async def test_no_tool_is_started_after_the_soft_timeout() -> None:
    tool = fake_tool()
    model = ScriptedProvider(calls("look"), Answer(text="I do not know yet."))
    finished = await turn(model, guarded(tool), soft_timeout=0)
    assert finished.text == "I do not know yet."
    assert tool.calls == []
    assert model.asked[1].tool_choice == "none"


async def test_equal_calls_in_an_answer_are_made_once() -> None:
    writer = fake_tool("dim", annotations=WRITES)
    reader = fake_tool()
    model = ScriptedProvider(calls("dim", "look", "dim", "look"), Answer(text="Yes."))
    finished = await turn(model, guarded(writer, reader))
    assert (len(writer.calls), len(reader.calls)) == (1, 1)
    assert [result.call.id for result in finished.results] == [
        "call_1",
        "call_2",
        "call_3",
        "call_4",
    ]


async def test_thirty_calls_in_an_answer_are_made_in_order() -> None:
    tool = fake_tool("dim", annotations=WRITES)
    made = tuple(call("dim", f"call_{number}", where=str(number)) for number in range(30))
    model = ScriptedProvider(Answer(calls=made, reason="tool_calls"), Answer(text="Yes."))
    await turn(model, guarded(tool))
    assert [arguments["where"] for arguments in tool.calls] == [str(n) for n in range(30)]


async def test_withdrawn_tool_is_not_offered_again() -> None:
    class Shrinking(ToolMiddleware):
        """Offers one tool less each time."""

        _left = 3

        @property
        @override
        def definitions(self) -> Sequence[ToolDefinition]:
            self._left -= 1
            return self._inner.definitions[: self._left]

        @override
        async def dispatch(self, call: ToolCall) -> ToolResult:
            return await self._inner.dispatch(call)

    model = ScriptedProvider(calls("a"), Answer(text="Yes."))
    await turn(model, Shrinking(guarded(fake_tool("a"), fake_tool("b"))))
    assert [[tool.name for tool in request.tools] for request in model.asked] == [["a", "b"], ["a"]]


async def test_unconfirmed_call_is_asked_about_and_not_made() -> None:
    state, tool = ConversationState(), fake_tool("unlock", annotations=WRITES)
    tools = ConfirmationDispatcher(guarded(tool), state, lambda *_: True)
    model = ScriptedProvider(calls("unlock"), Answer(text="That would unlock the front door."))
    finished = await turn(model, tools)
    assert finished.text == f"That would unlock the front door. {ENGLISH.confirm}"
    assert model.asked[1].tool_choice == "none"
    assert tool.calls == []
    assert state.pending_calls


async def test_confirmed_call_is_made_before_the_first_request() -> None:
    tool, agreed = fake_tool("unlock", annotations=WRITES), call("unlock")
    tools = ConfirmationDispatcher(
        guarded(tool), ConversationState(), lambda *_: True, confirmed_calls=(agreed,)
    )
    model = ScriptedProvider(Answer(text="It is open."))
    loop = AgenticLoop(model, phrases=ENGLISH, system_prompt="Be good.")
    events = await collect(loop.stream("yes", [], tools, confirmed_calls=(agreed,)))
    (finished,) = only(TurnFinished, events)
    assert finished.text == "It is open."
    assert len(tool.calls) == 1
    (request,) = model.asked
    assert history_problems(request.wire) == []
    assert [message.role for message in request.messages] == [
        *("system", "user", "assistant", "tool")
    ]


async def test_write_that_outlasts_the_turn_is_not_waited_for() -> None:
    released = asyncio.Event()
    tool = fake_tool("dim", waiting(released), annotations=WRITES)
    ledger = RecordingDispatcher(guarded(tool))
    finished = await turn(ScriptedProvider(calls("dim")), ledger, turn_timeout=0.05, soft_timeout=1)
    assert finished.text == ENGLISH.time_up
    assert [result.error_type for result in finished.results] == ["timeout"]
    released.set()
    await ledger.wait()
    assert ledger.outcome(finished.results[0].call).data == "fine"
