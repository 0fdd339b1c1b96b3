"""Process of the scripted server of the benchmark of turns."""

import aiohttp

from benchmarks.agent_turn.replies import MODEL, Message
from benchmarks.agent_turn.server_process import scripted_server


async def test_server_answers_and_counts_the_time_that_it_was_busy(socket_enabled: None) -> None:
    request = {"model": MODEL, "messages": [{"role": "user", "content": Message.PLAIN}]}
    with scripted_server() as address:
        async with aiohttp.ClientSession(address) as session:
            async with session.get("/v1/models") as response:
                assert (await response.json())["data"][0]["id"] == MODEL
            async with session.post("/v1/chat/completions", json=request) as response:
                assert (await response.json())["choices"][0]["message"]["content"]
            stream = {**request, "stream": True}
            async with session.post("/v1/chat/completions", json=stream) as response:
                assert (await response.text()).endswith("data: [DONE]\n\n")
            async with session.get("/busy") as response:
                assert (await response.json())["seconds"] > 0
            async with session.get("/props") as response:
                assert not response.ok
