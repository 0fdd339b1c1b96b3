"""Entities that report the turns of an agent."""

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er


async def test_entities_belong_to_the_device_of_the_agent(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    (subentry,) = loaded_entry.subentries.values()
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), loaded_entry.entry_id)
    entities = er.async_entries_for_config_entry(er.async_get(hass), loaded_entry.entry_id)

    assert device.identifiers == {(DOMAIN, subentry.subentry_id)}
    assert {entity.device_id for entity in entities} == {device.id}
    assert {entity.config_subentry_id for entity in entities} == {subentry.subentry_id}
    assert {entity.domain for entity in entities} == {"conversation", "event", "sensor"}
    ids = [entity.unique_id for entity in entities]
    assert ids.count(subentry.subentry_id) == 1
    assert all(each.startswith(subentry.subentry_id) for each in ids)


async def test_few_entities_are_enabled_by_default(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    entities = er.async_entries_for_config_entry(er.async_get(hass), loaded_entry.entry_id)

    assert sorted(entity.entity_id for entity in entities if not entity.disabled) == [
        "conversation.scripted",
        "event.scripted_response",
        "sensor.scripted_last_response",
        "sensor.scripted_time_to_first_token",
    ]


@pytest.mark.usefixtures("all_entities_enabled")
async def test_reports_are_diagnostic(hass: HomeAssistant, loaded_entry: MockConfigEntry) -> None:
    entities = er.async_entries_for_config_entry(er.async_get(hass), loaded_entry.entry_id)

    assert {entity.domain for entity in entities if entity.entity_category is None} == {
        "conversation"
    }
