"""Another agent, for the live tests: an action calls a tool of the Assist API in its name."""

import probatio as vol

from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import llm
from homeassistant.helpers.typing import ConfigType

DOMAIN = "neighbor"
CONFIG_SCHEMA = cv.empty_config_schema(DOMAIN)


async def call_tool(call: ServiceCall) -> ServiceResponse:
    """Return the names of all tools, and the result of one."""
    context = llm.LLMContext(
        platform=DOMAIN,
        context=call.context,
        language="en",
        assistant="conversation",
        device_id=None,
    )
    api = await llm.async_get_api(call.hass, llm.LLM_API_ASSIST, context)
    result = await api.async_call_tool(
        llm.ToolInput(tool_name=call.data["tool"], tool_args=call.data["arguments"])
    )
    return {
        "tools": [tool.name for tool in api.tools],
        "data": result.data,
        "error": result.error,
    }


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Register the action."""
    hass.services.async_register(
        DOMAIN,
        "call_tool",
        call_tool,
        schema=vol.Schema({vol.Required("tool"): str, vol.Required("arguments"): dict}),
        supports_response=SupportsResponse.ONLY,
    )
    return True
