"""A home in another process, used over HTTP and WebSocket like by its frontend."""

import contextlib
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from itertools import count
from typing import Any, override

import aiohttp

from .console import UserError
from .flows import FlowDriver, Result

FLOW = "/api/config/config_entries/flow"
LOGIN_FLOW = "/auth/login_flow"


class RemoteHome(FlowDriver):
    """A home to which the owner is logged in; `session` has the URL of the home as its base."""

    def __init__(self, session: aiohttp.ClientSession, token: str) -> None:
        self._session = session
        self._token = token
        self._headers = {"Authorization": f"Bearer {token}"}

    @override
    async def start(self, domain: str) -> Result:
        return await post(self._session, FLOW, {"handler": domain}, self._headers)

    @override
    async def submit(self, flow_id: str, answers: Mapping[str, Any]) -> Result:
        return await post(self._session, f"{FLOW}/{flow_id}", answers, self._headers)

    async def is_started(self) -> bool:
        """Return whether the home has started completely."""
        async with self._session.get("/api/config", headers=self._headers) as response:
            return bool((await response.json())["state"] == "RUNNING")

    @contextlib.asynccontextmanager
    async def commands(self) -> AsyncIterator[Commands]:
        """Open the WebSocket, until the context ends."""
        async with self._session.ws_connect("/api/websocket") as socket:
            await socket.receive_json()
            await socket.send_json({"type": "auth", "access_token": self._token})
            await socket.receive_json()
            yield Commands(socket)


class Commands:
    """Commands over an authenticated WebSocket, one at a time."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._ids = count(1)

    async def call(self, command: str, **arguments: Any) -> Any:
        """Return the result of a command; raise `UserError` if it fails."""
        await self._socket.send_json({"id": next(self._ids), "type": command, **arguments})
        reply = await self._socket.receive_json()
        if not reply["success"]:
            raise UserError(f"Home Assistant refused {command}: {reply['error']['message']}.")
        return reply["result"]


async def post(
    session: aiohttp.ClientSession,
    path: str,
    content: Mapping[str, Any],
    headers: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the JSON of the response; raise `UserError` for an HTTP error."""
    async with session.post(path, json=content, headers=headers) as response:
        if response.status >= HTTPStatus.BAD_REQUEST:
            raise UserError(f"Home Assistant refused {path}: {await response.text()}")
        reply: dict[str, Any] = await response.json()
        return reply


async def log_in(session: aiohttp.ClientSession, url: str, name: str, password: str) -> RemoteHome:
    """Log in to the home at this URL as its owner; create the owner if there is none yet."""
    person = {"username": name, "password": password}
    async with session.get("/api/onboarding") as response:
        # The view no longer exists after the onboarding.
        steps = await response.json() if response.status == HTTPStatus.OK else []
    if any(step == {"step": "user", "done": False} for step in steps):
        owner = {**person, "name": name.title(), "client_id": url, "language": "en"}
        code = (await post(session, "/api/onboarding/users", owner))["auth_code"]
    else:
        handler = {"client_id": url, "handler": ["homeassistant", None], "redirect_uri": url}
        form = await post(session, LOGIN_FLOW, handler)
        done = await post(session, f"{LOGIN_FLOW}/{form['flow_id']}", {**person, "client_id": url})
        if done["type"] != "create_entry":
            raise UserError(
                f"The home no longer takes the login {name} / {password}; start over with --fresh."
            )
        code = done["result"]
    grant = {"grant_type": "authorization_code", "code": code, "client_id": url}
    async with session.post("/auth/token", data=grant) as response:
        response.raise_for_status()
        return RemoteHome(session, (await response.json())["access_token"])
