"""Spoken confirmations and errors of actions, in the user's language."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.messages import (
    ToolAnnotations,
    ToolCall,
    ToolDefinition,
    ToolResult,
)
from custom_components.chatterbox.agent.tools.confirmation import CONFIRMATION_NEEDED
from custom_components.chatterbox.agent.turn import SpokenResults
from custom_components.chatterbox.intents.result_sentences import (
    ResultSentences,
    async_load_result_sentences,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import intent, llm

from ..intent_home import IntentHome

CONFIRM = "Are you sure?"
SENTENCES = {
    "done": "Done.",
    "failed": "That failed.",
    "partly_failed": "Not all of that worked.",
    "unconfirmed": "I do not know whether that worked.",
    "confirm": CONFIRM,
}
READ_ONLY = ToolAnnotations(read_only=True)
TOOLS = [
    ToolDefinition(name="homeassistant__GetLiveContext", description="", annotations=READ_ONLY),
    ToolDefinition(name="HassTurnOn", description=""),
]

type Call = tuple[str, Mapping[str, Any]]


@pytest.fixture
async def home(hass: HomeAssistant) -> IntentHome:
    home = IntentHome(hass)
    await home.furnish()
    return home


async def load(
    hass: HomeAssistant, language: str = "en", *, silent_done: bool = False
) -> ResultSentences:
    return await async_load_result_sentences(
        hass, language, SENTENCES, TOOLS, silent_done=silent_done
    )


async def said(hass: HomeAssistant, home: IntentHome, language: str, *calls: Call) -> str:
    """Make the calls and return what is said of them; they end the turn."""
    sentences = await load(hass, language)
    results = [await home.call(tool, **arguments) for tool, arguments in calls]
    spoken = sentences.speak(results)
    assert spoken is not None
    assert spoken.final
    return spoken.text


def result_of(raw: Any, name: str = "some_tool", **details: Any) -> ToolResult:
    call = ToolCall(id="c", name=name, arguments=details.pop("arguments", {}))
    return ToolResult(call=call, data={}, raw=raw, **details)


LAMP: Call = ("HassTurnOn", {"name": "Desk Lamp"})
KITCHEN: Call = ("HassTurnOn", {"area": "Kitchen", "domain": ["light"]})
ALL_OFF: Call = ("HassTurnOff", {"domain": ["light"]})
LOCK: Call = ("HassTurnOn", {"name": "Front Door"})
GARAGE: Call = ("HassTurnOff", {"name": "Garage Door"})
DIM: Call = ("HassLightSet", {"name": "Desk Lamp", "brightness": 40})
MILK: Call = ("HassListAddItem", {"name": "Shopping List", "item": "milk"})
TIMER: Call = ("HassStartTimer", {"minutes": 5, "name": "pasta"})
WARM: Call = ("HassClimateSetTemperature", {"name": "Hallway", "temperature": 21.0})
UNKNOWN: Call = ("HassTurnOn", {"name": "Moon Lamp"})


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            [
                "Turned on the light.",
                "Turned on the lights.",
                "Turned off all of the lights.",
                "Locking.",
                "Closing.",
                "Brightness set.",
                "Added milk.",
                "Timer set for 5 minutes named pasta.",
                "Temperature set to 21 degrees.",
                "Sorry, I am not aware of any device called Moon Lamp.",
            ],
        ),
        (
            "de",
            [
                "Licht eingeschaltet.",
                "Licht eingeschaltet.",
                "Alle Lichter ausgeschaltet.",
                "abgeschlossen.",
                "geschlossen.",
                "Helligkeit eingestellt.",
                "milk hinzugefügt.",
                "Timer namens pasta für 5 Minuten gestartet.",
                "Temperatur auf 21 Grad gestellt.",
                "Moon Lamp existiert nicht.",
            ],
        ),
        (
            "fr",
            [
                "Allumé.",
                "Allumé.",
                "Éteint.",
                "Verrouillé.",
                "Fermeture en cours.",
                "Luminosité réglée.",
                "milk ajouté.",
                "Minuteur lancé.",
                "Température réglée sur 21 degrés.",
                "Moon Lamp: Désolé, je ne connais pas cet appareil.",
            ],
        ),
        (
            "es",
            [
                "Se ha activado la luz.",
                "Luces encendidas.",
                "Todas las luces apagadas.",
                "Front Door se ha cerrado.",
                "Garage Door se ha cerrado.",
                "Brillo establecido.",
                "Se añadió milk.",
                "Temporizador iniciado.",
                "Temperatura ajustada.",
                "Lo siento, no conozco ningún dispositivo llamado Moon Lamp.",
            ],
        ),
        (
            "nl",
            [
                "Aangezet.",
                "Verlichting aangezet.",
                "Alle lampen uitgezet.",
                "Vergrendeld.",
                "Gesloten.",
                "Helderheid aangepast.",
                "milk toegevoegd.",
                "Timer gezet voor 5 minuten met de naam pasta.",
                "Temperatuur ingesteld op 21 graden.",
                "Sorry, ik kan geen apparaat vinden met de naam Moon Lamp.",
            ],
        ),
        (
            "it",
            [
                "Ho acceso Desk Lamp.",
                "Ho acceso le luci in Kitchen.",
                "Ho spento tutte le luci.",
                "Sto chiudendo a chiave.",
                "Ho chiuso Garage Door.",
                "Ho impostato la luminosità di Desk Lamp al 40.",
                "Aggiunto milk.",
                "Timer avviato.",
                "Temperatura impostata a 21 gradi.",
                "Mi dispiace, non conosco nessun dispositivo chiamato Moon Lamp.",
            ],
        ),
        (
            "pl",
            [
                "Włączono Desk Lamp.",
                "Włączono światła w kitchen.",
                "Wyłączono wszystkie światła.",
                # There is no sentence for a lock, and "turned on" is not true of one.
                "Done.",
                "Zamknięto.",
                "Ustawiono jasność.",
                "Dodano milk.",
                "Uruchomiono minutnik.",
                "Ustawiono temperaturę.",
                "Brak urządzenia lub encji o nazwie Moon Lamp.",
            ],
        ),
        (
            "zh-CN",
            [
                "Desk Lamp已打开。",
                "Kitchen灯已打开。",
                "所有灯已关闭。",
                "Front Door已上锁。",
                "Garage Door已关闭。",
                "Desk Lamp亮度已设置为40%。",
                "好的，已把milk加入Shopping List。",
                "好的，已开始计时。",
                "好的，已把温度调到21度。",
                "抱歉，找不到名为 Moon Lamp 的设备。",
            ],
        ),
    ],
)
async def test_sentences_are_home_assistants_own_in_the_users_language(
    hass: HomeAssistant, home: IntentHome, language: str, expected: list[str]
) -> None:
    calls = (LAMP, KITCHEN, ALL_OFF, LOCK, GARAGE, DIM, MILK, TIMER, WARM, UNKNOWN)
    assert [await said(hass, home, language, call) for call in calls] == expected


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("HassTurnOff", {"name": "Back Door"}, "Unlocking."),
        ("HassTurnOn", {"name": "Garage Door", "domain": ["cover"]}, "Opening."),
        ("HassTurnOn", {"name": "Film Night"}, "Activated."),
        ("HassTurnOn", {"name": "Alarm Siren"}, "Turned on the siren."),
        ("HassTurnOn", {"name": "Attic Fan", "area": "Attic"}, "Turned on the fan."),
        ("HassTurnOn", {"domain": ["light"], "name": "all"}, "Turned on all of the lights."),
        ("HassTurnOff", {"area": "Pantry"}, "Turned off the lights."),
        ("HassLightSet", {"area": "Kitchen", "color": "red"}, "Color set."),
        ("HassSetPosition", {"name": "Left Blind", "position": 40}, "Position set."),
        ("HassStartTimer", {"hours": 1, "minutes": 1}, "Timer set for 1 hour and 1 minute."),
        ("HassCancelAllTimers", {}, "No timers were canceled."),
        (
            "HassTurnOff",
            {"area": "Office", "device_class": ["blind"], "domain": ["cover"]},
            "Closing the blinds.",
        ),
        (
            "HassTurnOff",
            {"area": "Office", "domain": ["cover"]},
            "Left Blind, Right Blind: Closing.",
        ),
        (
            "HassTurnOff",
            {"area": "kitchen"},
            "Kitchen: Turned off the lights. Kettle: Turned off the switch.",
        ),
    ],
)
async def test_sentence_fits_what_the_targets_are(
    hass: HomeAssistant, home: IntentHome, tool: str, arguments: dict[str, Any], expected: str
) -> None:
    assert await said(hass, home, "en", (tool, arguments)) == expected


async def test_value_is_said_in_the_language_of_the_sentence(
    hass: HomeAssistant, home: IntentHome
) -> None:
    call = ("HassLightSet", {"name": "Desk Lamp", "color": "red"})
    assert await said(hass, home, "it", call) == "Ho impostato il colore di Desk Lamp su rosso."


async def test_several_actions_are_said_with_names(hass: HomeAssistant, home: IntentHome) -> None:
    text = await said(hass, home, "en", LOCK, GARAGE, KITCHEN)
    assert text == "Front Door: Locking. Garage Door: Closing. Kitchen: Turned on the lights."


async def test_sentence_about_all_is_said_without_names(
    hass: HomeAssistant, home: IntentHome
) -> None:
    text = await said(hass, home, "en", LOCK, ALL_OFF)
    assert text == "Front Door: Locking. Turned off all of the lights."


async def test_more_failures_than_sentences_are_said_in_short(
    hass: HomeAssistant, home: IntentHome
) -> None:
    unknown = [("HassTurnOn", {"name": f"Moon {number}"}) for number in range(5)]
    text = await said(hass, home, "en", LOCK, *unknown)
    assert text == "Front Door: Locking. Moon 0, Moon 1, Moon 2 +2: That failed."


async def test_equal_sentences_become_one_with_all_names(
    hass: HomeAssistant, home: IntentHome
) -> None:
    lock_back = ("HassTurnOn", {"name": "Back Door"})
    assert await said(hass, home, "de", LOCK, lock_back) == "Front Door, Back Door: abgeschlossen."


async def test_name_is_said_once_for_sentences_about_the_same(
    hass: HomeAssistant, home: IntentHome
) -> None:
    color = ("HassLightSet", {"name": "Desk Lamp", "color": "red"})
    text = await said(hass, home, "en", DIM, color, LOCK)
    assert text == "Desk Lamp: Brightness set. Color set. Front Door: Locking."


async def test_name_that_the_sentence_holds_is_not_said_twice(
    hass: HomeAssistant, home: IntentHome
) -> None:
    text = await said(hass, home, "it", LAMP, MILK)
    assert text == "Ho acceso Desk Lamp. Aggiunto milk."


async def test_target_called_by_its_id_is_named(hass: HomeAssistant, home: IntentHome) -> None:
    assert await said(hass, home, "en", ("HassTurnOn", {"name": "lock.front"})) == (
        "Front Door: Locking."
    )


async def test_target_called_by_an_alias_is_not_named(
    hass: HomeAssistant, home: IntentHome
) -> None:
    er.async_get(hass).async_update_entity("lock.front", aliases=["Portal"])
    assert await said(hass, home, "en", ("HassTurnOn", {"name": "portal"})) == "Locking."


async def test_more_actions_than_sentences_are_said_in_short(
    hass: HomeAssistant, home: IntentHome
) -> None:
    text = await said(hass, home, "en", LOCK, GARAGE, DIM, MILK, WARM)
    assert text == "Front Door, Garage Door, Desk Lamp +2: Done."


async def test_failures_are_said_beside_many_successes(
    hass: HomeAssistant, home: IntentHome
) -> None:
    text = await said(hass, home, "en", LOCK, GARAGE, DIM, MILK, UNKNOWN)
    assert text == (
        "Front Door, Garage Door, Desk Lamp, milk: Done."
        " Sorry, I am not aware of any device called Moon Lamp."
    )


async def test_success_and_failure_are_both_said(hass: HomeAssistant, home: IntentHome) -> None:
    text = await said(hass, home, "en", UNKNOWN, LOCK)
    assert text == ("Front Door: Locking. Sorry, I am not aware of any device called Moon Lamp.")


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        (
            "HassTurnOn",
            {"area": "Cellar", "domain": ["light"]},
            "Sorry, I am not aware of any area called Cellar.",
        ),
        (
            "HassCancelTimer",
            {"name": "eggs"},
            "eggs: Sorry, I couldn't find that timer.",
        ),
        ("HassTurnOn", {}, "An unexpected error occurred."),
        ("HassStartTimer", {"minutes": "many"}, "That failed."),
    ],
)
async def test_failure_is_said_with_its_reason(
    hass: HomeAssistant, home: IntentHome, tool: str, arguments: dict[str, Any], expected: str
) -> None:
    assert await said(hass, home, "en", (tool, arguments)) == expected


async def test_action_that_raised_is_said_with_its_target(
    hass: HomeAssistant, home: IntentHome
) -> None:
    home.break_service("lock", "lock", "lock.front")
    assert await said(hass, home, "en", LOCK) == "Front Door: An unexpected error occurred."


async def test_group_that_failed_in_part_is_not_confirmed(
    hass: HomeAssistant, home: IntentHome
) -> None:
    home.break_service("homeassistant", "turn_on", "light.sink")
    assert await said(hass, home, "en", KITCHEN) == "Kitchen: Not all of that worked."


async def test_group_that_failed_as_a_whole_is_not_confirmed(
    hass: HomeAssistant, home: IntentHome
) -> None:
    home.break_service("homeassistant", "turn_on", "light.sink", "light.counter")
    assert await said(hass, home, "en", KITCHEN) == "Kitchen: That failed."


async def test_action_that_timed_out_is_neither_confirmed_nor_denied(
    hass: HomeAssistant, home: IntentHome
) -> None:
    timed_out = replace(
        result_of(None, error=True, arguments={"name": "Gate"}),
        data={"error": "timed out", "error_type": "timeout"},
    )
    spoken = (await load(hass)).speak([timed_out])
    assert spoken == SpokenResults("Gate: I do not know whether that worked.", final=True)


async def test_read_leaves_the_model_an_answer_to_give(
    hass: HomeAssistant, home: IntentHome
) -> None:
    sentences = await load(hass)
    read = await home.call("GetLiveContext")
    lock = await home.call(*LOCK[:1], **LOCK[1])
    assert sentences.speak([read, lock]) == SpokenResults("Locking.", final=False)
    assert sentences.speak([read]) is None
    assert sentences.speak([]) is None


async def test_read_that_is_answered_ends_the_turn(hass: HomeAssistant, home: IntentHome) -> None:
    sentences = await load(hass)
    read = await home.call("GetLiveContext")
    lock = await home.call(*LOCK[:1], **LOCK[1])

    def answer(reads: Sequence[ToolResult]) -> Sequence[str]:
        return ["Kettle: on", "Yes!"] if reads == [read] else []

    assert sentences.speak([read], answer) == SpokenResults("Kettle: on. Yes!", final=True)
    text = "Locking. Kettle: on. Yes!"
    assert sentences.speak([lock, read], answer) == SpokenResults(text, final=True)
    assert sentences.speak([read, lock, held()], answer) == SpokenResults(
        f"{text} {CONFIRM}", final=True
    )
    assert sentences.speak([lock], answer) == SpokenResults("Locking.", final=True)
    chinese = await load(hass, "zh-CN")
    assert chinese.speak([read], lambda _: ["开启", "关闭"]) == SpokenResults(
        "开启。关闭。", final=True
    )


def held(question: str | None = None) -> ToolResult:
    """Return the result of a call that waits for a yes."""
    call = ToolCall(id="1", name="HassTurnOn", arguments={"name": "Desk Lamp"}, question=question)
    return ToolResult.failure(call, "Not done", CONFIRMATION_NEEDED)


@pytest.mark.parametrize(
    ("question", "asked"), [("Do you mean Desk Lamp?", "Do you mean Desk Lamp?"), (None, CONFIRM)]
)
async def test_held_call_is_asked_about(
    hass: HomeAssistant, question: str | None, asked: str
) -> None:
    sentences = await load(hass)
    assert sentences.speak([held(question)]) == SpokenResults(asked, final=True)


async def test_question_stands_behind_what_was_done(hass: HomeAssistant, home: IntentHome) -> None:
    sentences = await load(hass)
    done = await home.call("HassTurnOn", name="Kettle")
    spoken = sentences.speak([held("And Desk Lamp?"), done, held("And more?")])
    assert spoken is not None
    assert spoken.final
    assert spoken.text.startswith("Turned on")
    assert spoken.text.endswith(" And Desk Lamp?")


async def test_failure_leaves_the_question_as_the_end(
    hass: HomeAssistant, home: IntentHome
) -> None:
    home.break_service("lock", "lock", "lock.front")
    sentences = await load(hass)
    failed = await home.call(LOCK[0], **LOCK[1])
    spoken = sentences.speak([failed, held()])
    assert spoken is not None
    assert spoken.final
    assert spoken.text.endswith(CONFIRM)


async def test_question_ends_the_turn_beside_a_read(hass: HomeAssistant, home: IntentHome) -> None:
    sentences = await load(hass)
    read = await home.call("GetLiveContext")
    lock = await home.call(LOCK[0], **LOCK[1])
    assert sentences.speak([read, held()]) == SpokenResults(CONFIRM, final=True)
    assert sentences.speak([read, lock, held()]) == SpokenResults(f"Locking. {CONFIRM}", final=True)


async def test_question_is_asked_where_success_is_silent(
    hass: HomeAssistant, home: IntentHome
) -> None:
    sentences = await load(hass, silent_done=True)
    lock = await home.call(LOCK[0], **LOCK[1])
    assert sentences.speak([lock, held()]) == SpokenResults(CONFIRM, final=True)


async def test_silence_confirms_success_only(hass: HomeAssistant, home: IntentHome) -> None:
    sentences = await load(hass, silent_done=True)
    lock, unknown = await home.call(LOCK[0], **LOCK[1]), await home.call(UNKNOWN[0], **UNKNOWN[1])
    assert sentences.speak([lock]) == SpokenResults("", final=True)
    spoken = sentences.speak([lock, unknown])
    assert spoken is not None
    assert spoken.text.startswith("Front Door: Locking. Sorry")


async def test_tool_without_an_intent_is_done(hass: HomeAssistant) -> None:
    sentences = await load(hass)
    assert sentences.speak([result_of({"success": True})]) == SpokenResults("Done.", final=True)
    assert sentences.speak([result_of({"original": 1}), result_of(None)]) == SpokenResults(
        "Done.", final=True
    )


async def test_intent_that_home_assistant_does_not_know_is_done(hass: HomeAssistant) -> None:
    response = llm.IntentResponseDict(intent.IntentResponse("en"))
    sentences = await load(hass)
    assert sentences.speak([result_of(response, "intent__BrewCoffee")]) == SpokenResults(
        "Done.", final=True
    )


async def test_speech_of_a_tool_is_said(hass: HomeAssistant) -> None:
    response = intent.IntentResponse("en")
    response.async_set_speech("Coffee is on its way!")
    spoken = (await load(hass)).speak([result_of(llm.IntentResponseDict(response))])
    assert spoken == SpokenResults("Coffee is on its way!", final=True)


async def test_error_that_a_tool_returned_is_said(hass: HomeAssistant) -> None:
    response = intent.IntentResponse("en")
    response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, "No water.")
    made = result_of(llm.IntentResponseDict(response), arguments={"name": "Coffee"})
    assert (await load(hass)).speak([made]) == SpokenResults("Coffee: No water.", final=True)


async def test_language_without_sentences_is_spoken_in_english(
    hass: HomeAssistant, home: IntentHome
) -> None:
    for language in ("tlh", "*"):
        assert await said(hass, home, language, LOCK) == "Locking."
