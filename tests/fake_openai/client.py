"""HTTP client of the tests of the scripted server."""

import json
from typing import Any

import aiohttp

TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
    for name in ("get_weather", "intent__HassTurnOn")
]


def question(*, stream: bool, **more: Any) -> dict[str, Any]:
    """Return the body of a request."""
    return {
        "model": "scripted-1",
        "messages": [{"role": "user", "content": "hello"}],
        "stream": stream,
        **more,
    }


def post(client: aiohttp.ClientSession, *, stream: bool = False, **more: Any) -> Any:
    """Ask for a completion."""
    return client.post("v1/chat/completions", json=question(stream=stream, **more))


async def events(answer: aiohttp.ClientResponse) -> list[str]:
    """Return what the events of a stream carry."""
    lines = (await answer.text()).splitlines()
    assert all(line.startswith("data: ") for line in lines if line)
    return [line.removeprefix("data: ") for line in lines if line]


async def deltas(answer: aiohttp.ClientResponse) -> list[dict[str, Any]]:
    """Return the deltas of a stream that ends well."""
    *chunks, end = await events(answer)
    assert end == "[DONE]"
    parsed = [json.loads(chunk) for chunk in chunks]
    return [chunk["choices"][0]["delta"] for chunk in parsed if chunk["choices"]]


async def read(asked: Any) -> str:
    """Return the text of an answer."""
    async with asked as answer:
        text: str = await answer.text()
    return text
