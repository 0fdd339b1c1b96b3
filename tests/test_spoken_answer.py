"""What is spoken of a turn: lead-ins, and a limited number of sentences."""

from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any

import pytest

from custom_components.chatterbox.active_conversations import ActiveConversation
from custom_components.chatterbox.chat_log import Delta
from custom_components.chatterbox.options import VoiceOptions
from custom_components.chatterbox.spoken_answer import SpokenAnswer, go_on
from homeassistant.components.conversation import ChatLog
from homeassistant.components.conversation.chat_log import async_get_chat_log
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.setup import async_setup_component

from .builders import user_message
from .conversation_helpers import speech

SECONDS = {"saw": 2.0, "look": 1.9}
ROLE: Delta = {"role": "assistant"}
LEAD_IN: Delta = {"content": "One moment.\n\n"}


def text(*pieces: str) -> list[Delta]:
    return [{"content": piece} for piece in pieces]


def calls(*names: str) -> Delta:
    return {"tool_calls": [llm.ToolInput(tool_name=name, tool_args={}, id=name) for name in names]}


def answer(
    language: str = "en", on_lead_in: Callable[[], None] = lambda: None, **options: Any
) -> SpokenAnswer:
    voice = VoiceOptions.parse(options)
    return SpokenAnswer(
        voice, language, "One moment.", lambda tool: SECONDS.get(tool, 0), on_lead_in
    )


async def spoken(filtered: SpokenAnswer, *deltas: Delta, needs_answer: bool = False) -> list[Delta]:
    async def stream() -> AsyncGenerator[Delta]:
        for delta in deltas:
            yield delta

    return [delta async for delta in filtered.deltas(stream(), lambda: needs_answer)]


def heard(deltas: list[Delta]) -> str:
    return "".join(str(delta.get("content", "")) for delta in deltas)


async def test_deltas_are_passed_on_unless_an_option_is_set() -> None:
    deltas = [ROLE, *text("Hello. ", "You."), calls("saw"), *text("")]
    assert await spoken(answer(), *deltas) == deltas


async def test_slow_tool_is_announced_before_its_call() -> None:
    deltas = await spoken(answer(lead_in=True), ROLE, calls("look", "saw"))
    assert deltas == [ROLE, LEAD_IN, calls("look", "saw")]


async def test_lead_in_is_reported() -> None:
    reports: list[str] = []
    filtered = answer(on_lead_in=lambda: reports.append("said"), lead_in=True)
    await spoken(filtered, ROLE, calls("look"))
    assert reports == []
    await spoken(filtered, calls("saw"))
    assert reports == ["said"]


@pytest.mark.parametrize("deltas", [[ROLE, calls("look")], [ROLE, calls("new")], [ROLE, *text("")]])
async def test_tool_that_is_not_known_to_be_slow_is_not_announced(deltas: list[Delta]) -> None:
    assert await spoken(answer(lead_in=True), *deltas) == deltas


async def test_nothing_is_announced_after_words_of_the_model() -> None:
    deltas = [ROLE, *text("I will ", "saw."), calls("saw")]
    assert await spoken(answer(lead_in=True), *deltas) == deltas


async def test_one_tool_of_a_turn_is_announced() -> None:
    result: Delta = {
        "role": "tool_result",
        "tool_call_id": "c",
        "tool_name": "saw",
        "result": llm.ToolResult(data={}),
    }
    deltas = [ROLE, calls("saw"), result, ROLE, calls("saw")]
    expected = [ROLE, LEAD_IN, calls("saw"), result, ROLE, calls("saw")]
    assert await spoken(answer(lead_in=True), *deltas) == expected


async def test_tool_is_announced_after_white_space_of_the_model() -> None:
    deltas = await spoken(answer(lead_in=True), ROLE, *text("\n"), calls("saw"))
    assert LEAD_IN in deltas


async def test_sentences_beyond_the_limit_are_kept() -> None:
    limited = answer(max_sentences=2)
    pieces = ["One", ". Two has", " 2.5 parts. “Thr", "ee.” F", "our."]
    deltas = await spoken(limited, ROLE, *text(*pieces))
    assert heard(deltas).strip() == "One. Two has 2.5 parts."
    assert limited.rest == "“Three.” Four."


async def test_speech_output_begins_with_the_last_sentence() -> None:
    """It waits for a blank line, or for more characters than a short answer has."""
    deltas = await spoken(answer(max_sentences=1), ROLE, *text("One.", " Two", " is longer."))
    assert deltas == [ROLE, *text("One.", " \n\n", " " * len(" is longer."))]


@pytest.mark.parametrize("pieces", [["One. Two."], ["One.", " ", "Two."], ["Dr. Who"]])
async def test_answer_within_the_limit_is_spoken_as_it_comes(pieces: list[str]) -> None:
    limited = answer(max_sentences=2)
    assert await spoken(limited, ROLE, *text(*pieces)) == [ROLE, *text(*pieces)]
    assert limited.rest == ""


async def test_abbreviations_depend_on_the_language() -> None:
    limited = answer("de", max_sentences=1)
    await spoken(limited, ROLE, *text("Am 3. Oktober kommt Prof. Li. Gut."))
    assert limited.rest == "Gut."


async def test_only_the_last_message_has_a_rest() -> None:
    limited = answer(max_sentences=1)
    await spoken(limited, ROLE, *text("One. Two."), calls("saw"), ROLE, *text("Three."))
    assert limited.rest == ""


async def test_rest_is_spoken_if_it_asks_for_a_confirmation() -> None:
    limited = answer(max_sentences=1)
    deltas = await spoken(limited, ROLE, *text("It is locked. Are you sure?"), needs_answer=True)
    assert heard(deltas).split() == ["It", "is", "locked.", "Are", "you", "sure?"]
    assert limited.rest == ""


@pytest.fixture
async def chat_log(hass: HomeAssistant) -> AsyncGenerator[ChatLog]:
    for component in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, component, {})
    with (
        async_get_chat_session(hass) as session,
        async_get_chat_log(hass, session, user_message("Go on")) as opened,
    ):
        yield opened


async def test_rest_is_spoken_in_parts(chat_log: ChatLog) -> None:
    conversation = ActiveConversation(unspoken="Two. Three. Four? Five.")
    voice = VoiceOptions.parse({"max_sentences": 2})

    def parts() -> Iterator[tuple[str, bool]]:
        while conversation.unspoken:
            result = go_on(conversation, user_message("Go on"), chat_log, voice)
            yield speech(result), result.continue_conversation

    assert list(parts()) == [("Two. Three.", False), ("Four? Five.", False)]
