"""Scenario: commands that Home Assistant understood as well are confirmed without the model."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationResult
from homeassistant.const import CONF_MODEL, EVENT_CALL_SERVICE
from homeassistant.core import Context, Event, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr

from ..conversation_helpers import AGENT, messages, open_after_recognition, speech
from ..fake_openai import Call, FakeOpenAI, Gate, Reply
from ..intent_home import IntentHome, make_satellite

COMMAND = "turn on the desk lamp"
MODEL_SPEAKS = "The model speaks."
LAMP = Call("*HassTurnOn", {"name": "Desk Lamp"})
KITCHEN = Call("*HassTurnOn", {"area": "Kitchen", "domain": ["light"]})

type Ask = Callable[..., Awaitable[ConversationResult]]


@pytest.fixture
def agent_options() -> dict[str, Any]:
    return {"quick_confirmation": True}


@pytest.fixture
async def home(hass: HomeAssistant) -> IntentHome:
    home = IntentHome(hass)
    await home.furnish()
    return home


@pytest.fixture
def services(hass: HomeAssistant, home: IntentHome) -> list[Event]:
    return async_capture_events(hass, EVENT_CALL_SERVICE)


@pytest.fixture
def ask(
    hass: HomeAssistant, server: FakeOpenAI, services: list[Event], loaded_entry: MockConfigEntry
) -> Ask:
    """Return what asks the agent; the calls come when Home Assistant has read the message."""

    async def converse(
        text: str, *calls: Call, language: str = "en", device_id: str | None = None
    ) -> ConversationResult:
        gate = Gate()
        server.script(Reply(tool_calls=list(calls), hold=gate), Reply(MODEL_SPEAKS))
        turn = hass.async_create_task(
            conversation.async_converse(
                hass,
                text,
                "talk",
                Context(),
                language=language,
                agent_id=AGENT,
                device_id=device_id,
            )
        )
        await open_after_recognition(gate)
        return await turn

    return converse


@pytest.mark.parametrize(
    ("language", "text", "spoken"),
    [
        ("en", COMMAND, "Turned on the light."),
        ("de", "Schalte Desk Lamp ein", "Licht eingeschaltet."),
        ("fr", "Allume Desk Lamp", "Allumé."),
        ("es", "Enciende Desk Lamp", "Se ha activado la luz."),
        ("nl", "Zet Desk Lamp aan", "Aangezet."),
        ("it", "Accendi Desk Lamp", "Ho acceso Desk Lamp."),
        ("pl", "Włącz Desk Lamp", "Włączono Desk Lamp."),
    ],
)
async def test_command_is_confirmed_in_the_language_of_the_user(
    ask: Ask, server: FakeOpenAI, language: str, text: str, spoken: str
) -> None:
    result = await ask(text, LAMP, language=language)
    assert speech(result) == spoken
    assert len(server.completions) == 1
    assert not result.continue_conversation
    assert [target.id for target in result.response.success_results] == ["light.desk"]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("turn on the lights in the kitchen", [KITCHEN]),
        (
            "turn on the lights in the kitchen",
            [Call("*HassTurnOn", {"name": name}) for name in ("Counter Light", "Sink Light")],
        ),
        (
            "set the desk lamp to 40% brightness",
            [Call("*HassLightSet", {"name": "desk lamp", "brightness": 40})],
        ),
        (
            "add milk to the shopping list",
            [Call("*HassListAddItem", {"name": "Shopping List", "item": "milk"})],
        ),
    ],
)
async def test_equal_calls_take_one_request(
    ask: Ask, server: FakeOpenAI, text: str, calls: list[Call]
) -> None:
    assert speech(await ask(text, *calls)) not in {"", MODEL_SPEAKS}
    assert len(server.completions) == 1


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (COMMAND, [Call("*HassTurnOn", {"name": "Sink Light"})]),
        (COMMAND, [Call("*HassTurnOff", {"name": "Desk Lamp"})]),
        (COMMAND, [LAMP, Call("*HassTurnOn", {"name": "Sink Light"})]),
        (COMMAND, [Call("get_current_datetime"), LAMP]),
        (
            "set the desk lamp to 40% brightness",
            [Call("*HassLightSet", {"name": "Desk Lamp", "brightness": 50})],
        ),
        ("turn on the lights in the kitchen", [Call("*HassTurnOn", {"name": "Sink Light"})]),
        (f"{COMMAND} and tell me a joke", [LAMP]),
        ("make it a little nicer here", [LAMP]),
    ],
)
async def test_model_speaks_of_everything_else(
    ask: Ask, server: FakeOpenAI, text: str, calls: list[Call]
) -> None:
    assert speech(await ask(text, *calls)) == MODEL_SPEAKS
    assert len(server.completions) == 2


async def test_model_speaks_of_a_call_that_failed(
    ask: Ask, server: FakeOpenAI, home: IntentHome
) -> None:
    home.break_service("homeassistant", "turn_on", "light.sink")
    assert speech(await ask("turn on the lights in the kitchen", KITCHEN)) == MODEL_SPEAKS


async def test_command_for_the_area_of_the_satellite_is_confirmed(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI, services: list[Event]
) -> None:
    satellite = make_satellite(hass)
    kitchen = ar.async_get(hass).async_get_or_create("Kitchen")
    dr.async_get(hass).async_update_device(satellite, area_id=kitchen.id)
    assert speech(await ask("turn on the lights", KITCHEN, device_id=satellite)) != MODEL_SPEAKS
    assert len(server.completions) == 1


async def test_confirmation_is_part_of_the_history(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    await ask(COMMAND, LAMP)
    await conversation.async_converse(
        hass, "thank you", "talk", Context(), language="en", agent_id=AGENT
    )
    assert messages(server)[-2] == {"role": "assistant", "content": "Turned on the light."}


@pytest.mark.parametrize("agent_options", [{"quick_confirmation": False}])
async def test_model_speaks_if_the_option_is_off(ask: Ask, server: FakeOpenAI) -> None:
    assert speech(await ask(COMMAND, LAMP)) == MODEL_SPEAKS


@pytest.mark.parametrize("agent_options", [{"quick_confirmation": True, "silent_done": True}])
async def test_confirmation_can_be_silent(ask: Ask, server: FakeOpenAI) -> None:
    assert speech(await ask(COMMAND, LAMP)) == ""
    assert len(server.completions) == 1


async def test_turn_does_not_wait_for_the_recognition(
    hass: HomeAssistant,
    server: FakeOpenAI,
    services: list[Event],
    loaded_entry: MockConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    never = asyncio.Event()

    async def recognize(*_: Any, **__: Any) -> None:
        await never.wait()

    monkeypatch.setattr(
        "custom_components.chatterbox.intents.command_recognizer._recognize", recognize
    )
    server.script(Reply(tool_calls=[LAMP]), Reply(MODEL_SPEAKS))
    result = await conversation.async_converse(
        hass, COMMAND, None, Context(), language="en", agent_id=AGENT
    )
    assert speech(result) == MODEL_SPEAKS


@pytest.mark.parametrize(
    "agent_options",
    [{CONF_MODEL: "tiny-1.5b", "quick_confirmation": quick} for quick in (False, True)],
)
async def test_guided_model_is_always_confirmed(
    hass: HomeAssistant, server: FakeOpenAI, services: list[Event], loaded_entry: MockConfigEntry
) -> None:
    action = {"verb": "turn_on", "device": "Desk Lamp"}
    server.script(Reply(json.dumps({"topic": "home", "do": [action]})))
    result = await conversation.async_converse(
        hass, f"{COMMAND} for my homework", None, Context(), language="en", agent_id=AGENT
    )
    assert speech(result) == "Turned on the light."
    assert len(server.completions) == 1
