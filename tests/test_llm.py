"""Built-in tools for other agents, through the Assist API."""

from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN
from custom_components.chatterbox.llm import async_get_tools
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm

from .conversation_helpers import Ask
from .fake_openai import FakeOpenAI

WEATHER, DATE_TIME = "chatterbox__get_weather", "chatterbox__get_current_datetime"


@pytest.fixture
def options() -> dict[str, Any]:
    return {"shared_tools": ["get_current_datetime", "get_weather"]}


async def assist(hass: HomeAssistant, platform: str = "mcp_server") -> llm.APIInstance:
    """Return what an agent or client of a platform gets."""
    context = llm.LLMContext(
        platform=platform,
        context=Context(),
        language="en",
        assistant="conversation",
        device_id=None,
    )
    return await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)


def shared(api: llm.APIInstance) -> list[str]:
    return [tool.name for tool in api.tools if tool.integration == DOMAIN]


async def call(api: llm.APIInstance, name: str, **arguments: Any) -> llm.ToolResult:
    return await api.async_call_tool(llm.ToolInput(tool_name=name, tool_args=arguments))


async def test_other_agents_are_offered_the_shared_tools(
    home: HomeAssistant, loaded_entry: MockConfigEntry, caplog: pytest.LogCaptureFixture
) -> None:
    api = await assist(home)
    assert shared(api) == [WEATHER, DATE_TIME]
    result = await call(api, DATE_TIME, timezone="Asia/Tokyo")
    assert (result.error, result.data["timezone"]) == (False, "Asia/Tokyo")
    assert [tool.annotations.read_only for tool in api.tools if tool.name == WEATHER] == [True]
    assert "prefixed" not in caplog.text


async def test_other_agents_are_told_what_is_wrong(
    home: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    result = await call(await assist(home), DATE_TIME, zone="Asia/Tokyo")
    assert result.error
    assert result.data == {"error": "Unknown argument zone. Use only: timezone, offset_days."}


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, []), ({"shared_tools": ["get_weather", "get_horoscope"]}, [WEATHER])],
)
async def test_only_selected_tools_are_shared(
    home: HomeAssistant, loaded_entry: MockConfigEntry, expected: list[str]
) -> None:
    assert shared(await assist(home)) == expected


async def test_tools_are_gone_with_their_server(
    home: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    assert await home.config_entries.async_unload(loaded_entry.entry_id)
    assert shared(await assist(home)) == []


async def test_tools_change_with_the_home(
    home: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """The time zone is that of the home at the time of the call."""

    async def weather() -> llm.Tool:
        return next(tool for tool in (await assist(home)).tools if tool.name == WEATHER)

    assert await weather() is await weather()
    await home.config.async_update(time_zone="Asia/Tokyo")
    result = await call(await assist(home), DATE_TIME)
    assert result.data["timezone"] == "Asia/Tokyo"


async def test_own_agents_are_not_offered_a_tool_twice(
    ask: Ask, server: FakeOpenAI, home: HomeAssistant
) -> None:
    await ask("Hello", None)
    offered = server.completions[-1].tools
    assert [name for name in offered if name.endswith(("get_weather", "get_current_datetime"))] == [
        "get_current_datetime",
        "get_weather",
    ]


async def test_only_assist_has_the_tools(
    home: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """An API for administrators is no place for them."""
    context = (await assist(home)).llm_context
    assert async_get_tools(home, context, "homeassistant") is None
