"""Setup of a turn: the tools and the system prompt of its requests, and its stacks."""

from typing import override

import pytest

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import llm

from .conversation_helpers import AGENT, Ask, sent, speech
from .fake_openai import Call, FakeOpenAI, Reply


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
