"""HTTP API of the development server, over the agent of a home."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import product
from typing import Any

import pytest
from aiohttp import ClientResponse
from aiohttp.test_utils import TestClient, TestServer
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now
from scripts.home import api
from scripts.home.api import MAX_BODY, ConversationApi
from tests.conversation_helpers import AGENT
from tests.fake_openai import Call, FakeOpenAI, Gate, Reply

TOKEN = "secret"

type Client = TestClient[Any, Any]
type Serve = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
def serve(home: HomeAssistant, loaded_entry: MockConfigEntry, hass_admin_user: MockUser) -> Serve:
    """Return what serves the API, for the administrator."""

    @asynccontextmanager
    async def serving(token: str | None = None) -> AsyncIterator[Client]:
        context = Context(user_id=hass_admin_user.id)
        app = ConversationApi(home, context, loaded_entry, token).app()
        async with TestClient(TestServer(app, handler_cancellation=True)) as running:
            yield running

    return serving


@pytest.fixture
async def client(serve: Serve) -> AsyncIterator[Client]:
    async with serve() as running:
        yield running


async def detail(response: ClientResponse) -> str:
    """Return the text of an error."""
    body = await response.json()
    assert list(body) == ["detail"]
    return str(body["detail"])


async def health(client: Client) -> dict[str, Any]:
    async with client.get("/health") as response:
        assert response.status == 200
        body: dict[str, Any] = await response.json()
        return body


async def ask(client: Client, text: str, conversation_id: str | None = None) -> dict[str, Any]:
    question = {"text": text, "conversation_id": conversation_id}
    async with client.post("/conversation", json=question) as response:
        assert response.status == 200
        body: dict[str, Any] = await response.json()
        return body


def said(server: FakeOpenAI) -> list[str]:
    """Return the roles of the last request's messages after the instructions."""
    return [message["role"] for message in server.completions[-1].messages[1:]]


async def test_message_is_answered(client: Client, server: FakeOpenAI) -> None:
    server.script(Reply(tool_calls=[Call("get_current_datetime")]), Reply("Noon."))
    answer = await ask(client, "What time is it?")
    assert answer["response_text"] == "Noon."
    extra = answer["extra"]
    assert extra["succeeded"] is True
    assert extra["iterations"] == 2
    assert [(tool["name"], tool["ok"]) for tool in extra["tools"]] == [
        ("get_current_datetime", True)
    ]
    assert extra["usage"]["total_tokens"] > 0
    assert extra["trace_id"]


async def test_conversation_goes_on(client: Client, server: FakeOpenAI) -> None:
    first = await ask(client, "Hello.")
    again = await ask(client, "Hello again.", first["conversation_id"])
    assert again["conversation_id"] == first["conversation_id"]
    assert said(server) == ["user", "assistant", "user"]
    other = await ask(client, "Hello.", "kitchen")
    assert other["conversation_id"] == "kitchen"
    assert said(server) == ["user"]
    assert (await health(client))["active_sessions"] == 2


async def test_failed_turn_is_an_answer_that_did_not_succeed(
    client: Client, server: FakeOpenAI
) -> None:
    server.default = Reply(status=401, body="")
    answer = await ask(client, "Hello.")
    assert answer["response_text"]
    assert answer["extra"]["succeeded"] is False


async def test_answer_without_the_model_has_no_trace(client: Client, server: FakeOpenAI) -> None:
    answer = await ask(client, "new conversation")
    assert not server.completions
    assert answer["response_text"]
    assert answer["extra"]["tools"] == []
    assert answer["extra"]["trace_id"] is None


async def test_model_gets_the_same_request_as_through_home_assistants_api(
    client: Client, hass: HomeAssistant, server: FakeOpenAI, hass_client: ClientSessionGenerator
) -> None:
    assert await async_setup_component(hass, "api", {})
    own = await hass_client()
    begun = None
    # The request has the time, in minutes.
    while begun != dt_util.now().minute:
        begun = dt_util.now().minute
        server.requests.clear()
        for at, path in (
            (client, "/conversation"),
            (client, "/conversation/stream"),
            (own, "/api/conversation/process"),
        ):
            question = {"text": "How are you?", "conversation_id": ulid_now()}
            more = {"agent_id": AGENT} if at is own else {}
            async with at.post(path, json={**question, **more}) as response:
                assert response.status == 200
                await response.read()
    assert len(server.completions) == 3
    assert len({request.body for request in server.completions}) == 1


# The stream.


def events(body: bytes) -> list[tuple[str, Any]]:
    """Return the names and data of server-sent events."""
    found = []
    for event in body.decode().split("\n\n")[:-1]:
        name, data = event.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


async def test_answer_is_streamed(client: Client, server: FakeOpenAI) -> None:
    server.script(
        Reply("One moment.", tool_calls=[Call("get_current_datetime")]),
        Reply("It is noon.", chunk_size=6),
    )
    async with client.post("/conversation/stream", json={"text": "Time?"}) as response:
        assert response.content_type == "text/event-stream"
        heard = events(await response.read())
    *parts, (last, result) = heard
    assert last == "result"
    assert result["response_text"] == "It is noon."
    texts = [data["text"] for name, data in parts if name == "text"]
    assert "".join(texts) == "One moment.\n\nIt is noon."
    assert len(texts) > 3
    assert ("tool_call", {"name": "get_current_datetime", "arguments": {}}) in parts
    assert [name for name, _ in parts].count("message") >= 2


async def test_text_is_sent_while_the_model_writes(client: Client, server: FakeOpenAI) -> None:
    gate = Gate(after=3)
    server.script(Reply("One moment, please. Here it is.", chunk_size=12, hold=gate))
    async with client.post("/conversation/stream", json={"text": "Hello."}) as response:
        assert b"message" in await response.content.readuntil(b"\n\n")
        assert b"One" in await response.content.readuntil(b"\n\n")
        gate.open()
        assert b"event: result" in await response.read()


async def test_comment_is_sent_while_nothing_happens(
    client: Client, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "PING_SECONDS", 0.01)
    gate = Gate()
    server.script(Reply("Yes.", hold=gate))
    async with client.post("/conversation/stream", json={"text": "Hello."}) as response:
        await response.content.readuntil(b": ping\n\n")
        gate.open()
        assert b"event: result" in await response.read()


async def test_client_that_hangs_up_cancels_the_turn(client: Client, server: FakeOpenAI) -> None:
    gate = Gate()
    server.script(Reply("Yes.", hold=gate))
    async with client.post("/conversation/stream", json={"text": "Hello."}):
        await gate.reached.wait()
    await server.completions[0].disconnected.wait()


async def test_conversation_that_is_busy_is_reported(client: Client, server: FakeOpenAI) -> None:
    """By Home Assistant where it knows, else in the agent's words."""
    gate = Gate()
    server.script(Reply("Yes.", hold=gate))
    first = asyncio.create_task(ask(client, "Hello.", "desk"))
    await gate.reached.wait()
    question = {"text": "Hello?", "conversation_id": "desk"}
    async with client.post("/conversation", json=question) as response:
        body = await response.json()
        assert response.status == 409 or body["extra"]["succeeded"] is False
    gate.open()
    assert (await first)["response_text"] == "Yes."


# Deletion.


async def test_deleted_conversation_is_forgotten(client: Client, server: FakeOpenAI) -> None:
    await ask(client, "Hello.", "kitchen")
    await ask(client, "Hello.", "hall")
    for _ in range(2):
        async with client.delete("/conversation/kitchen") as response:
            assert response.status == 204
    assert (await health(client))["active_sessions"] == 1
    await ask(client, "Hello.", "kitchen")
    assert said(server) == ["user"]
    await ask(client, "Hello.", "hall")
    assert said(server) == ["user", "assistant", "user"]


async def test_all_conversations_are_forgotten(client: Client, server: FakeOpenAI) -> None:
    for conversation_id in ("kitchen", "hall"):
        await ask(client, "Hello.", conversation_id)
    async with client.delete("/conversation") as response:
        assert response.status == 204
    assert (await health(client))["active_sessions"] == 0
    await ask(client, "Hello.", "hall")
    assert said(server) == ["user"]


async def test_deletion_ends_the_running_turn(client: Client, server: FakeOpenAI) -> None:
    gate = Gate()
    server.script(Reply("Yes.", hold=gate))
    asked = asyncio.create_task(ask(client, "Hello.", "kitchen"))
    await gate.reached.wait()
    async with client.delete("/conversation/kitchen") as response:
        assert response.status == 204
    await asked
    await ask(client, "Hello.", "kitchen")
    assert said(server) == ["user"]


# Errors.

MALFORMED = {
    b"": 400,
    b"{": 400,
    b"\xff": 400,
    b"[]": 422,
    b"{}": 422,
    b'{"text": ""}': 422,
    b'{"text": " "}': 422,
    b'{"text": 7}': 422,
    b'{"text": "Hi", "conversation_id": 7}': 422,
    b'{"text": "Hi", "language": null}': 422,
    b'{"text": "Hi", "other": 1}': 422,
    b'"' + b"x" * MAX_BODY + b'"': 413,
}


@pytest.mark.parametrize("path", ["/conversation", "/conversation/stream"])
async def test_malformed_body_is_an_error(client: Client, server: FakeOpenAI, path: str) -> None:
    for body, status in MALFORMED.items():
        async with client.post(path, data=body) as response:
            assert response.status == status, body
            assert await detail(response)
    assert not server.completions


async def test_other_requests_are_errors(client: Client) -> None:
    for method, path, status in (
        ("GET", "/", 404),
        ("GET", "/conversation", 405),
        ("POST", "/health", 405),
    ):
        async with client.request(method, path) as response:
            assert response.status == status
            assert await detail(response)
            assert ("Allow" in response.headers) == (status == 405)


async def test_unexpected_error_has_no_details(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(api, "async_converse", fail)
    async with client.post("/conversation", json={"text": "Hello."}) as response:
        assert response.status == 500
        assert "secret" not in await detail(response)
    assert "ZeroDivisionError" in caplog.text
    async with client.post("/conversation/stream", json={"text": "Hello."}) as response:
        ((name, data),) = events(await response.read())
    assert name == "error"
    assert "secret" not in data["detail"]


# The token.


async def test_all_but_the_health_needs_the_token(serve: Serve, server: FakeOpenAI) -> None:
    requests = (
        ("POST", "/conversation"),
        ("POST", "/conversation/stream"),
        ("DELETE", "/conversation"),
        ("DELETE", "/conversation/kitchen"),
        ("GET", "/"),
    )
    wrong = (None, "", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, "Bearer \xe4")
    async with serve(TOKEN) as client:
        for (method, path), header in product(requests, wrong):
            headers = {} if header is None else {"Authorization": header}
            question = {"text": "Hello."}
            async with client.request(method, path, json=question, headers=headers) as response:
                assert response.status == 401
                assert response.headers["WWW-Authenticate"] == "Bearer"
                assert await detail(response)
        assert await health(client) == {
            "status": "ok",
            "entity_name": "Scripted",
            "active_sessions": 0,
        }
    assert not server.completions


async def test_token_is_accepted(serve: Serve, server: FakeOpenAI) -> None:
    async with (
        serve(TOKEN) as client,
        client.post(
            "/conversation",
            json={"text": "Hello."},
            headers={"Authorization": f"Bearer {TOKEN}"},
        ) as response,
    ):
        assert response.status == 200
