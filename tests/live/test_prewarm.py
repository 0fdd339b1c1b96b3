"""Prewarming of a server after a change."""

from dataclasses import replace

from tests.fake_openai import FakeOpenAI, Gate, Reply

from .chatterbox import Agent, expose, process
from .home import Home

LIGHT = "light.bed_light"


async def test_change_prewarms_with_the_beginning_of_the_next_turn(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    gate = Gate()
    model.prewarm_reply = replace(model.prewarm_reply, hold=gate)
    await expose(home, LIGHT)
    await gate.reached.wait()
    gate.open()
    model.script(Reply("Hello."))
    await process(home, agent, "Hello")
    body = model.completions[-1].json
    prewarmed = model.prewarms[-1].json
    assert prewarmed["messages"][0] == body["messages"][0]
    assert prewarmed["tools"] == body["tools"]
    assert "Bed Light" in body["messages"][0]["content"]
