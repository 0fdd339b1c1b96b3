"""Calls that require a confirmation by the user."""

import asyncio
import json
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.chatterbox.active_conversations import ActiveConversation
from custom_components.chatterbox.agent.messages import ToolAnnotations, ToolCall, ToolDefinition
from custom_components.chatterbox.agent.tools.conversation_state import ConversationState
from custom_components.chatterbox.confirmation import requires_confirmation, take_confirmed_calls
from homeassistant.components.conversation import AssistantContent, ChatLog, UserContent
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr

from .builders import user_message
from .conversation_helpers import AGENT, Ask, messages, speech
from .fake_openai import Call, FakeOpenAI, Gate, Reply

UNLOCK = Reply(tool_calls=[Call("*HassTurnOff", {"name": "Front Door"})])


@pytest.mark.parametrize("agent_options", [{"confirm": ["locks"]}], ids=["locks"])
@pytest.mark.parametrize(("answer", "times"), [("Yes, please.", 1), ("No.", 0), ("Maybe", 0)])
async def test_unlocking_is_executed_once_and_only_after_a_yes(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, answer: str, times: int
) -> None:
    unlock = async_mock_service(home, "lock", "unlock")
    server.script(UNLOCK, Reply("Shall I unlock the front door?"))
    asked = await ask("Unlock the front door")
    assert speech(asked) == "Shall I unlock the front door?"
    assert asked.continue_conversation
    assert unlock == []
    server.script(Reply("All right."))
    assert speech(await ask(answer)) == "All right."
    assert len(unlock) == times
    messages(server)
    # A yes counts once.
    server.script(Reply("To what?"))
    await ask("Yes")
    assert len(unlock) == times


@pytest.mark.parametrize(
    ("agent_options", "call", "waits"),
    [
        ({"confirm": []}, Call("*HassTurnOff", {"name": "Front Door"}), False),
        ({"confirm": ["locks"]}, Call("*HassTurnOn", {"name": "Desk"}), False),
        ({"confirm": ["locks"]}, Call("*HassTurnOff", {"domain": ["lock"]}), True),
        ({"confirm": ["alarms"]}, Call("*HassTurnOn", {"domain": "alarm_control_panel"}), True),
        ({"confirm": ["doors"]}, Call("*HassTurnOn", {"name": "Garage"}), True),
        ({"confirm": ["doors"]}, Call("*HassTurnOn", {"name": "Blind"}), False),
        ({"confirm": ["doors"]}, Call("*HassTurnOn", {}), False),
        ({"confirm": ["destructive"]}, Call("*HassTurnOn", {"name": "Desk"}), True),
        ({"confirm": ["destructive"]}, Call("*get_current_datetime", {}), False),
    ],
)
async def test_calls_of_the_chosen_categories_require_confirmation(
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    call: Call,
    waits: bool,  # noqa: FBT001
) -> None:
    for domain, service in (("light", "turn_on"), ("lock", "unlock"), ("cover", "open_cover")):
        async_mock_service(home, domain, service)
    server.script(Reply(tool_calls=[call]), Reply("Really?"))
    await ask("Do it")
    result = json.loads(messages(server)[3]["content"])
    assert (result.get("error_type") == "confirmation_needed") is waits


READ_ONLY = ToolAnnotations(read_only=True)
DESTRUCTIVE = ToolAnnotations(destructive=True)
WRITES = ToolAnnotations(read_only=False, destructive=False)
ALL_CATEGORIES = ("locks", "alarms", "doors", "destructive")


@pytest.fixture
async def rooms(home: HomeAssistant) -> None:
    """Put the lock into the hall, which is on the ground floor, and the garage door outside."""
    ground = fr.async_get(home).async_create("Ground")
    hall = ar.async_get(home).async_create("Hall", floor_id=ground.floor_id)
    garden = ar.async_get(home).async_create("Garden")
    entities = er.async_get(home)
    for entity_id, area_id in (("lock.front", hall.id), ("cover.garage", garden.id)):
        state = home.states.get(entity_id)
        assert state is not None
        home.states.async_remove(entity_id)
        domain, _, object_id = entity_id.partition(".")
        entities.async_get_or_create(
            domain, "test", object_id, suggested_object_id=object_id, original_name=state.name
        )
        entities.async_update_entity(entity_id, area_id=area_id)
        home.states.async_set(entity_id, state.state, state.attributes)
        async_expose_entity(home, "conversation", entity_id, should_expose=True)


@pytest.mark.parametrize(
    ("categories", "arguments", "required"),
    [
        (["locks"], {"name": "Front Door"}, True),
        (["locks"], {"area": "Hall"}, True),
        (["locks"], {"floor": "Ground"}, True),
        (["locks"], {"area": "Garden"}, False),
        (["locks"], {"domain": "lock"}, True),
        (["locks"], {"domain": ["light", "lock"]}, True),
        (["locks"], {"domain": ["light"], "area": "Hall"}, False),
        (["doors"], {"device_class": ["garage"]}, True),
        (["doors"], {"device_class": ["blind"]}, False),
        (["doors"], {"area": "Garden"}, True),
        (["doors"], {"name": "Front Door"}, False),
        (["alarms"], {"name": "Alarm"}, True),
        (["locks", "doors", "alarms"], {"name": ""}, False),
        (["locks"], {"name": 7, "domain": None}, False),
        (["locks"], {"name": "Unknown"}, False),
    ],
)
async def test_category_of_a_call_is_that_of_its_targets(
    home: HomeAssistant,
    rooms: None,
    *,
    categories: list[str],
    arguments: dict[str, Any],
    required: bool,
) -> None:
    call = ToolCall(id="c", name="HassTurnOff", arguments=arguments)
    tool = ToolDefinition(name="HassTurnOff", description="", annotations=WRITES)
    assert requires_confirmation(home, categories, call, tool) is required


@pytest.mark.parametrize(
    ("categories", "annotations", "required"),
    [
        (ALL_CATEGORIES, READ_ONLY, False),
        (ALL_CATEGORIES, DESTRUCTIVE, True),
        (["destructive"], WRITES, False),
        (["locks"], DESTRUCTIVE, False),
        ([], DESTRUCTIVE, False),
    ],
)
async def test_call_without_targets_is_judged_by_the_annotations_of_its_tool(
    home: HomeAssistant,
    *,
    categories: list[str],
    annotations: ToolAnnotations,
    required: bool,
) -> None:
    call = ToolCall(id="c", name="wipe", arguments={})
    tool = ToolDefinition(name="wipe", description="", annotations=annotations)
    assert requires_confirmation(home, categories, call, tool) is required


@pytest.mark.parametrize(
    "agent_options", [{"confirm": ["locks"], "recommended": False}], ids=["locks"]
)
async def test_model_tells_a_yes_where_the_language_is_not_known(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    unlock = async_mock_service(home, "lock", "unlock")
    other = Reply(tool_calls=[Call("*HassTurnOff", {"domain": ["lock"]})])
    server.script(UNLOCK, Reply("Ska jag låsa upp?"), other, Reply("Alla?"))
    await ask("Lås upp dörren", language="sv")
    await ask("Ja, alla", language="sv")
    assert unlock == []
    server.script(UNLOCK, Reply("Ska jag låsa upp dörren?"), UNLOCK, Reply("Upplåst."))
    await ask("Bara dörren", language="sv")
    assert unlock == []
    assert speech(await ask("Ja tack", language="sv")) == "Upplåst."
    assert len(unlock) == 1
    server.script(UNLOCK, Reply("Igen?"))
    await ask("Lås upp dörren igen", language="sv")
    assert len(unlock) == 1


PENDING = ToolCall(id="c", name="wipe", arguments={"name": "Disk"})


def asked(hass: HomeAssistant, *, last_speaker: str | None = AGENT) -> ChatLog:
    """Return the chat log of a conversation in which somebody spoke last."""
    chat_log = ChatLog(hass, "desk")
    chat_log.async_add_user_content(UserContent("Wipe the disk"))
    if last_speaker is not None:
        question = AssistantContent(agent_id=last_speaker, content="Really?")
        chat_log.async_add_assistant_content_without_tools(question)
    chat_log.async_add_user_content(UserContent("Yes"))
    return chat_log


def waiting_for_yes() -> ActiveConversation:
    """Return a conversation with a pending call."""
    state = ConversationState(pending_calls=(PENDING,))
    message = user_message("Wipe the disk", user_id="ada", device_id="satellite")
    return ActiveConversation(state=state, message=message)


def yes(text: str = "Yes, please.", user_id: str = "ada", device_id: str = "satellite") -> Any:
    return user_message(text, user_id=user_id, device_id=device_id)


def test_confirmed_call_has_a_new_id_and_is_taken_once(hass: HomeAssistant) -> None:
    conversation = waiting_for_yes()
    [confirmed] = take_confirmed_calls(yes(), asked(hass), conversation)
    assert (confirmed.name, confirmed.arguments) == ("wipe", {"name": "Disk"})
    assert confirmed.id != PENDING.id
    assert not conversation.state.pending_calls
    assert take_confirmed_calls(yes(), asked(hass), conversation) == ()


@pytest.mark.parametrize(
    ("message", "last_speaker"),
    [
        (yes("What time is it?"), AGENT),
        (yes(user_id="bob"), AGENT),
        (yes(device_id="phone"), AGENT),
        (yes(), "conversation.home_assistant"),
        (yes(), None),
    ],
    ids=["other message", "other user", "other device", "answered by another agent", "new session"],
)
def test_pending_call_expires_with_anything_but_a_yes_to_its_question(
    hass: HomeAssistant, message: Any, last_speaker: str | None
) -> None:
    conversation = waiting_for_yes()
    chat_log = asked(hass, last_speaker=last_speaker)
    assert take_confirmed_calls(message, chat_log, conversation) == ()
    assert not conversation.state.pending_calls


@pytest.mark.parametrize(
    ("seconds", "confirmed"),
    [(55, True), (65, False), (-65, False)],
    ids=["in time", "too late", "clock set back"],
)
def test_pending_call_expires_after_a_minute(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, *, seconds: int, confirmed: bool
) -> None:
    chat_log = asked(hass)
    freezer.tick(seconds)
    calls = take_confirmed_calls(yes(), chat_log, waiting_for_yes())
    assert bool(calls) is confirmed


def test_conversation_without_a_turn_has_nothing_to_confirm(hass: HomeAssistant) -> None:
    conversation = ActiveConversation(state=ConversationState(pending_calls=(PENDING,)))
    assert take_confirmed_calls(yes(), asked(hass), conversation) == ()


@pytest.mark.parametrize("agent_options", [{"confirm": ["locks"]}], ids=["locks"])
@pytest.mark.parametrize("between", ["Stop", "New conversation"])
async def test_sentence_between_the_question_and_the_yes_leaves_it_undone(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, between: str
) -> None:
    """Also a sentence that the model does not get to see."""
    unlock = async_mock_service(home, "lock", "unlock")
    satellite = "assist_satellite.hall"
    server.script(UNLOCK, Reply("Shall I unlock the front door?"), Reply("To what?"))
    await ask("Unlock the front door", satellite_id=satellite)
    for state in ("responding", "listening"):
        home.states.async_set(satellite, state)
    await ask(between, satellite_id=satellite)
    assert len(server.completions) == 2
    home.states.async_set(satellite, "idle")
    assert speech(await ask("Yes", satellite_id=satellite)) == "To what?"
    assert unlock == []


@pytest.mark.parametrize("agent_options", [{"confirm": ["locks"]}], ids=["locks"])
async def test_question_that_was_interrupted_cannot_be_confirmed(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    unlock = async_mock_service(home, "lock", "unlock")
    gate = Gate()
    server.script(UNLOCK, Reply("Shall I unlock it?", hold=gate), Reply("To what?"))
    turn = ask("Unlock the front door")
    await gate.reached.wait()
    turn.cancel()
    await asyncio.wait({turn})
    assert speech(await ask("Yes")) == "To what?"
    assert unlock == []
