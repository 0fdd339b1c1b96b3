"""Handlers of the service actions on remembered facts: list, erase."""

from homeassistant.const import CONF_DEVICE
from homeassistant.core import ServiceCall, ServiceResponse
from homeassistant.exceptions import Unauthorized

from .agent_actions import loaded_agent
from .const import ATTR_AGENT, ATTR_FACT, ATTR_USER
from .fact_store import Fact
from .permissions import async_only_owner


async def async_list_facts(call: ServiceCall) -> ServiceResponse:
    """Return the facts, oldest first; non-administrators only get their own."""
    only = await _async_only_user(call)
    _, history = loaded_agent(call.hass, call.data[ATTR_AGENT])
    return {
        "facts": [fact.to_dict() for fact in history.facts.facts if _is_meant(fact, call, only)]
    }


async def async_erase_facts(call: ServiceCall) -> ServiceResponse:
    """Delete the facts, and return how many there were."""
    only = await _async_only_user(call)
    _, history = loaded_agent(call.hass, call.data[ATTR_AGENT])
    return {"erased": await history.facts.async_erase(lambda fact: _is_meant(fact, call, only))}


async def _async_only_user(call: ServiceCall) -> str | None:
    """Return the user whose facts a call is about, None for all.

    Raises `Unauthorized` if the caller is unknown, or no administrator and asks for another user.
    """
    wanted: str | None = call.data.get(ATTR_USER)
    owner = await async_only_owner(call)
    if owner is not None and wanted not in (None, owner):
        raise Unauthorized(context=call.context)
    return owner or wanted


def _is_meant(fact: Fact, call: ServiceCall, user: str | None) -> bool:
    return (
        user in (None, fact.user)
        and call.data.get(CONF_DEVICE) in (None, fact.device)
        and call.data.get(ATTR_FACT) in (None, fact.text)
    )
