"""Tools that work, fail or raise, and count how often they ran."""

import asyncio
from typing import override

import voluptuous as vol

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

TOOLS = ("look", "paint", "break", "fail")


class CountedTool(llm.Tool):
    """Counts how often it ran with which piece of work."""

    integration = "workshop"
    description = "Works."

    def __init__(self, name: str, done: dict[str, int]) -> None:
        self.name = name
        # Home Assistant replaces voluptuous at run time.
        self.parameters = vol.Schema({vol.Required("piece"): str})  # type: ignore[assignment]
        self.annotations = llm.ToolAnnotations(read_only=name == "look")
        self._done = done

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        piece = f"{self.name} {tool_input.tool_args.get('piece')}"
        self._done[piece] = self._done.get(piece, 0) + 1
        await asyncio.sleep(0)
        if self.name == "break":
            raise KeyError(piece)
        if self.name == "fail":
            raise HomeAssistantError("The saw is blunt.")
        return llm.ToolResult(data={"piece": piece})


class Workshop(llm.API):
    """An LLM API with the tools."""

    def __init__(self, hass: HomeAssistant) -> None:
        super().__init__(hass=hass, id="workshop", name="Workshop")
        self.done: dict[str, int] = {}
        """Number of runs by tool and piece."""

    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        tools: list[llm.Tool] = [CountedTool(name, self.done) for name in TOOLS]
        return llm.APIInstance(api=self, api_prompt="", llm_context=llm_context, tools=tools)
