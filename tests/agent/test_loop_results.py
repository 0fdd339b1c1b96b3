"""Tests of the loop: confirmations composed from results."""

from collections.abc import Sequence
from typing import Any

import pytest

from custom_components.chatterbox.agent.events import LoopOutcome, TurnFinished
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.loop_settings import LoopSettings, OnLimit, Phrases
from custom_components.chatterbox.agent.messages import Message, ToolResult
from custom_components.chatterbox.agent.model.provider import TextDelta
from custom_components.chatterbox.agent.tools.confirmation import ConfirmationDispatcher
from custom_components.chatterbox.agent.tools.conversation_state import ConversationState
from custom_components.chatterbox.agent.turn import SpokenResults
from tests.agent.fake_provider import Answer, ScriptedProvider, calls
from tests.agent.fake_tools import WRITES, fake_tool, guarded
from tests.agent.turns import collect, only, spoken

PHRASES = Phrases()


class Speaks:
    """Speaks of results, one text after the other."""

    def __init__(self, *texts: SpokenResults | None) -> None:
        self.texts = list(texts)
        self.results: list[list[Any]] = []

    def __call__(self, results: Sequence[ToolResult]) -> SpokenResults | None:
        self.results.append([result.data for result in results])
        return self.texts.pop(0)


FINAL = SpokenResults("Turned on.", final=True)
INTERIM = SpokenResults("Turned on.", final=False)


async def turn(
    model: ScriptedProvider, tools: Any, speaks: Speaks, **settings: Any
) -> tuple[TurnFinished, list[Any]]:
    loop = AgenticLoop(model, LoopSettings(**settings), phrases=PHRASES)
    events = await collect(loop.stream("Light on", [], tools, speak_results=speaks))
    (finished,) = only(TurnFinished, events)
    return finished, events


async def test_final_text_ends_the_turn() -> None:
    tool = fake_tool(annotations=WRITES)
    model, speaks = ScriptedProvider(calls("look", "look")), Speaks(FINAL)
    finished, events = await turn(model, guarded(tool), speaks)
    assert len(model.asked) == 1
    assert finished.text == spoken(events) == "Turned on."
    assert finished.outcome is LoopOutcome.FINAL
    assert finished.messages[-1] == Message.assistant("Turned on.")
    assert speaks.results == [["fine", "fine"]]


@pytest.mark.parametrize("settings", [{"max_iterations": 1}, {"soft_timeout": 0}])
async def test_final_text_takes_precedence_over_the_limits(settings: dict[str, Any]) -> None:
    model = ScriptedProvider(calls("look"))
    finished, _ = await turn(model, guarded(fake_tool()), Speaks(FINAL), **settings)
    assert (finished.text, finished.outcome) == ("Turned on.", LoopOutcome.FINAL)
    assert len(model.asked) == 1


async def test_question_for_a_confirmation_can_be_a_final_text() -> None:
    tools = ConfirmationDispatcher(
        guarded(fake_tool(annotations=WRITES)), ConversationState(), lambda *_: True
    )
    model = ScriptedProvider(calls("look"))
    speaks = Speaks(SpokenResults("Shall I unlock the door?", final=True))
    finished, _ = await turn(model, tools, speaks)
    assert finished.text == "Shall I unlock the door?"
    assert len(model.asked) == 1


async def test_model_answers_when_no_text_is_composed() -> None:
    model = ScriptedProvider(calls("look"), Answer("Fine."))
    finished, _ = await turn(model, guarded(fake_tool()), Speaks(None))
    assert finished.text == "Fine."


async def test_interim_text_is_spoken_and_the_model_continues() -> None:
    model = ScriptedProvider(calls("look"), Answer("\nAnd the heating is off."))
    finished, events = await turn(model, guarded(fake_tool()), Speaks(INTERIM))
    assert finished.text == spoken(events) == "Turned on. And the heating is off."
    assert only(TextDelta, events)[0] == TextDelta("Turned on.")
    assert finished.messages[-1] == Message.assistant(finished.text)


async def test_interim_text_alone_is_a_complete_answer() -> None:
    finished, _ = await turn(
        ScriptedProvider(calls("look"), Answer("")), guarded(fake_tool()), Speaks(INTERIM)
    )
    assert finished.text == "Turned on."


async def test_interim_text_is_kept_with_the_next_call() -> None:
    model = ScriptedProvider(calls("look"), calls("look"), Answer("Fine."))
    finished, events = await turn(model, guarded(fake_tool()), Speaks(INTERIM, None))
    assert [message.content for message in finished.messages if message.tool_calls] == [
        None,
        "Turned on.",
    ]
    assert (finished.text, spoken(events)) == ("Fine.", "Turned on.Fine.")


async def test_interim_text_precedes_the_text_at_the_limit() -> None:
    limit = {"max_iterations": 1, "on_limit": OnLimit.STOP}
    finished, events = await turn(
        ScriptedProvider(calls("look")), guarded(fake_tool()), Speaks(INTERIM), **limit
    )
    assert finished.text == f"Turned on. {PHRASES.limit_stop.format(limit=1)}"
    assert spoken(events) == finished.text
