"""The development server: a home in this process, and the HTTP API over its agent."""

import asyncio
from argparse import Namespace

from aiohttp import web

from .announcement import addresses_for_others, announced
from .api import ConversationApi
from .console import UserError
from .core import running_agent
from .servers import Server


async def serve(arguments: Namespace, server: Server) -> bool:
    """Start the home and serve its agent until this task is cancelled."""
    async with running_agent(server) as home:
        await home.hass.async_block_till_done()
        api = ConversationApi(home.hass, home.owner, home.entry, arguments.token)
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
