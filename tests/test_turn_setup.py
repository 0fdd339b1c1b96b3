"""Setup of a turn: the provider and dispatcher stacks, the system prompt and the tools."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, override

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.chatterbox.agent.errors import LLMConnectionError
from custom_components.chatterbox.agent.messages import Message, ToolCall
from custom_components.chatterbox.agent.model.provider import CompletionRequest
from custom_components.chatterbox.agent.tools.conversation_state import ConversationState
from custom_components.chatterbox.options import AgentOptions
from custom_components.chatterbox.turn_setup import (
    async_render_prompt,
    build_dispatcher,
    build_provider,
)
from homeassistant.components.conversation import ChatLog
from homeassistant.components.conversation.chat_log import async_get_chat_log
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import llm
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.setup import async_setup_component

from .builders import Workshop, user_message
from .conftest import MODEL
from .conversation_helpers import AGENT, Ask, sent, speech
from .fake_openai import Call, FakeOpenAI, Fault, Reply


@pytest.mark.parametrize("agent_options", [{"llm_hass_api": [], "built_in_tools": []}])
async def test_agent_without_tools_sends_none_and_the_time_with_the_message(
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
async def test_built_in_tools_work_although_the_chosen_api_was_removed(
    ask: Ask, server: FakeOpenAI
) -> None:
    server.script(Reply(tool_calls=[Call("get_current_datetime")]), Reply("Noon."))
    assert speech(await ask("What time is it?")) == "Noon."
    names = [tool["function"]["name"] for tool in sent(server)["tools"]]
    assert names == ["get_current_datetime", "get_weather"]
    assert "day_of_week" in sent(server)["messages"][-1]["content"]


@pytest.mark.parametrize("agent_options", [{"prompt": "{{ undefined_function() }}"}])
async def test_invalid_template_of_the_instructions_is_answered_with_a_sentence(
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
async def test_error_of_an_api_is_answered_with_a_sentence(
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


# The stacks.


@pytest.fixture
def chat_log(home: HomeAssistant) -> Iterator[ChatLog]:
    with (
        async_get_chat_session(home) as session,
        async_get_chat_log(home, session, user_message()) as opened,
    ):
        yield opened


def options_of(**options: Any) -> AgentOptions:
    return AgentOptions.parse({CONF_MODEL: MODEL, "llm_hass_api": ["assist"], **options})


async def test_provider_trims_to_the_configured_context_window(
    loaded_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    data, options = loaded_entry.runtime_data, options_of(context_window=3_000, max_tokens=500)
    model = data.server.provider(options.model_settings())
    provider = build_provider(data, options, model)
    long = [Message.user("word " * 400), Message.assistant("word " * 400)] * 20
    request = CompletionRequest(
        messages=(Message.system("Be brief."), *long, Message.user("Are you there?"))
    )
    await provider.complete(request)
    (sent_now,) = [request.messages for request in server.completions]
    assert len(sent_now) < len(request.messages)
    assert sent_now[0]["content"] == "Be brief."
    assert sent_now[-1]["content"] == "Are you there?"
    assert provider.history_budget is not None


async def test_provider_retries_within_the_wait_budget_of_the_server(
    loaded_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    data, options = loaded_entry.runtime_data, options_of()
    model = data.server.provider(options.model_settings())
    request = CompletionRequest(messages=(Message.user("Hello"),))
    for wait_budget, answers in ((8, True), (0, False)):
        data.options = replace(data.options, retry_wait=wait_budget)
        server.reset()
        server.script(Reply(fault=Fault.RESET), Reply("Hi."))
        provider = build_provider(data, options, model)
        if answers:
            assert (await provider.complete(request)).content == "Hi."
        else:
            with pytest.raises(LLMConnectionError):
                await provider.complete(request)


@pytest.mark.parametrize("with_prompt", [True, False])
async def test_prompts_of_the_apis_are_left_out_for_a_guided_model(
    loaded_entry: MockConfigEntry, chat_log: ChatLog, *, with_prompt: bool
) -> None:
    """The tools are the same in both cases; a built-in one is among them."""
    options = options_of(prompt="Be brief.", built_in_tools=["get_current_datetime"])
    prompt = await async_render_prompt(
        options, chat_log, user_message(), [], guided=not with_prompt
    )
    names = {tool.name for tool in prompt.tools}
    assert "get_current_datetime" in names
    assert any(name.endswith("HassTurnOn") for name in names)
    assert "Be brief." in prompt.system
    assert ("Desk" in prompt.system) is with_prompt


async def test_agent_without_tools_has_no_api(
    loaded_entry: MockConfigEntry, chat_log: ChatLog
) -> None:
    options = options_of(llm_hass_api=[], prompt="Be brief.")
    prompt = await async_render_prompt(options, chat_log, user_message(), [], guided=False)
    assert prompt.tools == []
    assert chat_log.llm_api is None
    assert prompt.system.startswith("Be brief.")
    assert "Current time" not in prompt.system
    assert "Current time" in " ".join(prompt.time_and_place)


async def test_dispatcher_withholds_a_call_until_it_is_confirmed(
    home: HomeAssistant, loaded_entry: MockConfigEntry, chat_log: ChatLog
) -> None:
    unlock = async_mock_service(home, "lock", "unlock")
    data, options, state = (
        loaded_entry.runtime_data,
        options_of(confirm=["locks"]),
        ConversationState(),
    )
    prompt = await async_render_prompt(options, chat_log, user_message(), [], guided=False)
    (name,) = (tool.name for tool in prompt.tools if tool.name.endswith("HassTurnOff"))
    call = ToolCall(id="c", name=name, arguments={"name": "Front Door"})
    withheld = await build_dispatcher(home, data, options, prompt.registry, state).dispatch(call)
    assert withheld.error
    assert unlock == []
    assert state.pending_calls
    confirmed = build_dispatcher(
        home, data, options, prompt.registry, state, confirmed_calls=(call,)
    )
    assert not (await confirmed.dispatch(call)).error
    assert len(unlock) == 1


async def test_dispatcher_stops_a_slow_tool_and_records_it(
    loaded_entry: MockConfigEntry, chat_log: ChatLog, workshop: Workshop
) -> None:
    options = options_of(llm_hass_api=["workshop"], turn_timeout=0.04)
    prompt = await async_render_prompt(options, chat_log, user_message(), [], guided=False)
    dispatcher = build_dispatcher(
        chat_log.hass, loaded_entry.runtime_data, options, prompt.registry, ConversationState()
    )
    call = ToolCall(id="c", name=prompt.tools[0].name, arguments={})
    result = await dispatcher.dispatch(call)
    assert result.error
    assert dispatcher.outcome(call) is result
    assert not dispatcher.writing
    workshop.go_on.set()
    await chat_log.hass.async_block_till_done()


async def test_built_in_tools_follow_the_configuration_of_the_home(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    zones = []
    for zone in ("Europe/Paris", "Europe/Paris", "Asia/Tokyo"):
        await hass.config.async_update(time_zone=zone)
        server.script(Reply(tool_calls=[Call("get_current_datetime")]), Reply("Noon."))
        await ask("What time is it?", None)
        zones.append(json.loads(sent(server)["messages"][-1]["content"])["result"]["timezone"])
    assert zones == ["Europe/Paris", "Europe/Paris", "Asia/Tokyo"]


SEARCHING = {
    "llm_hass_api": ["assist", "workshop"],
    "built_in_tools": ["get_current_datetime", "search_tools"],
    "context_window": 4096,
}


class TestToolSearch:
    """A set of tools that fills too much of the context window."""

    @pytest.fixture
    def agent_options(self) -> dict[str, Any]:
        return SEARCHING

    @pytest.fixture(autouse=True)
    async def scripts(self, home: HomeAssistant, workshop: Workshop) -> None:
        """Add a script to the home, and expose it."""
        dance = {"alias": "Dance", "description": "Lets the robot dance.", "sequence": []}
        assert await async_setup_component(home, "script", {"script": {"dance": dance}})
        async_expose_entity(home, "conversation", "script.dance", should_expose=True)
        workshop.go_on.set()
        await home.async_block_till_done()

    async def test_found_tools_are_offered_from_then_on(
        self, ask: Ask, server: FakeOpenAI, workshop: Workshop
    ) -> None:
        """Behind those that were offered before, and in later turns, too."""
        server.script(
            Reply(tool_calls=[Call("search_tools", {"query": "saw a board"})]),
            Reply(tool_calls=[Call("*saw", {})]),
            Reply("Done."),
        )
        assert speech(await ask("Saw a board", "hall")) == "Done."
        await ask("And now?", "hall")
        first, second, third, later = (request.tools for request in server.completions)
        assert workshop.finished == 1
        assert "search_tools" in first
        assert [name for name in first if name.endswith("HassTurnOn")]
        assert not [name for name in first if name.endswith(("saw", "dance"))]
        assert second[: len(first)] == first
        assert [name.rpartition("__")[2] for name in second[len(first) :]] == ["saw"]
        assert later == third == second

    async def test_script_is_found(self, ask: Ask, server: FakeOpenAI) -> None:
        server.script(
            Reply(tool_calls=[Call("search_tools", {"query": "robot"})]), Reply("I can dance.")
        )
        await ask("What can the robot do?", None)
        (found,) = json.loads(sent(server)["messages"][-1]["content"])["result"]["tools"]
        assert found["description"].startswith("Lets the robot dance.")
        assert server.completions[-1].tools[-1] == found["name"]

    async def test_unlisted_tool_can_be_called(
        self, ask: Ask, server: FakeOpenAI, workshop: Workshop
    ) -> None:
        """By a model that knows its name, with the same checks as any other."""
        server.script(
            Reply(tool_calls=[Call("search_tools", {"query": "qqq"})]),
            Reply("No."),
        )
        await ask("Hello", None)
        names = json.loads(sent(server)["messages"][-1]["content"])["result"]["no_match_among"]
        (saw,) = (name for name in names if name.endswith("saw"))
        assert saw not in server.completions[-1].tools
        server.script(
            Reply(tool_calls=[Call(saw, {"x": 1})]), Reply(tool_calls=[Call(saw)]), Reply("Done.")
        )
        await ask("Saw a board", None)
        answers = [each for each in sent(server)["messages"] if each["role"] == "tool"]
        assert [json.loads(each["content"])["success"] for each in answers] == [False, True]
        assert workshop.calls == 1

    @pytest.mark.parametrize(
        "agent_options",
        [
            {**SEARCHING, "context_window": 0},
            {**SEARCHING, "context_window": 1_000_000},
            {**SEARCHING, "built_in_tools": []},
        ],
        ids=["unknown", "large", "off"],
    )
    async def test_all_tools_are_listed_below_the_limit(self, ask: Ask, server: FakeOpenAI) -> None:
        """Or if the context window is not known, or without the option."""
        await ask("Hello", None)
        offered = server.completions[-1].tools
        assert "search_tools" not in offered
        assert [name for name in offered if name.endswith("saw")]

    @pytest.mark.parametrize("agent_options", [{**SEARCHING, "profile": "guided"}])
    async def test_guided_model_has_no_search(self, ask: Ask, server: FakeOpenAI) -> None:
        await ask("Hello", None)
        assert "search_tools" not in json.dumps(server.completions[-1].json)
