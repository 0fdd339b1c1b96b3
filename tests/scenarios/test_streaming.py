"""Scenario: a model writes token by token, and each is a delta before the next one is sent."""

import asyncio
import json
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import ChatLog, async_get_chat_log
from homeassistant.const import CONF_MODEL
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.chat_session import async_get_chat_session

from ..conversation_helpers import AGENT, speech
from ..fake_openai import Call, FakeOpenAI, Gate, Lockstep, Reply

LARGE, TINY = "large-70b", "tiny-1.5b"
# Seconds after which a token counts as held back.
_PATIENCE = 30

ANSWERS = {
    "en": "The| kitchen| lights| are| on|,| and| it| is| 21| degrees| warm|.",
    "de": "Die| Wasch|maschine| ist| seit| 14|:|30| Uhr| fertig|.",
    "zh-CN": "从|前|有|一个|小|村庄|，|村里|住着|20|位|老人|。",
    "ja": "むか|し|むか|し|、|おじ|いさん|が|い|ました|。",
    "th": "กาล|ครั้ง|หนึ่ง|นาน|มา|แล้ว| มี|หมู่|บ้าน",
    "ar": "كان| يا| ما| كان|،| في| قديم| الزمان|.",
}


class Listener:
    """Listener of a chat log that asks the server for the next token with each delta."""

    def __init__(self, lockstep: Lockstep) -> None:
        self.deltas: list[dict[str, Any]] = []
        self._lockstep = lockstep

    def __call__(self, _log: ChatLog, delta: dict[str, Any]) -> None:
        self.deltas.append(delta)
        if delta.get("content") or delta.get("thinking_content"):
            self._lockstep.advance()

    @property
    def texts(self) -> list[str]:
        """The texts of the deltas."""
        return [delta["content"] for delta in self.deltas if "content" in delta]


async def converse(hass: HomeAssistant, text: str, listener: Listener, language: str = "en") -> str:
    """Return the answer to a message."""
    with (
        async_get_chat_session(hass) as session,
        async_get_chat_log(hass, session, chat_log_delta_listener=listener),
    ):
        async with asyncio.timeout(_PATIENCE):
            result = await conversation.async_converse(
                hass,
                text,
                session.conversation_id,
                Context(),
                language=language,
                agent_id=AGENT,
            )
    return speech(result)


@pytest.fixture
def agent_options(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return the options of an agent with a large model, or the one of the test."""
    return {CONF_MODEL: getattr(request, "param", LARGE)}


@pytest.mark.parametrize("language", ANSWERS)
async def test_each_token_is_a_delta_before_the_next_one_is_sent(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry, language: str
) -> None:
    tokens = ANSWERS[language].split("|")
    lockstep = Lockstep(2, len(tokens))
    server.script(Reply("".join(tokens), pieces=tokens, hold=lockstep))
    listener = Listener(lockstep)
    assert await converse(hass, "Tell me something", listener, language) == "".join(tokens)
    assert listener.deltas[0] == {"role": "assistant"}
    assert listener.texts == tokens


@pytest.mark.parametrize("agent_options", [TINY], indirect=True)
@pytest.mark.parametrize("language", ANSWERS)
async def test_each_token_of_a_guided_answer_is_a_delta(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry, language: str
) -> None:
    tokens = ANSWERS[language].split("|")
    lockstep = Lockstep(3, len(tokens) + 1)
    pieces = ['{"topic": "other", "answer": "', *tokens, '"}']
    server.script(Reply("".join(pieces), pieces=pieces, hold=lockstep))
    listener = Listener(lockstep)
    assert await converse(hass, "Tell me something", listener, language) == "".join(tokens)
    assert "response_format" in server.completions[0].json
    assert listener.texts == tokens


@pytest.mark.parametrize("tag", [None, "think"])
async def test_each_token_of_the_reasoning_is_a_delta(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry, tag: str | None
) -> None:
    """Also where the server leaves the reasoning in the text."""
    thoughts, words = ["Let", " me", " think", "."], ["It", " is", " noon", "."]
    if tag is None:
        lockstep = Lockstep(2, len(thoughts) + len(words))
        server.script(
            Reply("".join(words), reasoning="aaabbbccc", pieces=words, chunk_size=3, hold=lockstep)
        )
    else:
        lockstep = Lockstep(3, len(thoughts) + 1)
        pieces = ["<think>", *thoughts, "</think>", "\n\n", *words]
        server.script(Reply("".join(pieces), pieces=pieces, hold=lockstep))
    listener = Listener(lockstep)
    assert await converse(hass, "What time is it?", listener) == "It is noon."
    assert listener.texts == words


async def test_role_is_a_delta_before_the_server_has_answered(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    gate = Gate()
    server.script(Reply("It is noon.", hold=gate))
    listener = Listener(Lockstep(0, 0))
    turn = hass.async_create_task(converse(hass, "What time is it?", listener))
    await gate.reached.wait()
    assert listener.deltas == [{"role": "assistant"}]
    gate.open()
    assert await turn == "It is noon."
    assert [delta for delta in listener.deltas if "role" in delta] == [{"role": "assistant"}]


async def test_lead_in_is_spoken_before_the_tool_has_finished(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """Speech output is flushed at a blank line."""
    lead_in = Reply("Let me check.", tool_calls=[Call("*get_current_datetime", {})])
    server.script(lead_in, Reply("It is noon."))
    listener = Listener(Lockstep(0, 0))
    assert await converse(hass, "What time is it?", listener) == "It is noon."
    kinds = [next(iter(delta)) for delta in listener.deltas]
    called = kinds.index("tool_calls")
    assert "".join(listener.texts[: called - 1]) == "Let me check.\n\n"
    assert listener.texts[called - 2] == "\n\n"
    history = json.loads(server.completions[-1].body)["messages"]
    assert "Let me check." in {message["content"] for message in history}
