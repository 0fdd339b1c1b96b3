"""Scenario: whole turns in the guided profile, with a home's real intents and a scripted model."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from custom_components.chatterbox.agent.model.server_quirks import Quirk
from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationResult
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import CONF_MODEL, EVENT_CALL_SERVICE
from homeassistant.core import Context, Event, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr

from ..conversation_helpers import AGENT, bodies, restart, speech
from ..fake_openai import FakeOpenAI, Reply
from ..fake_openai.history import history_problems
from ..intent_home import IntentHome, make_satellite

TINY = "tiny-1.5b"

type Ask = Callable[..., Awaitable[ConversationResult]]
type Calls = Callable[[], list[tuple[str, Any]]]


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return the options of an agent with a small model."""
    return {CONF_MODEL: TINY}


@pytest.fixture
async def home(hass: HomeAssistant, disk: Path) -> IntentHome:
    furnished = IntentHome(hass)
    await furnished.furnish()
    return furnished


@pytest.fixture
def ask(hass: HomeAssistant, home: IntentHome, loaded_entry: MockConfigEntry) -> Ask:
    """Return what asks the agent, in one conversation."""

    async def converse(
        text: str, language: str = "en", device_id: str | None = None
    ) -> ConversationResult:
        return await conversation.async_converse(
            hass, text, "talk", Context(), language=language, agent_id=AGENT, device_id=device_id
        )

    return converse


@pytest.fixture
def service_calls(hass: HomeAssistant, home: IntentHome) -> Calls:
    """Return what returns the services that were called, each with its entity."""
    events: list[Event] = async_capture_events(hass, EVENT_CALL_SERVICE)

    def called() -> list[tuple[str, Any]]:
        return [
            (event.data["service"], event.data["service_data"].get("entity_id")) for event in events
        ]

    return called


def do(*actions: tuple[str, str], **value: Any) -> Reply:
    """Return a reply that does something."""
    items = [{"verb": verb, "device": device, **value} for verb, device in actions]
    return Reply(json.dumps({"topic": "home", "do": items}))


def look_up(*labels: str) -> Reply:
    return Reply(json.dumps({"topic": "home", "look_up": labels}))


def answer(text: str) -> Reply:
    return Reply(json.dumps({"topic": "other", "answer": text}))


def schema(body: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that an answer has to follow."""
    assert body["response_format"]["type"] == "json_schema"
    found: dict[str, Any] = body["response_format"]["json_schema"]["schema"]
    return found


def dialog(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the dialog behind the prompt."""
    return [(each["role"], each["content"]) for each in body["messages"][1:]]


# Commands.


@pytest.mark.parametrize(
    ("language", "text", "spoken"),
    [
        ("en", "turn on the desk lamp for my homework", "Turned on the light."),
        ("en", "could you brighten my day with the desk lamp", "Turned on the light."),
        ("de", "Mach Desk Lamp zum Basteln an", "Licht eingeschaltet."),
        ("de", "Mir ist es zu dunkel, nimm Desk Lamp", "Licht eingeschaltet."),
    ],
)
async def test_command_takes_one_request_and_is_confirmed_in_the_users_language(
    ask: Ask, server: FakeOpenAI, service_calls: Calls, *, language: str, text: str, spoken: str
) -> None:
    server.script(do(("turn_on", "Desk Lamp")))
    result = await ask(text, language)
    assert speech(result) == spoken
    assert service_calls() == [("turn_on", "light.desk")]
    [body] = bodies(server)
    assert "tools" not in body
    allowed = json.dumps(schema(body))
    assert "Desk Lamp" in allowed
    assert "Kettle" not in allowed
    assert "Kettle" in body["messages"][0]["content"]
    assert [target.id for target in result.response.success_results] == ["light.desk"]
    assert not result.continue_conversation


@pytest.mark.parametrize(
    ("language", "text", "spoken"),
    [
        ("en", "turn on the desk lamp", "Turned on the light."),
        ("de", "Schalte Desk Lamp ein", "Licht eingeschaltet."),
    ],
)
async def test_recognized_command_takes_no_request(
    ask: Ask, server: FakeOpenAI, service_calls: Calls, *, language: str, text: str, spoken: str
) -> None:
    """There is one reply only, which the model need not be asked for."""
    assert speech(await ask(text, language)) == spoken
    assert service_calls() == [("turn_on", "light.desk")]
    assert bodies(server) == []


async def test_several_actions_are_done_in_order_and_confirmed_together(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI, service_calls: Calls
) -> None:
    hass.states.async_set("switch.kettle", "on", {"friendly_name": "Kettle"})
    server.script(do(("lock", "Front Door"), ("turn_off", "Kettle")))
    said = speech(await ask("please lock the front door and the kettle shall be off"))
    assert service_calls() == [
        ("lock", "lock.front"),
        ("turn_off", "switch.kettle"),
    ]
    assert "Front Door" in said
    assert "Kettle" in said
    assert len(bodies(server)) == 1


async def test_group_is_done_with_one_call(
    ask: Ask, server: FakeOpenAI, service_calls: Calls
) -> None:
    server.script(do(("turn_off", "all lights in Kitchen")))
    assert speech(await ask("turn off the lights in the kitchen")) == "Turned off the lights."
    assert sorted(service_calls()) == [("turn_off", "light.counter"), ("turn_off", "light.sink")]


async def test_value_goes_to_the_service(
    ask: Ask, server: FakeOpenAI, hass: HomeAssistant, home: IntentHome
) -> None:
    events: list[Event] = async_capture_events(hass, EVENT_CALL_SERVICE)
    server.script(do(("set_brightness", "Desk Lamp"), brightness=40))
    assert speech(await ask("my desk lamp at 40 percent")) == "Brightness set."
    [call] = [event.data["service_data"] for event in events]
    assert call["brightness_pct"] == 40


async def test_area_of_the_satellite_narrows_what_can_be_done(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    satellite = make_satellite(hass)
    kitchen = ar.async_get(hass).async_get_area_by_name("Kitchen")
    assert kitchen is not None
    dr.async_get(hass).async_update_device(satellite, area_id=kitchen.id)
    server.script(do(("turn_on", "all lights in Kitchen")))
    await ask("the lights would be so nice", device_id=satellite)
    [body] = bodies(server)
    allowed = json.dumps(schema(body))
    assert "all lights in Kitchen" in allowed
    assert "Desk Lamp" not in allowed
    assert "The user is in the area Kitchen." in body["messages"][-1]["content"]


async def test_failure_names_the_device_and_the_model_says_what_it_can(
    ask: Ask, home: IntentHome, server: FakeOpenAI
) -> None:
    home.break_service("lock", "lock", "lock.front")
    server.script(do(("lock", "Front Door")), answer("It is stuck."))
    result = await ask("lock the front door")
    assert speech(result)
    assert "Locking" not in speech(result)


# Questions and conversation.


async def test_look_up_that_cannot_be_spoken_can_only_be_answered(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI, service_calls: Calls
) -> None:
    server.script(look_up("Desk Lamp"), answer("It is dim."))
    attributes = {"friendly_name": "Desk Lamp", "brightness": "a bit"}
    hass.states.async_set("light.desk", "on", attributes)
    assert speech(await ask("describe the desk lamp")) == "It is dim."
    first, second = bodies(server)
    assert list(schema(second)["properties"]) == ["topic", "answer"]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert "Desk Lamp is on" in second["messages"][-1]["content"]
    assert service_calls() == []


async def test_answer_to_a_question_about_the_home_is_wanted_in_the_users_language(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    attributes = {"friendly_name": "Desk Lamp", "brightness": "a bit"}
    hass.states.async_set("light.desk", "on", attributes)
    server.script(look_up("Desk Lamp"), answer("Sie ist gedimmt."))
    assert speech(await ask("Erzähl mir von Desk Lamp", "de")) == "Sie ist gedimmt."
    assert bodies(server)[1]["messages"][-1]["content"].endswith("Answer in German.)")


async def test_general_question_takes_one_request(
    ask: Ask, server: FakeOpenAI, service_calls: Calls
) -> None:
    server.script(answer("Rome."))
    assert speech(await ask("What is the capital of Italy?")) == "Rome."
    [body] = bodies(server)
    assert "Desk Lamp" not in json.dumps(schema(body))
    assert service_calls() == []


# Ambiguous and unknown devices.


@pytest.mark.parametrize(
    ("device", "spoken"),
    [
        ("Counter Light", "Do you mean Counter Light?"),
        ("not in this home", "I cannot find that device."),
    ],
)
async def test_unknown_device_is_asked_about_or_refused(
    ask: Ask, server: FakeOpenAI, service_calls: Calls, device: str, spoken: str
) -> None:
    server.script(do(("turn_on", device)))
    assert speech(await ask("turn on the moon lander")) == spoken
    assert service_calls() == []


async def test_device_that_is_not_exposed_is_unknown(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    async_expose_entity(hass, "conversation", "switch.kettle", should_expose=False)
    server.script(do(("turn_on", "Kettle")), do(("turn_on", "not in this home")))
    assert speech(await ask("turn on the kettle")) == "I cannot find that device."
    assert "Kettle" not in json.dumps(bodies(server)[0])


async def test_doubtful_device_is_asked_about_and_a_yes_does_it(
    ask: Ask, server: FakeOpenAI, service_calls: Calls
) -> None:
    server.script(do(("turn_on", "Counter Light")))
    asked = await ask("my dear counter needs to shine")
    assert speech(asked) == "Do you mean Counter Light?"
    assert asked.continue_conversation
    assert service_calls() == []
    await ask("yes")
    assert service_calls() == [("turn_on", "light.counter")]


YES = {"en": "yes", "de": "ja", "pl": "tak", "fr": "oui", "it": "sì", "es": "sí", "nl": "ja"}
POLITE = [
    ("en", "is it possible to turn on the desk lamp?"),
    ("en", "why don't you turn on the desk lamp?"),
    ("en", "do me a favour and turn on the desk lamp"),
    ("en", "who left it so dark? turn on the desk lamp"),
    ("de", "Ist es zu dunkel? Dann schalte Desk Lamp ein."),
    ("pl", "Czy możesz włączyć Desk Lamp?"),
    ("pl", "Czy mógłbyś włączyć Desk Lamp?"),
    ("fr", "Est-ce que tu peux allumer Desk Lamp ?"),
    ("it", "Che buio, accendi Desk Lamp"),
    ("es", "¿Podrías encender Desk Lamp?"),
    ("nl", "Zou je Desk Lamp kunnen aanzetten?"),
]


@pytest.mark.parametrize(("language", "text"), POLITE)
async def test_polite_request_is_carried_out(
    ask: Ask, server: FakeOpenAI, service_calls: Calls, language: str, text: str
) -> None:
    """At once, or after a question where its form is that of a question."""
    server.script(do(("turn_on", "Desk Lamp")))
    result = await ask(text, language)
    if result.continue_conversation:
        assert service_calls() == []
        await ask(YES[language], language)
    assert service_calls() == [("turn_on", "light.desk")]


async def test_doubtful_device_is_unchanged_without_a_yes(
    ask: Ask, server: FakeOpenAI, service_calls: Calls
) -> None:
    server.script(do(("turn_on", "Counter Light")), answer("Rome."), answer("You are welcome."))
    await ask("my dear counter needs to shine")
    assert speech(await ask("no, what is the capital of Italy")) == "Rome."
    await ask("yes")
    assert service_calls() == []


async def test_all_devices_of_a_kind_need_a_yes(
    ask: Ask, server: FakeOpenAI, service_calls: Calls
) -> None:
    server.script(do(("turn_off", "all lights")))
    result = await ask("can you do the lights off")
    assert speech(result) == "Should Counter Light, Desk Lamp, Pantry Light, Sink Light be off?"
    assert result.continue_conversation
    assert service_calls() == []


async def test_all_devices_but_one_are_turned_off_by_one_yes(
    ask: Ask, server: FakeOpenAI, service_calls: Calls, hass: HomeAssistant
) -> None:
    for name in ("counter", "desk", "pantry"):
        state = hass.states.get(f"light.{name}")
        assert state is not None
        hass.states.async_set(f"light.{name}", "on", state.attributes)
    server.script(do(("turn_off", "all lights but Desk Lamp")))
    result = await ask("turn off all the lights, just the desk lamp may keep shining")
    assert speech(result) == "Should Counter Light, Pantry Light be off?"
    assert service_calls() == []
    assert speech(await ask("yes")) == "Counter Light, Pantry Light: Turned off the light."
    assert service_calls() == [("turn_off", "light.counter"), ("turn_off", "light.pantry")]


async def test_answer_that_the_schema_does_not_allow_does_nothing(
    ask: Ask, server: FakeOpenAI, service_calls: Calls
) -> None:
    """A server may ignore the schema."""
    server.script(do(("turn_on", "Kettle")), answer("I cannot do that."))
    assert speech(await ask("turn on the desk lamp for my homework"))
    assert service_calls() == []


# Several turns.


async def test_follow_up_is_about_the_device_of_the_turn_before(
    ask: Ask, server: FakeOpenAI, service_calls: Calls
) -> None:
    server.script(do(("turn_on", "Kettle")), do(("turn_off", "Kettle")))
    await ask("turn on the kettle for my tea")
    await ask("turn it off again")
    assert service_calls() == [
        ("turn_on", "switch.kettle"),
        ("turn_off", "switch.kettle"),
    ]
    first, second = bodies(server)
    assert "Kettle" in json.dumps(schema(second))
    assert second["messages"][: len(first["messages"])] == first["messages"]


async def test_history_is_replayed_after_a_restart(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    server.script(do(("turn_on", "Kettle")), look_up("Kettle"), answer("You are welcome."))
    await ask("turn on the kettle for my tea")
    await ask("tell me about the kettle")
    await restart(hass, loaded_entry)
    await ask("thanks")
    *_, before, last = bodies(server)
    assert last["messages"][: len(before["messages"])] == before["messages"]
    assert [role for role, _ in dialog(last)] == [
        *("user", "assistant"),
        *("user", "assistant", "user", "assistant"),
        "user",
    ]
    assert dialog(last)[1][1] == do(("turn_on", "Kettle")).text
    assert dialog(last)[3][1] == look_up("Kettle").text
    assert history_problems(last["messages"]) == []


# Servers.


@pytest.mark.parametrize(
    ("refused", "sent"), [("json_schema", "json_object"), ("response_format", None)]
)
async def test_server_without_json_schema_gets_the_response_format_it_accepts(
    ask: Ask, server: FakeOpenAI, service_calls: Calls, refused: str, sent: str | None
) -> None:
    server.refuses = [refused]
    server.script(*[do(("turn_on", "Desk Lamp"))] * 2)
    assert speech(await ask("turn on the desk lamp for my homework")) == "Turned on the light."
    assert bodies(server)[-1].get("response_format", {}).get("type") == sent
    server.refused.clear()
    await ask("turn on the desk lamp for my homework")
    assert server.refused == []
    assert len(service_calls()) == 2


@pytest.mark.parametrize("agent_options", [{}])
async def test_server_that_rejects_tools_switches_to_the_guided_profile_within_the_turn(
    ask: Ask, server: FakeOpenAI, service_calls: Calls, loaded_entry: MockConfigEntry
) -> None:
    server.refuses = ["tools"]
    server.script(do(("turn_on", "Desk Lamp")), do(("turn_off", "Desk Lamp")))
    assert speech(await ask("turn on the desk lamp")) == "Turned on the light."
    assert loaded_entry.runtime_data.quirks["scripted-1"].has(Quirk.TOOLS)
    server.refused.clear()
    assert speech(await ask("turn off the desk lamp")) == "Turned off the light."
    assert server.refused == []
    assert [service for service, _ in service_calls()] == ["turn_on", "turn_off"]
