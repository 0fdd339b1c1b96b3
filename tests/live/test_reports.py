"""Actions, reports of turns, system health and repair flows, through Home Assistant's API."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.fake_openai import Call, FakeOpenAI, Fault, Reply

from .chatterbox import DOMAIN, KITCHEN, Agent, add_agent, process, reloaded, speech_of
from .connection import CommandError
from .home import Home

FIX = "api/repairs/issues/fix"


@pytest.fixture
async def other() -> AsyncIterator[FakeOpenAI]:
    """Run a server of the test's own."""
    async with FakeOpenAI() as server:
        yield server


@pytest.fixture
async def own_agent(home: Home, other: FakeOpenAI) -> AsyncIterator[Agent]:
    """Return an agent of the test's own."""
    agent = await add_agent(home, other.url)
    yield agent
    await home.delete(f"api/config/config_entries/entry/{agent.entry_id}")


async def issues(home: Home) -> list[dict[str, Any]]:
    """Return the open issues of Chatterbox."""
    listed = await home.ws.call("repairs/list_issues")
    return [issue for issue in listed["issues"] if issue["domain"] == DOMAIN]


async def test_ask_returns_the_answer_and_its_trace_leads_everywhere(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """The trace id of the response is in the log, the event and the diagnostics."""
    await home.call_service("light.turn_off", entity_id=KITCHEN)
    model.script(
        Reply(tool_calls=[Call("*HassTurnOn", {"name": "Kitchen Lights"})]), Reply("They are on.")
    )
    begin = len(home.log.records)
    asked = {"agent": agent.entity_id, "text": "Light please", "conversation_id": "live"}
    response = await home.respond("chatterbox.ask", **asked)

    assert response["answer"] == "They are on."
    assert (response["conversation_id"], response["outcome"]) == ("live", "final")
    (tool,) = response["tools"]
    assert tool["success"]
    assert await home.state(KITCHEN) == "on"
    assert response["usage"]["prompt_tokens"] > 0
    trace_id = response["trace_id"]
    await home.log.wait_for(f"[{trace_id}] Trace ", begin)
    downloaded = await home.get(f"api/diagnostics/config_entry/{agent.entry_id}")
    turn = downloaded["data"]["turns"][-1]
    assert (turn["trace_id"], turn["outcome"]) == (trace_id, "final")
    assert downloaded["data"]["stats"]["tools"][tool["name"]]["success_rate"] == 1
    states = await home.get("api/states")
    ids = [state["attributes"].get("trace_id") for state in states]
    assert trace_id in ids


async def test_sensors_report_the_last_response(
    home: Home, own_agent: Agent, other: FakeOpenAI
) -> None:
    name = own_agent.entity_id.removeprefix("conversation.")
    sensors = [f"sensor.{name}_{key}" for key in ("time_to_first_token", "last_response")]
    assert [await home.state(sensor) for sensor in sensors] == ["unknown", "unknown"]
    begin = datetime.now(UTC)
    other.script(Reply("Fine, thanks."))
    await process(home, own_agent, "How are you?")
    first_token, last_response = [await home.state(sensor) for sensor in sensors]
    assert float(first_token) > 0
    # A timestamp has no fractions of a second.
    assert datetime.fromisoformat(last_response) >= begin.replace(microsecond=0)


async def test_ask_fails_with_the_sentence_of_the_error(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    model.script(Reply(status=402))
    with pytest.raises(CommandError, match="no credit left"):
        await home.respond("chatterbox.ask", agent=agent.entity_id, text="Hello")
    # Home Assistant logs what it answers to a client.
    logged = [record.text for record in await home.new_records() if record.level == "ERROR"]
    assert [text for text in logged if "no credit left" not in text] == []
    assert [issue["translation_key"] for issue in await issues(home)] == ["quota_exceeded"]
    await home.respond("chatterbox.ask", agent=agent.entity_id, text="Hello")
    assert await issues(home) == []


async def test_picture_of_a_camera_is_sent(home: Home, agent: Agent, model: FakeOpenAI) -> None:
    model.script(Reply("A house."))
    camera = {
        "media_content_id": "media-source://camera/camera.demo_camera",
        "media_content_type": "image/jpeg",
    }
    asked = {"agent": agent.entity_id, "text": "What do you see?", "attachments": [camera]}
    assert (await home.respond("chatterbox.ask", **asked))["answer"] == "A house."
    _, picture = model.completions[-1].messages[-1]["content"]
    assert picture["image_url"]["url"].startswith("data:image/")


async def test_tool_cache_is_cleared(home: Home, agent: Agent) -> None:
    assert (await home.respond("chatterbox.clear_tool_cache"))["cleared"] >= 0
    assert await home.respond("chatterbox.clear_tool_cache", agent=agent.entity_id) == {
        "cleared": 0
    }


async def test_system_health_shows_which_servers_can_be_reached(home: Home, agent: Agent) -> None:
    found: dict[str, Any] = {}
    async with home.ws.subscribed("system_health/info") as events:
        while (event := await events.get())["type"] != "finish":
            if event["type"] == "initial":
                found = dict(event["data"][DOMAIN]["info"])
            elif event["domain"] == DOMAIN:
                found[event["key"]] = event["data"]
    entry = await home.ws.call("config_entries/get_single", entry_id=agent.entry_id)
    assert found[entry["config_entry"]["title"]] == "ok"
    assert found["agents"] >= 1
    assert found["version"]


@pytest.mark.warns
async def test_repair_flow_selects_another_model(
    home: Home, own_agent: Agent, other: FakeOpenAI
) -> None:
    other.models = ["scripted-2", "scripted-3"]
    other.script(Reply(fault=Fault.MODEL_NOT_FOUND))
    await process(home, own_agent, "Hello")
    (issue,) = await issues(home)
    assert issue["is_fixable"]
    form = await home.post(FIX, {"handler": DOMAIN, "issue_id": issue["issue_id"]})
    assert form["step_id"] == "model"
    (field,) = form["data_schema"]
    assert field["selector"]["select"]["options"] == ["scripted-2", "scripted-3"]
    other.script(Reply(fault=Fault.MODEL_NOT_FOUND))
    form = await home.post(f"{FIX}/{form['flow_id']}", {"model": "scripted-2"})
    assert form["errors"] == {"model": "model_not_found"}
    async with reloaded(home, own_agent.entry_id):
        done = await home.post(f"{FIX}/{form['flow_id']}", {"model": "scripted-3"})
        assert done["type"] == "create_entry"
    assert await issues(home) == []
    assert speech_of(await process(home, own_agent, "Hello")) == other.default.text
    assert other.completions[-1].json["model"] == "scripted-3"
