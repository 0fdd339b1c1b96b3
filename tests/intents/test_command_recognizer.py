"""Background recognition of commands by Home Assistant's own intents."""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import replace
from unittest.mock import patch

import pytest

from custom_components.chatterbox.agent.mentions import RecognizedIntent
from custom_components.chatterbox.intents.command_recognizer import (
    CommandRecognition,
    async_start_recognition,
)
from homeassistant.components.conversation import ConversationInput
from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr

from ..intent_home import IntentHome, make_satellite

TOOLS = (
    "intent__HassTurnOn",
    "intent__HassTurnOff",
    "light__HassLightSet",
    "HassListAddItem",
    "HassRespond",
    "HassNevermind",
)

UNKNOWN = RecognizedIntent(name="HassTurnOn", unknown_name=True)
DESK_LAMP_ON = RecognizedIntent(name="HassTurnOn", slots={"name": "Desk Lamp"}, response="default")


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant) -> None:
    await IntentHome(hass).furnish()


def start(
    hass: HomeAssistant,
    text: str,
    *,
    language: str = "en",
    tools: Iterable[str] = TOOLS,
    device_id: str | None = None,
    unknown_names: bool = False,
) -> CommandRecognition:
    user_input = ConversationInput(
        text=text,
        context=Context(),
        conversation_id=None,
        device_id=device_id,
        satellite_id=None,
        language=language,
        agent_id="conversation.chatterbox",
    )
    return async_start_recognition(hass, user_input, tools, unknown_names=unknown_names)


async def finished(hass: HomeAssistant, recognition: CommandRecognition) -> CommandRecognition:
    await hass.async_block_till_done(wait_background_tasks=True)
    return recognition


@pytest.mark.parametrize(
    ("text", "language", "name", "slots"),
    [
        ("Turn on the desk lamp", "en", "HassTurnOn", {"name": "Desk Lamp"}),
        ("Lock the front door, please!", "en", "HassTurnOn", {"name": "Front Door"}),
        (
            "turn off the lights in the kitchen",
            "en",
            "HassTurnOff",
            {"area": "Kitchen", "domain": "light"},
        ),
        (
            "set desk lamp brightness to 40 percent",
            "en",
            "HassLightSet",
            {"name": "Desk Lamp", "brightness": 40},
        ),
        (
            "add milk to my shopping list",
            "en",
            "HassListAddItem",
            {"item": "milk", "name": "Shopping List"},
        ),
        ("Schalte Desk Lamp ein", "de", "HassTurnOn", {"name": "Desk Lamp"}),
        ("Schalte Desk Lamp aus", "de-AT", "HassTurnOff", {"name": "Desk Lamp"}),
        ("turn on the desk lamp", "", "HassTurnOn", {"name": "Desk Lamp"}),
    ],
)
async def test_command_is_recognized(
    hass: HomeAssistant, text: str, language: str, name: str, slots: dict[str, object]
) -> None:
    recognition = await finished(hass, start(hass, text, language=language))
    assert recognition.is_command()
    recognized = recognition.recognized
    assert recognized is not None
    assert recognized.name == name
    assert {slot: recognized.slots[slot] for slot in slots} == slots


async def test_command_without_a_place_means_where_the_user_is(hass: HomeAssistant) -> None:
    satellite = make_satellite(hass)
    area = ar.async_get(hass).async_get_area_by_name("Kitchen")
    assert area is not None
    dr.async_get(hass).async_update_device(satellite, area_id=area.id)
    recognition = start(hass, "turn on the lights", device_id=satellite)
    assert (await finished(hass, recognition)).is_command()
    assert not (await finished(hass, start(hass, "turn on the lights"))).is_command()


@pytest.mark.parametrize(
    "text",
    [
        "is the desk lamp on",
        "what time is it",
        "are any lights on in the kitchen",
        "never mind",
        "hello",
    ],
)
async def test_question_or_reply_is_no_command(hass: HomeAssistant, text: str) -> None:
    recognition = await finished(hass, start(hass, text))
    assert recognition.recognized is not None
    assert not recognition.is_command()


@pytest.mark.parametrize(
    "text",
    [
        "turn on the moon lamp",
        "turn on the desk lamp and tell me a story",
        "I told you to turn on the desk lamp",
        "why did you turn on the desk lamp",
        "Schalte Desk Lamp ein",
        "",
    ],
)
async def test_sentence_that_is_not_a_command_as_a_whole_is_none(
    hass: HomeAssistant, text: str
) -> None:
    recognition = await finished(hass, start(hass, text))
    assert recognition.recognized is None
    assert not recognition.is_command()


@pytest.mark.parametrize("tools", [(), ("intent__HassTurnOff",), ("script__HassTurnOnAll",)])
async def test_command_that_no_tool_carries_out_is_none(
    hass: HomeAssistant, tools: tuple[str, ...]
) -> None:
    recognition = await finished(hass, start(hass, "turn on the desk lamp", tools=tools))
    assert recognition.recognized == DESK_LAMP_ON
    assert not recognition.is_command()


@pytest.mark.parametrize(
    ("text", "language", "recognized"),
    [
        ("turn on the moon lamp", "en", UNKNOWN),
        ("Schließ die Mondlampe ab", "de", UNKNOWN),
        ("Ist die Mondlampe an", "de", None),
        ("Mach den Saugroboter an", "de", replace(UNKNOWN, name="HassVacuumStart")),
        ("turn on the kettle", "en", UNKNOWN),
        (
            "turn on the desk lamp",
            "en",
            DESK_LAMP_ON,
        ),
        ("is the moon lamp on", "en", None),
        ("what is the capital of Italy", "en", None),
        ("pause the moon player", "en", replace(UNKNOWN, name="HassMediaPause")),
        # In German a scene may be activated by its name alone.
        ("Den Wievielten haben wir heute", "de", None),
        ("Die Rechnung war achtzig Euro, wie viel Trinkgeld ist das", "de", None),
    ],
    ids=[
        *(
            "unknown",
            "unknown in German",
            "German question",
            "of another kind",
            "not exposed",
            "known",
        ),
        *("question", "no command", "without a tool for it", "nothing but a name"),
        "nothing but a long name",
    ],
)
async def test_command_for_an_unknown_device_is_recognized_where_wanted(
    hass: HomeAssistant, text: str, language: str, recognized: RecognizedIntent | None
) -> None:
    async_expose_entity(hass, "conversation", "switch.kettle", should_expose=False)
    recognition = start(hass, text, language=language, unknown_names=True)
    assert await recognition.async_result() == recognized
    is_known = recognized is not None and not recognized.unknown_name
    assert recognition.is_command() is is_known


@pytest.mark.parametrize("text", ["turn on the moon lamp", "turn on the kettle"])
async def test_unknown_device_is_not_recognized_unless_wanted(
    hass: HomeAssistant, text: str
) -> None:
    async_expose_entity(hass, "conversation", "switch.kettle", should_expose=False)
    assert await start(hass, text).async_result() is None


async def test_command_that_lacks_an_area_is_recognized_where_wanted(hass: HomeAssistant) -> None:
    recognition = start(hass, "turn on the lights", unknown_names=True)
    recognized = await recognition.async_result()
    assert recognized is not None
    assert (recognized.name, recognized.without_area) == ("HassTurnOn", True)
    assert recognized.slots == {"domain": "light"}
    assert not recognition.is_command()
    assert await start(hass, "turn on the lights").async_result() is None


async def test_unknown_device_is_recognized_again(hass: HomeAssistant) -> None:
    for _ in range(3):
        recognition = start(hass, "turn on the moon lamp", unknown_names=True)
        assert await recognition.async_result() == UNKNOWN


async def test_slow_recognition_has_a_time_limit(hass: HomeAssistant) -> None:
    async def recognize(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    with (
        patch.object(DefaultAgent, "async_recognize_intent", side_effect=recognize),
        patch("custom_components.chatterbox.intents.command_recognizer._LONGEST_WAIT", 0),
    ):
        recognition = start(hass, "turn on the desk lamp")
        assert await recognition.async_result() is None
        recognition.close()
    await finished(hass, recognition)


@pytest.mark.parametrize("language", ["tlh", "*", "not a language"])
async def test_language_without_intents_is_passed_over_silently(
    hass: HomeAssistant, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    recognition = await finished(hass, start(hass, "turn on the desk lamp", language=language))
    assert not recognition.is_command()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_language_whose_intents_cannot_be_loaded_is_passed_over_silently(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    with patch.object(DefaultAgent, "_load_intents", return_value=None):
        recognition = await finished(hass, start(hass, "turn on the desk lamp"))
    assert not recognition.is_command()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_unfinished_recognition_is_no_command(hass: HomeAssistant) -> None:
    recognition = start(hass, "turn on the desk lamp")
    assert recognition.recognized is None
    assert not recognition.is_command()
    assert (await finished(hass, recognition)).is_command()


async def test_closed_recognition_is_cancelled(hass: HomeAssistant) -> None:
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def recognize(*_: object, **__: object) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    with patch.object(DefaultAgent, "async_recognize_intent", side_effect=recognize):
        recognition = start(hass, "turn on the desk lamp")
        await started.wait()
        recognition.close()
        await cancelled.wait()
    await finished(hass, recognition)
    assert not recognition.is_command()


async def test_finished_recognition_can_be_closed(hass: HomeAssistant) -> None:
    recognition = await finished(hass, start(hass, "turn on the desk lamp"))
    recognition.close()
    assert recognition.is_command()


async def test_default_agent_can_be_missing(hass: HomeAssistant) -> None:
    get_agent_manager(hass).default_agent = None
    assert not (await finished(hass, start(hass, "turn on the desk lamp"))).is_command()


async def test_error_of_the_recognizer_is_contained(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    with patch.object(DefaultAgent, "async_recognize_intent", side_effect=RuntimeError):
        recognition = await finished(hass, start(hass, "turn on the desk lamp"))
    assert not recognition.is_command()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_text_of_the_message_is_not_logged(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await finished(hass, start(hass, "add milk to my shopping list"))
    own = [record.getMessage() for record in caplog.records if "chatterbox" in record.name]
    assert own == ["Home Assistant recognizes HassListAddItem"]
