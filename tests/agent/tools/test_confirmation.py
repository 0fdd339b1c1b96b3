"""Tests of calls that require a confirmation."""

from dataclasses import replace

from custom_components.chatterbox.agent.messages import ToolCall, ToolDefinition
from custom_components.chatterbox.agent.tools.confirmation import (
    CONFIRMATION_NEEDED,
    ConfirmationDispatcher,
)
from custom_components.chatterbox.agent.tools.conversation_state import ConversationState
from tests.agent.builders import call
from tests.agent.fake_tools import fake_tool, guarded


def _unlocking(made: ToolCall, tool: ToolDefinition) -> bool:
    return tool.name == "unlock"


async def test_call_waits_for_a_confirmation() -> None:
    state, tool = ConversationState(), fake_tool("unlock")
    tools = ConfirmationDispatcher(guarded(tool, fake_tool()), state, _unlocking)
    first, second = call("unlock", where="front"), call("unlock", where="back")
    assert [(await tools.dispatch(made)).error_type for made in (first, second)] == [
        CONFIRMATION_NEEDED
    ] * 2
    assert state.pending_calls == (first,)
    assert tool.calls == []
    assert len(tools.definitions) == 2


async def test_call_with_a_question_waits_and_is_made_without_it_after_the_yes() -> None:
    state, tool = ConversationState(), fake_tool()
    asked = replace(call(), question="Do you mean the lamp?")
    tools = ConfirmationDispatcher(guarded(tool), state, _unlocking)
    result = await tools.dispatch(asked)
    assert (result.error_type, result.call.question) == (CONFIRMATION_NEEDED, asked.question)
    assert tool.calls == []
    [pending] = state.pending_calls
    assert pending == call()
    confirmed = ConfirmationDispatcher(guarded(tool), state, _unlocking, confirmed_calls=(pending,))
    assert not (await confirmed.dispatch(pending)).error
    assert len(tool.calls) == 1


async def test_calls_with_one_question_wait_together() -> None:
    state, tool = ConversationState(), fake_tool()
    tools = ConfirmationDispatcher(guarded(tool), state, _unlocking)
    asked = [
        replace(call(where=where), question=question)
        for where, question in (("left", "Both?"), ("right", "Both?"), ("attic", "The attic?"))
    ]
    for each in asked:
        await tools.dispatch(each)
    assert state.pending_calls == tuple(asked[:2])
    confirmed = tuple(replace(each, question=None) for each in asked[:2])
    tools = ConfirmationDispatcher(guarded(tool), state, _unlocking, confirmed_calls=confirmed)
    for each in confirmed:
        assert not (await tools.dispatch(each)).error
    assert len(tool.calls) == len(confirmed)


async def test_confirmed_call_is_executed_once() -> None:
    tool, confirmed = fake_tool("unlock"), call("unlock")
    tools = ConfirmationDispatcher(
        guarded(tool), ConversationState(), _unlocking, confirmed_calls=(confirmed,)
    )
    assert not (await tools.dispatch(confirmed)).error
    assert (await tools.dispatch(call("unlock"))).error_type == CONFIRMATION_NEEDED
    assert len(tool.calls) == 1


async def test_other_calls_are_made_without_a_confirmation() -> None:
    state = ConversationState()
    tools = ConfirmationDispatcher(guarded(fake_tool(), fake_tool("unlock")), state, _unlocking)
    assert not (await tools.dispatch(call())).error
    unreadable = ToolCall(id="1", name="unlock", arguments={}, invalid="{")
    assert (await tools.dispatch(unreadable)).error_type == "invalid_arguments"
    assert (await tools.dispatch(call("fly"))).error_type == "unknown_tool"
    assert not state.pending_calls
