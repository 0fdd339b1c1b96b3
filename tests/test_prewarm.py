"""Prewarming: the beginning of the next turn, once per change, and never in the way of a turn."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockUser,
    async_fire_time_changed,
)

from custom_components.chatterbox import prewarm
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.turn_setup import async_render_prompt
from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import EVENT_CORE_CONFIG_UPDATE, EVENT_HOMEASSISTANT_STARTED
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import chat_session
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util

from .agent.builders import turn_trace
from .conversation_helpers import AGENT, Ask, sent, speech
from .fake_openai import FakeOpenAI, Fault, Gate, Reply

GUIDED = {"profile": "guided"}
CAPABLE = {"profile": "capable"}
BOTH_PROFILES = pytest.mark.parametrize("agent_options", [CAPABLE, GUIDED])

type Wait = Callable[[], Coroutine[Any, Any, None]]


async def pass_time(hass: HomeAssistant) -> None:
    """Let the time pass in which further changes may follow."""
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=prewarm._SETTLE + 1))
    await hass.async_block_till_done(wait_background_tasks=True)


@pytest.fixture
def settle(home: HomeAssistant, loaded_entry: MockConfigEntry) -> Wait:
    """Return what waits until the agent is prewarmed after a change."""
    return lambda: pass_time(home)


@pytest.fixture
async def warm(settle: Wait, server: FakeOpenAI) -> None:
    """Prewarm the agent as after the start."""
    await settle()
    assert len(server.prewarms) == 1


async def listen(hass: HomeAssistant, conversation_id: str | None = None) -> None:
    """Do what a pipeline does when the user begins to speak."""
    with chat_session.async_get_chat_session(hass, conversation_id):
        await conversation.async_prepare_agent(hass, AGENT, "en")
    await hass.async_block_till_done(wait_background_tasks=True)


def beginning(body: dict[str, Any]) -> tuple[Any, ...]:
    """Return what a request shares with the next one."""
    return body["model"], body["messages"][:-1], body.get("tools")


@BOTH_PROFILES
async def test_beginning_is_that_of_the_next_turn(warm: None, server: FakeOpenAI, ask: Ask) -> None:
    body = server.prewarms[-1].json
    await ask("Good morning")
    assert beginning(body) == beginning(sent(server))
    assert len(server.prewarms) == 1


@BOTH_PROFILES
async def test_history_of_the_session_is_part_of_the_beginning(
    home: HomeAssistant, server: FakeOpenAI, ask: Ask
) -> None:
    server.script(Reply('{"topic": "other", "answer": "Morning!"}'))
    await ask("Good morning")
    before = home.data[DATA_CHAT_LOGS]["desk"].as_dict()["content"]
    await listen(home, "desk")
    (body,) = (request.json for request in server.prewarms)
    assert any("Good morning" in message["content"] for message in body["messages"][:-1])
    assert home.data[DATA_CHAT_LOGS]["desk"].as_dict()["content"] == before
    await ask("And now?")
    assert beginning(body) == beginning(sent(server))


async def test_history_of_another_user_is_not_sent(
    home: HomeAssistant, server: FakeOpenAI, ask: Ask
) -> None:
    MockUser(id="ann", name="Ann").add_to_hass(home)
    server.script(Reply("Morning!"))
    await ask("Good morning", user_id="ann")
    await listen(home, "kitchen")
    assert len(server.prewarms[-1].json["messages"]) == 2


@BOTH_PROFILES
async def test_each_change_is_sent_once(
    warm: None, home: HomeAssistant, settle: Wait, server: FakeOpenAI
) -> None:
    home.states.async_set("light.hall", "off", {"friendly_name": "Hall"})
    async_expose_entity(home, conversation.DOMAIN, "light.hall", should_expose=True)
    ar.async_get(home).async_create("Hall")
    await settle()
    first, second = (request.json["messages"][0]["content"] for request in server.prewarms)
    assert "Hall" not in first
    assert "Hall" in second
    await settle()
    await listen(home)
    home.bus.async_fire(EVENT_CORE_CONFIG_UPDATE)
    await settle()
    assert len(server.prewarms) == 2


async def test_idle_server_is_prewarmed_again_only_when_the_user_speaks(
    warm: None,
    settle: Wait,
    server: FakeOpenAI,
    monkeypatch: pytest.MonkeyPatch,
    home: HomeAssistant,
) -> None:
    monkeypatch.setattr(prewarm, "_UNLOADED_AFTER", -1)
    home.bus.async_fire(EVENT_CORE_CONFIG_UPDATE)
    await settle()
    assert len(server.prewarms) == 1
    await listen(home)
    assert len(server.prewarms) == 2


async def test_agent_is_prewarmed_only_after_the_start(
    hass: HomeAssistant, config_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    hass.set_state(CoreState.starting)
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    await pass_time(hass)
    assert server.prewarms == []
    hass.set_state(CoreState.running)
    hass.bus.async_fire(EVENT_HOMEASSISTANT_STARTED)
    await hass.async_block_till_done()
    await pass_time(hass)
    assert len(server.prewarms) == 1


# Servers.


@pytest.mark.parametrize(("place", "count"), [("local", 1), ("internet", 0)])
async def test_only_a_server_of_the_local_network_is_prewarmed(
    settle: Wait, server: FakeOpenAI, place: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_local(_hass: HomeAssistant, base_url: str) -> bool:
        assert base_url == server.url
        return place == "local"

    monkeypatch.setattr(prewarm, "async_is_local", is_local)
    await settle()
    assert len(server.prewarms) == count


@pytest.mark.parametrize("options", [{"max_requests_per_minute": 10}])
async def test_limited_server_is_not_prewarmed_by_itself(settle: Wait, server: FakeOpenAI) -> None:
    await settle()
    assert server.prewarms == []


@pytest.mark.parametrize(
    ("cached", "count"), [([None], 1), ([0, 0], 0), ([0, 900], 1), ([0, None], 0)]
)
async def test_server_that_never_uses_its_cache_is_not_prewarmed(
    settle: Wait,
    loaded_entry: MockConfigEntry,
    server: FakeOpenAI,
    cached: list[int | None],
    count: int,
) -> None:
    for tokens in cached:
        usage = UsageStats(prompt_tokens=1_000, cached_tokens=tokens)
        loaded_entry.runtime_data.turns.append(turn_trace(usage=usage))
    await settle()
    assert len(server.prewarms) == count


# In the way of nothing.


async def test_turn_cancels_a_prewarming_request(
    settle: Wait, home: HomeAssistant, server: FakeOpenAI, ask: Ask
) -> None:
    gate = Gate()
    server.prewarm_reply = Reply("H", hold=gate)
    waiting = asyncio.create_task(settle())
    await gate.reached.wait()
    assert speech(await ask("Hello")) == "Hello from the scripted model."
    await server.prewarms[0].disconnected.wait()
    await waiting
    # It was not completed, so that it is not taken for sent.
    server.prewarm_reply = Reply("H")
    await listen(home)
    assert len(server.prewarms) == 2


async def test_running_turn_is_not_disturbed(
    home: HomeAssistant, server: FakeOpenAI, ask: Ask
) -> None:
    gate = Gate()
    server.script(Reply("Hi.", hold=gate))
    turn = ask("Hello")
    await gate.reached.wait()
    await listen(home)
    assert server.prewarms == []
    gate.open()
    assert speech(await turn) == "Hi."


async def test_unloading_ends_it(
    settle: Wait, home: HomeAssistant, loaded_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    gate = Gate()
    server.prewarm_reply = Reply("H", hold=gate)
    waiting = asyncio.create_task(settle())
    await gate.reached.wait()
    ar.async_get(home).async_create("Hall")
    assert await home.config_entries.async_unload(loaded_entry.entry_id)
    await server.prewarms[0].disconnected.wait()
    await waiting
    ar.async_get(home).async_create("Attic")
    await pass_time(home)
    assert len(server.prewarms) == 1


@pytest.mark.parametrize(
    "fault", [Fault.UNAUTHORIZED, Fault.RATE_LIMITED, Fault.RESET, Fault.HTML, Fault.SERVER_ERROR]
)
async def test_error_has_no_consequence(  # noqa: PLR0917 - fixtures
    settle: Wait,
    loaded_entry: MockConfigEntry,
    server: FakeOpenAI,
    fault: Fault,
    caplog: pytest.LogCaptureFixture,
    hass: HomeAssistant,
) -> None:
    server.prewarm_reply = Reply(fault=fault)
    caplog.clear()
    await settle()
    assert len(server.prewarms) == 1
    data = loaded_entry.runtime_data
    assert not data.server_state.down
    assert not data.turns
    assert not data.quirks["scripted-1"].learned
    assert not ir.async_get(hass).issues
    assert not hass.config_entries.flow.async_progress()
    ours = [record for record in caplog.records if "chatterbox" in record.name]
    assert {record.levelno for record in ours} <= {logging.DEBUG}
    assert "Could not prewarm" in caplog.text


# What is known of the next message.


@pytest.fixture
async def satellites(home: HomeAssistant) -> dict[str, str]:
    """Add two satellites; return their device ids by their names."""
    entry = MockConfigEntry(domain="voice")
    entry.add_to_hass(home)
    found = {}
    for name in ("hall", "kitchen"):
        device = dr.async_get(home).async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("voice", name)}
        )
        er.async_get(home).async_get_or_create(
            "assist_satellite", "voice", name, suggested_object_id=name, device_id=device.id
        )
        home.states.async_set(f"assist_satellite.{name}", "idle")
        found[name] = device.id
    return found


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Return the devices that prompts are rendered for."""
    rendered: list[str | None] = []
    render = async_render_prompt

    async def record(*arguments: Any, **more: Any) -> Any:
        rendered.append(arguments[2].device_id)
        return await render(*arguments, **more)

    monkeypatch.setattr(prewarm, "async_render_prompt", record)
    return rendered


async def test_tools_are_those_of_the_satellite_that_listens(
    settle: Wait,
    home: HomeAssistant,
    satellites: dict[str, str],
    devices: list[str | None],
) -> None:
    home.states.async_set("assist_satellite.kitchen", "listening")
    await listen(home)
    assert devices == [satellites["kitchen"]]


async def test_tools_after_a_change_are_those_of_any_satellite(
    settle: Wait, satellites: dict[str, str], devices: list[str | None]
) -> None:
    await settle()
    assert devices == [satellites["hall"]]


async def test_dialog_has_no_satellite(
    settle: Wait, home: HomeAssistant, satellites: dict[str, str], devices: list[str | None]
) -> None:
    await listen(home)
    assert devices == [None]


async def test_satellites_that_listen_at_once_are_prewarmed_once(
    hass: HomeAssistant, warm: None, server: FakeOpenAI
) -> None:
    gate = Gate()
    server.prewarm_reply = Reply("H", hold=gate)
    hass.states.async_set("light.hall", "off", {"friendly_name": "Hall"})
    async_expose_entity(hass, conversation.DOMAIN, "light.hall", should_expose=True)
    tasks = [asyncio.create_task(listen(hass)) for _ in range(2)]
    await gate.reached.wait()
    gate.open()
    await asyncio.gather(*tasks)
    assert len(server.prewarms) == 2
