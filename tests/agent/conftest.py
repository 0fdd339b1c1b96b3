"""Fixtures of the tests of the agent: the documented transitions, the scripted server."""

import os
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from custom_components.chatterbox.agent.events import LoopState, StateChanged
from custom_components.chatterbox.agent.model.openai_provider import OpenAICompatibleServer
from custom_components.chatterbox.agent.turn import Turn
from homeassistant.helpers.httpx_client import get_async_client
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
def expected_lingering_tasks(request: pytest.FixtureRequest) -> bool:
    """Allow for the SDK: it leaves generators to be collected, which are then closed in tasks."""
    return "server" in request.fixturenames


@pytest.fixture(params=["own", "home"])
def http_client(request: pytest.FixtureRequest) -> Any:
    """Return an HTTP client to share: none, so that the SDK makes its own, or Home Assistant's.

    The two come from different libraries on the oldest supported release.
    """
    if request.param == "own":
        return None
    return get_async_client(request.getfixturevalue("hass"))


@pytest.fixture
async def connect(server: FakeOpenAI) -> AsyncIterator[Connect]:
    """Return what connects to the scripted server, with the arguments of the class."""
    own: list[OpenAICompatibleServer] = []

    def to_server(**options: Any) -> OpenAICompatibleServer:
        connected = OpenAICompatibleServer(options.pop("url", server.url), **options)
        if options.get("http_client") is None:
            own.append(connected)
        return connected

    yield to_server
    for connected in own:
        await connected.client.close()
