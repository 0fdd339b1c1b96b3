"""A home in another process, with a small web server in its place."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from scripts.home.console import UserError
from scripts.home.remote import RemoteHome, log_in


class Home:
    """A home as far as the owner's entry and the commands need one."""

    def __init__(self) -> None:
        self.owner: dict[str, str] | None = None
        self.onboarding_done = False
        self.state = "STARTING"
        self.commands: list[dict[str, Any]] = []
        self.app = web.Application()
        self.app.add_routes(
            [
                web.get("/api/onboarding", self.onboarding),
                web.post("/api/onboarding/users", self.make_owner),
                web.post("/auth/login_flow", self.start_login),
                web.post("/auth/login_flow/f", self.login),
                web.post("/auth/token", self.token),
                web.get("/api/config", self.config),
                web.get("/api/websocket", self.websocket),
            ]
        )

    async def onboarding(self, _request: web.Request) -> web.Response:
        if self.onboarding_done:
            raise web.HTTPNotFound
        return web.json_response([{"step": "user", "done": self.owner is not None}])

    async def make_owner(self, request: web.Request) -> web.Response:
        self.owner = await request.json()
        return web.json_response({"auth_code": "code"})

    async def start_login(self, _request: web.Request) -> web.Response:
        return web.json_response({"type": "form", "flow_id": "f"})

    async def login(self, request: web.Request) -> web.Response:
        data = await request.json()
        assert self.owner
        if data["password"] != self.owner["password"]:
            return web.json_response({"type": "form", "errors": {"base": "invalid_auth"}})
        return web.json_response({"type": "create_entry", "result": "code"})

    async def token(self, request: web.Request) -> web.Response:
        assert (await request.post())["code"] == "code"
        return web.json_response({"access_token": "token"})

    async def config(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == "Bearer token"
        return web.json_response({"state": self.state})

    async def websocket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"type": "auth_required"})
        assert await socket.receive_json() == {"type": "auth", "access_token": "token"}
        await socket.send_json({"type": "auth_ok"})
        async for message in socket:
            command = message.json()
            self.commands.append(command)
            if command["type"] == "bad":
                await socket.send_json({"success": False, "error": {"message": "not allowed"}})
            else:
                await socket.send_json({"success": True, "result": command["id"]})
        return socket


@pytest.fixture
def home() -> Home:
    """Return a home that nobody has entered."""
    return Home()


@pytest.fixture
async def session(home: Home, socket_enabled: None) -> AsyncIterator[aiohttp.ClientSession]:
    """Return a session with the home."""
    runner = web.AppRunner(home.app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    async with aiohttp.ClientSession(f"http://127.0.0.1:{runner.addresses[0][1]}/") as client:
        yield client
    await runner.cleanup()


async def test_first_login_creates_the_owner(home: Home, session: aiohttp.ClientSession) -> None:
    await log_in(session, "http://home/", "dev", "secret")
    assert home.owner == {
        "client_id": "http://home/",
        "language": "en",
        "name": "Dev",
        "username": "dev",
        "password": "secret",
    }


@pytest.mark.parametrize("onboarding", ["half done", "done"])
async def test_later_login_uses_the_password_of_the_owner(
    home: Home, session: aiohttp.ClientSession, onboarding: str
) -> None:
    home.owner = {"password": "secret"}
    home.onboarding_done = onboarding == "done"
    entered = await log_in(session, "http://home/", "dev", "secret")
    assert not await entered.is_started()
    home.state = "RUNNING"
    assert await entered.is_started()


async def test_changed_password_is_reported(home: Home, session: aiohttp.ClientSession) -> None:
    home.owner = {"password": "changed"}
    with pytest.raises(UserError, match="--fresh"):
        await log_in(session, "http://home/", "dev", "secret")


async def test_commands_are_numbered(home: Home, session: aiohttp.ClientSession) -> None:
    async with RemoteHome(session, "token").commands() as commands:
        assert await commands.call("first", name="x") == 1
        with pytest.raises(UserError, match="refused bad: not allowed"):
            await commands.call("bad")
        assert await commands.call("third") == 3
    assert home.commands[0] == {"id": 1, "type": "first", "name": "x"}


async def test_rejected_command_is_reported(session: aiohttp.ClientSession) -> None:
    with pytest.raises(UserError, match="refused /api/config/config_entries/flow"):
        await RemoteHome(session, "token").start("chatterbox")
