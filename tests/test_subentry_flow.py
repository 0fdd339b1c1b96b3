"""Subentry flow of a conversation agent, against a real HTTP server."""

from collections.abc import Mapping
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.model.server_quirks import Quirk
from custom_components.chatterbox.const import (
    BUILT_IN_TOOLS,
    CONF_BACKGROUND_TOOLS,
    CONF_BUILT_IN_TOOLS,
    CONF_CONFIRM,
    CONF_CONTEXT_WINDOW,
    CONF_CONTINUE_CONVERSATION,
    CONF_EXTRA_BODY,
    CONF_INTERRUPT,
    CONF_LEAD_IN,
    CONF_MAX_HISTORY_TURNS,
    CONF_MAX_ITERATIONS,
    CONF_MAX_SENTENCES,
    CONF_MAX_TOKENS,
    CONF_MAX_TOOL_RESULT_CHARS,
    CONF_MEMORY_MINUTES,
    CONF_MEMORY_SCOPE,
    CONF_NEW_CONVERSATION,
    CONF_NOTE_CUT_OFF,
    CONF_ON_LIMIT,
    CONF_PLAIN_SPEECH,
    CONF_PREWARM,
    CONF_PROFILE,
    CONF_QUICK_CONFIRMATION,
    CONF_RECOMMENDED,
    CONF_REMEMBER,
    CONF_RETRY_COMMANDS,
    CONF_SILENT_DONE,
    CONF_SOFT_TIMEOUT,
    CONF_STREAMING,
    CONF_SUMMARIZE,
    CONF_TEMPERATURE,
    CONF_THINKING,
    CONF_TOOL_EXECUTION,
    CONF_TOOL_RETRIES,
    CONF_TOOL_TIMEOUT,
    CONF_TURN_TIMEOUT,
    SECTION_VOICE,
    SUBENTRY_CONVERSATION,
    TOOL_WEATHER,
)
from custom_components.chatterbox.options import AgentOptions
from custom_components.chatterbox.prompt import DEFAULT_PROMPT
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigEntryState,
    ConfigSubentry,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_NAME, CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component

from .conftest import MODEL
from .fake_openai import Call, FakeOpenAI, Fault, Reply
from .form_helpers import fields, suggested

ADVANCED = {
    CONF_TEMPERATURE: 0.2,
    CONF_MAX_TOKENS: 300,
    CONF_MAX_ITERATIONS: 3,
    CONF_MAX_HISTORY_TURNS: 0,
    CONF_TURN_TIMEOUT: 20,
    CONF_TOOL_TIMEOUT: 5,
    CONF_TOOL_RETRIES: 1,
    CONF_TOOL_EXECUTION: "sequential",
    CONF_MAX_TOOL_RESULT_CHARS: 500,
    CONF_ON_LIMIT: "stop",
    CONF_NOTE_CUT_OFF: False,
    CONF_STREAMING: False,
    CONF_SOFT_TIMEOUT: 15,
    CONF_RETRY_COMMANDS: False,
    CONF_CONFIRM: ["locks", "doors"],
    CONF_REMEMBER: "session",
    CONF_MEMORY_SCOPE: "user",
    CONF_MEMORY_MINUTES: 10,
    CONF_SUMMARIZE: True,
    CONF_CONTEXT_WINDOW: 4_096,
}

VOICE = {
    CONF_QUICK_CONFIRMATION: False,
    CONF_CONTINUE_CONVERSATION: "always",
    CONF_LEAD_IN: True,
    CONF_MAX_SENTENCES: 3,
    CONF_INTERRUPT: True,
    CONF_BACKGROUND_TOOLS: True,
    CONF_SILENT_DONE: True,
    CONF_NEW_CONVERSATION: False,
    CONF_PLAIN_SPEECH: False,
}

ADVANCED_FORM = {**ADVANCED, SECTION_VOICE: VOICE}

MODEL_OPTIONS = {
    CONF_PROFILE: "guided",
    CONF_THINKING: "off",
    CONF_PREWARM: "never",
    CONF_EXTRA_BODY: {"seed": 7},
}


class HomeAPI(llm.API):
    """An API that reaches everything, as the one for administrators does."""

    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """Return the API without tools."""
        return llm.APIInstance(api=self, api_prompt="", llm_context=llm_context, tools=[])


async def add(hass: HomeAssistant, entry: MockConfigEntry) -> SubentryFlowResult:
    """Open the form of a new agent."""
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, SUBENTRY_CONVERSATION), context={"source": SOURCE_USER}
    )


async def submit(
    hass: HomeAssistant, form: SubentryFlowResult, values: Mapping[str, Any]
) -> SubentryFlowResult:
    """Send a form."""
    return await hass.config_entries.subentries.async_configure(form["flow_id"], dict(values))


def first_agent(entry: MockConfigEntry) -> ConfigSubentry:
    """Return the agent that the entry began with."""
    return next(iter(entry.subentries.values()))


async def change(hass: HomeAssistant, entry: MockConfigEntry) -> SubentryFlowResult:
    """Open the form of the first agent."""
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, SUBENTRY_CONVERSATION),
        context={"source": SOURCE_RECONFIGURE, "subentry_id": first_agent(entry).subentry_id},
    )


def fractions(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as the frontend sends them: its whole numbers are fractions."""
    return {key: float(value) if type(value) is int else value for key, value in values.items()}


async def test_agent_is_added_with_recommended_settings(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """A second agent speaks with another model of the same server."""
    server.models = ("b", "gpt-4o-mini", MODEL)
    llm.async_register_api(hass, HomeAPI(hass=hass, id="homeassistant", name="Home Assistant"))
    form = await add(hass, loaded_entry)
    assert (form["step_id"], form["errors"]) == ("init", {})
    assert suggested(form) == {
        CONF_MODEL: "gpt-4o-mini",
        CONF_PROMPT: DEFAULT_PROMPT,
        CONF_LLM_HASS_API: ["assist"],
        CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
        CONF_RECOMMENDED: True,
    }
    apis = fields(form)[CONF_LLM_HASS_API]["selector"]["select"]["options"]
    assert {"homeassistant", "assist"} <= {api["value"] for api in apis}

    result = await submit(hass, form, {**suggested(form), CONF_MODEL: " b ", CONF_NAME: " Bob "})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done(wait_background_tasks=True)
    [_, agent] = loaded_entry.subentries.values()
    assert (agent.subentry_type, agent.title) == (SUBENTRY_CONVERSATION, "Bob")
    # The default text is not kept, so that the agent gets it when it becomes better.
    assert agent.data == {
        CONF_MODEL: "b",
        CONF_LLM_HASS_API: ["assist"],
        CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
        CONF_RECOMMENDED: True,
    }
    assert hass.states.get("conversation.bob")
    # The server lists the model, so that it need not be tried.
    assert not server.completions


async def test_emptied_fields_are_stored_as_empty(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """What is emptied is not there: no name, no instructions, no tools."""
    form = await add(hass, loaded_entry)
    await submit(hass, form, {CONF_MODEL: MODEL, CONF_RECOMMENDED: True})
    await hass.async_block_till_done(wait_background_tasks=True)
    [_, agent] = loaded_entry.subentries.values()
    assert agent.title == "Scripted 1"
    assert agent.data == {
        CONF_MODEL: MODEL,
        CONF_LLM_HASS_API: [],
        CONF_BUILT_IN_TOOLS: [],
        CONF_RECOMMENDED: True,
    }


async def test_agent_is_added_with_advanced_settings(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """Without the recommended settings, they are asked for."""
    form = await add(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_RECOMMENDED: False})
    assert form["step_id"] == "advanced"
    defaults = suggested(form)
    assert defaults.keys() == ADVANCED_FORM.keys()
    assert defaults[SECTION_VOICE].keys() == VOICE.keys()
    numbers = {**fractions(ADVANCED), SECTION_VOICE: fractions(VOICE)}
    form = await submit(hass, form, numbers)
    assert form["step_id"] == "model_options"
    result = await submit(hass, form, MODEL_OPTIONS)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done(wait_background_tasks=True)
    [_, agent] = loaded_entry.subentries.values()
    assert agent.data == {
        CONF_MODEL: MODEL,
        CONF_LLM_HASS_API: ["assist"],
        CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
        CONF_RECOMMENDED: False,
        **ADVANCED,
        **VOICE,
        **MODEL_OPTIONS,
    }
    # Whole numbers are stored as such.
    assert {key: type(agent.data[key]) for key in ADVANCED | VOICE} == {
        key: type(value) for key, value in (ADVANCED | VOICE).items()
    }


async def test_advanced_form_suggests_the_defaults(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """The form begins with what holds when nobody fills it in."""
    form = await add(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_RECOMMENDED: False})
    values = suggested(form)
    shown = AgentOptions.parse({CONF_MODEL: MODEL} | values | values[SECTION_VOICE])
    default = AgentOptions.parse({CONF_MODEL: MODEL})
    assert shown.model_settings() == default.model_settings()
    assert shown.loop == default.loop
    assert shown.voice == default.voice


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (CONF_TEMPERATURE, 2.1),
        (CONF_MAX_TOKENS, 0),
        (CONF_MAX_ITERATIONS, 0),
        (CONF_MAX_ITERATIONS, 51),
        (CONF_MAX_HISTORY_TURNS, 201),
        (CONF_TURN_TIMEOUT, 0),
        (CONF_TOOL_TIMEOUT, 121),
        (CONF_TOOL_RETRIES, 4),
        (CONF_TOOL_EXECUTION, "both"),
        (CONF_MAX_TOOL_RESULT_CHARS, 499),
        (CONF_ON_LIMIT, "panic"),
    ],
)
async def test_value_out_of_range_is_rejected_at_its_field(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, key: str, value: Any
) -> None:
    """What makes no sense is refused at its field, and the form stays open."""
    form = await add(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_RECOMMENDED: False})
    with pytest.raises(InvalidData) as caught:
        await submit(hass, form, {SECTION_VOICE: {}, key: value})
    assert caught.value.schema_errors.keys() == {key}
    form = await submit(hass, form, ADVANCED_FORM)
    assert form["step_id"] == "model_options"


@pytest.mark.parametrize(
    ("key", "value"), [(CONF_MAX_SENTENCES, -1), (CONF_CONTINUE_CONVERSATION, "sometimes")]
)
async def test_value_out_of_range_in_the_section_is_rejected(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, key: str, value: Any
) -> None:
    form = await add(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_RECOMMENDED: False})
    with pytest.raises(InvalidData) as caught:
        await submit(hass, form, {SECTION_VOICE: {key: value}})
    # Home Assistant reports what is wrong in a section for the whole form.
    [problem] = caught.value.schema_errors["base"]
    assert f"{SECTION_VOICE}.{key}" in problem


@pytest.mark.parametrize(
    "agent_options",
    [
        {
            **ADVANCED,
            **VOICE,
            **MODEL_OPTIONS,
            CONF_RECOMMENDED: False,
            CONF_LLM_HASS_API: ["assist", "homeassistant", "gone"],
        }
    ],
)
async def test_reconfigured_agent_keeps_its_settings_and_its_model_is_not_tested(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """An agent is shown as it is, without what is no longer there; its model is not tried again."""
    llm.async_register_api(hass, HomeAPI(hass=hass, id="homeassistant", name="Home Assistant"))
    form = await change(hass, loaded_entry)
    assert (form["step_id"], form["errors"]) == ("init", {})
    assert suggested(form) == {
        CONF_NAME: "Scripted",
        CONF_MODEL: MODEL,
        CONF_PROMPT: "You are a test.",
        CONF_LLM_HASS_API: ["assist", "homeassistant"],
        CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
        CONF_RECOMMENDED: False,
    }
    form = await submit(
        hass,
        form,
        {
            **suggested(form),
            CONF_NAME: "Other",
            CONF_BUILT_IN_TOOLS: [TOOL_WEATHER],
            CONF_PROMPT: "You are {{ ha_name }}.",
        },
    )
    assert form["step_id"] == "advanced"
    assert suggested(form) == ADVANCED_FORM
    form = await submit(hass, form, {**ADVANCED_FORM, CONF_MAX_TOKENS: 400})
    assert suggested(form) == MODEL_OPTIONS
    kept = {key: value for key, value in MODEL_OPTIONS.items() if key != CONF_EXTRA_BODY}
    result = await submit(hass, form, kept)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    agent = first_agent(loaded_entry)
    assert agent.title == "Other"
    assert agent.data == {
        CONF_MODEL: MODEL,
        CONF_PROMPT: "You are {{ ha_name }}.",
        CONF_LLM_HASS_API: ["assist", "homeassistant"],
        CONF_BUILT_IN_TOOLS: [TOOL_WEATHER],
        CONF_RECOMMENDED: False,
        **ADVANCED,
        **VOICE,
        CONF_MAX_TOKENS: 400,
        **kept,
    }


async def test_capabilities_of_the_model_are_shown_and_stored(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """With the profile that follows from it; the profile stays automatic all the same."""
    server.refuses = ["tools", "response_format"]
    form = await add(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_RECOMMENDED: False})
    form = await submit(hass, form, ADVANCED_FORM)
    assert suggested(form)[CONF_PROFILE] == "auto"
    placeholders = form["description_placeholders"]
    assert placeholders is not None
    assert (placeholders["streaming"], placeholders["tools"]) == ("✓", "✗")
    assert placeholders["profile"] == "guided, because the server does not accept tools"
    asked = len(server.completions)
    wrong = await submit(hass, form, {**MODEL_OPTIONS, CONF_EXTRA_BODY: ["no object"]})
    assert wrong["errors"] == {CONF_EXTRA_BODY: "no_object"}
    wrong = await submit(
        hass, form, {**MODEL_OPTIONS, CONF_EXTRA_BODY: {"messages": [], "top_k": 1}}
    )
    assert wrong["errors"] == {CONF_EXTRA_BODY: "reserved"}
    # What was found out is not asked for again.
    assert len(server.completions) == asked
    assert not loaded_entry.runtime_data.quirks[MODEL].known
    result = await submit(hass, wrong, {**MODEL_OPTIONS, CONF_PROFILE: "auto"})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done(wait_background_tasks=True)
    # It is known after the reload, so that the first turn need not find it out.
    learned = loaded_entry.runtime_data.quirks[MODEL].rejected
    assert {Quirk.TOOLS, Quirk.RESPONSE_FORMAT} <= learned


@pytest.mark.parametrize("agent_options", [{CONF_MODEL: "tiny-1.5b"}])
async def test_small_model_that_calls_tools_gets_the_capable_profile(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """What the test finds takes the place of what was learned before."""
    loaded_entry.runtime_data.quirks["tiny-1.5b"].learn("temperature")
    loaded_entry.runtime_data.quirks["tiny-1.5b"].learn(Quirk.IGNORES_TOOLS)
    form = await change(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_RECOMMENDED: False})
    server.script(
        Reply("It is noon."), *[Reply(tool_calls=[Call("get_time", {"city": "Oslo"})])] * 2
    )
    form = await submit(hass, form, suggested(form))
    placeholders = form["description_placeholders"] or {}
    assert placeholders["tools"] == "✓"
    assert placeholders["profile"] == "capable, because the model has called a tool"
    await submit(hass, form, suggested(form))
    await hass.async_block_till_done(wait_background_tasks=True)
    learned = loaded_entry.runtime_data.quirks["tiny-1.5b"].known
    assert learned.keys() == {Quirk.CALLED_NATIVELY, Quirk.RESPONSE_FORMAT}


@pytest.mark.parametrize(
    "agent_options", [{**ADVANCED, CONF_PROFILE: "capable", CONF_RECOMMENDED: False}]
)
async def test_another_model_resets_profile_and_temperature(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """A small one is to be more exact."""
    form = await change(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_MODEL: "tiny-1.5b"})
    assert suggested(form)[CONF_TEMPERATURE] == 0.1
    form = await submit(hass, form, suggested(form))
    assert suggested(form)[CONF_PROFILE] == "auto"


@pytest.mark.parametrize("agent_options", [{CONF_MODEL: "tiny-1.5b"}])
async def test_default_temperature_is_not_stored(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """It is only kept where the user has set another one."""
    form = await change(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_RECOMMENDED: False})
    form = await submit(hass, form, suggested(form))
    await submit(hass, form, {**suggested(form), CONF_PROFILE: "capable"})
    await hass.async_block_till_done(wait_background_tasks=True)
    agent = first_agent(loaded_entry)
    assert CONF_TEMPERATURE not in agent.data
    assert AgentOptions.parse(agent.data).model_settings().temperature == 0.7


@pytest.mark.parametrize("agent_options", [{**ADVANCED, CONF_RECOMMENDED: False}])
async def test_emptied_instructions_are_not_stored(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    form = await change(hass, loaded_entry)
    values = suggested(form)
    del values[CONF_PROMPT]
    form = await submit(hass, form, values)
    form = await submit(hass, form, suggested(form))
    await submit(hass, form, suggested(form))
    await hass.async_block_till_done(wait_background_tasks=True)
    assert CONF_PROMPT not in first_agent(loaded_entry).data


async def test_reconfiguring_clears_learned_quirks(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
) -> None:
    """When the agent is changed: in memory, on the disk, and after the reload."""
    loaded_entry.runtime_data.quirks[MODEL].learn("temperature")
    assert await hass.config_entries.async_reload(loaded_entry.entry_id)
    assert loaded_entry.runtime_data.quirks[MODEL].rejected == {"temperature"}
    form = await change(hass, loaded_entry)
    result = await submit(hass, form, {**suggested(form), CONF_NAME: "Other"})
    assert result["type"] is FlowResultType.ABORT
    await hass.async_block_till_done(wait_background_tasks=True)
    assert loaded_entry.runtime_data.quirks[MODEL].rejected == set()
    assert hass_storage[f"chatterbox.models.{loaded_entry.entry_id}"]["data"] == {}


async def test_agent_is_reconfigured_although_its_server_was_unloaded(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """Somebody may have switched it off while the form was open."""
    form = await change(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_RECOMMENDED: False})
    form = await submit(hass, form, ADVANCED_FORM)
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    result = await submit(hass, form, MODEL_OPTIONS)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")


async def test_model_options_are_shown_without_capabilities_if_the_server_fails(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """The server may be off."""
    form = await add(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_RECOMMENDED: False})
    server.models_reply = server.default = Reply(fault=Fault.OVERLOADED)
    form = await submit(hass, form, ADVANCED_FORM)
    placeholders = form["description_placeholders"] or {}
    assert (placeholders["tools"], placeholders["window"]) == ("?", "?")
    assert placeholders["profile"] == "capable, by default"


@pytest.mark.parametrize("agent_options", [{**ADVANCED, CONF_RECOMMENDED: False}])
async def test_recommended_settings_replace_the_advanced_ones(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """The recommended settings take the place of all details; emptied text is the default."""
    form = await change(hass, loaded_entry)
    values = {**suggested(form), CONF_RECOMMENDED: True}
    del values[CONF_PROMPT]
    result = await submit(hass, form, values)
    assert result["type"] is FlowResultType.ABORT
    await hass.async_block_till_done(wait_background_tasks=True)
    assert first_agent(loaded_entry).data == {
        CONF_MODEL: MODEL,
        CONF_LLM_HASS_API: ["assist"],
        CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
        CONF_RECOMMENDED: True,
    }


@pytest.mark.parametrize(
    ("fault", "errors"),
    [
        (Fault.MODEL_NOT_FOUND, {CONF_MODEL: "model_not_found"}),
        (Fault.UNAUTHORIZED, {"base": "invalid_auth"}),
        (Fault.RATE_LIMITED, {"base": "rate_limited"}),
        (Fault.SERVER_ERROR, {"base": "api_error"}),
        (Fault.RESET, {"base": "cannot_connect"}),
        (Fault.HTML, {"base": "not_openai"}),
    ],
)
async def test_another_model_is_tested_before_it_is_stored(
    hass: HomeAssistant,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
    fault: Fault,
    errors: dict[str, str],
) -> None:
    """A model that does not answer is not taken, and what was typed stays."""
    form = await change(hass, loaded_entry)
    values = {**suggested(form), CONF_MODEL: "other", CONF_NAME: "Other"}
    server.script(Reply(fault=fault))
    form = await submit(hass, form, values)
    assert (form["step_id"], form["errors"]) == ("init", errors)
    assert suggested(form) == values
    await submit(hass, form, values)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert first_agent(loaded_entry).data[CONF_MODEL] == "other"
    assert [item.json["model"] for item in server.completions] == ["other", "other"]


async def test_invalid_template_is_rejected_at_its_field(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """Instructions that cannot work are refused at their field, beside whatever else is wrong."""
    form = await change(hass, loaded_entry)
    values = {**suggested(form), CONF_PROMPT: "{{ broken", CONF_MODEL: "other"}
    server.script(Reply(fault=Fault.MODEL_NOT_FOUND))
    form = await submit(hass, form, values)
    assert form["errors"] == {CONF_PROMPT: "invalid_template", CONF_MODEL: "model_not_found"}
    placeholders = form["description_placeholders"] or {}
    assert "unexpected end of template" in placeholders["error"]
    # A model that answered is not tried once more when the rest is corrected.
    form = await submit(hass, form, values)
    assert form["errors"] == {CONF_PROMPT: "invalid_template"}
    result = await submit(hass, form, {**values, CONF_PROMPT: "{{ now() }}"})
    assert result["type"] is FlowResultType.ABORT
    assert len(server.completions) == 2


async def test_unreachable_server_allows_a_typed_model(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """While the server is off, its models cannot be picked but the rest can be changed."""
    server.models_reply = Reply(fault=Fault.RESET)
    form = await change(hass, loaded_entry)
    assert "text" in fields(form)[CONF_MODEL]["selector"]
    result = await submit(hass, form, {**suggested(form), CONF_NAME: "Other"})
    assert result["type"] is FlowResultType.ABORT
    await hass.async_block_till_done(wait_background_tasks=True)
    assert first_agent(loaded_entry).title == "Other"


async def test_model_list_is_requested_once(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """The form does not ask the server again and again."""
    server.requests.clear()
    form = await change(hass, loaded_entry)
    form = await submit(hass, form, {**suggested(form), CONF_PROMPT: "{{ broken"})
    form = await submit(hass, form, {**suggested(form), CONF_PROMPT: "{{ broken"})
    assert [item.path for item in server.requests] == ["/v1/models"]


@pytest.mark.parametrize("agent_options", [{"on_limit": "sing"}])
async def test_agent_that_prevents_the_setup_can_be_repaired(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    assert not await hass.config_entries.async_setup(config_entry.entry_id)
    result = await add(hass, config_entry)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "entry_not_loaded")
    form = await change(hass, config_entry)
    result = await submit(hass, form, suggested(form))
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert config_entry.state is ConfigEntryState.LOADED


async def test_unloaded_entry_aborts_the_flow(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """An entry that is not loaded takes no agents."""
    await hass.config_entries.async_unload(loaded_entry.entry_id)
    for result in (await add(hass, loaded_entry), await change(hass, loaded_entry)):
        assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "entry_not_loaded")
