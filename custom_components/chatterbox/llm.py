"""Built-in tools for the other agents of the home, through Home Assistant's Assist API."""

from collections.abc import Iterable
from typing import override

from homeassistant.components.llm import LLMTools
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import llm

from .agent.errors import ToolError
from .builtin_tools import built_in_tools
from .const import DOMAIN, SHARED_TOOLS
from .data import ChatterboxConfigEntry
from .home_cache import home_cache
from .llm_api import BuiltInTool


class SharedTool(BuiltInTool):
    """A built-in tool that any agent or MCP client can call."""

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Call the tool; an error is a result that says what to change."""
        try:
            return await super().async_call(hass, tool_input, llm_context)
        except ToolError as err:
            return llm.ToolResult(data={"error": str(err)}, error=True)


@callback
def async_get_tools(
    hass: HomeAssistant, llm_context: llm.LLMContext, api_id: str
) -> LLMTools | None:
    """Return the tools that the servers share, None for the own agents: these have them already."""
    if api_id != llm.LLM_API_ASSIST or llm_context.platform == DOMAIN:
        return None
    entries: list[ChatterboxConfigEntry] = hass.config_entries.async_loaded_entries(DOMAIN)
    shared = {name for entry in entries for name in entry.runtime_data.options.shared_tools}
    names = [name for name in SHARED_TOOLS if name in shared]
    if not names:
        return None
    tools = home_cache(hass).get((async_get_tools, *names), lambda: _tools(hass, names))
    return LLMTools(tools=[*tools])


def _tools(hass: HomeAssistant, names: Iterable[str]) -> list[llm.Tool]:
    return [SharedTool(tool, f"{DOMAIN}__") for tool in built_in_tools(hass, names)]
