"""Adding a server and its agents, and changing them."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, override
from urllib.parse import urlsplit

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntry,
    ConfigEntryState,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryFlow,
    OptionsFlow,
    SubentryFlowResult,
)
from homeassistant.const import (
    CONF_API_KEY,
    CONF_LLM_HASS_API,
    CONF_MODEL,
    CONF_NAME,
    CONF_PROMPT,
    CONF_VERIFY_SSL,
)
from homeassistant.core import callback
from homeassistant.exceptions import TemplateError
from homeassistant.helpers.template import Template

from .agent.abilities import Abilities
from .agent.errors import LLMError
from .agent.urls import normalize_base_url
from .const import (
    CONF_BASE_URL,
    CONF_BUILT_IN_TOOLS,
    CONF_COMPLETION_PRICE,
    CONF_DIALECT,
    CONF_EXTRA_BODY,
    CONF_PROMPT_PRICE,
    CONF_RECOMMENDED,
    CONF_TEMPERATURE,
    DOMAIN,
    RESERVED_PARAMETERS,
    SUBENTRY_CONVERSATION,
)
from .knowledge import async_forget
from .probe import (
    FormProblems,
    async_find_models,
    async_probe,
    async_try_key,
    async_try_model,
)
from .prompt import DEFAULT_PROMPT
from .schemas import (
    ADVANCED_SCHEMA,
    FIRST_AGENT,
    KEY_SCHEMA,
    MODEL_SCHEMA,
    OPTIONS_SCHEMA,
    SERVER_SCHEMA,
    agent_schema,
    model_schema,
    model_title,
    server_title,
    suggested_model,
)
from .settings import usual_temperature
from .tools import existing_apis


class ChatterboxConfigFlow(ConfigFlow, domain=DOMAIN):
    """The flow of a server: adding it, a new key for it, moving it."""

    VERSION = 1
    MINOR_VERSION = 1

    def __init__(self) -> None:
        """Begin with nothing."""
        self._typed: dict[str, Any] = {}
        self._server: dict[str, Any] = {}
        self._models: list[str] = []

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the server."""
        problems = FormProblems()
        if user_input is not None:
            self._typed = user_input
            if (server := self._server_data(user_input, problems)) is not None:
                self._server = server
                with problems.caught():
                    self._models = await async_find_models(self.hass, server)
            if not problems.errors:
                return await self.async_step_model()
        return self._show_user_form(problems)

    def _show_user_form(self, problems: FormProblems) -> ConfigFlowResult:
        return self.async_show_form(
            step_id="user",
            data_schema=self.add_suggested_values_to_schema(SERVER_SCHEMA, self._typed),
            errors=problems.errors,
            description_placeholders=problems.placeholders,
        )

    async def async_step_model(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the model of the first agent, then add the server with it."""
        problems = FormProblems()
        if user_input is not None:
            model = user_input[CONF_MODEL].strip()
            # Trying a model has it loaded, and may cost money. A listed one is tried for the sake
            # of the key alone: some servers show their list to anybody.
            if model not in self._models or CONF_API_KEY in self._server:
                with problems.caught():
                    await async_try_model(self.hass, self._server, model)
            if not problems.errors:
                return self._create(model)
            if problems.errors.get("base") in {"invalid_auth", "not_openai"}:
                # Nothing that can be typed here would help.
                return self._show_user_form(problems)
        return self.async_show_form(
            step_id="model",
            data_schema=self.add_suggested_values_to_schema(
                model_schema(self._models),
                user_input or {CONF_MODEL: suggested_model(self._models)},
            ),
            errors=problems.errors,
            description_placeholders=problems.placeholders,
        )

    def _create(self, model: str) -> ConfigFlowResult:
        base_url = self._server[CONF_BASE_URL]
        # Another flow may have been faster.
        self._async_abort_entries_match({CONF_BASE_URL: base_url})
        return self.async_create_entry(
            title=server_title(base_url),
            data=self._server,
            subentries=[
                {
                    "subentry_type": SUBENTRY_CONVERSATION,
                    "title": model_title(model),
                    "data": {CONF_MODEL: model, **FIRST_AGENT},
                    "unique_id": None,
                }
            ],
        )

    async def async_step_reauth(self, _entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Begin because the server has refused the key."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for another key."""
        entry = self._get_reauth_entry()
        problems = FormProblems()
        if user_input is not None:
            data = {**entry.data, CONF_API_KEY: user_input[CONF_API_KEY].strip()}
            await self._async_try_server(entry, data, problems)
            if not problems.errors:
                return self._update(entry, data, entry.title)
        return self.async_show_form(
            step_id="reauth_confirm",
            data_schema=KEY_SCHEMA,
            errors=problems.errors,
            description_placeholders={
                CONF_BASE_URL: entry.data[CONF_BASE_URL],
                **problems.placeholders,
            },
        )

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask where the server is now."""
        entry = self._get_reconfigure_entry()
        problems = FormProblems()
        if user_input is not None:
            server = self._server_data(user_input, problems, entry.data)
            if server is not None:
                await self._async_try_server(entry, server, problems)
                if not problems.errors:
                    await async_forget(self.hass, entry)
                    return self._update(entry, server, _new_title(entry, server[CONF_BASE_URL]))
        suggested = {name: entry.data[name] for name in (CONF_BASE_URL, CONF_VERIFY_SSL)}
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=self.add_suggested_values_to_schema(SERVER_SCHEMA, user_input or suggested),
            errors=problems.errors,
            description_placeholders=problems.placeholders,
        )

    def _server_data(
        self,
        typed: Mapping[str, Any],
        problems: FormProblems,
        known: Mapping[str, Any] | None = None,
    ) -> dict[str, Any] | None:
        """Return a server as it is stored; abort if it is there already.

        A key that is not typed is the known one, unless it would go to somebody else.
        """
        try:
            base_url = normalize_base_url(typed[CONF_BASE_URL])
        except ValueError:
            problems.errors[CONF_BASE_URL] = "invalid_url"
            return None
        self._async_abort_entries_match({CONF_BASE_URL: base_url})
        data = {CONF_BASE_URL: base_url, CONF_VERIFY_SSL: typed[CONF_VERIFY_SSL]}
        key = typed.get(CONF_API_KEY, "").strip()
        if not key and known and _origin(known[CONF_BASE_URL]) == _origin(base_url):
            key = known.get(CONF_API_KEY)
        if key:
            data[CONF_API_KEY] = key
        return data

    async def _async_try_server(
        self, entry: ConfigEntry, data: Mapping[str, Any], problems: FormProblems
    ) -> None:
        """Note what is wrong with a server that has agents already."""
        models = [
            subentry.data[CONF_MODEL]
            for subentry in entry.subentries.values()
            if subentry.subentry_type == SUBENTRY_CONVERSATION
        ]
        with problems.caught():
            await async_find_models(self.hass, data)
            if models:
                await async_try_key(self.hass, data, models[0], entry.options)

    def _update(self, entry: ConfigEntry, data: Mapping[str, Any], title: str) -> ConfigFlowResult:
        """Change the entry and have it loaded again, even if nothing is different."""
        listening = bool(entry.update_listeners)
        changed = (data, title) != (entry.data, entry.title)
        result = self.async_update_and_abort(entry, data=data, title=title)
        if not (listening and changed):
            self.hass.config_entries.async_schedule_reload(entry.entry_id)
        return result

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:
        """Return the flow of what holds for all agents of a server."""
        return ChatterboxOptionsFlow()

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return what a server can have several of."""
        return {SUBENTRY_CONVERSATION: AgentSubentryFlow}


class ChatterboxOptionsFlow(OptionsFlow):
    """The flow of what holds for all agents of a server."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for patience and prices."""
        errors: dict[str, str] = {}
        if user_input is not None:
            if (CONF_PROMPT_PRICE in user_input) == (CONF_COMPLETION_PRICE in user_input):
                return self.async_create_entry(data=user_input)
            errors["base"] = "both_prices"
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                OPTIONS_SCHEMA, user_input or self.config_entry.options
            ),
            errors=errors,
        )


class AgentSubentryFlow(ConfigSubentryFlow):
    """The flow of an agent: adding it and changing it."""

    def __init__(self) -> None:
        """Begin with what a new agent has."""
        self._values: dict[str, Any] = {**FIRST_AGENT}
        self._models: list[str] | None = None
        # A model that was tried is not tried again.
        self._tried: str | None = None
        self._found: Abilities | None = None

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
        problems = FormProblems()
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
        if user_input is not None:
            self._values |= user_input
            return await self.async_step_talking()
        return self.async_show_form(
            step_id="advanced",
            data_schema=self.add_suggested_values_to_schema(
                ADVANCED_SCHEMA,
                {
                    CONF_TEMPERATURE: usual_temperature(self._values[CONF_MODEL]),
                    **self._values,
                },
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
            self._found = await async_probe(self.hass, entry.data, entry.options, model)
        suggested = {CONF_DIALECT: self._found.dialect, **self._values}
        return self.async_show_form(
            step_id="talking",
            data_schema=self.add_suggested_values_to_schema(MODEL_SCHEMA, user_input or suggested),
            errors=errors,
            description_placeholders={
                **self._found.marks,
                "reserved": ", ".join(sorted(RESERVED_PARAMETERS)),
            },
        )

    async def _async_models(self, entry: ConfigEntry) -> list[str]:
        """Return the models of the server; one that is off leaves the user to type them."""
        if self._models is None:
            self._models = []
            with suppress(LLMError):
                self._models = await async_find_models(self.hass, entry.data)
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
        self, entry: ConfigEntry, values: Mapping[str, Any], problems: FormProblems
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
        tried = FormProblems()
        with tried.caught():
            await async_try_model(self.hass, entry.data, model, entry.options)
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
            self._values.pop(CONF_DIALECT, None)
            self._values.pop(CONF_TEMPERATURE, None)
        self._values = {**self._values, **basic}
        return await self.async_step_advanced()

    def _finish(self, data: dict[str, Any]) -> SubentryFlowResult:
        title = data.pop(CONF_NAME) or model_title(data[CONF_MODEL])
        if self.source == SOURCE_USER:
            return self.async_create_entry(title=title, data=data)
        entry = self._get_entry()
        if entry.state is ConfigEntryState.LOADED:
            entry.runtime_data.knowledge.forget(data[CONF_MODEL])
        return self.async_update_and_abort(
            entry, self._get_reconfigure_subentry(), title=title, data=data
        )


def _extra_body_problem(extra: Any) -> str | None:
    """Return the error of what was entered as more parameters, None if there is none."""
    if not isinstance(extra, dict):
        return "no_object"
    return "reserved" if RESERVED_PARAMETERS & extra.keys() else None


def _origin(base_url: str) -> tuple[str, str]:
    """Return who gets what is sent to an address."""
    parts = urlsplit(base_url)
    return parts.scheme, parts.netloc


def _new_title(entry: ConfigEntry, base_url: str) -> str:
    """Return the title for the new address, and one that the user gave as it is."""
    untouched = entry.title == server_title(entry.data[CONF_BASE_URL])
    return server_title(base_url) if untouched else entry.title
