"""Permissions of those who call service actions."""

import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.chatterbox.permissions import (
    async_may_read,
    async_only_owner,
    async_require_admin,
    async_require_control,
    async_require_read,
)
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.exceptions import Unauthorized, UnknownUser

from .builders import add_user


def called_by(hass: HomeAssistant, user: str | None) -> ServiceCall:
    return ServiceCall(hass, "chatterbox", "act", context=Context(user_id=user))


async def test_only_administrators_and_automations_act_for_everybody(hass: HomeAssistant) -> None:
    await add_user(hass, "boss", is_admin=True)
    await add_user(hass, "ann")
    assert await async_only_owner(called_by(hass, None)) is None
    assert await async_only_owner(called_by(hass, "boss")) is None
    assert await async_only_owner(called_by(hass, "ann")) == "ann"


async def test_unknown_user_is_unauthorized(hass: HomeAssistant) -> None:
    call = called_by(hass, "stranger")
    for check in (async_only_owner(call), async_require_control(call, "light.desk")):
        with pytest.raises(UnknownUser):
            await check


async def test_control_of_an_entity_is_a_permission_of_the_user(
    hass: HomeAssistant, hass_read_only_user: MockUser, hass_admin_user: MockUser
) -> None:
    for user_id in (None, hass_admin_user.id):
        await async_require_control(called_by(hass, user_id), "light.desk")
        await async_require_admin(called_by(hass, user_id))
    readers_call = called_by(hass, hass_read_only_user.id)
    with pytest.raises(Unauthorized) as error:
        await async_require_control(readers_call, "light.desk")
    assert error.value.entity_id == "light.desk"
    await async_require_read(readers_call, "light.desk")
    nobody = MockUser(is_owner=False)
    nobody.add_to_hass(hass)
    with pytest.raises(Unauthorized):
        await async_require_read(called_by(hass, nobody.id), "light.desk")
    with pytest.raises(Unauthorized):
        await async_require_admin(readers_call)


async def test_users_read_what_they_are_allowed_to(hass: HomeAssistant) -> None:
    """Without a user, the exposure of an entity is all that counts."""
    ann = MockUser(id="ann", name="Ann", is_owner=False)
    ann.add_to_hass(hass)
    ann.mock_policy({"entities": {"entity_ids": {"sensor.attic": {"read": True}}}})
    assert await async_may_read(hass, None, "sensor.cellar")
    assert await async_may_read(hass, "ann", "sensor.attic")
    assert not await async_may_read(hass, "ann", "sensor.cellar")
    assert not await async_may_read(hass, "stranger", "sensor.attic")
