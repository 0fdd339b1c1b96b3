"""The beginning of requests, which a server caches: it stays the same from one to the next."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.util import dt as dt_util

from ..conversation_helpers import Ask, bodies
from ..fake_openai import Call, FakeOpenAI, Reply

CAPABLE = {"profile": "capable"}
GUIDED = {"profile": "guided"}
BOTH_PROFILES = pytest.mark.parametrize("agent_options", [CAPABLE, GUIDED])
HELLO = Reply('{"topic": "other", "answer": "Hello!"}')


@pytest.fixture
def devices(home: HomeAssistant) -> list[str]:
    """Return two devices in areas of their own, and one without an area."""
    entry = MockConfigEntry(domain="voice")
    entry.add_to_hass(home)
    found = []
    for name in ("Kitchen", "Hall", None):
        device = dr.async_get(home).async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("voice", str(name))}
        )
        if name:
            area = ar.async_get(home).async_create(name)
            dr.async_get(home).async_update_device(device.id, area_id=area.id)
        found.append(device.id)
    return found


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that sets the time that prompts have; the event loop's goes on."""

    def set_to(text: str) -> None:
        moment = datetime.fromisoformat(text)
        monkeypatch.setattr(dt_util, "now", lambda _zone=None: moment)
        monkeypatch.setattr(dt_util, "utcnow", lambda: moment.astimezone(UTC))

    return set_to


def assert_continued(first: dict[str, Any], second: dict[str, Any]) -> None:
    """Check that a request begins with all of an earlier one."""
    assert second.get("tools") == first.get("tools")
    assert second["messages"][: len(first["messages"])] == first["messages"]


@BOTH_PROFILES
async def test_beginning_is_the_same_in_all_areas(
    ask: Ask, devices: list[str], server: FakeOpenAI
) -> None:
    for device_id in devices:
        server.script(HELLO)
        await ask("Hello", None, device_id=device_id)
    first, *others = bodies(server)
    for other in others:
        assert other["messages"][0] == first["messages"][0]
        assert other.get("tools") == first.get("tools")
    assert "Kitchen" in first["messages"][-1]["content"]
    assert "Hall" in others[0]["messages"][-1]["content"]


@pytest.fixture
async def over_midnight(
    ask: Ask, server: FakeOpenAI, set_clock: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Return the requests of two turns, one before midnight and one after it."""
    set_clock("2026-11-22T23:59:30-08:00")
    server.script(HELLO, HELLO)
    await ask("Hello")
    set_clock("2026-11-23T00:01:00-08:00")
    await ask("Hello again")
    return bodies(server)


@BOTH_PROFILES
async def test_beginning_is_the_same_over_midnight(over_midnight: list[dict[str, Any]]) -> None:
    first, second = over_midnight
    assert_continued(first, second)


@pytest.mark.parametrize("agent_options", [{**CAPABLE, "llm_hass_api": [], "built_in_tools": []}])
async def test_beginning_is_the_same_over_midnight_with_the_time_in_the_prompt(
    over_midnight: list[dict[str, Any]],
) -> None:
    """Without a tool for it, Home Assistant writes the time into the prompt."""
    first, second = over_midnight
    assert_continued(first, second)
    assert "2026-11-22" in first["messages"][-1]["content"]
    assert "2026-11-23" in second["messages"][-1]["content"]


@BOTH_PROFILES
async def test_request_after_a_tool_call_continues_the_one_before(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, agent_options: dict[str, Any]
) -> None:
    """The look-up of a guided model is answered without another request."""
    calls = [Call("*GetLiveContext")] if agent_options == CAPABLE else []
    look_up = '{"topic": "home", "look_up": ["Desk"]}'
    server.script(Reply(tool_calls=calls) if calls else Reply(look_up), HELLO, HELLO)
    await ask("Describe the desk")
    await ask("And now?")
    requests = bodies(server)
    assert len(requests) == (3 if calls else 2)
    for before, after in pairwise(requests):
        assert_continued(before, after)


@pytest.mark.parametrize("agent_options", [{**CAPABLE, "max_iterations": 1}])
async def test_closing_request_of_a_turn_continues_the_one_before(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    async_mock_service(home, "light", "turn_on")
    call = Call("*HassTurnOn", {"name": "Desk"})
    server.script(Reply(tool_calls=[call]), Reply("It is on."))
    await ask("Turn on the desk")
    first, closing = bodies(server)
    assert_continued(first, closing)
    assert closing["tool_choice"] == "none"


@BOTH_PROFILES
async def test_beginning_is_the_same_after_a_reload(
    home: HomeAssistant, ask: Ask, loaded_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    server.script(HELLO, HELLO)
    await ask("Hello", None)
    assert await home.config_entries.async_reload(loaded_entry.entry_id)
    await home.async_block_till_done(wait_background_tasks=True)
    await ask("Hello", None)
    first, second = bodies(server)
    assert second["messages"][0] == first["messages"][0]
    assert second.get("tools") == first.get("tools")
