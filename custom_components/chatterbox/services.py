"""The actions."""

import probatio as vol

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.helpers import config_validation as cv

from .const import ATTR_CONVERSATION_ID, DOMAIN, SERVICE_CANCEL
from .data import ChatterboxConfigEntry

_CANCEL_SCHEMA = vol.Schema({vol.Optional(ATTR_CONVERSATION_ID): cv.string})


@callback
def async_setup_services(hass: HomeAssistant) -> None:
    """Offer the actions, whether a server is set up or not."""

    async def cancel(call: ServiceCall) -> ServiceResponse:
        """Stop the turns in progress, all or that of one conversation."""
        entries: list[ChatterboxConfigEntry] = hass.config_entries.async_entries(DOMAIN)
        stopped = [
            conversation.scope.cancel()
            for entry in entries
            if entry.state is ConfigEntryState.LOADED
            for conversation in entry.runtime_data.conversations.running(
                call.data.get(ATTR_CONVERSATION_ID)
            )
        ]
        return {"status": "interrupted" if any(stopped) else "not_processing"}

    hass.services.async_register(
        DOMAIN,
        SERVICE_CANCEL,
        cancel,
        schema=_CANCEL_SCHEMA,
        supports_response=SupportsResponse.OPTIONAL,
    )
