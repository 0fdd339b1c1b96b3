"""Fixtures of the tests of the scripted server."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from . import FakeOpenAI


@pytest.fixture
async def server(socket_enabled: None) -> AsyncIterator[FakeOpenAI]:
    """Run a scripted server; the guard of Home Assistant's test plugin is lifted for it."""
    async with FakeOpenAI() as running:
        yield running


@pytest.fixture
async def client(server: FakeOpenAI) -> AsyncIterator[aiohttp.ClientSession]:
    """Return a client whose paths begin at the server's root."""
    async with aiohttp.ClientSession(server.url.removesuffix("v1")) as session:
        yield session
