"""The demo home as a `hass` process, kept in a folder and set up through its APIs."""

import asyncio
import contextlib
import os
import shutil
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from homeassistant.components.onboarding import STORAGE_VERSION as ONBOARDING_VERSION
from homeassistant.const import RESTART_EXIT_CODE

from .console import PROJECT, UserError, say
from .core import prepare_folder, running_home, write_store
from .demo import ALL_LIGHTS, pipeline_settings
from .flows import ALREADY_CONFIGURED, FlowAbortedError, add_chatterbox
from .ports import check_port
from .remote import Commands, RemoteHome, log_in
from .servers import Server

FOLDER = PROJECT / "config"
NAME = PASSWORD = "dev"
START_SECONDS = 180
STOP_SECONDS = 60
POLL_SECONDS = 0.5


async def run_home(arguments: Namespace, server: Server) -> bool:
    """Run the home until it is stopped; return whether it exited without an error."""
    check_port(arguments.port)
    if arguments.fresh and FOLDER.exists():
        shutil.rmtree(FOLDER)
    if not (FOLDER / ".storage" / "onboarding").exists():
        say("Setting up the home (once) ...")
        await create_home(FOLDER)
    prepare_folder(FOLDER, arguments.port)
    status = RESTART_EXIT_CODE
    while status == RESTART_EXIT_CODE:
        say("Starting Home Assistant ...")
        async with hass_process(FOLDER, verbose=arguments.verbose) as process:
            url = f"http://127.0.0.1:{arguments.port}/"
            async with aiohttp.ClientSession(url) as session:
                home = await while_running(process, wait_for_home(session, url))
                added = await while_running(process, connect(home, server))
            if arguments.model and not added:
                say("The home has this server already; its agent keeps the model that it has.")
            print(f"http://localhost:{arguments.port}  (login: {NAME} / {PASSWORD})", flush=True)
            say(f"Its log is in {FOLDER / 'home-assistant.log'}. Ctrl-C ends it.")
            status = await process.wait()
    return status == 0


async def create_home(folder: Path) -> None:
    """Create the configuration folder: run the demo home in it once, before the onboarding."""
    prepare_folder(folder, port=0)
    async with running_home(folder):
        pass
    # These steps of the onboarding would set up integrations that need the internet. Written
    # last: without them the setup was interrupted, and is repeated.
    done = {"done": ["core_config", "analytics", "integration"]}
    write_store(folder, "onboarding", done, ONBOARDING_VERSION)


@contextlib.asynccontextmanager
async def hass_process(folder: Path, *, verbose: bool) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `hass` with this configuration folder until the context ends."""
    output = None if verbose else asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "homeassistant", "--config", str(folder)),
        *(["--verbose"] if verbose else []),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        # Ctrl-C reaches the whole process group; this process is terminated once, below.
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), STOP_SECONDS)
            except TimeoutError:
                process.kill()
                await process.wait()


async def while_running[T](process: asyncio.subprocess.Process, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of the work; raise `UserError` if the process exits or time is up first."""
    task = asyncio.create_task(work)
    ended = asyncio.create_task(process.wait())
    try:
        await asyncio.wait(
            (task, ended), timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        if task.done():
            return task.result()
        raise UserError(
            f"Home Assistant {'ended' if ended.done() else 'hangs'} while it was starting; "
            f"its log is {FOLDER / 'home-assistant.log'}."
        )
    finally:
        task.cancel()
        ended.cancel()


async def wait_for_home(session: aiohttp.ClientSession, url: str) -> RemoteHome:
    """Log in to the home; return it as soon as it has started completely."""
    home: RemoteHome | None = None
    while True:
        with contextlib.suppress(aiohttp.ClientConnectionError):
            home = home or await log_in(session, url, NAME, PASSWORD)
            if await home.is_started():
                return home
        await asyncio.sleep(POLL_SECONDS)


async def connect(home: RemoteHome, server: Server) -> bool:
    """Prefer the Assist pipeline of this server; return whether the server had to be added."""
    # One pipeline for each server, identified by its name.
    name = f"Chatterbox at {urlsplit(server.url).netloc or server.url}"
    async with home.commands() as commands:
        await commands.call(
            "call_service", domain="light", service="turn_off", service_data=ALL_LIGHTS
        )
        try:
            entry = await add_chatterbox(home, server)
        except FlowAbortedError as err:
            if err.reason != ALREADY_CONFIGURED:
                raise
            added = False
            pipeline_id = await find_pipeline(commands, name)
        else:
            added = True
            settings = pipeline_settings(await find_agent(commands, entry["entry_id"]), name)
            created = await commands.call("assist_pipeline/pipeline/create", **settings)
            pipeline_id = created["id"]
        if pipeline_id:
            await commands.call("assist_pipeline/pipeline/set_preferred", pipeline_id=pipeline_id)
    return added


async def find_agent(commands: Commands, entry_id: str) -> str:
    """Return the entity id of the entry's first agent."""
    for entity in await commands.call("config/entity_registry/list"):
        if entity["config_entry_id"] == entry_id and entity["entity_id"].startswith("conversation"):
            return str(entity["entity_id"])
    raise UserError("Chatterbox is set up, but its agent did not start; see the log.")


async def find_pipeline(commands: Commands, name: str) -> str | None:
    """Return the id of the pipeline with this name, None if it was renamed or deleted."""
    pipelines = (await commands.call("assist_pipeline/pipeline/list"))["pipelines"]
    return next((pipeline["id"] for pipeline in pipelines if pipeline["name"] == name), None)
