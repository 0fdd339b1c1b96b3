"""Conversation agents, called as Home Assistant calls them."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any, override
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.chatterbox.agent.events import LoopOutcome
from custom_components.chatterbox.const import DOMAIN
from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationResult
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import SOURCE_REAUTH
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component

from .fake_openai import Call, FakeOpenAI, Fault, Reply
from .fake_openai.history import history_problems

AGENT = "conversation.scripted"

type Ask = Callable[..., Any]


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    """Return a home with one lamp that the voice assistant may use."""
    for component in ("homeassistant", "conversation", "intent", "llm"):
        assert await async_setup_component(hass, component, {})
    hass.states.async_set("light.desk", "off", {"friendly_name": "Desk"})
    async_expose_entity(hass, conversation.DOMAIN, "light.desk", should_expose=True)
    return hass


@pytest.fixture
def ask(home: HomeAssistant, loaded_entry: MockConfigEntry) -> Ask:
    """Return what asks the agent, in one conversation unless told otherwise."""

    async def converse(text: str, conversation_id: str | None = "desk") -> ConversationResult:
        return await conversation.async_converse(
            home, text, conversation_id, Context(), language="en", agent_id=AGENT
        )

    return converse


def speech(result: ConversationResult) -> str:
    text: str = result.response.speech["plain"]["speech"]
    return text


def sent(server: FakeOpenAI, index: int = -1) -> dict[str, Any]:
    """Return the body of a completion request."""
    bodies = [request.json for request in server.requests if request.json]
    body: dict[str, Any] = dict(bodies[index])
    return body


async def test_an_answer_is_spoken(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply("It is noon."))
    result = await ask("What time is it?")
    assert speech(result) == "It is noon."
    assert result.response.response_type.value == "action_done"
    assert result.conversation_id == "desk"
    assert not result.continue_conversation
    assert [message["role"] for message in sent(server)["messages"]] == ["system", "user"]


async def test_a_question_keeps_the_satellite_listening(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply("Which lamp?"))
    assert (await ask("Turn on the lamp")).continue_conversation


async def test_the_home_is_changed_and_the_answer_says_so(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    turn_on = async_mock_service(home, "light", "turn_on")
    server.script(
        Reply(
            tool_calls=[
                Call("*HassTurnOn", {"name": "Desk"}),
                Call("get_current_datetime"),
            ]
        ),
        Reply("The desk lamp is on."),
    )
    result = await ask("Turn on the desk lamp")
    assert speech(result) == "The desk lamp is on."
    assert [call.data["entity_id"] for call in turn_on] == [["light.desk"]]
    assert [target.id for target in result.response.success_results] == ["light.desk"]
    results = [json.loads(m["content"]) for m in sent(server)["messages"] if m["role"] == "tool"]
    assert [result["success"] for result in results] == [True, True]
    assert history_problems(sent(server)["messages"]) == []
    trace = loaded_entry.runtime_data.turns[-1]
    assert trace.outcome is LoopOutcome.FINAL
    assert trace.iterations == 2
    assert [tool.ok for tool in trace.tools] == [True, True]
    assert trace.conversation_id == "desk"


async def test_the_next_turn_sends_the_same_bytes_first(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    async_mock_service(home, "light", "turn_on")
    server.script(
        Reply("One moment.", tool_calls=[Call("*HassTurnOn", {"name": "Desk", "area": ""})]),
        Reply("It is on.", reasoning="Easy."),
        Reply(tool_calls=[Call("get_current_datetime", '{"timezone": "Asia/Tokyo')]),
        Reply("I do not know."),
        Reply("You are welcome."),
    )
    for text in ("Turn on the desk lamp", "What time is it in Tokyo?", "Thanks"):
        await ask(text)
    bodies = [request.json for request in server.requests if request.json]
    assert len(bodies) == 5
    for earlier, later in pairwise(bodies):
        assert json.dumps(later["tools"]) == json.dumps(earlier["tools"])
        count = len(earlier["messages"])
        assert json.dumps(later["messages"][:count]) == json.dumps(earlier["messages"])
    assert "Current time" not in bodies[0]["messages"][0]["content"]
    names = [tool["function"]["name"] for tool in bodies[0]["tools"]]
    assert names == sorted(names)
    assert {"get_weather", "get_current_datetime"} < set(names)


@pytest.mark.parametrize("agent_options", [{"llm_hass_api": [], "built_in_tools": []}])
async def test_without_tools_none_are_sent_and_the_time_comes_last(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    server.script(Reply("Hi."))
    assert speech(await ask("Hello")) == "Hi."
    body = sent(server)
    assert "tools" not in body
    assert "Current time is" in body["messages"][-1]["content"]
    assert "Current time is" not in body["messages"][0]["content"]
    state = hass.states.get(AGENT)
    assert state is not None
    assert not state.attributes["supported_features"]


@pytest.mark.parametrize("agent_options", [{"llm_hass_api": ["gone"]}])
async def test_the_built_in_tools_work_when_the_chosen_api_is_gone(
    ask: Ask, server: FakeOpenAI
) -> None:
    server.script(Reply(tool_calls=[Call("get_current_datetime")]), Reply("Noon."))
    assert speech(await ask("What time is it?")) == "Noon."
    names = [tool["function"]["name"] for tool in sent(server)["tools"]]
    assert names == ["get_current_datetime", "get_weather"]
    assert "day_of_week" in sent(server)["messages"][-1]["content"]


@pytest.mark.parametrize("text", ["", "   "])
async def test_an_empty_question_asks_no_model(ask: Ask, server: FakeOpenAI, text: str) -> None:
    server.reset()
    result = await ask(text)
    assert speech(result).endswith(".")
    assert result.response.response_type.value == "error"
    assert server.requests == []


@pytest.mark.parametrize("agent_options", [{"prompt": "{{ undefined_function() }}"}])
async def test_instructions_that_cannot_be_rendered_are_told(
    ask: Ask, server: FakeOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    result = await ask("Hello")
    assert result.response.response_type.value == "error"
    assert "instructions" in speech(result)


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (Unauthorized(), "allowed"),
        (HomeAssistantError("inside"), "home"),
        (KeyError("inside"), "wrong"),
    ],
)
@pytest.mark.parametrize("agent_options", [{"llm_hass_api": ["broken"]}])
async def test_tools_that_cannot_be_had_are_told(
    home: HomeAssistant, ask: Ask, error: Exception, word: str
) -> None:
    class Broken(llm.API):
        @override
        async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
            raise error

    llm.async_register_api(home, Broken(hass=home, id="broken", name="Broken"))
    result = await ask("Hello")
    assert result.response.response_type.value == "error"
    assert word in speech(result)
    assert "inside" not in speech(result)


@pytest.mark.parametrize(
    "options",
    [{"first_token_timeout": 2, "token_timeout": 2, "retry_wait": 0}],
    ids=["impatient"],
)
@pytest.mark.parametrize("fault", list(Fault))
async def test_every_fault_ends_in_a_sentence_and_the_next_turn_works(
    ask: Ask, server: FakeOpenAI, fault: Fault
) -> None:
    server.script(Reply("It is noon.", fault=fault))
    said = speech(await ask("Tell me about noon"))
    assert said
    assert not said.endswith("?")
    server.reset()
    server.script(Reply("All is well."))
    assert speech(await ask("And now?")) == "All is well."
    messages = sent(server)["messages"]
    assert history_problems(messages) == []
    assert not any(str(message["content"]).startswith("Error:") for message in messages)


async def test_a_fault_behind_a_tool_keeps_what_was_done(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    async_mock_service(home, "light", "turn_on")
    server.script(
        Reply(tool_calls=[Call("*HassTurnOn", {"name": "Desk"})]),
        Reply("It is", fault=Fault.RESET_MIDWAY),
        Reply("Yes, it is on."),
    )
    failed = await ask("Turn on the desk lamp")
    assert failed.response.response_type.value == "error"
    await ask("Is it on?")
    messages = sent(server)["messages"]
    assert history_problems(messages) == []
    assert [message["role"] for message in messages] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    assert messages[-2]["content"] == speech(failed)


async def test_a_refused_key_starts_asking_for_another(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    server.script(Reply(fault=Fault.UNAUTHORIZED))
    assert "key" in speech(await ask("Hello"))
    (flow,) = hass.config_entries.flow.async_progress()
    assert flow["context"]["source"] == SOURCE_REAUTH


async def test_an_error_of_our_own_is_a_sentence_too(
    ask: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    with patch(
        "custom_components.chatterbox.agent.loop.next_step", side_effect=ZeroDivisionError("inside")
    ):
        result = await ask("Hello")
    assert result.response.response_type.value == "error"
    assert "inside" not in speech(result)
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("agent_options", [{"recommended": False, "max_iterations": 2}])
async def test_the_limit_is_told_as_a_question_and_the_turn_goes_on_later(
    ask: Ask, server: FakeOpenAI
) -> None:
    server.script(
        *[Reply(tool_calls=[Call("get_current_datetime")])] * 2,
        Reply("I have counted two."),
        Reply("It was a long way."),
    )
    result = await ask("Count the hours")
    assert speech(result) == "I have counted two. Should I continue?"
    assert sent(server)["tool_choice"] == "none"
    assert sent(server)["tools"] == sent(server, 0)["tools"]
    assert result.continue_conversation
    assert speech(await ask("Go on")) == "It was a long way."
    roles = [message["role"] for message in sent(server)["messages"]]
    assert roles.count("tool") == 2
    assert history_problems(sent(server)["messages"]) == []


@pytest.mark.parametrize("agent_options", [{"recommended": False, "silent_done": True}])
async def test_a_silent_confirmation_says_nothing(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    async_mock_service(home, "light", "turn_on")
    server.script(Reply(tool_calls=[Call("*HassTurnOn", {"name": "Desk"})]), Reply(""))
    result = await ask("Turn on the desk lamp")
    assert speech(result) == ""
    assert result.response.response_type.value == "action_done"


@pytest.mark.parametrize("agent_options", [{"recommended": False, "max_history_turns": 1}])
async def test_only_the_last_turns_are_sent(ask: Ask, server: FakeOpenAI) -> None:
    for text in ("One", "Two", "Three"):
        await ask(text)
    users = [m["content"] for m in sent(server)["messages"] if m["role"] == "user"]
    assert users == ["Two", "Three"]


@pytest.mark.parametrize("agent_options", [{"recommended": False, "streaming": False}])
async def test_without_streaming_the_answer_is_the_same(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply("It is noon."))
    assert speech(await ask("What time is it?")) == "It is noon."
    assert "stream" not in sent(server)


async def test_conversations_do_not_know_of_each_other(ask: Ask, server: FakeOpenAI) -> None:
    await ask("My name is Ann", "one")
    await ask("What is my name?", "two")
    assert "Ann" not in json.dumps(sent(server)["messages"])


async def test_every_language_is_supported(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    assert conversation.async_get_conversation_languages(hass, AGENT) == "*"
    info = conversation.async_get_agent_info(hass, AGENT)
    assert info is not None
    assert info.supports_streaming
    assert loaded_entry.domain == DOMAIN
