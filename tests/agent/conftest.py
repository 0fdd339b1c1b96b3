"""Fixtures of the tests of the agent: the documented transitions, the scripted server."""

import os
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import pytest
from hypothesis import HealthCheck, settings

from custom_components.chatterbox.agent.events import LoopState, StateChanged
from custom_components.chatterbox.agent.model.openai_provider import OpenAICompatibleServer
from custom_components.chatterbox.agent.turn import Turn
from tests.agent import state_diagram
from tests.fake_openai import FakeOpenAI

# The time that an example takes depends on the machine only. The usual examples are the same in
# each run; HYPOTHESIS_PROFILE=thorough tries many others.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("usual", unhurried, derandomize=True)
settings.register_profile("thorough", unhurried, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))

type Connect = Callable[..., OpenAICompatibleServer]


@pytest.fixture(autouse=True)
def _documented_transitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Assert that each turn goes only through transitions of the documented state diagram."""
    enter = Turn.enter

    def checked(turn: Turn, state: LoopState) -> StateChanged:
        assert (turn.state, state) in state_diagram.transitions()
        return enter(turn, state)

    monkeypatch.setattr(Turn, "enter", checked)


@pytest.fixture
async def connect(server: FakeOpenAI) -> AsyncIterator[Connect]:
    """Return what connects to the scripted server, with the arguments of the class."""
    async with aiohttp.ClientSession() as session:

        def to_server(**options: Any) -> OpenAICompatibleServer:
            return OpenAICompatibleServer(session, options.pop("url", server.url), **options)

        yield to_server
