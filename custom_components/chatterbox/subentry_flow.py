"""Subentry flow of a conversation agent."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntry,
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_NAME, CONF_PROMPT
from homeassistant.exceptions import TemplateError
from homeassistant.helpers.template import Template

from .agent.dialects.profile import Profile, select_profile
from .agent.errors import LLMError
from .connection_test import (
    FormErrors,
    ProbeResult,
    async_list_models,
    async_probe_model,
    async_test_model,
)
from .const import (
    CONF_BUILT_IN_TOOLS,
    CONF_EXTRA_BODY,
    CONF_PROFILE,
    CONF_RECOMMENDED,
    CONF_TEMPERATURE,
    RESERVED_PARAMETERS,
    SECTION_VOICE,
)
from .flow_schemas import (
    ADVANCED_SCHEMA,
    DEFAULT_AGENT_DATA,
    MODEL_OPTIONS_SCHEMA,
    agent_schema,
    model_title,
    suggested_model,
)
from .llm_api import existing_apis
from .options import default_temperature
from .prompt import DEFAULT_PROMPT
from .sentences import async_explain_profile


class ConversationSubentryFlowHandler(ConfigSubentryFlow):
    """Subentry flow of a conversation agent: setup and reconfiguration.

    Its steps are the basic settings (`init`), and unless the recommended settings are used, the
    advanced settings and the model-specific options.
    """

    def __init__(self) -> None:
        self._values: dict[str, Any] = {**DEFAULT_AGENT_DATA}
        self._models: list[str] | None = None
        # This model passed its test, or is in use already: it is not tested again.
        self._tested_model: str | None = None
        self._probe_result: ProbeResult | None = None

    async def async_step_user(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Add an agent."""
        return await self.async_step_init()

    async def async_step_reconfigure(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Reconfigure an agent."""
        subentry = self._get_reconfigure_subentry()
        self._values = {**subentry.data, CONF_NAME: subentry.title}
        self._tested_model = subentry.data[CONF_MODEL]
        return await self.async_step_init()

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Edit the basic settings."""
        entry = self._get_entry()
        # The options of an agent may be the reason why the server could not be set up.
        may_repair = entry.state is ConfigEntryState.SETUP_ERROR and self.source != SOURCE_USER
        if entry.state is not ConfigEntryState.LOADED and not may_repair:
            return self.async_abort(reason="entry_not_loaded")
        models = await self._async_models(entry)
        form_errors = FormErrors()
        if user_input is not None:
            await self._async_validate(entry, user_input, form_errors)
            if not form_errors.errors:
                return await self._async_save_basic(user_input)
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                agent_schema(self.hass, models), user_input or self._suggested(models)
            ),
            errors=form_errors.errors,
            description_placeholders=form_errors.placeholders,
        )

    async def async_step_advanced(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Edit the advanced settings."""
        usual = default_temperature(
            self._values[CONF_MODEL], Profile(self._values.get(CONF_PROFILE, Profile.AUTO))
        )
        if user_input is not None:
            # Sections are for the form only.
            self._values |= {**user_input, **user_input[SECTION_VOICE]}
            del self._values[SECTION_VOICE]
            if self._values[CONF_TEMPERATURE] == usual:
                # The default follows the profile, which is edited next or may change by itself.
                del self._values[CONF_TEMPERATURE]
            return await self.async_step_model_options()
        return self.async_show_form(
            step_id="advanced",
            data_schema=self.add_suggested_values_to_schema(
                ADVANCED_SCHEMA,
                {CONF_TEMPERATURE: usual, **self._values, SECTION_VOICE: self._values},
            ),
        )

    async def async_step_model_options(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Edit the model-specific options, after a probe of the model's capabilities."""
        entry = self._get_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            if not (problem := _extra_body_error(user_input.get(CONF_EXTRA_BODY, {}))):
                # An emptied field is missing from the input: the stored parameters would remain.
                self._values.pop(CONF_EXTRA_BODY, None)
                return self._finish({**self._values, **user_input})
            errors[CONF_EXTRA_BODY] = problem
        if self._probe_result is None:
            model = self._values[CONF_MODEL]
            self._probe_result = await async_probe_model(
                self.hass, entry.data, entry.options, model
            )
        return self.async_show_form(
            step_id="model_options",
            data_schema=self.add_suggested_values_to_schema(
                MODEL_OPTIONS_SCHEMA, user_input or self._values
            ),
            errors=errors,
            description_placeholders={
                **self._probe_result.capabilities.as_placeholders,
                "profile": await self._async_automatic_profile(self._probe_result),
                "reserved": ", ".join(sorted(RESERVED_PARAMETERS)),
            },
        )

    async def _async_automatic_profile(self, found: ProbeResult) -> str:
        """Return a sentence with the automatic profile and the reason for it."""
        quirks = found.quirks
        choice = select_profile(Profile.AUTO, found.model, quirks, quirks.parameters)
        return await async_explain_profile(self.hass, choice)

    async def _async_models(self, entry: ConfigEntry) -> list[str]:
        """Return the names of the server's models, none if it is unreachable."""
        if self._models is None:
            self._models = []
            with suppress(LLMError):
                self._models = await async_list_models(self.hass, entry.data)
        return self._models

    def _suggested(self, models: list[str]) -> dict[str, Any]:
        values = {
            CONF_MODEL: suggested_model(models),
            CONF_PROMPT: DEFAULT_PROMPT,
            **self._values,
        }
        values[CONF_LLM_HASS_API] = existing_apis(self.hass, values.get(CONF_LLM_HASS_API, ()))
        return values

    async def _async_validate(
        self, entry: ConfigEntry, values: Mapping[str, Any], form_errors: FormErrors
    ) -> None:
        """Validate the instructions, and test the model unless the server lists it."""
        try:
            Template(values.get(CONF_PROMPT, ""), self.hass).ensure_valid()
        except TemplateError as err:
            form_errors.errors[CONF_PROMPT] = "invalid_template"
            form_errors.placeholders["error"] = str(err)
        model = values[CONF_MODEL].strip()
        if model == self._tested_model or model in (self._models or ()):
            return
        with form_errors.capture():
            await async_test_model(self.hass, entry.data, model, entry.options)
            self._tested_model = model

    async def _async_save_basic(self, values: Mapping[str, Any]) -> SubentryFlowResult:
        """Save the basic settings, then finish or show the advanced settings."""
        # Default instructions are not stored, so that they follow a new version.
        prompt = values.get(CONF_PROMPT, "").strip()
        instructions = {} if prompt in {"", DEFAULT_PROMPT.strip()} else {CONF_PROMPT: prompt}
        basic = {
            CONF_NAME: values.get(CONF_NAME, "").strip(),
            CONF_MODEL: values[CONF_MODEL].strip(),
            **instructions,
            CONF_LLM_HASS_API: values.get(CONF_LLM_HASS_API, []),
            CONF_BUILT_IN_TOOLS: values.get(CONF_BUILT_IN_TOOLS, []),
            CONF_RECOMMENDED: values[CONF_RECOMMENDED],
        }
        if basic[CONF_RECOMMENDED]:
            return self._finish(basic)
        if basic[CONF_MODEL] != self._values.get(CONF_MODEL):
            # Both depend on the model.
            self._values.pop(CONF_PROFILE, None)
            self._values.pop(CONF_TEMPERATURE, None)
        self._values.pop(CONF_PROMPT, None)
        self._values |= basic
        return await self.async_step_advanced()

    def _finish(self, data: dict[str, Any]) -> SubentryFlowResult:
        title = data.pop(CONF_NAME) or model_title(data[CONF_MODEL])
        self._store_quirks(data[CONF_MODEL])
        if self.source == SOURCE_USER:
            return self.async_create_entry(title=title, data=data)
        entry = self._get_entry()
        result = self.async_update_and_abort(
            entry, self._get_reconfigure_subentry(), title=title, data=data
        )
        if entry.state is ConfigEntryState.SETUP_ERROR:
            # A loaded entry reloads itself.
            self.hass.config_entries.async_schedule_reload(entry.entry_id)
        return result

    def _store_quirks(self, model: str) -> None:
        """Store the quirks of a probe; a reconfigured agent loses those learned before."""
        entry = self._get_entry()
        if entry.state is not ConfigEntryState.LOADED:
            return
        quirks = entry.runtime_data.quirks
        if self.source != SOURCE_USER:
            quirks.clear(model)
        if self._probe_result is not None:
            quirks[model].merge(self._probe_result.quirks)


def _extra_body_error(extra: Any) -> str | None:
    """Return the error of additional request parameters, None if they are valid."""
    if not isinstance(extra, dict):
        return "no_object"
    return "reserved" if RESERVED_PARAMETERS & extra.keys() else None
