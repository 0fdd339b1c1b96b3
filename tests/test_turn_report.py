"""Reports of finished turns: Home Assistant's trace, the result, the log and the figures."""

import asyncio
import json
import logging
from typing import Any
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.chatterbox.agent.errors import LLMModelNotFoundError
from custom_components.chatterbox.agent.trace import TurnTrace
from custom_components.chatterbox.turn_report import error_detail
from homeassistant.components.conversation import ConversationResult
from homeassistant.components.conversation.trace import async_clear_traces, async_get_traces
from homeassistant.core import HomeAssistant

from .builders import Workshop
from .conversation_helpers import AGENT, SAW, Ask, speech
from .fake_openai import Call, FakeOpenAI, Fault, Gate, Reply


@pytest.fixture
def options() -> dict[str, Any]:
    """Ask a failing server once."""
    return {"retry_wait": 0}


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent that may use the workshop."""
    return {"llm_hass_api": ["assist", "workshop"]}


def last_turn(entry: MockConfigEntry) -> TurnTrace:
    trace: TurnTrace = entry.runtime_data.turns[-1]
    return trace


def extra(result: ConversationResult) -> dict[str, Any]:
    """Return the data beside the speech of a result."""
    found: dict[str, Any] = result.as_dict()["response"]["speech"]["plain"]["extra_data"]
    return found


def agent_details() -> list[dict[str, Any]]:
    """Return what the agent added to Home Assistant's traces."""
    return [
        event.data
        for trace in async_get_traces()
        for event in trace._events
        if event.data is not None and "trace_id" in event.data
    ]


async def test_trace_of_a_turn_is_in_home_assistants_trace(
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """With its steps, the arguments of tools and their repairs; the log has no values."""
    caplog.set_level(logging.DEBUG, "custom_components.chatterbox")
    async_clear_traces()
    async_mock_service(home, "light", "turn_on")
    server.script(
        Reply(tool_calls=[Call("*HassTurnOn", {"name": "desk"})]), Reply("The lamp is on.")
    )
    result = await ask("Turn on the desk lamp")
    trace = last_turn(loaded_entry)
    assert extra(result) == {"trace_id": trace.id}
    (shown,) = agent_details()
    assert (shown["trace_id"], shown["profile"], shown["agent"]) == (trace.id, "capable", AGENT)
    assert shown["stats"].keys() == {"input_tokens", "output_tokens"}
    assert shown["requests"]["characters"] > 0
    assert [step["state"] for step in shown["steps"] if "usage" in step] == ["llm_inference"] * 2
    (tool,) = (tool for step in shown["steps"] for tool in step.get("tools", ()))
    assert tool["arguments"] == {"name": "Desk"}
    assert len(tool["repairs"]) == 1
    lines = [line for line in caplog.messages if line.startswith(f"[{trace.id}] Trace ")]
    (logged,) = (json.loads(line.partition(" Trace ")[2]) for line in lines)
    assert logged == trace.as_dict()
    assert "desk" not in json.dumps(logged).lower()


async def test_failed_turn_tells_its_error(
    ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """In the result, and in the diagnostics; without the words of the server."""
    server.script(Reply(fault=Fault.OVERLOADED))
    result = await ask("Hello")
    trace = last_turn(loaded_entry)
    error = extra(result)["error"]
    assert error == {
        "code": "server_error",
        "message": speech(result),
        "type": "LLMServerError",
        "status": 503,
        "tool": None,
        "retryable": True,
        "trace_id": trace.id,
    }
    assert loaded_entry.runtime_data.stats.summary()["last_error"] == error
    assert trace.outcome == "error"


async def test_turn_that_cannot_be_prepared_has_a_trace(
    ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    with patch(
        "custom_components.chatterbox.agent_turn.async_render_prompt", side_effect=KeyError("x")
    ):
        result = await ask("Hello")
    trace = last_turn(loaded_entry)
    assert (trace.outcome, trace.profile, trace.steps) == ("error", "capable", ())
    assert extra(result)["error"]["code"] == "unknown"
    assert not extra(result)["error"]["retryable"]


async def test_turn_that_fails_before_its_model_is_known_has_a_trace(
    ask: Ask, loaded_entry: MockConfigEntry
) -> None:
    with patch("custom_components.chatterbox.agent_turn.TurnModel", side_effect=KeyError("x")):
        await ask("Hello")
    assert last_turn(loaded_entry).profile is None


async def test_turn_that_is_cancelled_while_it_is_prepared_is_counted(
    ask: Ask, loaded_entry: MockConfigEntry
) -> None:
    started = asyncio.Event()

    async def render(*_: object, **__: object) -> None:
        started.set()
        await asyncio.Event().wait()

    with patch("custom_components.chatterbox.agent_turn.async_render_prompt", new=render):
        turn = ask("Hello")
        await started.wait()
        turn.cancel()
        await asyncio.wait({turn})
    trace = last_turn(loaded_entry)
    assert (trace.outcome, trace.error) == ("cancelled", None)


async def test_interrupted_turn_is_counted_with_its_steps(
    ask: Ask, server: FakeOpenAI, workshop: Workshop, loaded_entry: MockConfigEntry
) -> None:
    server.script(SAW)
    turn = ask("Saw a board")
    await workshop.started.wait()
    turn.cancel()
    await asyncio.wait({turn})
    workshop.go_on.set()
    trace = last_turn(loaded_entry)
    assert trace.outcome == "cancelled"
    assert trace.steps[-1].state == "tool_execution"
    assert loaded_entry.runtime_data.stats.outcomes["cancelled"] == 1


async def test_turn_stopped_by_a_word_is_counted(
    ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    gate = Gate()
    server.script(Reply("Long.", hold=gate))
    turn = ask("Tell a story")
    await gate.reached.wait()
    await ask("Stop")
    await turn
    assert loaded_entry.runtime_data.stats.outcomes["cancelled"] == 1


@pytest.mark.parametrize("agent_options", [{"fallback_agent": "conversation.home_assistant"}])
async def test_turn_of_the_fallback_agent_is_counted_with_its_error(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    async_mock_service(home, "light", "turn_on")
    server.script(Reply(fault=Fault.RESET))
    result = await ask("Turn on the desk")
    trace = last_turn(loaded_entry)
    assert trace.outcome == "fallback"
    assert extra(result)["trace_id"] == trace.id
    assert extra(result)["error"]["code"] == "cannot_connect"
    server.script(Reply(fault=Fault.RESET))
    failed = await ask("What is the meaning of life?")
    assert extra(failed)["error"]["code"] == "cannot_connect"
    assert loaded_entry.runtime_data.stats.outcomes == {"fallback": 1, "error": 1}


@pytest.mark.parametrize("options", [{"trace_requests": True}, {}])
@pytest.mark.parametrize(
    "agent_options",
    [{"extra_body": {"route": "secret-route"}, "prompt": "Keep sk-test to yourself"}],
)
async def test_requests_are_in_the_trace_if_wanted(
    ask: Ask,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
    caplog: pytest.LogCaptureFixture,
    options: dict[str, Any],
) -> None:
    """And in the debug log, without secrets; never in the diagnostics."""
    caplog.set_level(logging.DEBUG, "custom_components.chatterbox")
    async_clear_traces()
    await ask("Tell me a tale")
    (shown,) = agent_details()
    logged = [line for line in caplog.messages if "] Request " in line]
    if not options:
        assert "request_bodies" not in shown
        assert logged == []
        return
    (body,) = shown["request_bodies"]
    assert loaded_entry.runtime_data.turns[-1].requests.sent == []
    assert body["messages"][-1]["content"].startswith("Tell me a tale")
    assert body["route"] == "**REDACTED**"
    assert body["tools"] == json.loads(server.requests[-1].body)["tools"]
    assert [json.loads(line.partition("] Request ")[2]) for line in logged] == [body]
    assert "tale" not in json.dumps(loaded_entry.runtime_data.turns[-1].as_dict())
    assert "secret-route" not in caplog.text


def test_error_detail_has_the_status_but_not_the_words_of_the_server() -> None:
    detail = error_detail(LLMModelNotFoundError("No such thing as your secret", 404), "Gone.")
    assert "secret" not in repr(detail)
    assert (detail.code, detail.status, detail.message) == ("model_not_found", 404, "Gone.")
