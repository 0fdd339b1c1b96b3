"""AI tasks through Home Assistant's own action."""

import base64
import json
from collections.abc import AsyncIterator

import pytest

from tests.fake_openai import FakeOpenAI, Reply

from .chatterbox import MODEL, SUBENTRY_FLOW, Agent, entity_of, fill, reloaded
from .home import Home

ACTION = "ai_task.generate_data"
CAMERA = "camera.demo_camera"
STRUCTURE = {
    "animal": {"description": "What it is", "required": True, "selector": {"text": {}}},
    "legs": {"required": True, "selector": {"number": {"min": 0, "max": 8}}},
}


@pytest.fixture(scope="module")
async def task(home: Home, agent: Agent) -> AsyncIterator[str]:
    """Add an AI task to the server of the agent, for these tests only; return its entity."""
    async with reloaded(home, agent.entry_id):
        form = await home.post(SUBENTRY_FLOW, {"handler": [agent.entry_id, "ai_task_data"]})
        filled = fill(form["data_schema"], {"model": MODEL})
        done = await home.post(f"{SUBENTRY_FLOW}/{form['flow_id']}", filled)
        assert done["type"] == "create_entry", done
    yield await entity_of(home, agent.entry_id, "ai_task")
    subentries = await home.ws.call("config_entries/subentries/list", entry_id=agent.entry_id)
    (subentry_id,) = (
        item["subentry_id"] for item in subentries if item["subentry_type"] == "ai_task_data"
    )
    async with reloaded(home, agent.entry_id):
        await home.ws.call(
            "config_entries/subentries/delete", entry_id=agent.entry_id, subentry_id=subentry_id
        )


async def test_data_have_the_structure(home: Home, task: str, model: FakeOpenAI) -> None:
    """An answer that does not match the structure is corrected once."""
    model.script(
        Reply(json.dumps({"animal": "cat", "legs": 40})),
        Reply(json.dumps({"animal": "cat", "legs": 4})),
    )
    response = await home.respond(
        ACTION,
        task_name="Animals",
        entity_id=task,
        instructions="Which animal purrs?",
        structure=STRUCTURE,
    )
    assert response["data"] == {"animal": "cat", "legs": 4}
    first, second = model.completions
    assert first.json["response_format"]["type"] == "json_schema"
    assert first.messages[-1]["content"].startswith("Which animal purrs?")
    assert "too large" in second.messages[-1]["content"]


async def test_camera_is_attached_as_an_image(home: Home, task: str, model: FakeOpenAI) -> None:
    model.script(Reply("A kitchen."))
    camera = {
        "media_content_id": f"media-source://camera/{CAMERA}",
        "media_content_type": "image/jpeg",
    }
    response = await home.respond(
        ACTION,
        task_name="Look",
        entity_id=task,
        instructions="What is there?",
        attachments=[camera],
    )
    assert response["data"] == "A kitchen."
    (request,) = model.completions
    text, part = request.messages[-1]["content"]
    assert text == {"type": "text", "text": "What is there?"}
    kind, _, data = part["image_url"]["url"].partition(";base64,")
    assert kind == "data:image/jpeg"
    assert base64.b64decode(data).startswith(b"\xff\xd8\xff")
