"""Config flow of a server, and its options."""

from collections.abc import Mapping
from typing import Any, override
from urllib.parse import urlsplit

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_VERIFY_SSL
from homeassistant.core import callback

from .agent.urls import normalize_base_url
from .const import (
    CONF_BASE_URL,
    CONF_COMPLETION_PRICE,
    CONF_PROMPT_PRICE,
    DOMAIN,
    ENTRY_MINOR_VERSION,
    ENTRY_VERSION,
    SUBENTRY_CONVERSATION,
)
from .knowledge import async_clear_quirks
from .probe import FormErrors, async_list_models, async_test_key, async_test_model
from .schemas import (
    FIRST_AGENT,
    KEY_SCHEMA,
    OPTIONS_SCHEMA,
    SERVER_SCHEMA,
    model_schema,
    model_title,
    server_title,
    suggested_model,
)
from .subentry_flow import AgentSubentryFlow


class ChatterboxConfigFlow(ConfigFlow, domain=DOMAIN):
    """The flow of a server: adding it, a new key for it, moving it."""

    VERSION = ENTRY_VERSION
    MINOR_VERSION = ENTRY_MINOR_VERSION

    def __init__(self) -> None:
        """Begin with nothing."""
        self._typed: dict[str, Any] = {}
        self._server: dict[str, Any] = {}
        self._models: list[str] = []

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the server."""
        problems = FormErrors()
        if user_input is not None:
            self._typed = user_input
            if (server := self._server_data(user_input, problems)) is not None:
                self._server = server
                with problems.capture():
                    self._models = await async_list_models(self.hass, server)
            if not problems.errors:
                return await self.async_step_model()
        return self._show_user_form(problems)

    def _show_user_form(self, problems: FormErrors) -> ConfigFlowResult:
        return self.async_show_form(
            step_id="user",
            data_schema=self.add_suggested_values_to_schema(SERVER_SCHEMA, self._typed),
            errors=problems.errors,
            description_placeholders=problems.placeholders,
        )

    async def async_step_model(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the model of the first agent, then add the server with it."""
        problems = FormErrors()
        if user_input is not None:
            model = user_input[CONF_MODEL].strip()
            # Trying a model has it loaded, and may cost money. A listed one is tried for the sake
            # of the key alone: some servers show their list to anybody.
            if model not in self._models or CONF_API_KEY in self._server:
                with problems.capture():
                    await async_test_model(self.hass, self._server, model)
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
        problems = FormErrors()
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
        problems = FormErrors()
        if user_input is not None:
            server = self._server_data(user_input, problems, entry.data)
            if server is not None:
                await self._async_try_server(entry, server, problems)
                if not problems.errors:
                    await async_clear_quirks(self.hass, entry)
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
        problems: FormErrors,
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
        self, entry: ConfigEntry, data: Mapping[str, Any], problems: FormErrors
    ) -> None:
        """Note what is wrong with a server that has agents already."""
        models = [
            subentry.data[CONF_MODEL]
            for subentry in entry.subentries.values()
            if subentry.subentry_type == SUBENTRY_CONVERSATION
        ]
        with problems.capture():
            await async_list_models(self.hass, data)
            if models:
                await async_test_key(self.hass, data, models[0], entry.options)

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


def _origin(base_url: str) -> tuple[str, str]:
    """Return who gets what is sent to an address."""
    parts = urlsplit(base_url)
    return parts.scheme, parts.netloc


def _new_title(entry: ConfigEntry, base_url: str) -> str:
    """Return the title for the new address, and one that the user gave as it is."""
    untouched = entry.title == server_title(entry.data[CONF_BASE_URL])
    return server_title(base_url) if untouched else entry.title
