"""Bridge between Home Assistant's LLM tools and the agent's."""

from dataclasses import dataclass, field
from typing import Any, override

import probatio as vol
import pytest

from custom_components.chatterbox.agent.errors import ToolArgumentError, ToolError
from custom_components.chatterbox.agent.messages import ToolAnnotations, ToolDefinition
from custom_components.chatterbox.llm_api import AgentAPI, HassTool, existing_apis, registry
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import llm


class DimTool(llm.Tool):
    """A tool of another integration."""

    name = "dim"
    description = "Dims a light."
    integration = "lamps"
    parameters = vol.Schema(
        {
            vol.Required("name"): cv.string,
            vol.Optional("level"): vol.All(vol.Coerce(int), vol.Range(min=0, max=100)),
        }
    )

    def __init__(self, outcome: Any = None) -> None:
        self.calls: list[dict[str, Any]] = []
        self.outcome = outcome or llm.ToolResult(data={"dimmed": True})

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        self.calls.append(tool_input.tool_args)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        result: llm.ToolResult = self.outcome
        return result


class LampAPI(llm.API):
    """An API of another integration."""

    def __init__(self, hass: HomeAssistant, *tools: llm.Tool, api_id: str = "lamps") -> None:
        super().__init__(hass=hass, id=api_id, name="Lamps")
        self.tools = list(tools)

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        return llm.APIInstance(self, "Use the lamps well.", llm_context, self.tools)


@dataclass
class EchoTool:
    """A built-in tool."""

    name: str = "echo"
    calls: list[dict[str, Any]] = field(default_factory=list)

    @property
    def definition(self) -> ToolDefinition:
        return ToolDefinition(
            name=self.name,
            description="Returns what it is given.",
            parameters={
                "type": "object",
                "properties": {
                    "text": {"type": "string", "description": "What to return."},
                    "times": {"type": "integer", "minimum": 1, "maximum": 3},
                    "loud": {"type": "boolean"},
                    "pitch": {"type": "number"},
                    "tone": {"type": "string", "enum": ["warm", "cold"]},
                },
                "required": ["text"],
            },
            annotations=ToolAnnotations(
                read_only=True, destructive=False, idempotent=True, open_world=False
            ),
        )

    async def call(self, arguments: dict[str, Any]) -> Any:
        self.calls.append(arguments)
        return {"echo": arguments["text"]}


@pytest.fixture
def context() -> llm.LLMContext:
    return llm.LLMContext(
        platform="chatterbox",
        context=Context(),
        language="en",
        assistant="conversation",
        device_id=None,
    )


async def tool_of(hass: HomeAssistant, context: llm.LLMContext, tool: llm.Tool) -> HassTool:
    return HassTool(tool, await LampAPI(hass, tool).async_get_api_instance(context))


async def test_definition_of_a_tool_is_home_assistants(
    hass: HomeAssistant, context: llm.LLMContext
) -> None:
    definition = (await tool_of(hass, context, DimTool())).definition
    wire = definition.to_wire()["function"]
    assert wire["name"] == "dim"
    assert wire["description"] == "Dims a light."
    assert wire["parameters"]["required"] == ["name"]
    assert set(wire["parameters"]["properties"]) == {"name", "level"}
    assert not definition.annotations.read_only


async def test_tool_is_called_with_the_arguments_of_the_model(
    hass: HomeAssistant, context: llm.LLMContext
) -> None:
    dim = DimTool()
    tool = await tool_of(hass, context, dim)
    assert await tool.call({"name": "Desk", "level": "40"}) == {"dimmed": True}
    assert dim.calls == [{"name": "Desk", "level": "40"}]


@pytest.mark.parametrize("blank", [None, "", [], {}])
async def test_blank_optional_argument_is_dropped(
    hass: HomeAssistant, context: llm.LLMContext, blank: object
) -> None:
    dim = DimTool()
    await (await tool_of(hass, context, dim)).call({"name": "Desk", "level": blank})
    assert dim.calls == [{"name": "Desk"}]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [({}, "name"), ({"name": "Desk", "level": 400}, "level"), ({"name": "Desk", "x": 1}, "x")],
)
async def test_invalid_arguments_are_rejected_before_the_call(
    hass: HomeAssistant, context: llm.LLMContext, arguments: dict[str, Any], named: str
) -> None:
    dim = DimTool()
    with pytest.raises(ToolArgumentError, match=named) as caught:
        await (await tool_of(hass, context, dim)).call(arguments)
    assert "Its arguments are: name, level." in str(caught.value)
    assert dim.calls == []


@pytest.mark.parametrize(
    ("outcome", "error", "text"),
    [
        (HomeAssistantError("no such lamp"), ToolError, "dim failed: no such lamp"),
        (HomeAssistantError(), ToolError, "dim failed: HomeAssistantError"),
        (Unauthorized(), ToolError, "dim failed: the user is not allowed to do that"),
        (vol.Invalid("not a lamp"), ToolArgumentError, "not a lamp"),
        (
            llm.ToolResult(data={"error": "X", "error_text": "it is broken"}, error=True),
            ToolError,
            "it is broken",
        ),
        (llm.ToolResult(data={"error": "broken"}, error=True), ToolError, "broken"),
        (llm.ToolResult(data={"reason": 3}, error=True), ToolError, "reason"),
    ],
)
async def test_error_of_a_tool_has_its_message(
    hass: HomeAssistant,
    context: llm.LLMContext,
    outcome: object,
    error: type[ToolError],
    text: str,
) -> None:
    tool = await tool_of(hass, context, DimTool(outcome))
    with pytest.raises(error, match=text):
        await tool.call({"name": "Desk"})


async def test_built_in_tools_are_added_to_those_of_the_apis(
    hass: HomeAssistant, context: llm.LLMContext
) -> None:
    llm.async_register_api(hass, LampAPI(hass, DimTool()))
    api = AgentAPI(hass, ["lamps"], [EchoTool()])
    instance = (
        await llm.async_get_authorized_api_instance(api, context)
        if hasattr(llm, "async_get_authorized_api_instance")
        else await api.async_get_api_instance(context)
    )
    assert instance.api_prompt == "Use the lamps well."
    assert registry(instance).names == ["dim", "echo"]


async def test_api_without_a_prompt_has_the_same_tools_and_an_id_of_its_own(
    hass: HomeAssistant, context: llm.LLMContext
) -> None:
    """The guided profile has a prompt of its own."""
    llm.async_register_api(hass, LampAPI(hass, DimTool()))
    whole = AgentAPI(hass, ["lamps"], [EchoTool()])
    guided = AgentAPI(hass, ["lamps"], [EchoTool()], with_prompt=False)
    assert whole.id != guided.id
    instance, told = [await api.async_get_api_instance(context) for api in (guided, whole)]
    assert instance.api_prompt == ""
    assert told.api_prompt
    assert [tool.name for tool in instance.tools] == [tool.name for tool in told.tools]


async def test_built_in_tools_work_without_any_api(
    hass: HomeAssistant, context: llm.LLMContext
) -> None:
    echo = EchoTool()
    instance = await AgentAPI(hass, [], [echo]).async_get_api_instance(context)
    tools = registry(instance)
    assert instance.api_prompt == ""
    tool = tools.get("echo")
    assert tool is not None
    assert await tool.call({"text": "hi", "times": 2, "tone": "warm"}) == {"echo": "hi"}
    assert echo.calls == [{"text": "hi", "times": 2, "tone": "warm"}]
    assert tool.definition.annotations == echo.definition.annotations


@pytest.mark.parametrize(
    "wrong",
    [{"times": 4}, {"times": "two"}, {"tone": "hot"}, {"loud": "very"}, {"pitch": "high"}],
)
async def test_arguments_of_a_built_in_tool_are_validated(
    hass: HomeAssistant, context: llm.LLMContext, wrong: dict[str, Any]
) -> None:
    echo = EchoTool()
    tool = registry(await AgentAPI(hass, [], [echo]).async_get_api_instance(context)).get("echo")
    assert tool is not None
    with pytest.raises(ToolArgumentError, match=next(iter(wrong))):
        await tool.call({"text": "hi", **wrong})
    assert echo.calls == []


async def test_tool_of_an_api_overrides_a_built_in_one_of_its_name(
    hass: HomeAssistant, context: llm.LLMContext
) -> None:
    llm.async_register_api(hass, LampAPI(hass, DimTool()))
    api = AgentAPI(hass, ["lamps"], [EchoTool("dim")])
    assert len((await api.async_get_api_instance(context)).tools) == 1


async def test_api_id_depends_on_the_apis_and_the_built_in_tools(hass: HomeAssistant) -> None:
    ids = {
        AgentAPI(hass, api_ids, tools).id
        for api_ids in ([], ["a"], ["a", "b"])
        for tools in ([], [EchoTool()])
    }
    assert len(ids) == 6


async def test_error_of_an_api_is_raised(hass: HomeAssistant, context: llm.LLMContext) -> None:
    class Closed(LampAPI):
        @override
        async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
            raise Unauthorized

    llm.async_register_api(hass, Closed(hass))
    with pytest.raises(Unauthorized):
        await AgentAPI(hass, ["lamps"], []).async_get_api_instance(context)


async def test_removed_api_is_left_out(hass: HomeAssistant) -> None:
    llm.async_register_api(hass, LampAPI(hass))
    assert existing_apis(hass, ["gone", "lamps"]) == ["lamps"]


async def test_registry_without_an_api_is_empty() -> None:
    assert registry(None).names == []
