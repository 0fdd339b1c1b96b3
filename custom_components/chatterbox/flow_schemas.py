"""Form schemas of the flows: fields, suggested values and titles."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, override
from urllib.parse import urlsplit

import probatio as vol

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.const import (
    CONF_API_KEY,
    CONF_LLM_HASS_API,
    CONF_MODEL,
    CONF_NAME,
    CONF_PROMPT,
    CONF_VERIFY_SSL,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.data_entry_flow import section
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TemplateSelector,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)

from .agent.model.urls import PRESETS, is_local_host
from .const import (
    BUILT_IN_TOOLS,
    CONF_BASE_URL,
    CONF_BUILT_IN_TOOLS,
    CONF_FALLBACK_AGENT,
    CONF_HEADERS,
    DOMAIN,
    OPTIONAL_TOOLS,
    SECTION_ADVANCED,
)
from .option_table import (
    AGENT_FIELDS,
    AGENT_SECTIONS,
    AI_TASK_FIELDS,
    SERVER_FIELDS,
    SERVER_SECTIONS,
    Option,
    select,
)
from .prompt import DEFAULT_PROMPT

# Suggested where the server has it: small, cheap and capable.
_PREFERRED_MODEL = "gpt-4o-mini"
AGENT_NAME = "Chatterbox"
AI_TASK_NAME = "Chatterbox AI Task"


class UncheckedTemplateSelector(TemplateSelector):
    """A template selector without validation: the flow validates, with a translated error."""

    @override
    def __call__(self, data: Any) -> str:
        """Return the text unchanged."""
        return str(data)


_PASSWORD_FIELD = TextSelector(
    TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="current-password")
)

SERVER_SCHEMA = vol.Schema(
    {
        # A list with other values would lose what is typed and left without the enter key.
        vol.Required(CONF_BASE_URL): TextSelector(),
        vol.Optional(CONF_API_KEY): _PASSWORD_FIELD,
        vol.Optional(SECTION_ADVANCED): section(
            vol.Schema(
                {
                    vol.Required(CONF_VERIFY_SSL, default=True): BooleanSelector(),
                    vol.Optional(CONF_HEADERS): TextSelector(TextSelectorConfig(multiple=True)),
                }
            ),
            {"collapsed": True},
        ),
    }
)

REAUTH_SCHEMA = vol.Schema({vol.Required(CONF_API_KEY): _PASSWORD_FIELD})

DEFAULT_AGENT_DATA: Mapping[str, Any] = {
    CONF_LLM_HASS_API: [llm.LLM_API_ASSIST],
    CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
}
"""Default data of an agent, besides its model."""


def _accepted_value(option: Option, data: Mapping[str, Any], selector: Any) -> Any:
    """Return the stored value, or what its field accepts of it: the form can repair it."""
    try:
        value = option.read(data)
        if isinstance(value, tuple):
            return _accepted_items(value, selector.config["options"])
        # A number field would accept a switch.
        if value is not None and isinstance(value, bool) == isinstance(option.default, bool):
            return selector(value)
    except TypeError, ValueError, vol.Invalid:
        pass
    return [*option.default] if isinstance(option.default, tuple) else option.default


def _accepted_items(values: Any, choices: Iterable[str]) -> list[str]:
    """Return the choices among stored values."""
    return [item for item in values if item in choices] if isinstance(values, list | tuple) else []


def _optional(key: str, value: Any) -> vol.Optional:
    """Return a field that can be emptied; a default would be filled in then."""
    return vol.Optional(key, description=None if value is None else {"suggested_value": value})


def _fields(
    options: Iterable[Option],
    data: Mapping[str, Any],
    selectors: Mapping[str, Any] = MappingProxyType({}),
) -> dict[vol.Marker, Any]:
    """Return the fields of options. A field that is not submitted keeps its stored value."""
    fields: dict[vol.Marker, Any] = {}
    for option in options:
        selector = selectors.get(option.key, option.selector)
        value = _accepted_value(option, data, selector)
        marker = (
            _optional(option.key, value)
            if option.default is None
            else vol.Required(option.key, default=value)
        )
        fields[marker] = selector
    return fields


def _sections(
    sections: Mapping[str, Sequence[Option]],
    data: Mapping[str, Any],
    expanded: Collection[str] = (),
    selectors: Mapping[str, Any] = MappingProxyType({}),
) -> dict[vol.Marker, Any]:
    return {
        vol.Optional(name): section(
            vol.Schema(_fields(options, data, selectors)), {"collapsed": name not in expanded}
        )
        for name, options in sections.items()
    }


def store_options(
    options: Iterable[Option], values: Mapping[str, Any], data: dict[str, Any]
) -> None:
    """Replace options in the stored data by submitted values."""
    for option in options:
        for key in option.keys:
            data.pop(key, None)
        data |= option.to_store(values.get(option.key))


def store_sections(
    sections: Mapping[str, Sequence[Option]], values: Mapping[str, Any], data: dict[str, Any]
) -> None:
    """Replace the options of all submitted sections in the stored data."""
    for name, options in sections.items():
        if name in values:
            store_options(options, values[name], data)


def server_options_schema(data: Mapping[str, Any]) -> vol.Schema:
    """Return the form for the options of a server, with their stored values."""
    return vol.Schema(_fields(SERVER_FIELDS, data) | _sections(SERVER_SECTIONS, data))


def model_schema(models: Sequence[str]) -> vol.Schema:
    """Return the form for the model of the first agent."""
    return vol.Schema({vol.Required(CONF_MODEL): _model_field(models)})


def agent_schema(
    hass: HomeAssistant,
    models: Sequence[str],
    data: Mapping[str, Any],
    *,
    subentry_id: str | None = None,
    expanded: Collection[str] = (),
) -> vol.Schema:
    """Return the form of an agent, with its name and stored values.

    A new agent has no `subentry_id` yet.
    """
    model = data.get(CONF_MODEL) or suggested_model(models)
    apis = [SelectOptionDict(label=api.name, value=api.id) for api in llm.async_get_apis(hass)]
    selected = _accepted_items(data.get(CONF_LLM_HASS_API), [api["value"] for api in apis])
    tools = (*BUILT_IN_TOOLS, *OPTIONAL_TOOLS)
    fallback = {CONF_FALLBACK_AGENT: _fallback_field(hass, data, subentry_id)}
    return vol.Schema(
        {
            vol.Required(CONF_NAME, default=data[CONF_NAME]): TextSelector(),
            vol.Required(CONF_MODEL, description={"suggested_value": model}): _model_field(models),
            _optional(
                CONF_PROMPT, data.get(CONF_PROMPT) or DEFAULT_PROMPT
            ): UncheckedTemplateSelector(),
            _optional(CONF_LLM_HASS_API, selected): SelectSelector(
                SelectSelectorConfig(options=apis, multiple=True, mode=SelectSelectorMode.LIST)
            ),
            _optional(
                CONF_BUILT_IN_TOOLS, _accepted_items(data.get(CONF_BUILT_IN_TOOLS), tools)
            ): select(CONF_BUILT_IN_TOOLS, tools, multiple=True),
            **_fields(AGENT_FIELDS, data),
            **_sections(AGENT_SECTIONS, data, expanded, fallback),
        }
    )


def ai_task_schema(models: Sequence[str], data: Mapping[str, Any]) -> vol.Schema:
    """Return the form of an AI task, with its name and stored values."""
    model = data.get(CONF_MODEL) or suggested_model(models)
    return vol.Schema(
        {
            vol.Required(CONF_NAME, default=data[CONF_NAME]): TextSelector(),
            vol.Required(CONF_MODEL, description={"suggested_value": model}): _model_field(models),
            **_fields(AI_TASK_FIELDS, data),
        }
    )


def _fallback_field(
    hass: HomeAssistant, data: Mapping[str, Any], subentry_id: str | None
) -> SelectSelector:
    """Return a choice of the other agents.

    Home Assistant's own field for agents shows no description, and cannot leave out an agent.
    """
    own = subentry_id and er.async_get(hass).async_get_entity_id(CONVERSATION, DOMAIN, subentry_id)
    names = {state.entity_id: state.name for state in hass.states.async_all(CONVERSATION)}
    if isinstance(stored := data.get(CONF_FALLBACK_AGENT), str) and stored:
        names.setdefault(stored, stored)
    return SelectSelector(
        SelectSelectorConfig(
            options=[
                SelectOptionDict(label=name, value=agent)
                for agent, name in names.items()
                if agent != own
            ],
            mode=SelectSelectorMode.DROPDOWN,
        )
    )


@callback
def unused_name(hass: HomeAssistant, wanted: str) -> str:
    """Return a name for a new agent that no other one has: the wanted one, or with a number."""
    taken = {
        subentry.title
        for entry in hass.config_entries.async_entries(DOMAIN)
        for subentry in entry.subentries.values()
    }
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def _model_field(models: Sequence[str]) -> SelectSelector | TextSelector:
    """Return a model field: a list that accepts other names, a text field if the list is empty."""
    if not models:
        return TextSelector()
    return SelectSelector(
        SelectSelectorConfig(
            options=list(models), custom_value=True, mode=SelectSelectorMode.DROPDOWN
        )
    )


def suggested_model(models: Sequence[str]) -> str | None:
    """Return the model to suggest, None without any."""
    return _PREFERRED_MODEL if _PREFERRED_MODEL in models else next(iter(models), None)


def server_title(base_url: str) -> str:
    """Return the title of a server: its host, with the product name if its address tells it."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    match [
        name
        for name, url in PRESETS.items()
        if url == base_url or (is_local_host(host) and parts.port == urlsplit(url).port)
    ]:
        case [name]:
            return f"{name} ({parts.netloc})"
    return parts.netloc
