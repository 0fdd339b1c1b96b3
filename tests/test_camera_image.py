"""Images of the exposed cameras, seen in turns of a conversation."""

import json
from typing import Any, override

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.chatterbox.agent.errors import ToolError
from custom_components.chatterbox.agent.model.server_quirks import Quirk
from custom_components.chatterbox.attachments import MAX_BYTES
from custom_components.chatterbox.camera_image import camera_tool
from homeassistant.components.camera import Camera
from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .agent.sample_files import PDF, PNG, image
from .conversation_helpers import Ask, messages, speech
from .fake_openai import Call, FakeOpenAI, Reply

LOOK = Reply(tool_calls=[Call("look_at_camera", {"camera": "Door"}, id="look")])


class DoorCamera(Camera):
    """A camera with one image."""

    _attr_name = "Door"
    _attr_has_entity_name = False
    content: bytes | None = PNG

    @override
    async def async_camera_image(
        self, width: int | None = None, height: int | None = None
    ) -> bytes | None:
        assert (width, height) == (1024, 768)
        return self.content


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent that may look at cameras."""
    return {"built_in_tools": ["look_at_camera"], "llm_hass_api": []}


@pytest.fixture
async def door(hass: HomeAssistant) -> DoorCamera:
    """Return an exposed camera."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "camera", {})
    camera = DoorCamera()
    await hass.data["camera"].async_add_entities([camera])
    async_expose_entity(hass, CONVERSATION, "camera.door", should_expose=True)
    return camera


async def error_of(hass: HomeAssistant, user_id: str | None = None) -> str:
    tool = camera_tool(hass, user_id)
    assert tool is not None
    with pytest.raises(ToolError) as caught:
        await tool.call({"camera": "Door"})
    return str(caught.value)


async def test_model_sees_the_image_after_the_result(
    door: DoorCamera, ask: Ask, server: FakeOpenAI
) -> None:
    server.script(LOOK, Reply("A cat."), Reply("It was black."))
    assert speech(await ask("Who is at the door?")) == "A cat."
    first, second = server.completions
    assert first.tools == second.tools == ["look_at_camera"]
    sent = messages(server)
    assert sent[: len(first.messages)] == first.messages
    result, _, shown = sent[-3:]
    assert json.loads(result["content"])["result"] == {"camera": "Door", "image": "image/png"}
    text, part = shown["content"]
    assert "Door" in text["text"]
    assert part == image().to_wire()

    await ask("Which color?")
    later = messages(server)
    assert image().data not in json.dumps(later)
    assert json.loads(later[3]["content"])["result"]["image"] == "image/png"


@pytest.mark.parametrize(
    "agent_options",
    [{"built_in_tools": ["look_at_camera"], "llm_hass_api": [], "profile": "guided"}],
)
async def test_guided_model_sees_the_image(door: DoorCamera, ask: Ask, server: FakeOpenAI) -> None:
    look = {"verb": "look_at_camera", "arguments": {"camera": "Door"}}
    server.script(
        Reply(json.dumps({"topic": "home", "do": [look]})),
        Reply('{"topic": "other", "answer": "A cat."}'),
    )
    assert speech(await ask("Who is at the door?")) == "A cat."
    assert messages(server)[-1]["content"][-1] == image().to_wire()


async def test_blind_model_is_not_offered_the_tool(
    door: DoorCamera, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    await ask("Hello")
    assert server.completions[-1].tools == ["look_at_camera"]
    loaded_entry.runtime_data.quirks["scripted-1"].learn(Quirk.IMAGES)
    await ask("Who is at the door?")
    assert server.completions[-1].tools == []


async def test_model_that_rejects_the_image_is_told(
    door: DoorCamera, ask: Ask, server: FakeOpenAI
) -> None:
    error = {"error": {"message": "image input is not supported"}}
    server.script(LOOK, Reply(status=500, body=json.dumps(error)))
    assert speech(await ask("Who is at the door?")).endswith("The model cannot see images.")
    await ask("And now?")
    assert server.completions[-1].tools == []


async def test_tool_needs_an_exposed_camera(hass: HomeAssistant, door: DoorCamera) -> None:
    tool = camera_tool(hass, None)
    assert tool is not None
    async_expose_entity(hass, CONVERSATION, "camera.door", should_expose=False)
    assert camera_tool(hass, None) is None
    # A conversation may still have the tool.
    with pytest.raises(ToolError, match="any more"):
        await tool.call({"camera": "Door"})


async def test_cameras_of_the_same_name_are_told_apart(
    hass: HomeAssistant, door: DoorCamera
) -> None:
    hass.states.async_set("camera.other", "idle", {"friendly_name": "Door"})
    async_expose_entity(hass, CONVERSATION, "camera.other", should_expose=True)
    tool = camera_tool(hass, None)
    assert tool is not None
    names = tool.definition.parameters["properties"]["camera"]["enum"]
    assert names == ["Door (camera.door)", "Door (camera.other)"]


async def test_user_has_to_be_allowed_to_read_the_camera(
    hass: HomeAssistant, door: DoorCamera
) -> None:
    user = MockUser(name="Guest").add_to_hass(hass)
    user.mock_policy({})
    assert "may not look" in await error_of(hass, user.id)


@pytest.mark.parametrize(
    "content",
    [None, b"<html>", PDF, PNG + bytes(MAX_BYTES)],
    ids=["none", "no_image", "no_picture", "too_large"],
)
async def test_camera_without_an_image_is_an_error(
    hass: HomeAssistant, door: DoorCamera, content: bytes | None
) -> None:
    door.content = content
    assert "Door gave no image that you can see: " in await error_of(hass)


async def test_unavailable_camera_is_an_error(hass: HomeAssistant, door: DoorCamera) -> None:
    hass.states.async_set("camera.door", "unavailable", {"friendly_name": "Door"})
    assert await error_of(hass) == "Door is unavailable."
