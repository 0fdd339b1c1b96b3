"""Subentry flow of a conversation agent, against a real HTTP server."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import (
    BUILT_IN_TOOLS,
    CONF_BUILT_IN_TOOLS,
    CONF_CONFIRM,
    CONF_CONTEXT_WINDOW,
    CONF_CONTINUE_CONVERSATION,
    CONF_EXTRA_BODY,
    CONF_FALLBACK_AGENT,
    CONF_HOME_CONTEXT,
    CONF_INTERRUPT,
    CONF_LEAD_IN,
    CONF_MAX_ITERATIONS,
    CONF_MAX_SENTENCES,
    CONF_MAX_TOKENS,
    CONF_MEMORY_MINUTES,
    CONF_MEMORY_SCOPE,
    CONF_PLAIN_SPEECH,
    CONF_PROFILE,
    CONF_QUICK_CONFIRMATION,
    CONF_REMEMBER,
    CONF_SUMMARIZE,
    CONF_TEMPERATURE,
    CONF_THINKING,
    CONF_TURN_TIMEOUT,
    FIELD_VOICE_FEATURES,
    SECTION_LIMITS,
    SECTION_MEMORY,
    SECTION_MODEL,
    SECTION_SAFETY,
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
from .fake_openai import FakeOpenAI, Fault, Reply
from .form_helpers import fields, suggested

HOME_ASSISTANT = "conversation.home_assistant"
# Another value than the default for each field, as submitted.
SECTIONS: dict[str, dict[str, Any]] = {
    SECTION_MODEL: {
        CONF_PROFILE: "guided",
        CONF_TEMPERATURE: 0.2,
        CONF_MAX_TOKENS: 300,
        CONF_CONTEXT_WINDOW: 4_096,
        CONF_EXTRA_BODY: {"seed": 7},
    },
    SECTION_VOICE: {
        CONF_CONTINUE_CONVERSATION: "always",
        CONF_MAX_SENTENCES: 3,
        FIELD_VOICE_FEATURES: [CONF_PLAIN_SPEECH, CONF_LEAD_IN, CONF_INTERRUPT],
    },
    SECTION_MEMORY: {
        CONF_REMEMBER: "session",
        CONF_MEMORY_SCOPE: "user",
        CONF_MEMORY_MINUTES: 10,
        CONF_SUMMARIZE: True,
    },
    SECTION_SAFETY: {CONF_CONFIRM: ["locks", "doors"], CONF_FALLBACK_AGENT: HOME_ASSISTANT},
    SECTION_LIMITS: {CONF_TURN_TIMEOUT: 20, CONF_MAX_ITERATIONS: 3},
}
# The same, as it is stored.
STORED: dict[str, Any] = {
    key: value
    for section in SECTIONS.values()
    for key, value in section.items()
    if key != FIELD_VOICE_FEATURES
} | {CONF_QUICK_CONFIRMATION: False, CONF_LEAD_IN: True, CONF_INTERRUPT: True}
DEFAULT = {
    CONF_MODEL: MODEL,
    CONF_LLM_HASS_API: ["assist"],
    CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
}


@pytest.fixture(autouse=True)
async def reload_ends_before_home_assistant(hass: HomeAssistant) -> AsyncIterator[None]:
    """Wait for the reload after a saved form: it adds entities."""
    yield
    await hass.async_block_till_done(wait_background_tasks=True)


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


async def saved(hass: HomeAssistant, entry: MockConfigEntry) -> ConfigSubentry:
    """Return the latest agent, after the reload."""
    await hass.async_block_till_done(wait_background_tasks=True)
    return [*entry.subentries.values()][-1]


async def reconfigure(hass: HomeAssistant, entry: MockConfigEntry) -> SubentryFlowResult:
    """Open the menu of the first agent."""
    menu = await hass.config_entries.subentries.async_init(
        (entry.entry_id, SUBENTRY_CONVERSATION),
        context={"source": SOURCE_RECONFIGURE, "subentry_id": first_agent(entry).subentry_id},
    )
    assert (menu["type"], menu["step_id"]) == (FlowResultType.MENU, "reconfigure")
    assert menu["menu_options"] == ["init", "test"]
    return menu


async def choose(hass: HomeAssistant, menu: SubentryFlowResult, option: str) -> SubentryFlowResult:
    """Choose an option of a menu."""
    return await submit(hass, menu, {"next_step_id": option})


async def change(hass: HomeAssistant, entry: MockConfigEntry) -> SubentryFlowResult:
    """Open the form of the first agent."""
    return await choose(hass, await reconfigure(hass, entry), "init")


def fractions(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return sections as the frontend sends them: its whole numbers are fractions."""
    return {
        section: {
            key: float(value) if type(value) is int else value for key, value in options.items()
        }
        for section, options in values.items()
    }


@pytest.fixture(autouse=True)
async def agents_of_the_home(hass: HomeAssistant) -> None:
    """Set up Home Assistant's own agent."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})


async def test_agent_is_added_with_one_form(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """A second agent speaks with another model of the same server."""
    server.models = ("b", "gpt-4o-mini", MODEL)
    llm.async_register_api(hass, HomeAPI(hass=hass, id="homeassistant", name="Home Assistant"))
    form = await add(hass, loaded_entry)
    assert (form["step_id"], form["errors"]) == ("init", {})
    values = suggested(form)
    assert {key: values[key] for key in values.keys() - SECTIONS.keys()} == {
        CONF_NAME: "Chatterbox",
        CONF_MODEL: "gpt-4o-mini",
        CONF_PROMPT: DEFAULT_PROMPT,
        CONF_LLM_HASS_API: ["assist"],
        CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
        CONF_HOME_CONTEXT: [],
        CONF_THINKING: "auto",
    }
    apis = fields(form)[CONF_LLM_HASS_API]["selector"]["select"]["options"]
    assert {"homeassistant", "assist"} <= {api["value"] for api in apis}

    result = await submit(hass, form, {**values, CONF_MODEL: " b ", CONF_NAME: " Bob "})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    agent = await saved(hass, loaded_entry)
    assert (agent.subentry_type, agent.title) == (SUBENTRY_CONVERSATION, "Bob")
    # Defaults are not kept, so that the agent gets them when they become better.
    assert agent.data == {**DEFAULT, CONF_MODEL: "b"}
    assert hass.states.get("conversation.bob")
    # The server lists the model, so that it need not be tried.
    assert not server.completions


async def test_agents_are_numbered(hass: HomeAssistant, loaded_entry: MockConfigEntry) -> None:
    """A name that nobody has chosen never comes from the model."""
    for name in ("Chatterbox", "Chatterbox 2", "Chatterbox 3"):
        form = await add(hass, loaded_entry)
        await submit(hass, form, {CONF_NAME: "  ", CONF_MODEL: MODEL})
        assert (await saved(hass, loaded_entry)).title == name


async def test_emptied_fields_are_stored_as_empty(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """What is emptied is not there: no instructions, no tools."""
    form = await add(hass, loaded_entry)
    await submit(hass, form, {CONF_NAME: "Empty", CONF_MODEL: MODEL})
    agent = await saved(hass, loaded_entry)
    assert agent.data == {CONF_MODEL: MODEL, CONF_LLM_HASS_API: [], CONF_BUILT_IN_TOOLS: []}


async def test_agent_is_added_with_all_options(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    form = await add(hass, loaded_entry)
    values = suggested(form)
    empty = {CONF_TEMPERATURE, CONF_EXTRA_BODY, CONF_FALLBACK_AGENT}
    for section, options in SECTIONS.items():
        assert values[section].keys() - empty == options.keys() - empty
    result = await submit(hass, form, {**values, CONF_THINKING: "off"} | fractions(SECTIONS))
    assert result["type"] is FlowResultType.CREATE_ENTRY
    agent = await saved(hass, loaded_entry)
    assert agent.data == {**DEFAULT, **STORED, CONF_THINKING: "off"}
    # Whole numbers are stored as such.
    assert {key: type(agent.data[key]) for key in STORED} == {
        key: type(value) for key, value in STORED.items()
    }


async def test_form_shows_the_defaults(hass: HomeAssistant, loaded_entry: MockConfigEntry) -> None:
    """What holds when nobody fills the form in is what it shows."""
    form = await add(hass, loaded_entry)
    await submit(hass, form, {**DEFAULT, CONF_NAME: "Untouched"})
    untouched = AgentOptions.parse((await saved(hass, loaded_entry)).data)
    form = await add(hass, loaded_entry)
    await submit(hass, form, suggested(form))
    agent = await saved(hass, loaded_entry)
    assert AgentOptions.parse(agent.data) == untouched == AgentOptions.parse(DEFAULT)


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        (SECTION_MODEL, CONF_TEMPERATURE, 2.1),
        (SECTION_MODEL, CONF_MAX_TOKENS, 0),
        (SECTION_VOICE, CONF_MAX_SENTENCES, -1),
        (SECTION_VOICE, CONF_CONTINUE_CONVERSATION, "sometimes"),
        (SECTION_VOICE, FIELD_VOICE_FEATURES, ["singing"]),
        (SECTION_MEMORY, CONF_MEMORY_MINUTES, 0),
        (SECTION_SAFETY, CONF_CONFIRM, ["everything"]),
        (SECTION_SAFETY, CONF_FALLBACK_AGENT, "conversation.nobody"),
        (SECTION_LIMITS, CONF_TURN_TIMEOUT, 0),
        (SECTION_LIMITS, CONF_MAX_ITERATIONS, 51),
    ],
)
async def test_value_that_makes_no_sense_is_rejected(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, section: str, key: str, value: Any
) -> None:
    """And the form stays open."""
    form = await add(hass, loaded_entry)
    values = suggested(form)
    with pytest.raises(InvalidData) as caught:
        await submit(hass, form, {**values, section: {**values[section], key: value}})
    # Home Assistant reports what is wrong in a section for the whole form.
    [problem] = caught.value.schema_errors["base"]
    assert f"{section}.{key}" in problem
    result = await submit(hass, form, values)
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize(
    "agent_options",
    [
        {
            **STORED,
            CONF_HOME_CONTEXT: ["presence"],
            CONF_THINKING: "low",
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
    values = suggested(form)
    assert values == {
        CONF_NAME: "Scripted",
        CONF_MODEL: MODEL,
        CONF_PROMPT: "You are a test.",
        CONF_LLM_HASS_API: ["assist", "homeassistant"],
        CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
        CONF_HOME_CONTEXT: ["presence"],
        CONF_THINKING: "low",
        **SECTIONS,
    }
    model = {**SECTIONS[SECTION_MODEL], CONF_MAX_TOKENS: 400}
    del model[CONF_EXTRA_BODY]
    result = await submit(
        hass,
        form,
        {
            **values,
            CONF_NAME: "Other",
            CONF_BUILT_IN_TOOLS: [TOOL_WEATHER],
            CONF_PROMPT: "You are {{ ha_name }}.",
            SECTION_MODEL: model,
        },
    )
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    agent = await saved(hass, loaded_entry)
    assert agent.title == "Other"
    assert agent.data == {
        **{key: value for key, value in STORED.items() if key != CONF_EXTRA_BODY},
        CONF_MODEL: MODEL,
        CONF_PROMPT: "You are {{ ha_name }}.",
        CONF_LLM_HASS_API: ["assist", "homeassistant"],
        CONF_BUILT_IN_TOOLS: [TOOL_WEATHER],
        CONF_HOME_CONTEXT: ["presence"],
        CONF_THINKING: "low",
        CONF_MAX_TOKENS: 400,
    }
    assert not server.completions


@pytest.mark.parametrize("agent_options", [{**STORED, "of_another_release": 1}])
async def test_what_is_not_submitted_is_unchanged(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """Neither a missing section, nor a missing field in one, nor what is in no form."""
    before = first_agent(loaded_entry).data
    form = await change(hass, loaded_entry)
    basic = {key: value for key, value in suggested(form).items() if key not in SECTIONS}
    safety = {CONF_FALLBACK_AGENT: HOME_ASSISTANT}
    await submit(hass, form, {**basic, SECTION_SAFETY: safety, SECTION_MEMORY: {}})
    assert (await saved(hass, loaded_entry)).data == before


@pytest.mark.parametrize(
    "agent_options", [{CONF_FALLBACK_AGENT: "conversation.removed", CONF_PROFILE: "capable"}]
)
async def test_fallback_is_another_agent(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """Not the agent itself. One that is gone stays chosen until another one is."""
    form = await add(hass, loaded_entry)
    await submit(hass, form, {**suggested(form), CONF_NAME: "Second"})
    await saved(hass, loaded_entry)

    def offered(form: SubentryFlowResult) -> dict[str, str]:
        assert form["data_schema"] is not None
        options = form["data_schema"].schema[SECTION_SAFETY].schema.schema[CONF_FALLBACK_AGENT]
        return {option["value"]: option["label"] for option in options.config["options"]}

    assert offered(await change(hass, loaded_entry)) == {
        HOME_ASSISTANT: "Home Assistant",
        "conversation.second": "Second",
        "conversation.removed": "conversation.removed",
    }
    assert offered(await add(hass, loaded_entry)) == {
        HOME_ASSISTANT: "Home Assistant",
        "conversation.second": "Second",
        "conversation.scripted": "Scripted",
    }


@pytest.mark.parametrize(
    ("extra", "error"),
    [
        (["no object"], "no_object"),
        ({"messages": [], "top_k": 1, "model": "x"}, "reserved"),
    ],
)
async def test_parameters_that_cannot_be_sent_are_rejected(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, extra: Any, error: str
) -> None:
    """The error is shown at the section, which is open then."""
    form = await add(hass, loaded_entry)
    values = suggested(form)
    values[SECTION_MODEL] = {**values[SECTION_MODEL], CONF_EXTRA_BODY: extra}
    form = await submit(hass, form, values)
    assert form["errors"] == {SECTION_MODEL: error}
    sections = {name: field for name, field in fields(form).items() if name in SECTIONS}
    assert [name for name, field in sections.items() if field["expanded"]] == [SECTION_MODEL]
    assert suggested(form) == values
    if error == "reserved":
        assert form["description_placeholders"] == {"reserved": "messages, model"}
    values[SECTION_MODEL][CONF_EXTRA_BODY] = {"top_k": 1}
    assert (await submit(hass, form, values))["type"] is FlowResultType.CREATE_ENTRY
    assert (await saved(hass, loaded_entry)).data[CONF_EXTRA_BODY] == {"top_k": 1}


@pytest.mark.parametrize("prompt", [None, "  ", DEFAULT_PROMPT])
async def test_default_instructions_are_not_stored(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, prompt: str | None
) -> None:
    form = await change(hass, loaded_entry)
    values = {**suggested(form), CONF_PROMPT: prompt}
    if prompt is None:
        del values[CONF_PROMPT]
    await submit(hass, form, values)
    assert CONF_PROMPT not in (await saved(hass, loaded_entry)).data


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


@pytest.mark.parametrize(
    "agent_options",
    [
        {
            CONF_MAX_TOKENS: "many",
            CONF_CONTEXT_WINDOW: None,
            CONF_TURN_TIMEOUT: True,
            CONF_REMEMBER: "sing",
            CONF_CONFIRM: ["locks", "gone"],
            CONF_FALLBACK_AGENT: 5,
            CONF_BUILT_IN_TOOLS: [TOOL_WEATHER, 5],
            CONF_LLM_HASS_API: 5,
        }
    ],
)
async def test_agent_that_prevents_the_setup_can_be_repaired(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    """The form shows what can be used of its options."""
    assert not await hass.config_entries.async_setup(config_entry.entry_id)
    result = await add(hass, config_entry)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "entry_not_loaded")
    form = await change(hass, config_entry)
    values = suggested(form)
    assert values[SECTION_MODEL][CONF_MAX_TOKENS] == 1024
    assert values[SECTION_MODEL][CONF_CONTEXT_WINDOW] == 0
    assert values[SECTION_LIMITS][CONF_TURN_TIMEOUT] == 120
    assert values[SECTION_MEMORY][CONF_REMEMBER] == "persistent"
    assert values[SECTION_SAFETY] == {CONF_CONFIRM: ["locks"]}
    assert values[CONF_BUILT_IN_TOOLS] == [TOOL_WEATHER]
    assert values[CONF_LLM_HASS_API] == []
    result = await submit(hass, form, values)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    assert (await saved(hass, config_entry)).data[CONF_CONFIRM] == ["locks"]
    assert config_entry.state is ConfigEntryState.LOADED


async def finished(hass: HomeAssistant, progress: SubentryFlowResult) -> SubentryFlowResult:
    """Wait for a progress, and return what follows."""
    assert (progress["type"], progress["progress_action"]) == (FlowResultType.SHOW_PROGRESS, "test")
    await hass.async_block_till_done(wait_background_tasks=True)
    return await hass.config_entries.subentries.async_configure(progress["flow_id"])


async def test_agent_is_tested_as_often_as_wanted(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """The menu after a test leads to another one, and to the settings."""
    menu = await reconfigure(hass, loaded_entry)
    for _ in range(2):
        menu = await finished(hass, await choose(hass, menu, "test"))
        assert (menu["type"], menu["step_id"]) == (FlowResultType.MENU, "result")
        placeholders = menu["description_placeholders"]
        assert placeholders is not None
        assert placeholders["question"] == "What time is it?"
    form = await choose(hass, menu, "init")
    assert form["step_id"] == "init"
    # Saving tests nothing.
    asked = len(server.completions)
    await submit(hass, form, {**suggested(form), CONF_NAME: "Other"})
    assert (await saved(hass, loaded_entry)).title == "Other"
    assert len(server.completions) == asked


async def test_failed_test_ends_the_flow(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, caplog: pytest.LogCaptureFixture
) -> None:
    planted = "What the user said"

    async def fail(*_: object) -> None:
        await asyncio.sleep(0)
        raise RuntimeError(planted)

    with patch("custom_components.chatterbox.subentry_flow.async_test_agent", fail):
        progress = await choose(hass, await reconfigure(hass, loaded_entry), "test")
        result = await finished(hass, progress)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "test_failed")
    assert "The test of Scripted failed" in caplog.text
    logged = [each for each in caplog.records if each.levelno > logging.DEBUG]
    assert not any(planted in each.getMessage() or each.exc_info for each in logged)


async def test_unloaded_entry_aborts_the_flow(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """An entry that is not loaded takes no agents."""
    await hass.config_entries.async_unload(loaded_entry.entry_id)
    tested = await choose(hass, await reconfigure(hass, loaded_entry), "test")
    for result in (await add(hass, loaded_entry), await change(hass, loaded_entry), tested):
        assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "entry_not_loaded")
