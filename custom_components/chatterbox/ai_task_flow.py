"""Subentry flow of an AI task."""

from typing import Any

from homeassistant.config_entries import SubentryFlowResult
from homeassistant.const import CONF_MODEL, CONF_NAME

from .connection_test import FormErrors
from .flow_schemas import AI_TASK_NAME, ai_task_schema, store_options, unused_name
from .option_table import AI_TASK_FIELDS
from .subentry_flow import ModelSubentryFlow


class AITaskSubentryFlowHandler(ModelSubentryFlow):
    """Subentry flow of an AI task: one form to add or change it."""

    def __init__(self) -> None:
        super().__init__({})

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
        self._load(self._get_reconfigure_subentry())
        return await self.async_step_init()

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Edit the settings of the AI task."""
        entry = self._get_entry()
        if not self._is_editable(entry):
            return self.async_abort(reason="entry_not_loaded")
        form_errors = FormErrors()
        if user_input is not None:
            self._name = user_input[CONF_NAME].strip() or self._name
            self._data[CONF_MODEL] = user_input[CONF_MODEL].strip()
            store_options(AI_TASK_FIELDS, user_input, self._data)
            await self._async_test_model(entry, form_errors)
            if not form_errors.errors:
                return self._finish(entry)
        models = await self._async_models(entry)
        return self.async_show_form(
            step_id="init",
            data_schema=ai_task_schema(models, {**self._data, CONF_NAME: self._name}),
            errors=form_errors.errors,
            description_placeholders=form_errors.placeholders,
        )
