"""Permissions of those who call service actions."""

import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.chatterbox.permissions import async_only_owner
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.exceptions import Unauthorized


def called_by(hass: HomeAssistant, user: str | None) -> ServiceCall:
    return ServiceCall(hass, "chatterbox", "act", context=Context(user_id=user))


async def test_only_administrators_and_automations_act_for_everybody(hass: HomeAssistant) -> None:
    for name, group in (("boss", "system-admin"), ("ann", "system-users")):
        user = MockUser(id=name, name=name, is_owner=False)
        user.add_to_hass(hass)
        await hass.auth.async_update_user(user, group_ids=[group])
    assert await async_only_owner(called_by(hass, None)) is None
    assert await async_only_owner(called_by(hass, "boss")) is None
    assert await async_only_owner(called_by(hass, "ann")) == "ann"


async def test_unknown_user_is_unauthorized(hass: HomeAssistant) -> None:
    with pytest.raises(Unauthorized):
        await async_only_owner(called_by(hass, "stranger"))
