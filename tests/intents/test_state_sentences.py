"""Spoken answers to look-ups, from states, times and lists, in the user's language."""

from collections.abc import Mapping
from typing import Any

import pytest

from custom_components.chatterbox.agent.mentions import RecognizedIntent
from custom_components.chatterbox.agent.messages import ToolCall, ToolResult
from custom_components.chatterbox.intents.state_sentences import (
    StateSentences,
    async_load_state_sentences,
)
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM

from ..intent_home import IntentHome

NO_STATE = "not available"
SENTENCES = {"unavailable": NO_STATE, "nothing_on_day": "nothing on {day}"}
LIGHTS = {"domain": ["light"]}
NOON = {"date": "2026-11-23", "time": "12:00:00"}
DENTIST = {
    "start": "2030-01-07T10:00:00+00:00",
    "end": "2030-01-07T11:00:00+00:00",
    "summary": "Dentist",
}
WEATHER = {"units": {"temperature": "°C"}, "conditions": "clear sky", "temperature_c": 20.6}


@pytest.fixture
async def home(hass: HomeAssistant) -> IntentHome:
    home = IntentHome(hass)
    await home.furnish()
    return home


async def load(hass: HomeAssistant, language: str = "en") -> StateSentences:
    return await async_load_state_sentences(hass, language, SENTENCES)


async def answer(
    home: IntentHome,
    *groups: Mapping[str, Any],
    language: str = "en",
    recognized: RecognizedIntent | None = None,
) -> list[str]:
    """Look up the groups and return the sentences."""
    results = [await home.call("GetLiveContext", **group) for group in groups]
    return (await load(home.hass, language)).answer(results, "hello", recognized)


def result(tool: str, data: Any, **arguments: Any) -> ToolResult:
    return ToolResult(call=ToolCall(id="c", name=tool, arguments=arguments), data=data)


def events(*found: Any, calendar: str = "Family") -> ToolResult:
    return result("calendar__get_events", {"events": [*found]}, calendar=calendar)


def items(*texts: str) -> ToolResult:
    found = [{"summary": text, "status": "needs_action"} for text in texts]
    return result("todo__get_items", {"items": found}, todo_list="Shopping List")


def show(hass: HomeAssistant, entity_id: str, state: str, **attributes: Any) -> None:
    """Set the state of an entity that is exposed and has the name *It*."""
    hass.states.async_set(entity_id, state, {"friendly_name": "It", **attributes})
    async_expose_entity(hass, "conversation", entity_id, should_expose=True)


def question(key: str, **slots: Any) -> RecognizedIntent:
    return RecognizedIntent(name="HassGetState", slots=slots, response=key)


# States.


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["Sink Light: on, Brightness 50 %", "Counter Light, Kettle: off"]),
        ("de", ["Sink Light: an, Helligkeit 50 %", "Counter Light, Kettle: aus"]),
        (
            "fr",
            ["Sink Light: allumé, Luminosité 50 %", "Kettle: désactivé", "Counter Light: éteint"],
        ),
        ("it", ["Sink Light: acceso, Luminosità 50 %", "Counter Light, Kettle: spento"]),
        ("zh-CN", ["Sink Light: 开启, 亮度 50 %", "Counter Light, Kettle: 关闭"]),
        # The translations of Home Assistant do not have this language.
        ("sw", ["Sink Light: on", "Counter Light, Kettle: off"]),
    ],
)
async def test_states_are_spoken_in_the_users_language(
    hass: HomeAssistant, home: IntentHome, language: str, expected: list[str]
) -> None:
    """Devices that are on come first."""
    hass.states.async_set("light.sink", "on", {"friendly_name": "Sink Light", "brightness": 128})
    assert await answer(home, {"area": "Kitchen"}, language=language) == expected


@pytest.mark.parametrize(
    ("entity_id", "state", "attributes", "language", "spoken"),
    [
        ("sensor.it", "21.50", {"unit_of_measurement": "°C"}, "en", "21.5 °C"),
        ("sensor.it", "21.50", {"unit_of_measurement": "°C"}, "de", "21,5 °C"),
        ("sensor.it", "40", {"unit_of_measurement": "%"}, "de", "40 %"),
        ("sensor.it", "2026.1.10", {}, "de", "2026.1.10"),
        ("sensor.it", "half_full", {}, "en", "half full"),
        ("sensor.it", "unavailable", {}, "en", NO_STATE),
        (
            "sensor.it",
            "2030-01-07T10:00:00+00:00",
            {"device_class": "timestamp"},
            "de",
            "2030-01-07 11:00",
        ),
        ("sensor.it", "soon", {"device_class": "timestamp"}, "en", "soon"),
        ("binary_sensor.it", "on", {"device_class": "door"}, "de", "geöffnet"),
        ("cover.it", "open", {"current_position": 100}, "en", "open"),
        ("cover.it", "open", {"current_position": 40}, "en", "open, Position 40 %"),
        ("lock.it", "unlocked", {}, "it", "sbloccato"),
        ("fan.it", "on", {"percentage": 33}, "en", "on, Speed 33 %"),
        (
            "climate.it",
            "heat",
            {"current_temperature": 20.55, "temperature": 21.0},
            "de",
            "heizbetrieb, Ist-Temperatur 20,6 °C, Soll-Temperatur 21 °C",
        ),
        (
            "weather.it",
            "sunny",
            {"temperature": 70, "temperature_unit": "°F"},
            "en",
            "sunny, Temperature 70 °F",
        ),
        ("media_player.it", "playing", {"volume_level": 0.3}, "en", "playing, Volume 30 %"),
        (
            "media_player.it",
            "playing",
            {"media_title": "Blue", "volume_level": None},
            "en",
            "playing, Title Blue",
        ),
    ],
)
async def test_state_is_spoken_with_its_unit_and_details(
    hass: HomeAssistant,
    home: IntentHome,
    *,
    entity_id: str,
    state: str,
    attributes: dict[str, Any],
    language: str,
    spoken: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    show(hass, entity_id, state, **attributes)
    assert await answer(home, {"name": "It"}, language=language) == [f"It: {spoken}"]


async def test_degrees_are_those_of_the_home(hass: HomeAssistant, home: IntentHome) -> None:
    hass.config.units = US_CUSTOMARY_SYSTEM
    show(hass, "climate.it", "off", current_temperature=70)
    assert await answer(home, {"name": "It"}) == ["It: off, Current temperature 70 °F"]


async def test_time_of_the_last_use_is_no_state(hass: HomeAssistant, home: IntentHome) -> None:
    hass.states.async_set("scene.film", dt_util.utcnow().isoformat())
    assert await answer(home, {"domain": ["scene"]}) == []


async def test_many_states_are_left_to_the_model(hass: HomeAssistant, home: IntentHome) -> None:
    for number in range(9):
        show(hass, f"light.extra_{number}", "off", friendly_name=f"Extra {number}")
    assert await answer(home, LIGHTS) == []
    is_any = question("any", domain="light", state="on")
    assert await answer(home, LIGHTS, recognized=is_any) == ["No"]


async def test_what_is_not_exposed_is_not_spoken(hass: HomeAssistant, home: IntentHome) -> None:
    looked_up = await home.call("GetLiveContext", name="Kettle")
    async_expose_entity(hass, "conversation", "switch.kettle", should_expose=False)
    assert (await load(hass)).answer([looked_up], "hello", None) == []


# Home Assistant's own replies.


@pytest.mark.parametrize(
    ("key", "slots", "language", "expected"),
    [
        ("one_yesno", {"name": "Front Door", "state": "locked"}, "en", ["No, unlocked"]),
        ("one_yesno", {"name": "Front Door", "state": "locked"}, "de", ["Nein, entriegelt"]),
        ("one_yesno", {"name": "Front Door", "state": ["unlocked"]}, "nl", ["Ja"]),
        ("any", {"domain": "light", "state": "on"}, "es", ["Sí, el dispositivo Sink Light"]),
        ("how_many", {"domain": "light", "state": "off"}, "en", ["3"]),
        (
            "which",
            {"domain": "lock", "state": "locked"},
            "en",
            ["Not any", f"Back Door: {NO_STATE}"],
        ),
        # Without a known state there is nothing to reply.
        (
            "one_yesno",
            {"name": "Back Door", "state": "locked"},
            "en",
            ["Front Door: unlocked"],
        ),
        # These have no such sentence, or are no question for a certain state.
        ("unknown_key", {"name": "Front Door", "state": "on"}, "en", ["Front Door: unlocked"]),
        ("one", {"name": "Front Door"}, "en", ["Front Door: unlocked"]),
    ],
)
async def test_recognized_question_has_the_reply_of_home_assistant(
    hass: HomeAssistant,
    home: IntentHome,
    *,
    key: str,
    slots: dict[str, Any],
    language: str,
    expected: list[str],
) -> None:
    hass.states.async_set("lock.front", "unlocked", {"friendly_name": "Front Door"})
    hass.states.async_set("lock.back", "unavailable", {"friendly_name": "Back Door"})
    hass.states.async_set("light.sink", "on", {"friendly_name": "Sink Light"})
    asked = question(key, **slots)
    found = await answer(home, {"name": "Front Door"}, language=language, recognized=asked)
    assert found == expected


async def test_other_recognized_question_has_no_reply(home: IntentHome) -> None:
    asked = RecognizedIntent(name="HassClimateGetTemperature", slots={"state": "on"})
    assert await answer(home, {"name": "Kettle"}, recognized=asked) == ["Kettle: off"]


# Times and lists.


async def test_list_is_enumerated(hass: HomeAssistant) -> None:
    sentences = await load(hass)
    assert sentences.answer([items("Milk", "Bread")], "", None) == ["Shopping List: Milk, Bread"]
    listed = result("get_items", [{"summary": "Milk"}], todo_list="List")
    assert sentences.answer([listed], "", None) == ["List: Milk"]
    [long] = sentences.answer([items(*map(str, range(30)))], "", None)
    assert long.endswith("18, 19, …")


async def test_empty_list_is_left_to_the_model(hass: HomeAssistant) -> None:
    sentences = await load(hass)
    assert sentences.answer([items()], "", None) == []
    assert sentences.answer([events(), items("Milk")], "", None) == ["Shopping List: Milk"]


async def test_mentioned_events_are_told_alone(hass: HomeAssistant) -> None:
    sentences = await load(hass)
    other = {**DENTIST, "summary": "Swimming"}
    both, work = events(DENTIST, other), events(other, calendar="Work")
    [told] = sentences.answer([both, work], "when is the dentist", None)
    assert told.endswith("Dentist")
    assert "Swimming" not in told
    assert len(sentences.answer([both, work], "what is on", None)) == 2


async def test_time_is_told_unless_an_event_is_mentioned(hass: HomeAssistant) -> None:
    sentences = await load(hass)
    both = [result("llm__GetDateTime", NOON), events(DENTIST)]
    assert sentences.answer(both, "what time is it", None)[0] == "12:00 PM"
    [told] = sentences.answer(both, "what time is the dentist", None)
    assert told.startswith("Family: ")


async def test_weather_at_home_is_told(hass: HomeAssistant) -> None:
    sentences = await load(hass)
    assert sentences.answer([result("get_weather", WEATHER)], "", None) == ["Sunny, 21 °C"]
    elsewhere = result("get_weather", WEATHER, location="Rome")
    assert sentences.answer([elsewhere], "", None) == []


@pytest.mark.parametrize(
    "unexpected",
    [
        result("some_tool", {"result": 5}),
        result("get_weather", {}),
        result("get_weather", {**WEATHER, "conditions": None}),
        result("llm__GetDateTime", "noon"),
        result("llm__GetDateTime", {"date": "today", "time": "now"}),
        result("todo__get_items", {"items": "milk"}, todo_list="Shopping List"),
        result("todo__get_items", {"items": ["milk"]}, todo_list="Shopping List"),
        events({"summary": "Dentist"}),
        ToolResult.failure(ToolCall(id="c", name="todo__get_items", arguments={}), "No.", "x"),
        result("GetLiveContext", {"result": "…"}, area="Nowhere"),
    ],
    ids=[
        *("tool", "no weather", "no conditions", "no time", "no date", "no items", "no summary"),
        *("no start", "failure", "no states"),
    ],
)
async def test_unexpected_result_is_left_to_the_model(
    hass: HomeAssistant, home: IntentHome, unexpected: ToolResult
) -> None:
    """With it everything else is."""
    sentences = await load(hass)
    assert sentences.answer([items("Milk"), unexpected], "milk", None) == []


async def test_unexpected_attribute_is_left_to_the_model(
    hass: HomeAssistant, home: IntentHome
) -> None:
    show(hass, "light.it", "on", brightness="a bit")
    assert await answer(home, {"name": "It"}) == []


async def test_nothing_is_answered_by_nothing(hass: HomeAssistant) -> None:
    assert (await load(hass)).answer([], "hello", None) == []
