"""Service actions and their descriptions."""

from pathlib import Path

import probatio as vol
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.util.yaml import load_yaml_dict

INTEGRATION = Path(__file__).parents[1] / "custom_components" / "chatterbox"


async def test_each_service_of_the_description_is_registered(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    described = load_yaml_dict(str(INTEGRATION / "services.yaml"))
    assert hass.services.async_services_for_domain(DOMAIN).keys() == described.keys()


@pytest.mark.parametrize("action", ["list_conversations", "export_history"])
async def test_service_that_reads_needs_an_agent(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, action: str
) -> None:
    with pytest.raises(vol.Invalid, match="agent"):
        await hass.services.async_call(DOMAIN, action, {}, blocking=True, return_response=True)
