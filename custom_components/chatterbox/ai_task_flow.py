"""Subentry flow of an AI task."""

from contextlib import suppress
from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_MODEL, CONF_NAME

from .agent.errors import LLMError
from .connection_test import FormErrors, async_list_models, async_test_model
from .flow_schemas import AI_TASK_NAME, ai_task_schema, store_options, unused_name
from .option_table import AI_TASK_FIELDS


class AITaskSubentryFlowHandler(ConfigSubentryFlow):
    """Subentry flow of an AI task: one form to add or change it."""

    def __init__(self) -> None:
        self._name = ""
        self._data: dict[str, Any] = {}
        self._models: list[str] | None = None
        # It passed its test, or is in use already: it is not tested again.
        self._tested_model: str | None = None

    async def async_step_user(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Add an AI task."""
        self._name = unused_name(self.hass, AI_TASK_NAME)
        return await self.async_step_init()

    async def async_step_reconfigure(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Reconfigure an AI task."""
        subentry = self._get_reconfigure_subentry()
        self._name, self._data = subentry.title, {**subentry.data}
        self._tested_model = subentry.data[CONF_MODEL]
        return await self.async_step_init()

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Edit the settings of the AI task."""
        entry = self._get_entry()
        if entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        if self._models is None:
            self._models = []
            with suppress(LLMError):
                self._models = await async_list_models(self.hass, entry.data)
        form_errors = FormErrors()
        if user_input is not None:
            self._name = user_input[CONF_NAME].strip() or self._name
            self._data[CONF_MODEL] = model = user_input[CONF_MODEL].strip()
            store_options(AI_TASK_FIELDS, user_input, self._data)
            if model != self._tested_model and model not in self._models:
                with form_errors.capture():
                    await async_test_model(self.hass, entry.data, model, entry.options)
            if not form_errors.errors:
                return self._finish()
        return self.async_show_form(
            step_id="init",
            data_schema=ai_task_schema(self._models, {**self._data, CONF_NAME: self._name}),
            errors=form_errors.errors,
            description_placeholders=form_errors.placeholders,
        )

    def _finish(self) -> SubentryFlowResult:
        if self.source == SOURCE_USER:
            return self.async_create_entry(title=self._name, data=self._data)
        return self.async_update_and_abort(
            self._get_entry(), self._get_reconfigure_subentry(), title=self._name, data=self._data
        )
