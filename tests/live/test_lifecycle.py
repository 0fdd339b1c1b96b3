"""Diagnostics, restarts and kills."""

import json
import re

from tests.fake_openai import FakeOpenAI, Reply

from .chatterbox import Agent, process, speech_of
from .home import Home


async def test_diagnostics_have_the_turn_without_its_text(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """They can be downloaded, and have the turn without its text."""
    model.script(Reply("It is a secret."))
    await process(home, agent, "what is in the box?")
    found = (await home.get(f"api/diagnostics/config_entry/{agent.entry_id}"))["data"]
    assert found["server"]["base_url"] == model.url
    assert found["turns"][-1]["outcome"] == "final"
    assert not {"box", "secret"} & set(re.findall(r"\w+", json.dumps(found)))


async def test_agent_answers_after_a_restart_and_after_a_kill(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """After a restart and after a kill, the agent answers as before."""
    await home.restart()
    model.script(Reply("Here I am."))
    assert speech_of(await process(home, agent, "are you there?")) == "Here I am."
    await home.kill()
    await home.start()
    model.script(Reply("Still here."))
    assert speech_of(await process(home, agent, "are you there?")) == "Still here."
