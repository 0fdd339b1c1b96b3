"""Chatterbox is there again after Home Assistant was not."""

from tests.fake_openai import FakeOpenAI, Reply

from .chatterbox import Agent, process, speech_of
from .home import Home


async def test_restart_and_kill(home: Home, agent: Agent, model: FakeOpenAI) -> None:
    """After a restart, and after a power cut, the agent answers as before."""
    await home.restart()
    model.script(Reply("Here I am."))
    assert speech_of(await process(home, agent, "are you there?")) == "Here I am."
    await home.kill()
    await home.start()
    model.script(Reply("Still here."))
    assert speech_of(await process(home, agent, "are you there?")) == "Still here."
