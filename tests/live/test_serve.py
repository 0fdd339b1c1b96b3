"""The development server, as a process of its own."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.fake_openai import FakeOpenAI, Reply

from .home import PROJECT, newest_environment

TOKEN = "secret"


@pytest.fixture(autouse=True)
def quiet() -> None:
    """Leave out the check of a home's log: the server has a home of its own."""


@pytest.fixture
async def address(model: FakeOpenAI) -> AsyncIterator[str]:
    """Run the server for the scripted model; yield its address."""
    model.reset()
    process = await asyncio.create_subprocess_exec(
        newest_environment() / "bin" / "python",
        *("-m", "scripts.home.serve", "--url", model.url, "--port", "0", "--token", TOKEN),
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        yield (await process.stdout.readline()).decode().strip()
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 128 + signal.SIGTERM
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_server_answers_streams_and_forgets(address: str, model: FakeOpenAI) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with aiohttp.ClientSession(address, headers=headers) as session:
        question = {"text": "How are you?", "conversation_id": "kitchen"}
        model.script(Reply("Fine, thanks."), Reply("Still fine."), Reply("Hello."))
        async with session.post("/conversation", json=question) as response:
            assert (await response.json())["response_text"] == "Fine, thanks."
        async with session.post("/conversation/stream", json=question) as response:
            streamed = await response.text()
        assert streamed.count("event: text\n") >= 2
        assert '"response_text": "Still fine."' in streamed
        assert len(model.completions[-1].messages) == 4
        async with aiohttp.request("GET", f"{address}/health") as response:
            assert (await response.json())["active_sessions"] == 1
        async with session.delete("/conversation/kitchen") as response:
            assert response.status == 204
        async with session.post("/conversation", json=question) as response:
            assert (await response.json())["response_text"] == "Hello."
        assert len(model.completions[-1].messages) == 2
