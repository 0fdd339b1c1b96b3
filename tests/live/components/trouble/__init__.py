"""Tools that make trouble, for the live tests: an LLM API whose calls are counted in states."""

import asyncio
from typing import override

import probatio as vol

from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import llm
from homeassistant.helpers.typing import ConfigType

DOMAIN = "trouble"
GO_ON = "trouble_go_on"
CONFIG_SCHEMA = cv.empty_config_schema(DOMAIN)


class CountedTool(llm.Tool):
    """Counts its calls in the state `trouble.<name>`, and their ends in an attribute."""

    integration = DOMAIN
    description = "Makes trouble."
    parameters = vol.Schema({vol.Optional("colour"): str})
    annotations = llm.ToolAnnotations()

    def __init__(self, hass: HomeAssistant, name: str) -> None:
        self.name = name
        self._calls = self._finished = 0
        self.tell(hass)

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        self._calls += 1
        self.tell(hass)
        await self.work(hass)
        self._finished += 1
        self.tell(hass)
        return llm.ToolResult(data={"done": self.name})

    def tell(self, hass: HomeAssistant) -> None:
        """Set the state."""
        hass.states.async_set(
            f"{DOMAIN}.{self.name}", str(self._calls), {"finished": self._finished}
        )

    async def work(self, hass: HomeAssistant) -> None:
        """Be done at once."""


class LookingTool(CountedTool):
    """Changes nothing."""

    annotations = llm.ToolAnnotations(read_only=True, destructive=False)


class BreakingTool(CountedTool):
    """Has a bug."""

    @override
    async def work(self, hass: HomeAssistant) -> None:
        raise KeyError("secret")


class FailingTool(CountedTool):
    """Does not work."""

    @override
    async def work(self, hass: HomeAssistant) -> None:
        raise HomeAssistantError("The saw is blunt.")


class WaitingTool(CountedTool):
    """Goes on when an event comes."""

    @override
    async def work(self, hass: HomeAssistant) -> None:
        go_on = asyncio.Event()

        @callback
        def listen(_event: Event) -> None:
            go_on.set()

        hass.bus.async_listen_once(GO_ON, listen)
        await go_on.wait()


class TroubleAPI(llm.API):
    """All of them."""

    def __init__(self, hass: HomeAssistant) -> None:
        super().__init__(hass=hass, id=DOMAIN, name="Trouble")
        self._tools = [
            CountedTool(hass, "paint"),
            LookingTool(hass, "look"),
            BreakingTool(hass, "break"),
            FailingTool(hass, "fail"),
            WaitingTool(hass, "saw"),
        ]

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        return llm.APIInstance(
            api=self, api_prompt="", llm_context=llm_context, tools=[*self._tools]
        )


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Offer the tools."""
    llm.async_register_api(hass, TroubleAPI(hass))
    return True
