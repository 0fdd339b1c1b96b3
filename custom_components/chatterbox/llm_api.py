"""Adapters between Home Assistant's LLM tools and the agent's."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, override

import voluptuous as vol

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import intent, llm
from homeassistant.util.json import JsonObjectType

from .agent.errors import ToolArgumentError, ToolError
from .agent.tools.registry import Tool, ToolRegistry
from .assist_api import async_get_assist
from .const import DOMAIN
from .intents.match_errors import nearest_names
from .tool_definitions import tool_definition

_JSON_TYPES: Mapping[str, Any] = {
    "string": str,
    "integer": vol.Coerce(int),
    "number": vol.Coerce(float),
    "boolean": bool,
}


_WRITTEN_BY_USERS = frozenset({"intent_script", "script"})


class HassTool:
    """Adapter of a Home Assistant tool for the agent; it is called through its API."""

    def __init__(self, tool: llm.Tool, api: llm.APIInstance) -> None:
        self._tool = tool
        self._api = api
        if isinstance(tool, BuiltInTool):
            self.definition = tool.definition
        else:
            self.definition = tool_definition(api.api.hass, tool, api.custom_serializer)

    async def call(self, arguments: dict[str, Any]) -> Any:
        """Validate the arguments and call the tool.

        It gets them unconverted: an intent validates its slots itself and rejects values that are
        converted already.
        """
        arguments = _without_blanks(arguments, self.definition.parameters)
        try:
            self._tool.parameters(dict(arguments))
            result = await self._api.async_call_tool(
                llm.ToolInput(tool_name=self._tool.name, tool_args=arguments)
            )
        except vol.Invalid as err:
            raise ToolArgumentError(self._argument_error(err)) from err
        except intent.MatchFailedError as err:
            hint = nearest_names(self._api.api.hass, err)
            raise ToolError(f"{self._tool.name} failed: {err}.{hint}") from err
        except Unauthorized as err:
            raise ToolError(
                f"{self._tool.name} failed: the user is not allowed to do that. Tell them so."
            ) from err
        except HomeAssistantError as err:
            raise ToolError(f"{self._tool.name} failed: {str(err) or type(err).__name__}") from err
        if result.error:
            raise ToolError(_error_text(result.data))
        return result.data

    def _argument_error(self, err: vol.Invalid) -> str:
        properties = ", ".join(self.definition.parameters.get("properties") or ()) or "none"
        return f"Wrong arguments for {self._tool.name}: {err}. Its arguments are: {properties}."


class BuiltInTool(llm.Tool):
    """Adapter of a tool of the agent for Home Assistant; its name gets the prefix."""

    integration = DOMAIN

    def __init__(self, tool: Tool, prefix: str = "") -> None:
        self.definition = definition = tool.definition
        self._call = tool.call
        self.name = f"{prefix}{definition.name}"
        self.description = definition.description
        self.annotations = llm.ToolAnnotations(
            read_only=definition.annotations.read_only,
            destructive=definition.annotations.destructive,
            idempotent=definition.annotations.idempotent,
            open_world=definition.annotations.open_world,
        )

    @cached_property
    def parameters(self) -> Any:  # type: ignore[override]  # it is made when it is needed
        """The schema of the arguments, made when they are validated."""
        return _schema(self.definition.parameters)

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Call the tool."""
        return llm.ToolResult(data=await self._call(tool_input.tool_args))


class AgentAPI(llm.API):
    """LLM API with the tools of one agent: those of the chosen APIs and the built-in ones.

    Without `with_prompt`, the prompts of the chosen APIs are left out.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        api_ids: Sequence[str],
        tools: Sequence[Tool],
        *,
        with_prompt: bool = True,
    ) -> None:
        # A chat session reuses prompt and tools while the id stays the same.
        names = [tool.definition.name for tool in tools]
        parts = [DOMAIN, *api_ids, *names, *([] if with_prompt else ["guided"])]
        super().__init__(hass=hass, id="|".join(parts), name="Chatterbox")
        self._api_ids = list(api_ids)
        self._tools = tools
        self._with_prompt = with_prompt

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """Return the instance for a request; raise `HomeAssistantError` if an API refuses it."""
        tools: list[llm.Tool] = []
        prompt = ""
        serializer: Callable[[Any], Any] | None = llm.selector_serializer
        if self._api_ids:
            chosen = await self._async_get_chosen(llm_context)
            tools, prompt, serializer = chosen.tools, chosen.api_prompt, chosen.custom_serializer
        taken = {tool.name for tool in tools}
        built_in = [BuiltInTool(tool) for tool in self._tools if tool.definition.name not in taken]
        return llm.APIInstance(
            api=self,
            api_prompt=prompt if self._with_prompt else "",
            llm_context=llm_context,
            tools=[*tools, *built_in],
            custom_serializer=serializer,
        )

    async def _async_get_chosen(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """Return the instance of the chosen APIs."""
        if self._api_ids == [llm.LLM_API_ASSIST]:
            return await async_get_assist(self.hass, llm_context)
        return await llm.async_get_api(self.hass, self._api_ids, llm_context)


async def async_searched_tools(hass: HomeAssistant, api: llm.APIInstance) -> frozenset[str]:
    """Return the names of the tools that are neither Assist's own nor built-in.

    Assist has tools of Home Assistant itself, and those that the user has written as scripts.
    """
    assist = await async_get_assist(hass, api.llm_context)
    own = {tool.name for tool in assist.tools if tool.integration not in _WRITTEN_BY_USERS}
    return frozenset(
        tool.name
        for tool in api.tools
        if not isinstance(tool, BuiltInTool) and _original(tool).name not in own
    )


def _original(tool: llm.Tool) -> llm.Tool:
    """Return a tool without the prefix that it has among those of several APIs."""
    return _original(tool.tool) if isinstance(tool, llm.NamespacedTool) else tool


def existing_apis(hass: HomeAssistant, api_ids: Sequence[str]) -> list[str]:
    """Return the APIs that exist; the integration of a chosen one may have been removed."""
    existing = {api.id for api in llm.async_get_apis(hass)}
    return [api_id for api_id in api_ids if api_id in existing]


def registry(api: llm.APIInstance | None) -> ToolRegistry:
    """Return the tools of an API for the agent."""
    return ToolRegistry(HassTool(tool, api) for tool in api.tools) if api else ToolRegistry()


def _without_blanks(arguments: dict[str, Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments without blank optional ones, which models fill in, too."""
    required = parameters.get("required") or ()
    return {
        name: value
        for name, value in arguments.items()
        if name in required or value not in (None, "", [], {})
    }


def _schema(parameters: Mapping[str, Any]) -> Any:
    """Return the schema for the parameters of a built-in tool, all of scalar types.

    It is a `probatio.Schema`, with which Home Assistant replaces voluptuous.
    """
    required = parameters.get("required") or ()
    schema: dict[vol.Marker, Any] = {}
    for name, details in (parameters.get("properties") or {}).items():
        marker = vol.Required if name in required else vol.Optional
        checks: list[Any] = [_JSON_TYPES[details["type"]]]
        if "minimum" in details or "maximum" in details:
            checks.append(vol.Range(min=details.get("minimum"), max=details.get("maximum")))
        if "enum" in details:
            checks.append(vol.In(details["enum"]))
        schema[marker(name, description=details.get("description"))] = vol.All(*checks)
    return vol.Schema(schema)


def _error_text(data: JsonObjectType) -> str:
    """Return the message of an error that a tool returned instead of raising it."""
    return str(data.get("error_text") or data.get("error") or data)
