"""Service actions."""

from collections.abc import Callable, Coroutine
from typing import Any

import probatio as vol

from homeassistant.const import CONF_DEVICE
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.selector import MediaSelector

from .agent_actions import async_ask, async_clear_tool_cache
from .cancel_action import async_cancel
from .const import (
    ATTR_AGENT,
    ATTR_ATTACHMENTS,
    ATTR_CONVERSATION_ID,
    ATTR_FACT,
    ATTR_LANGUAGE,
    ATTR_TEXT,
    ATTR_USER,
    DOMAIN,
)
from .fact_actions import async_erase_facts, async_list_facts
from .history_actions import (
    async_clear_history,
    async_export_history,
    async_get_conversation,
    async_list_conversations,
)

type _Handler = Callable[[ServiceCall], Coroutine[Any, Any, ServiceResponse]]
type _Fields = dict[Any, Any]

_AGENT: _Fields = {vol.Required(ATTR_AGENT): cv.entity_id}
_CONVERSATION: _Fields = {vol.Required(ATTR_CONVERSATION_ID): cv.string}
_ANY_CONVERSATION: _Fields = {vol.Optional(ATTR_CONVERSATION_ID): cv.string}
# A filter that a template has left empty must not select everything.
_FILTER = vol.All(cv.string, vol.Length(min=1))
_FILTERS: _Fields = {vol.Optional(CONF_DEVICE): _FILTER, vol.Optional(ATTR_USER): _FILTER}


_ACTIONS: dict[str, tuple[_Handler, _Fields, SupportsResponse]] = {
    "ask": (
        async_ask,
        {
            **_AGENT,
            vol.Required(ATTR_TEXT): vol.All(cv.string, vol.Length(min=1)),
            **_ANY_CONVERSATION,
            vol.Optional(ATTR_LANGUAGE): cv.string,
            vol.Optional(ATTR_ATTACHMENTS): vol.All(
                cv.ensure_list, [MediaSelector({"accept": ["*/*"]})]
            ),
        },
        SupportsResponse.OPTIONAL,
    ),
    "cancel": (
        async_cancel,
        {**cv.TARGET_SERVICE_FIELDS, **_ANY_CONVERSATION},
        SupportsResponse.OPTIONAL,
    ),
    "list_conversations": (
        async_list_conversations,
        {**_AGENT, **_FILTERS},
        SupportsResponse.ONLY,
    ),
    "get_conversation": (
        async_get_conversation,
        {**_AGENT, **_CONVERSATION},
        SupportsResponse.ONLY,
    ),
    "export_history": (async_export_history, {**_AGENT, **_FILTERS}, SupportsResponse.ONLY),
    "clear_history": (
        async_clear_history,
        {**_AGENT, vol.Optional(ATTR_CONVERSATION_ID): _FILTER, **_FILTERS},
        SupportsResponse.OPTIONAL,
    ),
    "list_facts": (async_list_facts, {**_AGENT, **_FILTERS}, SupportsResponse.ONLY),
    "erase_facts": (
        async_erase_facts,
        {**_AGENT, **_FILTERS, vol.Optional(ATTR_FACT): _FILTER},
        SupportsResponse.OPTIONAL,
    ),
    "clear_tool_cache": (
        async_clear_tool_cache,
        {vol.Optional(ATTR_AGENT): cv.entity_id},
        SupportsResponse.OPTIONAL,
    ),
}


@callback
def async_setup_services(hass: HomeAssistant) -> None:
    """Register the service actions, independently of the config entries."""
    for name, (handler, fields, response) in _ACTIONS.items():
        hass.services.async_register(
            DOMAIN, name, handler, schema=vol.Schema(fields), supports_response=response
        )
