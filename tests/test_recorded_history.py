"""History and statistics of exposed entities, from a recorder."""

from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from freezegun.api import FrozenDateTimeFactory
from pytest_homeassistant_custom_component.common import MockUser
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)

from custom_components.chatterbox import recorded_history
from custom_components.chatterbox.agent.errors import ToolArgumentError, ToolError
from custom_components.chatterbox.agent.tools.builtin.history import HistoryTool
from custom_components.chatterbox.builtin_tools import caller_tools
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.recorder.core import Recorder
from homeassistant.components.recorder.models import StatisticMeanType
from homeassistant.components.recorder.statistics import async_import_statistics
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util

NOW = "2026-11-21T12:00:00+00:00"
ATTIC = {"friendly_name": "Attic", "unit_of_measurement": "°C", "device_class": "temperature"}


@pytest.fixture
def ids(hass: HomeAssistant) -> list[str]:
    return ["sensor.attic", "sensor.meter", "sensor.wind", "binary_sensor.door", "counter.cups"]


@pytest.fixture(autouse=True)
async def recorder(
    recorder_mock: Recorder, hass: HomeAssistant, ids: list[str], freezer: FrozenDateTimeFactory
) -> Recorder:
    """Set up a home whose exposed entities are recorded, at noon."""
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    assert await async_setup_component(hass, "homeassistant", {})
    for entity_id in ids:
        async_expose_entity(hass, "conversation", entity_id, should_expose=True)
    return recorder_mock


async def record(
    hass: HomeAssistant,
    freezer: FrozenDateTimeFactory,
    entity_id: str,
    *states: tuple[int, str],
    **attributes: Any,
) -> None:
    """Record states at so many minutes before noon."""
    noon = datetime.fromisoformat(NOW)
    for minutes, state in states:
        freezer.move_to(noon - timedelta(minutes=minutes))
        hass.states.async_set(entity_id, state, attributes)
        await async_wait_recording_done(hass)
    freezer.move_to(noon)


async def import_hours(
    hass: HomeAssistant, entity_id: str, hours: dict[int, dict[str, float]], **metadata: Any
) -> None:
    """Import the statistics of hours, each so many hours before noon."""
    noon = datetime.fromisoformat(NOW)
    described: Any = {
        "statistic_id": entity_id,
        "source": "recorder",
        "name": None,
        "unit_class": None,
        "mean_type": StatisticMeanType.NONE,
        "has_sum": False,
        **metadata,
    }
    rows: Any = [
        {"start": noon - timedelta(hours=before), **values} for before, values in hours.items()
    ]
    async_import_statistics(hass, described, rows)
    await async_wait_recording_done(hass)


async def history(hass: HomeAssistant, user: str | None = None, **arguments: Any) -> dict[str, Any]:
    (tool,) = caller_tools(hass, ["get_history"], user)
    report: dict[str, Any] = await tool.call(arguments)
    return report


async def test_night_of_a_sensor(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """What it showed when the range began counts from there on."""
    await record(
        hass, freezer, "sensor.attic", (900, "9"), (600, "4.5"), (540, "unknown"), (480, "7"),
        (60, "30"), **ATTIC,
    )  # fmt: skip
    report = await history(hass, entity="attic", start="2026-11-21", end="2026-11-21T08:00")
    assert report == {
        "entity": "Attic",
        "start": "2026-11-21T00:00+00:00",
        "end": "2026-11-21T08:00+00:00",
        "unit": "°C",
        "first": 9.0,
        "last": 7.0,
        "change": -2.0,
        "mean": 7.21429,
        "min": {"value": 4.5, "time": "2026-11-21T02:00+00:00"},
        "max": {"value": 9.0, "time": "2026-11-21T00:00+00:00"},
    }


async def test_door_has_changes(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await record(
        hass,
        freezer,
        "binary_sensor.door",
        *((130, "off"), (90, "on"), (85, "off")),
        friendly_name="Front Door",
    )
    report = await history(hass, entity="binary_sensor.door", start="2026-11-21T10:00")
    assert report["states"] == [
        {"state": "off", "times": 2, "minutes": 115.0},
        {"state": "on", "times": 1, "minutes": 5.0},
    ]
    assert report["changes"][1]["time"] == "2026-11-21T10:30+00:00"


async def test_counter_without_a_unit_is_numeric(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    await record(hass, freezer, "counter.cups", (90, "1"), (30, "3"), friendly_name="Cups")
    report = await history(hass, entity="Cups")
    assert (report["change"], "unit" in report) == (2.0, False)


async def test_week_of_a_meter(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """What it counted, in the unit in which it is shown."""
    await record(
        hass, freezer, "sensor.meter", (1, "9"),
        friendly_name="Meter", unit_of_measurement="kWh", device_class="energy",
        state_class="total_increasing",
    )  # fmt: skip
    hours = {
        before: {"state": 1000.0 * (200 - before), "sum": 1000.0 * (200 - before)}
        for before in range(180, 0, -1)
    }
    await import_hours(
        hass, "sensor.meter", hours, has_sum=True, unit_of_measurement="Wh", unit_class="energy"
    )
    report = await history(hass, entity="Meter", start="2026-11-16", by="day")
    assert (report["unit"], report["change"]) == ("kWh", 132.0)
    assert [each["change"] for each in report["by_day"]] == [24.0, 24.0, 24.0, 24.0, 24.0, 12.0]
    assert report["by_day"][0]["start"] == "2026-11-16T00:00+00:00"


async def test_weeks_of_a_temperature(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """With the times of its extremes, by the hour up to a month, else by the day."""
    await record(hass, freezer, "sensor.attic", (1, "9"), **ATTIC)
    hours = {
        before: {"mean": 10.0, "min": 10.0 - (before == 50), "max": 10.0 + (before == 60)}
        for before in range(1000, 0, -1)
    }
    await import_hours(
        hass,
        "sensor.attic",
        hours,
        mean_type=StatisticMeanType.ARITHMETIC,
        unit_of_measurement="°C",
        unit_class="temperature",
    )
    report = await history(hass, entity="Attic", start="2026-11-14")
    assert (report["mean"], report["first"], report["last"]) == (10.0, 10.0, 10.0)
    assert report["min"] == {"value": 9.0, "time": "2026-11-19T10:00+00:00"}
    assert report["max"] == {"value": 11.0, "time": "2026-11-19T00:00+00:00"}
    assert "one hour" in report["accuracy"]
    report = await history(hass, entity="Attic", start="2026-10-15")
    assert report["min"] == {"value": 9.0, "time": "2026-11-19T00:00+00:00"}
    assert "one day" in report["accuracy"]


async def test_direction_of_the_wind_has_a_mean_only(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    """Statistics stand in for states that are no longer there."""
    await import_hours(
        hass,
        "sensor.wind",
        {before: {"mean": 350.0, "mean_weight": 1.0} for before in (3, 2, 1)},
        mean_type=StatisticMeanType.CIRCULAR,
        unit_of_measurement="°",
    )
    hass.states.async_set("sensor.wind", "unknown", {"friendly_name": "Wind"})
    report = await history(hass, entity="Wind", start="2026-11-21T08:00", end="2026-11-21T11:30")
    assert report["mean"] == pytest.approx(350.0)
    assert {"min", "max", "change"}.isdisjoint(report)


async def test_too_many_states_are_replaced_by_statistics_or_incomplete(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    with patch.object(recorded_history, "_MAX_STATES", 2):
        await record(hass, freezer, "sensor.attic", (90, "1"), (60, "2"), (30, "3"), **ATTIC)
        report = await history(hass, entity="Attic", start="2026-11-21T10:00")
        assert report["partial"]
        await import_hours(
            hass,
            "sensor.attic",
            {2: {"mean": 5.0, "min": 1.0, "max": 6.0}},
            mean_type=StatisticMeanType.ARITHMETIC,
            unit_of_measurement="°C",
            unit_class="temperature",
        )
        report = await history(hass, entity="Attic", start="2026-11-21T10:00")
        assert (report["mean"], "partial" in report) == (5.0, False)


async def test_what_cannot_be_read_is_told(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    hass.states.async_set("sensor.secret", "1", {"friendly_name": "Secret"})
    await record(hass, freezer, "sensor.attic", (60, "2"), **ATTIC)
    for entity in ("Secret", "sensor.secret", "Attik"):
        with pytest.raises(ToolArgumentError) as error:
            await history(hass, entity=entity)
        assert str(error.value) == (
            f'No entity that is exposed is called "{entity}". The nearest names: Attic.'
        )
    with pytest.raises(ToolArgumentError, match="Attic has no statistics"):
        await history(hass, entity="Attic", by="day")
    with pytest.raises(ToolArgumentError, match="Nothing is recorded of Attic"):
        await history(hass, entity="Attic", end="2026-11-20")


async def test_nothing_is_exposed(hass: HomeAssistant) -> None:
    with pytest.raises(ToolArgumentError) as error:
        await history(hass, entity="Attic")
    assert str(error.value) == 'No entity that is exposed is called "Attic".'


async def test_entities_of_the_same_name_are_told_apart(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    registry = er.async_get(hass)
    kitchen = ar.async_get(hass).async_create("Kitchen")
    entry = registry.async_get_or_create("sensor", "test", "1", suggested_object_id="attic")
    registry.async_update_entity(entry.entity_id, area_id=kitchen.id)
    async_expose_entity(hass, "conversation", "sensor.attic", should_expose=True)
    await record(hass, freezer, "sensor.attic", (60, "2"), **ATTIC)
    await record(hass, freezer, "sensor.meter", (60, "3"), **ATTIC)
    with pytest.raises(ToolArgumentError) as error:
        await history(hass, entity="attic")
    assert str(error.value) == (
        'Several entities are called "attic". Use an entity ID: sensor.attic (Kitchen), '
        "sensor.meter (no area)."
    )
    assert (await history(hass, entity="sensor.meter"))["last"] == 3.0


async def test_user_reads_only_what_is_allowed(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    await record(hass, freezer, "sensor.attic", (60, "2"), **ATTIC)
    ann = MockUser(id="ann", name="Ann", is_owner=False)
    ann.add_to_hass(hass)
    ann.mock_policy({"entities": {"entity_ids": {"sensor.other": True}}})
    with pytest.raises(ToolError, match="not allowed to read Attic"):
        await history(hass, "ann", entity="Attic")
    ann.mock_policy({"entities": {"entity_ids": {"sensor.attic": True}}})
    assert (await history(hass, "ann", entity="Attic"))["last"] == 2.0


async def test_without_a_recorder_there_is_no_tool(hass: HomeAssistant) -> None:
    (tool,) = caller_tools(hass, ["get_history"], None)
    assert isinstance(tool, HistoryTool)
    assert caller_tools(hass, ["get_weather"], None) == []
    hass.states.async_set("sensor.attic", "1", ATTIC)
    hass.config.components.remove("recorder")
    assert caller_tools(hass, ["get_history"], None) == []
    with pytest.raises(ToolError, match="records no history"):
        await tool.call({"entity": "Attic"})
    assert dt_util.utcnow() == datetime.fromisoformat(NOW)
