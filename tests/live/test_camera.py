"""The model looks at a camera of the demo home."""

import base64
import json
from collections.abc import AsyncIterator

import pytest

from tests.fake_openai import Call, FakeOpenAI, Reply, history_problems

from .chatterbox import USUAL_TOOLS, Agent, change_agent, expose, process, speech_of
from .home import Home

CAMERA = "camera.demo_camera"


@pytest.fixture
async def camera(home: Home, agent: Agent) -> AsyncIterator[str]:
    """Let the agent look at an exposed camera; return its name."""
    await expose(home, CAMERA)
    await change_agent(home, agent.entry_id, built_in_tools=["look_at_camera"])
    yield "Demo camera"
    await change_agent(home, agent.entry_id, built_in_tools=USUAL_TOOLS)
    await expose(home, CAMERA, exposed=False)


async def test_model_gets_the_image_of_an_exposed_camera(
    home: Home, agent: Agent, model: FakeOpenAI, camera: str
) -> None:
    """The image follows the result, and is not sent again in the next turn."""
    model.script(
        Reply(tool_calls=(Call("*look_at_camera", {"camera": camera}, id="look"),)),
        Reply("A kitchen."),
        Reply("It is tidy."),
    )
    result = await process(home, agent, "What does the camera see?")
    assert speech_of(result) == "A kitchen."
    _, second = model.completions
    assert history_problems(second.messages) == []
    _, image = second.messages[-1]["content"]
    kind, _, data = image["image_url"]["url"].partition(";base64,")
    assert kind == "data:image/jpeg"
    assert base64.b64decode(data).startswith(b"\xff\xd8\xff")

    await process(home, agent, "Is it tidy?", result["conversation_id"])
    assert data not in json.dumps(model.completions[-1].messages)
