"""Config flow of an agent, a subentry of its server."""

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
from .const import (
    CONF_BUILT_IN_TOOLS,
    CONF_EXTRA_BODY,
    CONF_PROFILE,
    CONF_RECOMMENDED,
    CONF_TEMPERATURE,
    RESERVED_PARAMETERS,
)
from .options import default_temperature
from .probe import FormErrors, ProbeResult, async_list_models, async_probe_model, async_test_model
from .prompt import DEFAULT_PROMPT
from .schemas import (
    ADVANCED_SCHEMA,
    FIRST_AGENT,
    MODEL_SCHEMA,
    agent_schema,
    model_title,
    suggested_model,
)
from .sentences import async_explain_profile
from .tools import existing_apis


class AgentSubentryFlow(ConfigSubentryFlow):
    """The flow of an agent: adding it and changing it."""

    def __init__(self) -> None:
        """Begin with what a new agent has."""
        self._values: dict[str, Any] = {**FIRST_AGENT}
        self._models: list[str] | None = None
        # A model that was tried is not tried again.
        self._tried: str | None = None
        self._found: ProbeResult | None = None

    async def async_step_user(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Add an agent."""
        return await self.async_step_init()

    async def async_step_reconfigure(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Change an agent."""
        subentry = self._get_reconfigure_subentry()
        self._values = {**subentry.data, CONF_NAME: subentry.title}
        self._tried = subentry.data[CONF_MODEL]
        return await self.async_step_init()

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for what makes this agent different from others."""
        entry = self._get_entry()
        if entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        models = await self._async_models(entry)
        problems = FormErrors()
        if user_input is not None:
            await self._async_check(entry, user_input, problems)
            if not problems.errors:
                return await self._async_take(user_input)
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                agent_schema(self.hass, models), user_input or self._suggested(models)
            ),
            errors=problems.errors,
            description_placeholders=problems.placeholders,
        )

    async def async_step_advanced(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for what is recommended otherwise."""
        usual = default_temperature(
            self._values[CONF_MODEL], Profile(self._values.get(CONF_PROFILE, Profile.AUTO))
        )
        if user_input is not None:
            self._values |= user_input
            if self._values[CONF_TEMPERATURE] == usual:
                # It follows the profile, which is asked for next or may change by itself.
                del self._values[CONF_TEMPERATURE]
            return await self.async_step_talking()
        return self.async_show_form(
            step_id="advanced",
            data_schema=self.add_suggested_values_to_schema(
                ADVANCED_SCHEMA, {CONF_TEMPERATURE: usual, **self._values}
            ),
        )

    async def async_step_talking(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask how the model is talked to, after trying what it and its server can do."""
        entry = self._get_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            if not (problem := _extra_body_problem(user_input.get(CONF_EXTRA_BODY, {}))):
                # What was entered is new every time: nothing of before is kept.
                self._values.pop(CONF_EXTRA_BODY, None)
                return self._finish({**self._values, **user_input})
            errors[CONF_EXTRA_BODY] = problem
        if self._found is None:
            model = self._values[CONF_MODEL]
            self._found = await async_probe_model(self.hass, entry.data, entry.options, model)
        return self.async_show_form(
            step_id="talking",
            data_schema=self.add_suggested_values_to_schema(
                MODEL_SCHEMA, user_input or self._values
            ),
            errors=errors,
            description_placeholders={
                **self._found.capabilities.as_placeholders,
                "profile": await self._async_automatic_profile(self._found),
                "reserved": ", ".join(sorted(RESERVED_PARAMETERS)),
            },
        )

    async def _async_automatic_profile(self, found: ProbeResult) -> str:
        """Return the profile that is chosen without the user, and why."""
        quirks = found.quirks
        choice = select_profile(Profile.AUTO, found.model, quirks, quirks.parameters)
        return await async_explain_profile(self.hass, choice)

    async def _async_models(self, entry: ConfigEntry) -> list[str]:
        """Return the models of the server; one that is off leaves the user to type them."""
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

    async def _async_check(
        self, entry: ConfigEntry, values: Mapping[str, Any], problems: FormErrors
    ) -> None:
        """Note what is wrong with the instructions and the model."""
        try:
            Template(values.get(CONF_PROMPT, ""), self.hass).ensure_valid()
        except TemplateError as err:
            problems.errors[CONF_PROMPT] = "invalid_template"
            problems.placeholders["error"] = str(err)
        model = values[CONF_MODEL].strip()
        if model == self._tried or model in (self._models or ()):
            return
        tried = FormErrors()
        with tried.capture():
            await async_test_model(self.hass, entry.data, model, entry.options)
            self._tried = model
        problems.errors |= tried.errors
        problems.placeholders |= tried.placeholders

    async def _async_take(self, values: Mapping[str, Any]) -> SubentryFlowResult:
        """Keep what was typed; ask on, or be done."""
        # What is left at its default follows it when it changes.
        prompt = values.get(CONF_PROMPT, "").strip()
        kept = {} if prompt in {"", DEFAULT_PROMPT.strip()} else {CONF_PROMPT: prompt}
        basic = {
            CONF_NAME: values.get(CONF_NAME, "").strip(),
            CONF_MODEL: values[CONF_MODEL].strip(),
            **kept,
            CONF_LLM_HASS_API: values.get(CONF_LLM_HASS_API, []),
            CONF_BUILT_IN_TOOLS: values.get(CONF_BUILT_IN_TOOLS, []),
            CONF_RECOMMENDED: values[CONF_RECOMMENDED],
        }
        if basic[CONF_RECOMMENDED]:
            return self._finish(basic)
        if basic[CONF_MODEL] != self._values.get(CONF_MODEL):
            # What was right for the other model is found out anew.
            self._values.pop(CONF_PROFILE, None)
            self._values.pop(CONF_TEMPERATURE, None)
        self._values.pop(CONF_PROMPT, None)
        self._values |= basic
        return await self.async_step_advanced()

    def _finish(self, data: dict[str, Any]) -> SubentryFlowResult:
        title = data.pop(CONF_NAME) or model_title(data[CONF_MODEL])
        self._learn(data[CONF_MODEL])
        if self.source == SOURCE_USER:
            return self.async_create_entry(title=title, data=data)
        entry = self._get_entry()
        return self.async_update_and_abort(
            entry, self._get_reconfigure_subentry(), title=title, data=data
        )

    def _learn(self, model: str) -> None:
        """Keep the quirks that the probe found; a changed agent starts without any others."""
        entry = self._get_entry()
        if entry.state is not ConfigEntryState.LOADED:
            return
        quirks = entry.runtime_data.quirks
        if self.source != SOURCE_USER:
            quirks.clear(model)
        if self._found is not None:
            quirks[model].merge(self._found.quirks)


def _extra_body_problem(extra: Any) -> str | None:
    """Return the error of what was entered as more parameters, None if there is none."""
    if not isinstance(extra, dict):
        return "no_object"
    return "reserved" if RESERVED_PARAMETERS & extra.keys() else None
