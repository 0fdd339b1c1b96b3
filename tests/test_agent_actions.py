"""Service actions on agents: ask, clear the tool cache."""

from typing import Any
from unittest.mock import patch

import probatio as vol
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockUser,
    async_mock_service,
)

from custom_components.chatterbox.agent.messages import ToolCall, ToolResult
from homeassistant.components import camera
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError, Unauthorized
from homeassistant.helpers import entity_registry as er

from .agent.sample_files import PNG
from .conversation_helpers import AGENT, BUSY, Ask, perform, sent
from .fake_openai import Call, FakeOpenAI, Fault, Gate, Reply


@pytest.fixture
def options() -> dict[str, Any]:
    """Ask a failing server once."""
    return {"retry_wait": 0}


async def test_ask_returns_the_answer_and_what_was_done_for_it(
    home: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    turn_on = async_mock_service(home, "light", "turn_on")
    server.script(
        Reply(tool_calls=[Call("*HassTurnOn", {"name": "Desk"}), Call("*nothing")]),
        Reply("It is on. Anything else?"),
    )
    response = await perform(home, "ask", agent=AGENT, text="Light please", conversation_id="desk")
    assert len(turn_on) == 1
    trace = loaded_entry.runtime_data.turns[-1]
    assert (response["answer"], response["conversation_id"]) == ("It is on. Anything else?", "desk")
    assert response["continue_conversation"]
    assert (response["trace_id"], response["outcome"]) == (trace.id, "final")
    assert response["usage"] == trace.usage.as_dict()
    assert response["seconds"] >= trace.seconds - 0.001
    done, failed = response["tools"]
    assert done["name"].endswith("HassTurnOn")
    assert (done["arguments"], done["success"], done["error_type"]) == (
        {"name": "Desk"},
        True,
        None,
    )
    assert (failed["success"], failed["error_type"]) == (False, "unknown_tool")


async def test_ask_continues_a_conversation_in_a_language(
    home: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    server.script(Reply("Hallo."), Reply("Ada."))
    first = await perform(home, "ask", agent=AGENT, text="Ich bin Ada.", language="de")
    known = first["conversation_id"]
    await perform(home, "ask", agent=AGENT, text="Wer bin ich?", conversation_id=known)
    assert "Ich bin Ada." in str(sent(server)["messages"])


async def test_answer_of_the_agent_itself_has_no_trace(
    home: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """The model is not asked for it."""
    response = await perform(home, "ask", agent=AGENT, text="New conversation")
    assert response["answer"] == "All right, this is a new conversation."
    assert (response["trace_id"], response["usage"], response["tools"]) == (None, None, [])


async def test_failed_turn_is_an_error_that_is_translated(
    home: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    server.script(Reply(fault=Fault.OVERLOADED))
    with pytest.raises(HomeAssistantError) as error:
        await perform(home, "ask", agent=AGENT, text="Hello")
    assert error.value.translation_key == "server_error"
    assert str(error.value) == "The model's server reported an error. Please try again"


async def test_refused_message_is_an_error_with_its_sentence(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    gate = Gate()
    server.script(Reply("Long.", hold=gate))
    turn = ask("Tell a story")
    await gate.reached.wait()
    with pytest.raises(HomeAssistantError, match=BUSY):
        await perform(home, "ask", agent=AGENT, text="Hello", conversation_id="desk")
    gate.open()
    await turn


@pytest.mark.parametrize("data", [{"text": ""}, {}, {"text": "Hello", "agent": "lamp"}])
async def test_malformed_question_is_rejected(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, data: dict[str, str]
) -> None:
    with pytest.raises(vol.Invalid):
        await perform(hass, "ask", **{"agent": AGENT, **data})


@pytest.mark.parametrize("action", ["ask", "clear_tool_cache"])
async def test_what_is_no_loaded_agent_is_an_error(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, action: str
) -> None:
    more = {"text": "Hello"} if action == "ask" else {}
    for entity_id in ("conversation.other", "light.desk"):
        with pytest.raises(ServiceValidationError):
            await perform(hass, action, agent=entity_id, **more)
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    with pytest.raises(ServiceValidationError):
        await perform(hass, action, agent=AGENT, **more)


async def test_disabled_agent_and_its_other_entities_cannot_be_asked(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    with pytest.raises(ServiceValidationError):
        await perform(hass, "ask", agent="event.scripted_response", text="Hello")
    er.async_get(hass).async_update_entity(AGENT, disabled_by=er.RegistryEntryDisabler.USER)
    await hass.async_block_till_done()
    with pytest.raises(ServiceValidationError):
        await perform(hass, "ask", agent=AGENT, text="Hello")


@pytest.mark.parametrize("action", ["ask", "clear_tool_cache"])
async def test_user_may_only_act_on_agents_that_they_may_control(
    hass: HomeAssistant,
    loaded_entry: MockConfigEntry,
    hass_read_only_user: MockUser,
    hass_admin_user: MockUser,
    action: str,
) -> None:
    more = {"text": "Hello"} if action == "ask" else {}
    with pytest.raises(Unauthorized):
        await perform(hass, action, hass_read_only_user.id, agent=AGENT, **more)
    assert await perform(hass, action, hass_admin_user.id, agent=AGENT, **more)


async def test_cached_results_of_tools_are_deleted(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, hass_admin_user: MockUser
) -> None:
    cache = loaded_entry.runtime_data.tool_results
    for more in ({"agent": AGENT}, {}):
        for name in ("Oslo", "Bergen"):
            call = ToolCall(id="1", name="get_weather", arguments={"location": name})
            cache.put(ToolResult(call=call, data="sunny"))
        assert await perform(hass, "clear_tool_cache", hass_admin_user.id, **more) == {"cleared": 2}
        assert cache.get(call) is None
        assert await perform(hass, "clear_tool_cache", **more) == {"cleared": 0}


async def test_only_administrators_clear_the_cache_of_all_servers(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, hass_read_only_user: MockUser
) -> None:
    with pytest.raises(Unauthorized):
        await perform(hass, "clear_tool_cache", hass_read_only_user.id)
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    assert await perform(hass, "clear_tool_cache") == {"cleared": 0}


CAMERA = {
    "media_content_id": "media-source://camera/camera.door",
    "media_content_type": "image/png",
}


async def test_picture_of_a_camera_is_sent_with_the_text_only(
    home: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    home.config.components.add("camera")
    server.script(Reply("A parcel."), Reply("I told you."))
    with patch(
        "homeassistant.components.camera.async_get_image",
        return_value=camera.Image("image/png", PNG),
    ):
        response = await perform(
            home, "ask", agent=AGENT, text="What is there?", attachments=CAMERA
        )
    assert response["answer"] == "A parcel."
    text, picture = sent(server)["messages"][-1]["content"]
    assert text["text"].startswith("What is there?")
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")
    known = response["conversation_id"]
    await perform(home, "ask", agent=AGENT, text="And now?", conversation_id=known)
    assert "base64" not in str(sent(server)["messages"])


async def test_user_may_only_attach_what_they_may_see(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    user = MockUser(is_owner=False)
    user.add_to_hass(hass)
    user.mock_policy({"entities": {"entity_ids": {AGENT: True}}})
    with pytest.raises(Unauthorized) as error:
        await perform(hass, "ask", user.id, agent=AGENT, text="Look", attachments=[CAMERA])
    assert error.value.entity_id == "camera.door"
