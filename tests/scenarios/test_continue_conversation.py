"""Scenario: after which answers a satellite listens again."""

from typing import Any

import pytest

from homeassistant.core import HomeAssistant

from ..conversation_helpers import Ask, speech
from ..fake_openai import Call, FakeOpenAI, Fault, Reply

UNLOCK = Call("*HassTurnOff", {"name": "Front Door"})


def option(value: str, **more: Any) -> dict[str, Any]:
    return {"continue_conversation": value, **more}


@pytest.mark.parametrize(
    ("answer", "listens"),
    [
        ("It is on.", False),
        ("Which lamp?", True),
        ("**Which lamp?** 😊", True),
        ("你要哪盏灯？", True),
        ("أي مصباح؟", True),
        ("Ποιο φως;", True),
        ("Which lamp? I took the one on the desk.", False),
    ],
)
async def test_answer_that_asks_something_continues(
    ask: Ask, server: FakeOpenAI, answer: str, *, listens: bool
) -> None:
    server.script(Reply(answer))
    assert (await ask("Make it brighter")).continue_conversation is listens


@pytest.mark.parametrize("agent_options", [option("question", plain_speech=False)])
async def test_question_is_recognized_behind_markup(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply("I found two.\n\n**Which one?** 😊"))
    assert (await ask("Make it brighter")).continue_conversation


@pytest.mark.parametrize("agent_options", [option("always")])
@pytest.mark.parametrize("answer", ["It is on.", "Which lamp?"])
async def test_every_answer_continues(ask: Ask, server: FakeOpenAI, answer: str) -> None:
    server.script(Reply(answer))
    assert (await ask("Make it brighter")).continue_conversation


@pytest.mark.parametrize("agent_options", [option("always")])
async def test_error_does_not_continue(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply(fault=Fault.UNAUTHORIZED))
    result = await ask("Make it brighter")
    assert result.response.error_code is not None
    assert not result.continue_conversation


@pytest.mark.parametrize("agent_options", [option("never")])
@pytest.mark.parametrize("answer", ["It is on.", "Which lamp?"])
async def test_no_answer_continues(ask: Ask, server: FakeOpenAI, answer: str) -> None:
    server.script(Reply(answer))
    assert not (await ask("Make it brighter")).continue_conversation


@pytest.mark.parametrize(
    "agent_options", [option(value, confirm=["locks"]) for value in ("always", "question", "never")]
)
@pytest.mark.parametrize("question", ["Shall I unlock it?", "Say yes to unlock it."])
async def test_question_for_a_confirmation_always_continues(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, question: str
) -> None:
    server.script(Reply(tool_calls=[UNLOCK]), Reply(question))
    result = await ask("Unlock the front door")
    assert speech(result).startswith(question)
    assert result.continue_conversation
