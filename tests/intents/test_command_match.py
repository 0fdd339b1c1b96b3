"""Comparison of tool calls with the command that Home Assistant recognized."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.mentions import RecognizedIntent
from custom_components.chatterbox.agent.messages import ToolCall, ToolResult
from custom_components.chatterbox.intents.command_match import async_carried_out
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import intent, llm

from ..intent_home import IntentHome

type Slots = Mapping[str, Any]


@pytest.fixture
async def home(hass: HomeAssistant) -> IntentHome:
    home = IntentHome(hass)
    await home.furnish()
    return home


async def carried_out(
    home: IntentHome, recognized: tuple[str, Slots], *calls: tuple[str, Slots], area: str = ""
) -> bool:
    """Make the calls; return whether they are what was recognized."""
    name, slots = recognized
    results = [await home.call(tool, **arguments) for tool, arguments in calls]
    command = RecognizedIntent(name=name, slots=slots)
    entry = ar.async_get(home.hass).async_get_area_by_name(area)
    return async_carried_out(home.hass, command, results, entry.id if entry else None)


@pytest.mark.parametrize(
    ("slots", "arguments"),
    [
        ({"name": "Desk Lamp"}, {"name": "Desk Lamp"}),
        ({"name": "Desk Lamp"}, {"name": "desk lamp", "domain": ["light"]}),
        ({"name": "Desk Lamp"}, {"area": "Office", "domain": ["light"]}),
        ({"area": "Kitchen", "domain": "light"}, {"area": "kitchen", "domain": ["light"]}),
        ({"domain": "light", "name": "all"}, {"domain": ["light"]}),
        ({"device_class": "blind", "area": "Office"}, {"area": "Office", "domain": ["cover"]}),
    ],
)
async def test_equal_targets_match_however_they_are_named(
    home: IntentHome, slots: Slots, arguments: Slots
) -> None:
    assert await carried_out(home, ("HassTurnOn", slots), ("HassTurnOn", arguments))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("HassTurnOff", {"name": "Desk Lamp"}),
        ("HassTurnOn", {"name": "Counter Light"}),
        ("HassTurnOn", {"area": "Office"}),
        ("HassLightSet", {"name": "Desk Lamp", "brightness": 50}),
    ],
)
async def test_other_intent_or_target_does_not_match(
    home: IntentHome, tool: str, arguments: Slots
) -> None:
    recognized = ("HassTurnOn", {"name": "Desk Lamp"})
    assert not await carried_out(home, recognized, (tool, arguments))


@pytest.mark.parametrize(
    ("tool", "slots", "arguments", "matches"),
    [
        ("HassLightSet", {"brightness": 40}, {"brightness": 40}, True),
        ("HassLightSet", {"brightness": 40}, {"brightness": 50}, False),
        ("HassLightSet", {"brightness": 40}, {"brightness": 40, "color": "red"}, False),
        ("HassLightSet", {"color": "red"}, {"color": "Red"}, True),
        ("HassLightSet", {"color": "red"}, {"color": "blue"}, False),
    ],
)
async def test_values_are_compared(
    home: IntentHome, tool: str, slots: Slots, arguments: Slots, *, matches: bool
) -> None:
    lamp: Slots = {"name": "Desk Lamp"}
    assert (
        await carried_out(home, (tool, {**lamp, **slots}), (tool, {**lamp, **arguments})) is matches
    )


async def test_temperature_matches_as_a_number(home: IntentHome) -> None:
    recognized = ("HassClimateSetTemperature", {"temperature": 21, "name": "Hallway"})
    call = ("HassClimateSetTemperature", {"temperature": 21.0, "name": "Hallway"})
    assert await carried_out(home, recognized, call)


@pytest.mark.parametrize(
    ("minutes", "name", "matches"), [(5, "Pasta", True), (6, "pasta", False), (5, "tea", False)]
)
async def test_calls_without_entities_match_by_their_slots(
    home: IntentHome, minutes: int, name: str, *, matches: bool
) -> None:
    recognized = ("HassStartTimer", {"minutes": 5, "name": "pasta"})
    call = ("HassStartTimer", {"minutes": minutes, "name": name})
    assert await carried_out(home, recognized, call) is matches


async def test_several_calls_match_if_they_are_one_command_together(home: IntentHome) -> None:
    kitchen = ("HassTurnOn", {"area": "Kitchen", "domain": "light"})
    counter, sink = (("HassTurnOn", {"name": name}) for name in ("Counter Light", "Sink Light"))
    assert await carried_out(home, kitchen, counter, sink)
    assert not await carried_out(home, kitchen, counter)
    assert not await carried_out(home, ("HassTurnOn", {"name": "Sink Light"}), counter, sink)


async def test_timer_that_was_started_twice_does_not_match(home: IntentHome) -> None:
    timer = ("HassStartTimer", {"minutes": 5})
    assert not await carried_out(home, timer, timer, timer)


async def test_area_of_the_user_decides_between_equal_names(
    hass: HomeAssistant, home: IntentHome
) -> None:
    hass.states.async_set("light.sink", "off", {"friendly_name": "Counter Light"})
    recognized = ("HassTurnOn", {"name": "Counter Light"})
    call = ("HassTurnOn", {"name": "Desk Lamp"})
    assert not await carried_out(home, recognized, call)
    assert not await carried_out(home, recognized, call, area="Kitchen")


async def test_failed_call_does_not_match(hass: HomeAssistant, home: IntentHome) -> None:
    kitchen = {"area": "Kitchen", "domain": ["light"]}
    home.break_service("homeassistant", "turn_on", "light.sink")
    assert not await carried_out(home, ("HassTurnOn", kitchen), ("HassTurnOn", kitchen))
    home.break_service("homeassistant", "turn_on", "light.sink", "light.counter")
    assert not await carried_out(home, ("HassTurnOn", kitchen), ("HassTurnOn", kitchen))


async def test_result_that_is_an_error_does_not_match(home: IntentHome) -> None:
    result = await home.call("HassTurnOn", name="Desk Lamp")
    command = RecognizedIntent(name="HassTurnOn", slots={"name": "Desk Lamp"})
    assert async_carried_out(home.hass, command, [result], None)
    failed = replace(result, error=True)
    assert not async_carried_out(home.hass, command, [failed], None)
    response = intent.IntentResponse(language="en")
    response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, "No.")
    failed = replace(result, raw=llm.IntentResponseDict(response))
    assert not async_carried_out(home.hass, command, [failed], None)


async def test_tool_that_is_no_intent_does_not_match(hass: HomeAssistant) -> None:
    call = ToolCall(id="c", name="HassTurnOn", arguments={})
    command = RecognizedIntent(name="HassTurnOn")
    assert not async_carried_out(hass, command, [ToolResult(call=call, data={}, raw={})], None)
