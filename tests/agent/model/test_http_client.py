"""Tests of the HTTP client, over real HTTP."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, nullcontext

import aiohttp
import pytest
from aiohttp import web

from custom_components.chatterbox.agent.errors import (
    LLMAuthError,
    LLMConnectionError,
    LLMServerError,
    LLMTimeoutError,
)
from custom_components.chatterbox.agent.model.http_client import MAX_ERROR, HttpClient, Timeouts
from custom_components.chatterbox.agent.model.http_errors import HttpStatusError
from custom_components.chatterbox.agent.model.openai_provider import OpenAICompatibleServer
from tests.agent.conftest import Connect
from tests.agent.scripted_server import QUESTION, provider
from tests.fake_openai import FakeOpenAI, Fault, Gate, Reply

both_ways = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])


@pytest.fixture
async def session(server: FakeOpenAI) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


@asynccontextmanager
async def serving(*routes: web.RouteDef) -> AsyncIterator[str]:
    """Serve these routes until the context ends; yield the base URL."""
    app = web.Application()
    app.add_routes(routes)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    await runner.cleanup()


async def read(response: aiohttp.ClientResponse) -> bytes:
    with closing(response):
        return await response.read()


def test_default_timeouts_are_set() -> None:
    """A slow model is waited for, a dead one noticed."""
    assert Timeouts() == Timeouts(connect=10, first_token=60, between_tokens=30)


@pytest.mark.parametrize(
    ("key", "header"), [("sk-mine", "Bearer sk-mine"), (None, None), ("", None)]
)
async def test_key_is_sent_if_there_is_one(
    server: FakeOpenAI, session: aiohttp.ClientSession, key: str | None, header: str | None
) -> None:
    client = HttpClient(session, server.url, key, 10)
    await read(await client.get("/models"))
    await read(await client.post("/chat/completions", b'{"messages": []}'))
    assert [request.headers.get("Authorization") for request in server.requests] == [header] * 2


@pytest.mark.parametrize("key", ["sk\r\nX-Injected: 1", "sk\x00"])
async def test_key_cannot_add_headers(
    server: FakeOpenAI, session: aiohttp.ClientSession, key: str
) -> None:
    with pytest.raises(LLMAuthError):
        await HttpClient(session, server.url, key, 10).get("/models")
    assert not server.requests


async def test_redirect_is_not_followed(server: FakeOpenAI, session: aiohttp.ClientSession) -> None:
    """The key is for the server that the user has chosen."""

    async def move(_request: web.Request) -> web.StreamResponse:
        raise web.HTTPTemporaryRedirect(f"{server.url}/models")

    async with serving(web.get("/v1/models", move)) as url:
        with pytest.raises(HttpStatusError) as caught:
            await HttpClient(session, url, "sk-mine", 10).get("/models")
    assert caught.value.status == 307
    assert not server.requests


async def test_only_the_beginning_of_an_error_is_read(
    server: FakeOpenAI, session: aiohttp.ClientSession
) -> None:
    server.default = Reply(status=520, body="", headers={"Retry-After": "7"}, flood=b"x" * 65_536)
    with pytest.raises(HttpStatusError) as caught:
        await HttpClient(session, server.url, None, 10).post(
            "/chat/completions", b'{"messages": []}'
        )
    error = caught.value
    assert (error.status, len(error.text), error.retry_after) == (520, MAX_ERROR, "7")
    await server.requests[0].disconnected.wait()


async def test_time_for_connecting_is_limited(connect: Connect) -> None:
    """A server that cannot be reached in time cannot be reached; one that is slow can."""
    asked = provider(connect(url="http://127.0.0.1:1/v1", timeouts=Timeouts(connect=1e-9)))
    with pytest.raises(LLMConnectionError) as caught:
        await asked.complete(QUESTION)
    assert not isinstance(caught.value, LLMTimeoutError)


@both_ways
async def test_connection_is_used_again(server: FakeOpenAI, *, stream: bool) -> None:
    """Also after an error."""
    server.script(Reply("Yes."), Reply(fault=Fault.OVERLOADED), Reply("Yes."))
    created: list[object] = []

    async def count(_session: object, _context: object, params: object) -> None:
        created.append(params)

    trace = aiohttp.TraceConfig()
    trace.on_connection_create_end.append(count)
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        asked = provider(OpenAICompatibleServer(session, server.url), stream=stream)
        for error in (None, LLMServerError, None):
            with pytest.raises(error) if error else nullcontext():
                await asked.complete(QUESTION)
    assert len(server.completions) == 3
    assert len(created) == 1


@both_ways
async def test_cancelling_ends_only_that_request(
    server: FakeOpenAI, connect: Connect, *, stream: bool
) -> None:
    """Of several conversations with one server, as with the slots of llama.cpp."""
    gates: Sequence[Gate] = [Gate(), Gate(), Gate()]
    server.script(*(Reply(f"Answer {number}.", hold=gate) for number, gate in enumerate(gates)))
    asked = provider(connect(), stream=stream)
    tasks = []
    for gate in gates:
        tasks.append(asyncio.create_task(asked.complete(QUESTION)))
        await gate.reached.wait()
    tasks[1].cancel()
    with pytest.raises(asyncio.CancelledError):
        await tasks[1]
    await server.completions[1].disconnected.wait()
    for gate in gates:
        gate.open()
    answers = [(await tasks[number]).content for number in (0, 2)]
    assert answers == ["Answer 0.", "Answer 2."]
    assert [request.disconnected.is_set() for request in server.completions] == [
        False,
        True,
        False,
    ]
