"""The development server: a home in this process, and the HTTP API over its agent."""

import asyncio
import tempfile
from argparse import Namespace
from pathlib import Path

from aiohttp import web

from .announcement import addresses_for_others, announced
from .api import ConversationApi
from .console import UserError, say
from .core import CoreFlows, create_owner, prepare_folder, raise_timeouts, running_home
from .flows import add_chatterbox
from .servers import Server


async def serve(arguments: Namespace, server: Server) -> bool:
    """Start the home and serve its agent until this task is cancelled."""
    say("Starting Home Assistant ...")
    with tempfile.TemporaryDirectory(prefix="chatterbox-home-") as folder:
        prepare_folder(Path(folder), port=0)
        async with running_home(Path(folder)) as hass:
            context = await create_owner(hass)
            entry = await add_chatterbox(CoreFlows(hass), server)
            if server.slow:
                await raise_timeouts(hass, entry)
            await hass.async_block_till_done()
            api = ConversationApi(hass, context, entry, arguments.token)
            # A client that hangs up cancels its turn.
            runner = web.AppRunner(api.app(), handler_cancellation=True, access_log=None)
            await runner.setup()
            try:
                await web.TCPSite(runner, arguments.host, arguments.port).start()
            except OSError as err:
                await runner.cleanup()
                raise UserError(f"Port {arguments.port} cannot be used; choose another.") from err
            host, port = runner.addresses[0][:2]
            print(f"http://{host}:{port}", flush=True)
            try:
                async with announced(addresses_for_others(host), port):
                    await asyncio.Event().wait()
            finally:
                await runner.cleanup()
    return True
