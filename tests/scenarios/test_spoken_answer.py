"""Scenario: long answers are spoken in parts, and slow tools are announced."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.trace import ToolTrace, typical_seconds
from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import async_get_chat_log
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.chat_session import async_get_chat_session

from ..agent.builders import turn_trace
from ..builders import Workshop
from ..conversation_helpers import AGENT, Ask, messages, speech
from ..fake_openai import Call, FakeOpenAI, Fault, Reply

STORY = "It was 8.30. Mr. Fox woke up. He yawned! Was it late? It was."
WORKSHOP = {"llm_hass_api": ["assist", "workshop"]}
two_sentences = pytest.mark.parametrize("agent_options", [{"max_sentences": 2}])


@two_sentences
async def test_rest_is_spoken_on_request_without_the_model(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply(STORY), Reply("Thank you."))
    assert speech(await ask("Tell me a story")) == "It was 8.30. Mr. Fox woke up."
    result = await ask("Go on, please")
    assert speech(result) == "He yawned! Was it late?"
    assert result.continue_conversation
    assert speech(await ask("go on")) == "It was."
    assert len(server.completions) == 1
    # The next one is for the model, which knows the whole answer.
    assert speech(await ask("Go on")) == "Thank you."
    assert [each["content"] for each in messages(server)][-2] == STORY


@two_sentences
@pytest.mark.parametrize(
    ("language", "text", "story"),
    [
        ("de", "mach weiter", "Am 3. Mai. Dr. Fuchs.| Er ging."),
        ("fr", "la suite", "Un. Deux!| Trois."),
        ("es", "sigue", "Uno. ¡Dos!| ¿Tres?"),
        ("nl", "ga verder", "Een. Twee.| Drie."),
        ("it", "vai avanti", "Uno. Due.| Tre."),
        ("pl", "mów dalej", "Raz. Dwa.| Trzy."),
    ],
)
async def test_parts_in_every_language(
    ask: Ask, server: FakeOpenAI, language: str, text: str, story: str
) -> None:
    server.script(Reply(story.replace("|", "")))
    parts = [speech(await ask(each, language=language)) for each in ("?", text)]
    assert "| ".join(parts) == story
    assert len(server.completions) == 1


@two_sentences
async def test_another_message_drops_the_rest(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply(STORY), Reply("It is noon."), Reply("Yes."))
    await ask("Tell me a story")
    await ask("What time is it?")
    assert speech(await ask("Go on")) == "Yes."


@two_sentences
async def test_new_conversation_drops_the_rest(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply(STORY), Reply("Yes."))
    await ask("Tell me a story")
    await ask("New conversation")
    assert speech(await ask("Go on")) == "Yes."


@two_sentences
async def test_answer_that_broke_off_has_no_rest(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply(STORY, fault=Fault.RESET_MIDWAY), Reply("Sorry."))
    assert (await ask("Tell me a story")).response.error_code is not None
    assert speech(await ask("Go on")) == "Sorry."


@two_sentences
async def test_rest_is_not_for_another_user(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    server.script(Reply(STORY), Reply("Who are you?"))
    await ask("Tell me a story")
    user = await hass.auth.async_create_user("Bob")
    assert "yawned" not in speech(await ask("Go on", user_id=user.id))


@pytest.mark.parametrize("agent_options", [{"max_sentences": 1, "confirm": ["locks"]}])
async def test_question_for_a_confirmation_is_spoken_in_any_case(
    ask: Ask, server: FakeOpenAI
) -> None:
    server.script(
        Reply(tool_calls=[Call("*HassTurnOff", {"name": "Front Door"})]),
        Reply("It is locked. Shall I unlock it?"),
    )
    result = await ask("Unlock the front door")
    assert speech(result).split() == ["It", "is", "locked.", "Shall", "I", "unlock", "it?"]
    assert result.continue_conversation


@pytest.mark.parametrize("agent_options", [{"max_sentences": 1, **WORKSHOP}])
async def test_tool_is_called_behind_more_sentences(
    ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    workshop.go_on.set()
    server.script(
        Reply("I will do it. It takes a moment.", tool_calls=[Call("*saw")]), Reply("Done.")
    )
    assert speech(await ask("Saw a board")) == "Done."
    assert workshop.finished == 1


@pytest.fixture
def durations() -> tuple[float, ...]:
    """Return the seconds that earlier calls of the slow tool took."""
    return 0.1, 5, 6


type Listen = Callable[..., Awaitable[list[dict[str, Any]]]]


@pytest.fixture
def listen(
    home: HomeAssistant,
    workshop: Workshop,
    loaded_entry: MockConfigEntry,
    durations: tuple[float, ...],
) -> Listen:
    """Return what has a board sawn, and returns the deltas until then or of the whole turn."""
    # The name depends on the release of Home Assistant.
    calls = [
        ToolTrace(name=name, arguments={}, ok=True, seconds=seconds)
        for name in ("saw", "workshop__saw")
        for seconds in durations
    ]
    earlier = turn_trace(tools=tuple(calls))
    loaded_entry.runtime_data.turns.append(earlier)
    deltas: list[dict[str, Any]] = []

    async def converse(language: str = "en", *, whole: bool = False) -> list[dict[str, Any]]:
        with (
            async_get_chat_session(home) as session,
            async_get_chat_log(
                home, session, chat_log_delta_listener=lambda _, delta: deltas.append(delta)
            ),
        ):
            turn = home.async_create_task(
                conversation.async_converse(
                    home,
                    "Saw a board",
                    session.conversation_id,
                    Context(),
                    language=language,
                    agent_id=AGENT,
                )
            )
            await workshop.started.wait()
            heard = list(deltas)
            workshop.go_on.set()
            await turn
        return deltas if whole else heard

    return converse


@pytest.mark.parametrize("agent_options", [{"lead_in": True, **WORKSHOP}])
@pytest.mark.parametrize(
    ("language", "lead_in"),
    [
        ("en", "One moment."),
        ("de", "Einen Moment."),
        ("fr", "Un instant."),
        ("es", "Un momento."),
        ("nl", "Een moment."),
        ("it", "Un momento."),
        ("pl", "Chwileczkę."),
    ],
)
async def test_slow_tool_is_announced_while_it_runs(
    server: FakeOpenAI, listen: Listen, language: str, lead_in: str
) -> None:
    server.script(Reply(tool_calls=[Call("*saw")]), Reply("One board is sawn."))
    deltas = await listen(language)
    assert [delta["content"] for delta in deltas if "content" in delta] == [f"{lead_in}\n\n"]
    assert "tool_calls" in deltas[-1]
    # The model did not say it.
    assert lead_in not in str(server.completions[-1].messages)


@pytest.mark.parametrize("agent_options", [{"lead_in": True, **WORKSHOP}])
async def test_error_after_a_lead_in_is_streamed(server: FakeOpenAI, listen: Listen) -> None:
    """A satellite that has begun to speak gets nothing from the result."""
    server.script(Reply(tool_calls=[Call("*saw")]), Reply(fault=Fault.UNAUTHORIZED))
    deltas = await listen(whole=True)
    lead_in, error = [delta["content"] for delta in deltas if delta.get("content")]
    assert lead_in == "One moment.\n\n"
    assert "does not accept my key" in error


@pytest.mark.parametrize(
    ("agent_options", "durations", "says"),
    [
        ({"lead_in": True, **WORKSHOP}, (), ""),
        ({"lead_in": True, **WORKSHOP}, (5, 0.1, 0.2), ""),
        (WORKSHOP, (5, 6), ""),
        ({"lead_in": True, **WORKSHOP}, (5, 6), "I am sawing."),
    ],
)
async def test_tool_is_not_announced_otherwise(
    server: FakeOpenAI, listen: Listen, says: str
) -> None:
    server.script(Reply(says, tool_calls=[Call("*saw")]), Reply("One board is sawn."))
    deltas = await listen()
    assert "".join(delta.get("content") or "" for delta in deltas).strip() == says


@pytest.mark.parametrize("agent_options", [WORKSHOP])
async def test_duration_of_a_tool_is_learned(
    ask: Ask, server: FakeOpenAI, workshop: Workshop, loaded_entry: MockConfigEntry
) -> None:
    workshop.go_on.set()
    server.script(Reply(tool_calls=[Call("*saw")]), Reply("Sawn."))
    await ask("Saw a board")
    [call] = loaded_entry.runtime_data.turns[-1].tools
    assert typical_seconds(loaded_entry.runtime_data.turns, call.name) == call.seconds
