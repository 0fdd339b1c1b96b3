"""Config flow and options flow of a server."""

from collections.abc import Mapping
from typing import Any, override
from urllib.parse import urlsplit

from homeassistant.config_entries import (
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.const import CONF_API_KEY, CONF_MODEL
from homeassistant.core import callback

from .ai_task_flow import AITaskSubentryFlowHandler
from .connection_test import FormErrors, async_list_models, async_test_key, async_test_model
from .const import (
    CONF_BASE_URL,
    DOMAIN,
    ENTRY_MINOR_VERSION,
    ENTRY_VERSION,
    SUBENTRY_AI_TASK,
    SUBENTRY_CONVERSATION,
)
from .data import ChatterboxConfigEntry, async_clear_quirks
from .flow_schemas import (
    AGENT_NAME,
    DEFAULT_AGENT_DATA,
    REAUTH_SCHEMA,
    SERVER_SCHEMA,
    model_schema,
    server_options_schema,
    server_title,
    store_options,
    store_sections,
    suggested_model,
    unused_name,
)
from .option_table import PRICES, SERVER_FIELDS, SERVER_SECTIONS
from .server_form import async_parse_server, suggested_server
from .subentry_flow import ConversationSubentryFlowHandler


class ChatterboxConfigFlow(ConfigFlow, domain=DOMAIN):
    """Config flow of a server: setup, reauthentication and reconfiguration."""

    VERSION = ENTRY_VERSION
    MINOR_VERSION = ENTRY_MINOR_VERSION

    def __init__(self) -> None:
        self._user_input: dict[str, Any] = {}
        self._server: dict[str, Any] = {}
        self._models: list[str] = []

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Set up a server."""
        form_errors = FormErrors()
        if user_input is not None:
            self._user_input = user_input
            if (server := await self._async_parse(user_input, form_errors)) is not None:
                self._server = server
                with form_errors.capture(has_key=CONF_API_KEY in server):
                    self._models = await async_list_models(self.hass, server)
            if not form_errors.errors:
                return await self.async_step_model()
        return self._show_user_form(form_errors)

    def _show_user_form(self, form_errors: FormErrors) -> ConfigFlowResult:
        return self.async_show_form(
            step_id="user",
            data_schema=self.add_suggested_values_to_schema(SERVER_SCHEMA, self._user_input),
            errors=form_errors.errors,
            description_placeholders=form_errors.placeholders,
            last_step=False,
        )

    async def async_step_model(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Select the model of the first agent, and create the entry with both."""
        form_errors = FormErrors()
        if user_input is not None:
            model = user_input[CONF_MODEL].strip()
            # A test loads the model, and may cost money. A listed model is tested only to check the
            # key: some servers list their models without one.
            if model not in self._models or CONF_API_KEY in self._server:
                with form_errors.capture(has_key=CONF_API_KEY in self._server):
                    await async_test_model(self.hass, self._server, model)
            if not form_errors.errors:
                return self._create(model)
            if form_errors.errors.get("base") in {"invalid_auth", "key_required", "not_openai"}:
                # The error does not depend on the model: the server or its key is wrong.
                return self._show_user_form(form_errors)
        return self.async_show_form(
            step_id="model",
            data_schema=self.add_suggested_values_to_schema(
                model_schema(self._models),
                user_input or {CONF_MODEL: suggested_model(self._models)},
            ),
            errors=form_errors.errors,
            description_placeholders=form_errors.placeholders,
        )

    def _create(self, model: str) -> ConfigFlowResult:
        base_url = self._server[CONF_BASE_URL]
        # Another flow may have added the server in the meantime.
        self._async_abort_entries_match({CONF_BASE_URL: base_url})
        name = unused_name(self.hass, AGENT_NAME)
        return self.async_create_entry(
            title=server_title(base_url),
            data=self._server,
            description_placeholders={"agent": name},
            subentries=[
                {
                    "subentry_type": SUBENTRY_CONVERSATION,
                    "title": name,
                    "data": {CONF_MODEL: model, **DEFAULT_AGENT_DATA},
                    "unique_id": None,
                }
            ],
        )

    async def async_step_reauth(self, _entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Start reauthentication after the server rejected the API key."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Replace the API key."""
        entry = self._get_reauth_entry()
        form_errors = FormErrors()
        if user_input is not None:
            data = {**entry.data, CONF_API_KEY: user_input[CONF_API_KEY].strip()}
            await self._async_test_server(entry, data, form_errors)
            if not form_errors.errors:
                return self._update(entry, data, entry.title)
        return self.async_show_form(
            step_id="reauth_confirm",
            data_schema=REAUTH_SCHEMA,
            errors=form_errors.errors,
            description_placeholders={
                CONF_BASE_URL: entry.data[CONF_BASE_URL],
                **form_errors.placeholders,
            },
        )

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Change the address, the API key, the headers or the verification of the certificate."""
        entry = self._get_reconfigure_entry()
        form_errors = FormErrors()
        if user_input is not None:
            server = await self._async_parse(user_input, form_errors, entry.data)
            if server is not None:
                await self._async_test_server(entry, server, form_errors)
                if not form_errors.errors:
                    await async_clear_quirks(self.hass, entry)
                    return self._update(entry, server, _new_title(entry, server[CONF_BASE_URL]))
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=self.add_suggested_values_to_schema(
                SERVER_SCHEMA, user_input or suggested_server(entry.data)
            ),
            errors=form_errors.errors,
            description_placeholders=form_errors.placeholders,
        )

    async def _async_parse(
        self,
        user_input: Mapping[str, Any],
        form_errors: FormErrors,
        known: Mapping[str, Any] | None = None,
    ) -> dict[str, Any] | None:
        """Return the entry data of a submitted server, None with an error noted.

        Aborts the flow if the server is already configured.
        """
        server = await async_parse_server(self.hass, user_input, form_errors, known)
        if server is not None:
            self._async_abort_entries_match({CONF_BASE_URL: server[CONF_BASE_URL]})
        return server

    async def _async_test_server(
        self, entry: ChatterboxConfigEntry, data: Mapping[str, Any], form_errors: FormErrors
    ) -> None:
        """Test a configured server with the model of its first agent."""
        # Of an agent whose options cannot be used, the name of the model can.
        models = [
            agent.data[CONF_MODEL]
            for agent in entry.subentries.values()
            if agent.subentry_type == SUBENTRY_CONVERSATION and CONF_MODEL in agent.data
        ]
        with form_errors.capture():
            await async_list_models(self.hass, data)
            if models:
                await async_test_key(self.hass, data, models[0], entry.options)

    def _update(
        self, entry: ChatterboxConfigEntry, data: Mapping[str, Any], title: str
    ) -> ConfigFlowResult:
        """Update the entry and reload it, even if nothing changed."""
        listening = bool(entry.update_listeners)
        changed = (data, title) != (entry.data, entry.title)
        result = self.async_update_and_abort(entry, data=data, title=title)
        if not (listening and changed):
            self.hass.config_entries.async_schedule_reload(entry.entry_id)
        return result

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ChatterboxConfigEntry) -> OptionsFlow:
        """Return the options flow of a server."""
        return ChatterboxOptionsFlow()

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ChatterboxConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return the subentry flows by type."""
        return {
            SUBENTRY_CONVERSATION: ConversationSubentryFlowHandler,
            SUBENTRY_AI_TASK: AITaskSubentryFlowHandler,
        }


class ChatterboxOptionsFlow(OptionsFlow):
    """Options flow of a server: settings that all of its agents share."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Edit timeouts, limits and prices."""
        errors: dict[str, str] = {}
        options = {**self.config_entry.options}
        if user_input is not None:
            store_options(SERVER_FIELDS, user_input, options)
            store_sections(SERVER_SECTIONS, user_input, options)
            missing = [price.key for price in PRICES if price.key not in options]
            if len(missing) != 1:
                return self.async_create_entry(data=options)
            errors[missing[0]] = "both_prices"
        return self.async_show_form(
            step_id="init", data_schema=server_options_schema(options), errors=errors
        )


def _new_title(entry: ChatterboxConfigEntry, base_url: str) -> str:
    """Return the title for a new URL; a title set by the user is kept."""
    known = entry.data[CONF_BASE_URL]
    untouched = entry.title in {server_title(known), urlsplit(known).netloc}
    return server_title(base_url) if untouched else entry.title
