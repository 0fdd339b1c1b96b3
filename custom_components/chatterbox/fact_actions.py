"""Handlers of the service actions on remembered facts: list, erase."""

from homeassistant.const import CONF_DEVICE
from homeassistant.core import ServiceCall, ServiceResponse

from .agent_actions import loaded_agent
from .const import ATTR_AGENT, ATTR_FACT
from .fact_store import Fact
from .permissions import async_wanted_user


async def async_list_facts(call: ServiceCall) -> ServiceResponse:
    """Return the facts, oldest first; non-administrators only get their own."""
    user = await async_wanted_user(call)
    _, history = loaded_agent(call.hass, call.data[ATTR_AGENT])
    return {
        "facts": [fact.to_dict() for fact in history.facts.facts if _is_meant(fact, call, user)]
    }


async def async_erase_facts(call: ServiceCall) -> ServiceResponse:
    """Delete the facts, and return how many there were."""
    user = await async_wanted_user(call)
    _, history = loaded_agent(call.hass, call.data[ATTR_AGENT])
    return {"erased": await history.facts.async_erase(lambda fact: _is_meant(fact, call, user))}


def _is_meant(fact: Fact, call: ServiceCall, user: str | None) -> bool:
    return (
        user in (None, fact.user)
        and call.data.get(CONF_DEVICE) in (None, fact.device)
        and call.data.get(ATTR_FACT) in (None, fact.text)
    )
