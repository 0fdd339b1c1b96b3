"""Home Assistant process with a configuration folder of its own."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiohttp

from .connection import Connection
from .log import Log, Record

PROJECT = Path(__file__).parents[2]
CONFIGURATION = """\
conversation:
assist_pipeline:
history:
logbook:
demo:
diagnostics:
repairs:
system_health:
todo:
dialog:
trouble:
neighbor:
ffmpeg:
  ffmpeg_bin: {ffmpeg}
logger:
  default: warning
  logs:
    homeassistant.bootstrap: info
    homeassistant.components.http.server: info
    custom_components.chatterbox: debug
"""
OWNER = {"username": "owner", "password": "live-tests"}
# What the tests themselves add to the home.
COMPONENTS = Path(__file__).parent / "components"
FFMPEG = Path(__file__).parent / "ffmpeg.py"
LONGEST_LINE = 16 * 1024**2


class Home:
    """Home Assistant in a folder of its own, onboarded and logged into.

    The folder outlives the process: what it has stored is there again after a restart or a kill.
    """

    def __init__(
        self,
        program: Path,
        folder: Path,
        integration: Path,
        configuration: str = CONFIGURATION,
    ) -> None:
        """Run this `hass` in that folder, with that custom integration and configuration."""
        self.folder = folder
        self.log = Log()
        self.ws: Connection
        self._program = program
        self._integration = integration
        self._configuration = configuration
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}/"
        self._session: aiohttp.ClientSession
        self._process: asyncio.subprocess.Process
        self._follower: asyncio.Task[None]
        # How many records of the log new_records has given.
        self.checked = 0

    async def __aenter__(self) -> Self:
        self._furnish()
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._process.returncode is None:
            await self.stop()

    # The process.

    async def start(self) -> None:
        """Start Home Assistant, and return when it is running and connected."""
        begin = len(self.log.records)
        self._process = await asyncio.create_subprocess_exec(
            self._program,
            *("--config", self.folder, "--skip-pip", "--log-no-color"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=LONGEST_LINE,
        )
        assert self._process.stdout is not None
        self._follower = self.log.follow(self._process.stdout)
        try:
            await self.log.wait_for("Now listening on port", begin)
            await self.log.wait_for("Home Assistant initialized", begin)
            await self._connect()
        except BaseException:
            self._process.kill()
            raise

    async def stop(self) -> None:
        """Stop Home Assistant gracefully: pending data are stored."""
        await self._end(signal.SIGTERM)

    async def kill(self) -> None:
        """Kill the process, as a power failure does: only stored data survive."""
        await self._end(signal.SIGKILL)

    async def restart(self) -> None:
        """Stop Home Assistant gracefully, and start it again."""
        await self.stop()
        await self.start()

    async def _end(self, how: signal.Signals) -> None:
        self._process.send_signal(how)
        await self._process.wait()
        await self._follower
        await self.ws.close()
        await self._session.close()

    def _furnish(self) -> None:
        ffmpeg = self.folder / "ffmpeg"
        ffmpeg.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{FFMPEG}" "$@"\n')
        ffmpeg.chmod(0o755)
        (self.folder / "configuration.yaml").write_text(self._configuration.format(ffmpeg=ffmpeg))
        components = self.folder / "custom_components"
        components.mkdir()
        for integration in (self._integration, *COMPONENTS.iterdir()):
            (components / integration.name).symlink_to(integration)
        # Settings in the oldest known form, which both releases read as confirmed by the user.
        self._store("http", 1, {"server_host": ["127.0.0.1"], "server_port": self._port})
        # These steps of the onboarding would start integrations that need the internet.
        self._store("onboarding", 4, {"done": ["core_config", "analytics", "integration"]})

    def _store(self, key: str, version: int, data: dict[str, Any]) -> None:
        path = self.folder / ".storage" / key
        path.parent.mkdir(exist_ok=True)
        content = {"version": version, "minor_version": 1, "key": key, "data": data}
        path.write_text(json.dumps(content))

    # Talking to it.

    async def _connect(self) -> None:
        self._session = aiohttp.ClientSession(self.url)
        token = await self._log_in()
        self._session.headers["Authorization"] = f"Bearer {token}"
        self.ws = await Connection.open(self._session, token)
        async with self.ws.subscribed(
            "subscribe_events", event_type="homeassistant_started"
        ) as started:
            if (await self.ws.call("get_config"))["state"] != "RUNNING":
                await started.get()

    async def _log_in(self) -> str:
        """Log in as the owner, who is created if necessary."""
        onboarding = {"name": "Owner", "language": "en", "client_id": self.url, **OWNER}
        async with self._session.post("api/onboarding/users", json=onboarding) as answer:
            code = (await answer.json())["auth_code"] if answer.ok else None
        if code is None:
            question = {
                "client_id": self.url,
                "redirect_uri": self.url,
                "handler": ["homeassistant", None],
            }
            flow = await self.post("auth/login_flow", question)
            done = await self.post(
                f"auth/login_flow/{flow['flow_id']}", {"client_id": self.url, **OWNER}
            )
            code = done["result"]
        exchange = {"grant_type": "authorization_code", "code": code, "client_id": self.url}
        async with self._session.post("auth/token", data=exchange) as answer:
            token: str = (await answer.json())["access_token"]
        return token

    async def get(self, path: str) -> Any:
        """Send a GET request to the REST API."""
        async with self._session.get(path) as answer:
            answer.raise_for_status()
            return await answer.json()

    async def post(self, path: str, data: object = None) -> Any:
        """Send a POST request to the REST API."""
        async with self._session.post(path, json=data) as answer:
            assert answer.ok, f"{path}: {answer.status} {await answer.text()}"
            return await answer.json()

    async def delete(self, path: str) -> None:
        """Send a DELETE request to the REST API."""
        async with self._session.delete(path) as answer:
            answer.raise_for_status()

    async def call_service(self, service: str, **data: Any) -> None:
        """Perform an action, such as `light.turn_on`."""
        await self.post(f"api/services/{service.replace('.', '/')}", data)

    async def respond(self, service: str, **data: Any) -> Any:
        """Perform an action, such as `todo.get_items`; return its response.

        Raise `CommandError` if it fails.
        """
        domain, _, name = service.partition(".")
        result = await self.ws.call(
            "call_service", domain=domain, service=name, service_data=data, return_response=True
        )
        return result["response"]

    async def state(self, entity_id: str) -> str:
        """Return the state of an entity."""
        state: str = (await self.get(f"api/states/{entity_id}"))["state"]
        return state

    # Its log.

    async def new_records(self) -> list[Record]:
        """Return the records since the last call, complete up to now."""
        mark = f"checked up to {len(self.log.records)}"
        await self.call_service("system_log.write", message=mark, level="warning")
        end = await self.log.wait_for(mark, self.checked)
        records = self.log.records[self.checked : end]
        self.checked = end + 1
        return records


def newest_environment() -> Path:
    """Return the environment of the newest supported release."""
    if given := os.environ.get("CHATTERBOX_HOME_ENV"):
        return Path(given)
    made = subprocess.run(
        [PROJECT / "scripts" / "setup", "home"], check=True, stdout=subprocess.PIPE, text=True
    )
    return Path(made.stdout.splitlines()[-1])


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
