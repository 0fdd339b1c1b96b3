"""Action that cancels turns: which ones, and who may."""

import asyncio
from typing import Any
from unittest.mock import patch

import probatio as vol
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.chatterbox.agent.memory.store import StoredConversation
from custom_components.chatterbox.history_store import HassConversationStore
from homeassistant.components.conversation import ConversationResult
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from .builders import Workshop
from .conversation_helpers import (
    AGENT,
    SAW,
    STOPPED,
    STOPPED_WRITING,
    Ask,
    messages,
    perform,
    speech,
)
from .fake_openai import FakeOpenAI, Gate, Reply

SATELLITE = "assist_satellite.kitchen"


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent that may use the workshop."""
    return {"llm_hass_api": ["assist", "workshop"]}


async def cancel(hass: HomeAssistant, user_id: str | None = None, /, **data: Any) -> str:
    """Call the action; return what it says."""
    return str((await perform(hass, "cancel", user_id, **data))["status"])


async def begun(
    server: FakeOpenAI, ask: Ask, **more: str | None
) -> asyncio.Task[ConversationResult]:
    """Return a turn that is waiting for the model."""
    gate = Gate()
    server.script(Reply("This is a long story.", hold=gate))
    turn = ask("Tell a story", **more)
    await gate.reached.wait()
    return turn


@pytest.mark.parametrize("data", [{}, {"conversation_id": "desk"}])
async def test_cancel_stops_the_running_turn(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, data: dict[str, str]
) -> None:
    assert await cancel(home) == "not_processing"
    gate = Gate(after=3)
    server.script(Reply("This is a long story. It never ends.", hold=gate), Reply("Here I am."))
    turn = ask("Tell a story")
    await gate.reached.wait()
    assert await cancel(home, conversation_id="other") == "not_processing"
    assert await cancel(home, **data) == "interrupted"
    result = await turn
    assert speech(result) == STOPPED
    assert result.response.error_code is None
    await server.completions[0].disconnected.wait()
    assert speech(await ask("Are you there?")) == "Here I am."
    _, question, told, _ = messages(server)
    assert question["content"] == "Tell a story"
    assert "(I was interrupted" in told["content"]


async def test_cancel_ignores_servers_that_are_not_loaded(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    assert await cancel(hass) == "not_processing"


async def test_change_in_progress_is_completed(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(SAW)
    turn = ask("Saw a board")
    await workshop.started.wait()
    assert await cancel(home) == "interrupted"
    assert speech(await turn) == STOPPED_WRITING
    workshop.go_on.set()
    await home.async_block_till_done()
    assert workshop.finished == 1


async def test_finished_turn_that_is_being_stored_is_not_cancelled(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    go_on, stored = asyncio.Event(), asyncio.Event()

    async def save(_conversation: StoredConversation) -> None:
        await go_on.wait()
        stored.set()

    server.script(Reply("It is noon."))
    with patch.object(HassConversationStore, "save", side_effect=save):
        assert speech(await ask("What time is it?")) == "It is noon."
        assert await cancel(home) == "not_processing"
        go_on.set()
        await stored.wait()


@pytest.fixture
async def kitchen(home: HomeAssistant) -> dict[str, str]:
    """Return the ids of a satellite in the kitchen: its device and its area."""
    entry = MockConfigEntry(domain="wyoming")
    entry.add_to_hass(home)
    area = ar.async_get(home).async_create("Kitchen")
    device = dr.async_get(home).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("wyoming", "kitchen")}
    )
    dr.async_get(home).async_update_device(device.id, area_id=area.id)
    er.async_get(home).async_get_or_create(
        "assist_satellite", "wyoming", "kitchen", suggested_object_id="kitchen", device_id=device.id
    )
    home.states.async_set(SATELLITE, "processing")
    home.states.async_set("assist_satellite.attic", "idle")
    return {"device_id": device.id, "area_id": area.id}


@pytest.mark.parametrize("kind", ["entity_id", "agent", "device_id", "area_id"])
async def test_turns_of_a_target_are_cancelled(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, kitchen: dict[str, str], kind: str
) -> None:
    ids = {**kitchen, "entity_id": SATELLITE, "agent": AGENT}
    field = "entity_id" if kind == "agent" else kind
    turn = await begun(server, ask, satellite_id=SATELLITE, device_id=kitchen["device_id"])
    assert await cancel(home, entity_id="assist_satellite.attic") == "not_processing"
    assert await cancel(home, conversation_id="other", **{field: ids[kind]}) == "not_processing"
    assert await cancel(home, **{field: [ids[kind]]}) == "interrupted"
    assert speech(await turn) == STOPPED


@pytest.mark.parametrize(
    ("field", "unknown"),
    [
        ("entity_id", "light.desk"),
        ("entity_id", "assist_satellite.cellar"),
        ("entity_id", "conversation.other"),
        ("device_id", "nothing"),
        ("area_id", "nowhere"),
        ("floor_id", "nowhere"),
        ("label_id", "nothing"),
    ],
)
async def test_target_that_is_neither_agent_nor_satellite_is_an_error(
    home: HomeAssistant, loaded_entry: MockConfigEntry, field: str, unknown: str
) -> None:
    with pytest.raises(ServiceValidationError) as error:
        await cancel(home, **{field: unknown})
    assert error.value.translation_key == "cancel_unknown_target"
    assert error.value.translation_placeholders == {"target": unknown}


@pytest.mark.parametrize("data", [{"entity_id": "kitchen"}, {"conversation_id": []}, {"room": "a"}])
async def test_malformed_call_is_rejected(
    home: HomeAssistant, loaded_entry: MockConfigEntry, data: dict[str, Any]
) -> None:
    with pytest.raises(vol.Invalid):
        await cancel(home, **data)


async def test_user_may_cancel_only_their_own_turns(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, hass_read_only_user: MockUser
) -> None:
    user_id = hass_read_only_user.id
    others = await begun(server, ask, user_id="ada")
    satellites = await begun(server, ask, conversation_id="kitchen")
    assert await cancel(home, user_id) == "not_processing"
    own = await begun(server, ask, conversation_id="attic", user_id=user_id)
    assert await cancel(home, user_id) == "interrupted"
    assert speech(await own) == STOPPED
    assert [turn.done() for turn in (others, satellites)] == [False, False]
    await cancel(home)
    assert [speech(each) for each in await asyncio.gather(others, satellites)] == [STOPPED] * 2


async def test_administrator_may_cancel_every_turn(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, hass_admin_user: MockUser
) -> None:
    turn = await begun(server, ask, user_id="ada")
    assert await cancel(home, hass_admin_user.id) == "interrupted"
    assert speech(await turn) == STOPPED


async def test_unknown_user_may_not_cancel(
    home: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    with pytest.raises(Unauthorized):
        await cancel(home, "nobody")
