"""Nothing is done that the user wants to be asked about."""

from dataclasses import replace

from custom_components.chatterbox.agent.messages import ToolCall, ToolDefinition
from custom_components.chatterbox.agent.state import ConversationState
from custom_components.chatterbox.agent.tools.confirmation import CONFIRMATION_NEEDED, AskFirst

from ..fakes import call, fake_tool, guarded


def _unlocking(made: ToolCall, tool: ToolDefinition) -> bool:
    return tool.name == "unlock"


async def test_a_call_waits_for_a_yes() -> None:
    state, tool = ConversationState(), fake_tool("unlock")
    tools = AskFirst(guarded(tool, fake_tool()), state, _unlocking)
    first, second = call("unlock", where="front"), call("unlock", where="back")
    assert [(await tools.dispatch(made)).error_type for made in (first, second)] == [
        CONFIRMATION_NEEDED
    ] * 2
    assert state.pending == first
    assert tool.calls == []
    assert len(tools.definitions) == 2


async def test_call_with_a_question_waits_and_is_made_without_it_after_the_yes() -> None:
    state, tool = ConversationState(), fake_tool()
    asked = replace(call(), question="Do you mean the lamp?")
    tools = AskFirst(guarded(tool), state, _unlocking)
    result = await tools.dispatch(asked)
    assert (result.error_type, result.call.question) == (CONFIRMATION_NEEDED, asked.question)
    assert tool.calls == []
    assert state.pending == call()
    assert state.pending.question is None
    agreed = AskFirst(guarded(tool), state, _unlocking, agreed=state.pending)
    assert not (await agreed.dispatch(state.pending)).error
    assert len(tool.calls) == 1


async def test_what_was_agreed_to_is_done() -> None:
    tool, agreed = fake_tool("unlock"), call("unlock")
    tools = AskFirst(guarded(tool), ConversationState(), _unlocking, agreed=agreed)
    assert not (await tools.dispatch(agreed)).error
    assert (await tools.dispatch(call("unlock"))).error_type == CONFIRMATION_NEEDED
    assert len(tool.calls) == 1


async def test_other_calls_are_made() -> None:
    state = ConversationState()
    tools = AskFirst(guarded(fake_tool(), fake_tool("unlock")), state, _unlocking)
    assert not (await tools.dispatch(call())).error
    unreadable = ToolCall(id="1", name="unlock", arguments={}, invalid="{")
    assert (await tools.dispatch(unreadable)).error_type == "invalid_arguments"
    assert (await tools.dispatch(call("fly"))).error_type == "unknown_tool"
    assert state.pending is None
