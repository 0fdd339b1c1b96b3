"""Conversation history after a restart and after a kill, and its separation by user."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from secrets import token_hex
from typing import Any

import aiohttp
import pytest

from tests.fake_openai import Call, FakeOpenAI, Reply, history_problems

from .chatterbox import (
    KITCHEN,
    Agent,
    Json,
    add_agent,
    change_agent,
    process,
    result_of,
    run_pipeline,
)
from .connection import Connection
from .home import Home

SUBENTRY_FLOW = "api/config/config_entries/subentries/flow"

TALK = (
    Reply("One moment.", tool_calls=(Call("*HassTurnOn", {"name": "Kitchen Lights"}),)),
    Reply("They are on."),
    Reply(tool_calls=(Call("*get_current_datetime", {"timezone": "Asia/Tokyo"}),)),
    Reply("It is late there."),
    Reply("You are welcome."),
)
SAID = ["make the kitchen bright for me", "how late is it in Tokyo?", "thanks"]

type Say = Callable[[str], Awaitable[Any]]


@pytest.fixture(scope="module", autouse=True)
async def roomy(home: Home) -> None:
    """Reset the learned context window, so that the whole history fits."""
    await home.restart()


async def restart(home: Home) -> None:
    await home.restart()


async def kill(home: Home) -> None:
    await home.kill()
    await home.start()


either_end = pytest.mark.parametrize("end", [restart, kill])


def messages(model: FakeOpenAI) -> list[Json]:
    """Return the messages of the last request, which have to be valid."""
    found = model.completions[-1].messages
    assert history_problems(found) == []
    return [dict(message) for message in found]


def said(model: FakeOpenAI) -> list[str]:
    """Return the texts of the user in the last request."""
    texts = [each["content"] for each in messages(model) if each["role"] == "user"]
    # Without what the model is told of the moment.
    return [text.partition("\n\n(")[0] for text in texts]


async def stored(home: Home, text: str) -> None:
    """Wait until a message is in the file of a conversation."""
    # Not a temporary file, which a kill leaves without its name.
    files = f".storage/chatterbox.history/*/*/{'[0-9a-f]' * 32}"
    async with asyncio.timeout(30):
        while not any(text in file.read_text() for file in home.folder.glob(files)):  # noqa: ASYNC110
            # Another process writes.
            await asyncio.sleep(0.05)


async def talk_before_and_after(
    home: Home, model: FakeOpenAI, say: Say, end: Callable[[Home], Awaitable[None]]
) -> None:
    """Run three turns, end the process, and run a fourth turn that gets all of them."""
    model.script(*TALK)
    # No other test says the same.
    texts = [f"{text} ({token_hex(4)})" for text in SAID]
    for text in texts:
        await say(text)
        # The answer does not wait for the disk.
        await stored(home, text)
    before = messages(model)
    await end(home)
    model.script(Reply("You asked for the lights."))
    await say("what did I ask for first?")
    after = messages(model)
    assert after[1 : len(before)] == before[1:]
    assert said(model) == [*texts, "what did I ask for first?"]
    assert [each["role"] for each in after].count("tool") == 2
    (call,) = after[2]["tool_calls"]
    assert call["function"]["name"].endswith("HassTurnOn")
    assert json.loads(call["function"]["arguments"]) == {"name": "Kitchen Lights"}


@either_end
async def test_conversation_with_the_callers_id_survives_the_end_of_the_process(
    home: Home, agent: Agent, model: FakeOpenAI, end: Callable[[Home], Awaitable[None]]
) -> None:
    conversation_id = f"kitchen {end.__name__}"
    await talk_before_and_after(
        home, model, lambda text: process(home, agent, text, conversation_id), end
    )


async def test_conversation_with_an_expired_id_continues_under_a_new_one(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    first = (await process(home, agent, "one"))["conversation_id"]
    await home.restart()
    second = (await process(home, agent, "two", first))["conversation_id"]
    assert second != first
    assert said(model) == ["one", "two"]
    await process(home, agent, "three", second)
    assert said(model) == ["one", "two", "three"]


async def test_same_id_of_another_user_starts_a_new_conversation(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """The same id of another user starts another conversation."""
    await process(home, agent, "my secret is tea", "shared")
    await home.restart()
    async with aiohttp.ClientSession(home.url) as session:
        ann = await log_in(home, session, "ann")
        talk: Json = {"agent_id": agent.entity_id, "conversation_id": "shared", "language": "en"}
        await ann.call("conversation/process", text="what is my secret?", **talk)
        assert said(model) == ["what is my secret?"]
        listed = await ann.call(
            "call_service",
            domain="chatterbox",
            service="list_conversations",
            service_data={"agent": agent.entity_id},
            return_response=True,
        )
        (own,) = listed["response"]["conversations"]
        assert own["conversation_id"] == "shared"
        await ann.close()


async def log_in(home: Home, session: aiohttp.ClientSession, name: str) -> Connection:
    """Add a user, and return a connection of that user."""
    login = {"username": name, "password": "live-tests"}
    made = await home.ws.call("config/auth/create", name=name, group_ids=["system-users"])
    await home.ws.call(
        "config/auth_provider/homeassistant/create", user_id=made["user"]["id"], **login
    )
    question = {"client_id": home.url, "redirect_uri": home.url, "handler": ["homeassistant", None]}
    async with session.post("auth/login_flow", json=question) as answer:
        flow = await answer.json()
    async with session.post(
        f"auth/login_flow/{flow['flow_id']}", json={"client_id": home.url, **login}
    ) as answer:
        code = (await answer.json())["result"]
    exchange = {"grant_type": "authorization_code", "code": code, "client_id": home.url}
    async with session.post("auth/token", data=exchange) as answer:
        token = (await answer.json())["access_token"]
    return await Connection.open(session, token)


@pytest.fixture(scope="module")
async def satellites(home: Home) -> AsyncIterator[tuple[Agent, FakeOpenAI]]:
    """Return an agent that continues the conversation of a device, and its server."""
    async with FakeOpenAI() as server:
        agent = await add_agent(home, server.url)
        await change_agent(home, agent.entry_id, memory_scope="device", profile="capable")
        yield agent, server
        await home.delete(f"api/config/config_entries/entry/{agent.entry_id}")


@either_end
async def test_conversation_of_a_device_survives_the_end_of_the_process(
    home: Home,
    satellites: tuple[Agent, FakeOpenAI],
    end: Callable[[Home], Awaitable[None]],
) -> None:
    """A satellite does not send the id that it had before a restart."""
    agent, model = satellites

    async def say(text: str) -> None:
        events = await run_pipeline(home, agent, text, device_id=f"satellite {end.__name__}")
        assert result_of(events)["response"]["response_type"] != "error"

    await talk_before_and_after(home, model, say, end)
    await run_pipeline(home, agent, "hello", device_id=f"another than {end.__name__}")
    assert said(model) == ["hello"]


async def test_locally_handled_turn_is_stored(home: Home, agent: Agent, model: FakeOpenAI) -> None:
    """A sentence that Home Assistant handled itself is stored, and survives a restart."""
    pipeline = dict(await home.ws.call("assist_pipeline/pipeline/get", pipeline_id=agent.pipeline))
    await prefer_local(home, pipeline, wanted=True)
    await home.call_service("light.turn_off", entity_id=KITCHEN)
    first = result_of(await run_pipeline(home, agent, "tell me something"))["conversation_id"]
    asked = len(model.completions)
    await run_pipeline(home, agent, "turn on kitchen lights", first)
    assert len(model.completions) == asked
    assert await home.state(KITCHEN) == "on"
    await home.restart()
    await process(home, agent, "what did you do?", first)
    assert said(model) == ["tell me something", "turn on kitchen lights", "what did you do?"]
    await prefer_local(home, pipeline, wanted=False)


async def prefer_local(home: Home, pipeline: Json, *, wanted: bool) -> None:
    """Set whether a pipeline prefers handling commands locally."""
    settings = {key: value for key, value in pipeline.items() if key != "id"}
    await home.ws.call(
        "assist_pipeline/pipeline/update",
        pipeline_id=pipeline["id"],
        **{**settings, "prefer_local_intents": wanted},
    )
