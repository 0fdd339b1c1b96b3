"""Repair flows: another model where one is gone, and a larger context window on the server."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, override

import probatio as vol

from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntryState, ConfigSubentry
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant

from .connection_test import FormErrors, async_list_models, async_test_model
from .data import ChatterboxConfigEntry
from .flow_schemas import model_schema
from .repair_issues import (
    CONTEXT_WINDOW,
    DATA_ENTRY,
    DATA_SUBENTRY,
    DATA_TOKENS,
    MODEL_NOT_FOUND,
    recommended_window,
)
from .server import async_query_model_details


class AgentRepairFlow(RepairsFlow):
    """Repair flow of an agent; a step that is submitted without an error ends it."""

    async def async_step_init(self, _user_input: Any = None) -> RepairsFlowResult:
        """Begin with the only step."""
        return await self._async_first_step()

    @abstractmethod
    async def _async_first_step(self) -> RepairsFlowResult:
        """Show the step."""

    def _find(self) -> tuple[ChatterboxConfigEntry, ConfigSubentry] | None:
        """Return the agent with its server, None if one of them was removed."""
        data: Mapping[str, Any] = self.data or {}
        entry: ChatterboxConfigEntry | None = self.hass.config_entries.async_get_entry(
            data[DATA_ENTRY]
        )
        agent = entry.subentries.get(data[DATA_SUBENTRY]) if entry is not None else None
        return None if entry is None or agent is None else (entry, agent)

    def _placeholders(self, form_errors: FormErrors) -> dict[str, str]:
        found = self._find()
        entry, agent = found if found is not None else (None, None)
        return {
            "agent": agent.title if agent is not None else "",
            "server": entry.title if entry is not None else "",
            "model": str((self.data or {})[CONF_MODEL]),
            **form_errors.placeholders,
        }


class ModelRepairFlow(AgentRepairFlow):
    """Select another model, or the same one after it was loaded on the server."""

    _models: list[str] | None = None

    @override
    async def _async_first_step(self) -> RepairsFlowResult:
        return await self.async_step_model()

    async def async_step_model(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Test the selected model, and use it from now on."""
        if (found := self._find()) is None:
            return self.async_abort(reason="agent_not_found")
        entry, agent = found
        form_errors = FormErrors()
        if user_input is not None:
            model = user_input[CONF_MODEL].strip()
            with form_errors.capture():
                await async_test_model(self.hass, entry.data, model, entry.options)
            if not form_errors.errors:
                self.hass.config_entries.async_update_subentry(
                    entry, agent, data={**agent.data, CONF_MODEL: model}
                )
                return self.async_create_entry(data={})
        elif self._models is None:
            with form_errors.capture():
                self._models = await async_list_models(self.hass, entry.data)
        return self.async_show_form(
            step_id="model",
            data_schema=self.add_suggested_values_to_schema(
                model_schema(self._models or []), user_input
            ),
            errors=form_errors.errors,
            description_placeholders=self._placeholders(form_errors),
        )


class ContextWindowRepairFlow(AgentRepairFlow):
    """Explain how the server gets a larger context window, and check whether it has one."""

    @override
    async def _async_first_step(self) -> RepairsFlowResult:
        return await self.async_step_context_window()

    async def async_step_context_window(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Check the context window that the server reports; one that is unknown is accepted."""
        if (found := self._find()) is None:
            return self.async_abort(reason="agent_not_found")
        entry, agent = found
        form_errors = FormErrors()
        tokens = self._tokens
        if user_input is not None:
            with form_errors.capture():
                await self._async_check(entry, agent, tokens, form_errors)
            if (error := form_errors.errors.pop(CONF_MODEL, None)) is not None:
                # The form has no such field.
                form_errors.errors["base"] = error
            if not form_errors.errors:
                return self.async_create_entry(data={})
        return self.async_show_form(
            step_id="context_window",
            data_schema=vol.Schema({}),
            errors=form_errors.errors,
            description_placeholders={
                **self._placeholders(form_errors),
                "recommended": str(recommended_window(tokens)),
            },
        )

    @property
    def _tokens(self) -> int:
        """The tokens that the context window must have."""
        data: Mapping[str, Any] = self.data or {}
        return int(data[DATA_TOKENS])

    async def _async_check(
        self, entry: ChatterboxConfigEntry, agent: ConfigSubentry, tokens: int, errors: FormErrors
    ) -> None:
        model = agent.data[CONF_MODEL]
        # Some servers know the context window in use only while the model is loaded.
        await async_test_model(self.hass, entry.data, model, entry.options)
        reported = (await async_query_model_details(self.hass, entry.data, model)).context_window
        if reported is not None and reported < tokens:
            errors.errors["base"] = "context_window_too_small"
            errors.placeholders["reported"] = str(reported)
        elif entry.state is ConfigEntryState.LOADED:
            window = entry.runtime_data.context_windows[model]
            window.reported, window.refused = reported, None


async def async_create_fix_flow(
    _hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return the flow of an issue."""
    return _FLOWS[issue_id.removesuffix(f"_{(data or {})[DATA_SUBENTRY]}")]()


_FLOWS: dict[str, type[AgentRepairFlow]] = {
    MODEL_NOT_FOUND: ModelRepairFlow,
    CONTEXT_WINDOW: ContextWindowRepairFlow,
}
