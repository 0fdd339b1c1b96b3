"""Permissions of those who call service actions, and of those who talk with an agent."""

from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import ServiceValidationError, Unauthorized, UnknownUser

from .const import ATTR_USER, DOMAIN


async def async_only_owner(call: ServiceCall) -> str | None:
    """Return the only user whose data a call may be about, None for all.

    An administrator or an automation may act for everybody, another user for nobody else. Raises
    `Unauthorized` if the caller is unknown.
    """
    user = await _async_caller(call)
    return None if user is None or user.is_admin else user.id


async def async_wanted_user(call: ServiceCall) -> str | None:
    """Return the id of the user whose data a call is about, None for all.

    Raises `Unauthorized` if the caller is unknown, or no administrator and asks for another user,
    and `ServiceValidationError` for a person who is no user.
    """
    owner = await async_only_owner(call)
    wanted = await _async_user_id(call.hass, call.data.get(ATTR_USER))
    if owner is not None and wanted not in (None, owner):
        raise Unauthorized(context=call.context)
    return owner or wanted


async def async_user_names(hass: HomeAssistant) -> dict[str, str | None]:
    """Return the names of all users by their ids."""
    return {user.id: user.name for user in await hass.auth.async_get_users()}


async def async_require_admin(call: ServiceCall) -> None:
    """Raise `Unauthorized` unless the caller is an administrator or an automation."""
    if await async_only_owner(call) is not None:
        raise Unauthorized(context=call.context)


async def async_require_control(call: ServiceCall, entity_id: str) -> None:
    """Raise `Unauthorized` unless the caller may control an entity, as an automation may."""
    user = await _async_caller(call)
    if user is not None and not user.permissions.check_entity(entity_id, POLICY_CONTROL):
        raise Unauthorized(context=call.context, entity_id=entity_id, permission=POLICY_CONTROL)


async def async_require_read(call: ServiceCall, entity_id: str) -> None:
    """Raise `Unauthorized` unless the caller may read an entity, as an automation may."""
    if not await async_may_read(call.hass, call.context.user_id, entity_id):
        raise Unauthorized(context=call.context, entity_id=entity_id, permission=POLICY_READ)


async def _async_user_id(hass: HomeAssistant, user: str | None) -> str | None:
    """Return the id of a user who is given as a person, by name or by id.

    The id may be that of a user who was removed. Raises `ServiceValidationError` for a person who
    is no user.
    """
    if user is None:
        return None
    if user.startswith("person."):
        state = hass.states.get(user)
        if (user_id := state and state.attributes.get("user_id")) is None:
            raise ServiceValidationError(
                translation_domain=DOMAIN,
                translation_key="history_no_user",
                translation_placeholders={"person": user},
            )
        return str(user_id)
    names = await async_user_names(hass)
    found = [user_id for user_id, name in names.items() if name == user]
    return found[0] if user not in names and len(found) == 1 else user


async def _async_caller(call: ServiceCall) -> User | None:
    """Return the user who calls, None for an automation."""
    if (caller := call.context.user_id) is None:
        return None
    if (user := await call.hass.auth.async_get_user(caller)) is None:
        raise UnknownUser(context=call.context)
    return user


async def async_may_read(hass: HomeAssistant, user_id: str | None, entity_id: str) -> bool:
    """Return whether a user may read an entity.

    Without a user, as on a satellite, only the exposure of the entity counts.
    """
    if user_id is None:
        return True
    user = await hass.auth.async_get_user(user_id)
    return user is not None and user.permissions.check_entity(entity_id, POLICY_READ)
