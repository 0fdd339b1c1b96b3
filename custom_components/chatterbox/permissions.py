"""Permissions of those who call service actions."""

from homeassistant.core import ServiceCall
from homeassistant.exceptions import Unauthorized


async def async_only_owner(call: ServiceCall) -> str | None:
    """Return the only user whose data a call may be about, None for all.

    An administrator or an automation may act for everybody, another user for nobody else. Raises
    `Unauthorized` if the caller is unknown.
    """
    if (caller := call.context.user_id) is None:
        return None
    if (user := await call.hass.auth.async_get_user(caller)) is None:
        raise Unauthorized(context=call.context)
    return None if user.is_admin else caller
