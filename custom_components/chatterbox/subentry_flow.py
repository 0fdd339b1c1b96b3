"""Subentry flow of a conversation agent, and what it shares with that of an AI task."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, override

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntryState,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_NAME, CONF_PROMPT
from homeassistant.exceptions import TemplateError
from homeassistant.helpers.template import Template

from .agent.errors import LLMError
from .connection_test import FormErrors, async_list_models, async_test_model
from .const import CONF_BUILT_IN_TOOLS, CONF_EXTRA_BODY, RESERVED_PARAMETERS, SECTION_MODEL
from .data import ChatterboxConfigEntry, conversation_agents
from .error_log import log_unexpected
from .flow_schemas import (
    AGENT_NAME,
    DEFAULT_AGENT_DATA,
    agent_schema,
    store_options,
    store_sections,
    unused_name,
)
from .option_table import AGENT_FIELDS, AGENT_SECTIONS
from .prompt import DEFAULT_PROMPT
from .sample_turn import async_test_agent


class ModelSubentryFlow(ConfigSubentryFlow):
    """Subentry flow of what uses one model: its name, its data and its model."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._name = ""
        self._data: dict[str, Any] = {**data}
        self._models: list[str] | None = None
        # This model passed its test, or is in use already: it is not tested again.
        self._tested_model: str | None = None

    def _load(self, subentry: ConfigSubentry) -> None:
        """Begin with a stored subentry."""
        self._name, self._data = subentry.title, {**subentry.data}
        self._tested_model = subentry.data.get(CONF_MODEL)

    def _is_editable(self, entry: ChatterboxConfigEntry) -> bool:
        """Return whether the form can be shown.

        The stored options of what is reconfigured may be the reason why the setup failed.
        """
        may_repair = entry.state is ConfigEntryState.SETUP_ERROR and self.source != SOURCE_USER
        return may_repair or entry.state is ConfigEntryState.LOADED

    async def _async_models(self, entry: ChatterboxConfigEntry) -> list[str]:
        """Return the names of the server's models, none if it is unreachable."""
        if self._models is None:
            self._models = []
            with suppress(LLMError):
                self._models = await async_list_models(self.hass, entry.data)
        return self._models

    async def _async_test_model(
        self, entry: ChatterboxConfigEntry, form_errors: FormErrors
    ) -> None:
        """Test the model unless the server lists it."""
        model = self._data[CONF_MODEL]
        if model == self._tested_model or model in await self._async_models(entry):
            return
        with form_errors.capture():
            await async_test_model(self.hass, entry.data, model, entry.options)
            self._tested_model = model

    def _finish(self, entry: ChatterboxConfigEntry) -> SubentryFlowResult:
        """Create or update the subentry."""
        if self.source == SOURCE_USER:
            return self.async_create_entry(title=self._name, data=self._data)
        return self.async_update_and_abort(
            entry, self._get_reconfigure_subentry(), title=self._name, data=self._data
        )


class ConversationSubentryFlowHandler(ModelSubentryFlow):
    """Subentry flow of a conversation agent: one form to add or change it, and a test."""

    def __init__(self) -> None:
        super().__init__(DEFAULT_AGENT_DATA)
        self._subentry_id: str | None = None
        self._test: asyncio.Task[dict[str, str]] | None = None
        self._result: dict[str, str] = {}

    async def async_step_user(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Add an agent."""
        self._name = unused_name(self.hass, AGENT_NAME)
        return await self.async_step_init()

    async def async_step_reconfigure(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Reconfigure an agent."""
        subentry = self._get_reconfigure_subentry()
        self._load(subentry)
        self._subentry_id = subentry.subentry_id
        return self.async_show_menu(step_id="reconfigure", menu_options=["init", "test"])

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Edit the settings of the agent."""
        entry = self._get_entry()
        if not self._is_editable(entry):
            return self.async_abort(reason="entry_not_loaded")
        form_errors = FormErrors()
        if user_input is not None:
            self._name = user_input[CONF_NAME].strip() or self._name
            self._data = _agent_data(user_input, self._data)
            await self._async_validate(entry, form_errors)
            if not form_errors.errors:
                return self._finish(entry)
        schema = agent_schema(
            self.hass,
            await self._async_models(entry),
            {**self._data, CONF_NAME: self._name},
            subentry_id=self._subentry_id,
            expanded=form_errors.errors,
        )
        return self.async_show_form(
            step_id="init",
            data_schema=schema,
            errors=form_errors.errors,
            description_placeholders=form_errors.placeholders,
        )

    async def async_step_test(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Test the agent as it is stored."""
        entry = self._get_entry()
        if self._test is None:
            if entry.state is not ConfigEntryState.LOADED:
                return self.async_abort(reason="entry_not_loaded")
            agents = {agent.subentry.subentry_id: agent for agent in conversation_agents(entry)}
            agent = agents[self._get_reconfigure_subentry().subentry_id]
            self._test = self.hass.async_create_task(async_test_agent(self.hass, agent))
        if not self._test.done():
            return self.async_show_progress(
                step_id="test", progress_action="test", progress_task=self._test
            )
        test, self._test = self._test, None
        if err := test.exception():
            log_unexpected(f"The test of {self._name} failed", err)
            return self.async_show_progress_done(next_step_id="test_failed")
        self._result = test.result()
        return self.async_show_progress_done(next_step_id="result")

    async def async_step_test_failed(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """End the flow after an unexpected error; a progress can only be followed by a step."""
        return self.async_abort(reason="test_failed")

    async def async_step_result(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the result of the test."""
        return self.async_show_menu(
            step_id="result", menu_options=["init", "test"], description_placeholders=self._result
        )

    async def _async_validate(self, entry: ChatterboxConfigEntry, form_errors: FormErrors) -> None:
        """Validate the settings, and test the model."""
        try:
            Template(self._data.get(CONF_PROMPT, ""), self.hass).ensure_valid()
        except TemplateError as err:
            form_errors.errors[CONF_PROMPT] = "invalid_template"
            form_errors.placeholders["error"] = str(err)
        extra = self._data.get(CONF_EXTRA_BODY, {})
        # An error of a field in a section is only shown at the section.
        if not isinstance(extra, dict):
            form_errors.errors[SECTION_MODEL] = "no_object"
        elif reserved := RESERVED_PARAMETERS & extra.keys():
            form_errors.errors[SECTION_MODEL] = "reserved"
            form_errors.placeholders["reserved"] = ", ".join(sorted(reserved))
        await self._async_test_model(entry, form_errors)

    @override
    def _finish(self, entry: ChatterboxConfigEntry) -> SubentryFlowResult:
        if self.source != SOURCE_USER and entry.state is ConfigEntryState.LOADED:
            # What was learned of the model may not hold any more.
            entry.runtime_data.quirks.clear(self._data[CONF_MODEL])
        return super()._finish(entry)


def _agent_data(user_input: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of an agent with the submitted values; a missing section is unchanged."""
    changed = {
        **data,
        CONF_MODEL: user_input[CONF_MODEL].strip(),
        CONF_LLM_HASS_API: user_input.get(CONF_LLM_HASS_API, []),
        CONF_BUILT_IN_TOOLS: user_input.get(CONF_BUILT_IN_TOOLS, []),
    }
    changed.pop(CONF_PROMPT, None)
    # Default instructions are not stored, so that they follow a new version.
    if (prompt := user_input.get(CONF_PROMPT, "").strip()) not in {"", DEFAULT_PROMPT}:
        changed[CONF_PROMPT] = prompt
    store_options(AGENT_FIELDS, user_input, changed)
    store_sections(AGENT_SECTIONS, user_input, changed)
    return changed
