"""Endpoints of the scripted server: models, completions and control."""

import asyncio
import json
import signal
import sys
from pathlib import Path

import aiohttp
import pytest

from . import Call, FakeOpenAI, Fault, Gate, Reply
from .client import TOOLS, deltas, events, post, question, read

LIGHTS_AND_WEATHER = Reply(
    tool_calls=(
        Call("*HassTurnOn", {"name": "Kitchen Lights"}),
        Call("get_weather", {"location": "Utrecht"}),
    )
)


async def test_models_are_listed_unless_there_is_no_list(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """The list of models is the configured one, or not there at all."""
    server.models = ("small", "large")
    async with client.get("v1/models") as answer:
        assert [model["id"] for model in (await answer.json())["data"]] == ["small", "large"]
    server.models = None
    async with client.get("v1/models") as answer:
        assert answer.status == 404
    server.models_reply = Reply(fault=Fault.HTML)
    async with client.get("v1/models") as answer:
        assert answer.content_type == "text/html"


async def test_request_without_a_script_gets_the_default_reply(
    client: aiohttp.ClientSession,
) -> None:
    """A request for which nothing is scripted gets a plain answer with its usage."""
    async with post(client) as answer:
        whole = await answer.json()
    (choice,) = whole["choices"]
    assert choice["message"] == {"role": "assistant", "content": "Hello from the scripted model."}
    assert choice["finish_reason"] == "stop"
    assert whole["usage"]["total_tokens"] == (
        whole["usage"]["prompt_tokens"] + whole["usage"]["completion_tokens"]
    )


async def test_text_is_streamed_in_chunks(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """Reasoning and text come in pieces of the chosen size, after the role."""
    server.script(Reply("It is on.", reasoning="The light?", chunk_size=4))
    async with post(client, stream=True) as answer:
        assert answer.content_type == "text/event-stream"
        first, *middle, last = await deltas(answer)
    assert first == {"role": "assistant", "content": None}
    assert middle == [
        {"reasoning_content": "The "},
        {"reasoning_content": "ligh"},
        {"reasoning_content": "t?"},
        {"content": "It i"},
        {"content": "s on"},
        {"content": "."},
    ]
    assert last == {}


async def test_tool_calls_are_streamed_in_fragments(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """Id and name are in the first fragment of a call, the arguments spread over all."""
    server.script(LIGHTS_AND_WEATHER)
    async with post(client, stream=True, tools=TOOLS) as answer:
        fragments = [call for delta in await deltas(answer) for call in delta.get("tool_calls", [])]
    names = [item["function"]["name"] for item in fragments if "name" in item["function"]]
    assert names == ["intent__HassTurnOn", "get_weather"]
    assert len([item for item in fragments if "id" in item]) == 2
    for index, arguments in enumerate(({"name": "Kitchen Lights"}, {"location": "Utrecht"})):
        pieces = [item["function"]["arguments"] for item in fragments if item["index"] == index]
        assert len(pieces) > 2
        assert json.loads("".join(pieces)) == arguments


async def test_tool_calls_without_a_stream_are_in_the_message(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """Without a stream the calls are in the message, each with its own id."""
    server.script(LIGHTS_AND_WEATHER)
    async with post(client, tools=TOOLS) as answer:
        (choice,) = (await answer.json())["choices"]
    assert choice["finish_reason"] == "tool_calls"
    first, second = choice["message"]["tool_calls"]
    assert first["function"]["name"] == "intent__HassTurnOn"
    assert first["id"] != second["id"]


@pytest.mark.parametrize(
    ("reply", "asked", "expected"),
    [
        (Reply("Yes."), True, True),
        (Reply("Yes."), False, False),
        (Reply("Yes.", usage=None), True, False),
    ],
)
async def test_usage_is_the_last_chunk_when_requested(
    server: FakeOpenAI,
    client: aiohttp.ClientSession,
    reply: Reply,
    asked: bool,  # noqa: FBT001 - a parameter of the test
    expected: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """The usage chunk has no choices and stands before the end."""
    server.script(reply)
    async with post(client, stream=True, stream_options={"include_usage": asked}) as answer:
        *_, last, end = await events(answer)
    assert end == "[DONE]"
    assert ("usage" in json.loads(last)) is expected
    assert (json.loads(last)["choices"] == []) is expected


async def test_scripted_usage_and_finish_reason_are_sent(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """What a reply says of itself goes out unchanged."""
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    server.script(Reply("Yes.", usage=usage, finish_reason=None))
    async with post(client) as answer:
        whole = await answer.json()
    assert whole["usage"] == usage
    assert whole["choices"][0]["finish_reason"] is None


async def test_scripted_status_and_body_are_sent(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """A status and a body make an answer of any kind."""
    server.script(Reply(status=418, body='{"tea": true}', headers={"X-Pot": "small"}))
    async with post(client) as answer:
        assert answer.status == 418
        assert answer.headers["X-Pot"] == "small"
        assert await answer.json() == {"tea": True}


async def test_wrong_key_is_rejected_and_uses_up_no_reply(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """A wrong key is refused and uses up no reply."""
    server.api_key = "right"
    server.script(Reply("Yes."))
    async with client.get("v1/models") as answer:
        assert answer.status == 401
    async with post(client) as answer:
        assert (await answer.json())["error"]["code"] == "invalid_api_key"
    client.headers["Authorization"] = "Bearer right"
    async with post(client) as answer:
        assert answer.status == 200
    assert server.unused == 0


async def test_strict_server_rejects_unknown_models(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """A strict server knows only its own models."""
    server.strict_models = True
    async with post(client, model="other") as answer:
        assert answer.status == 404
        assert (await answer.json())["error"]["code"] == "model_not_found"
    async with post(client) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}"])
async def test_malformed_request_is_rejected(client: aiohttp.ClientSession, body: bytes) -> None:
    """A body that asks for nothing is the client's mistake."""
    async with client.post("v1/chat/completions", data=body) as answer:
        assert answer.status == 400


async def test_requests_are_recorded(server: FakeOpenAI, client: aiohttp.ClientSession) -> None:
    """The log has path, headers, JSON and the very bytes."""
    async with post(client, tools=TOOLS) as answer:
        await answer.read()
    (request,) = server.completions
    assert request.path == "/v1/chat/completions"
    assert request.headers["content-type"] == "application/json"
    assert json.loads(request.body) == request.json
    assert request.messages == [{"role": "user", "content": "hello"}]
    assert request.tools == ["get_weather", "intent__HassTurnOn"]
    server.reset()
    assert server.requests == []


@pytest.mark.parametrize("after", [0, 3])
async def test_gate_holds_the_reply_at_its_place(
    server: FakeOpenAI, client: aiohttp.ClientSession, after: int
) -> None:
    """A gate holds the answer where the test wants it."""
    gate = Gate(after)
    server.script(Reply("It is on.", hold=gate))
    task = asyncio.create_task(read(post(client, stream=True)))
    await gate.reached.wait()
    assert not task.done()
    gate.open()
    assert "[DONE]" in await task


async def test_control_endpoints_script_read_and_reset(client: aiohttp.ClientSession) -> None:
    """Another process can script the server, read its log and start afresh."""
    script = {
        "models": ["small"],
        "replies": [{"tool_calls": [{"name": "*HassTurnOn", "arguments": {"name": "Lamp"}}]}],
        "default": {"fault": "overloaded"},
    }
    async with client.post("_script", json=script) as answer:
        assert await answer.json() == {"waiting": 1}
    async with client.post("_script", json=[{"text": "Done."}]) as answer:
        assert await answer.json() == {"waiting": 2}
    assert "intent__HassTurnOn" in await read(post(client, tools=TOOLS))
    assert "Done." in await read(post(client))
    async with post(client) as answer:
        assert answer.status == 503
    async with client.get("_requests") as answer:
        log = await answer.json()
    assert [item["json"]["messages"][0]["content"] for item in log] == ["hello"] * 3
    async with client.post("_reset") as answer:
        assert answer.status == 200
    async with client.get("_requests") as answer:
        assert await answer.json() == []


@pytest.mark.parametrize(
    "script", [[{"txt": "Hello"}], [{"fault": "plague"}], {"answers": []}, 7, [7]]
)
async def test_invalid_script_is_rejected(client: aiohttp.ClientSession, script: object) -> None:
    """A mistake in a script is told to who made it."""
    async with client.post("_script", json=script) as answer:
        assert answer.status == 400
        assert (await answer.json())["problem"]


async def test_program_prints_its_url_and_serves_until_it_is_stopped(
    tmp_path: Path, socket_enabled: None
) -> None:
    """The server runs by itself: it prints its URL and ends when it is told to."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"text": "From the file."}]))
    arguments = ["-m", "tests.fake_openai", "--port", "0", "--script", str(script)]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        cwd=Path(__file__).parents[2],
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    url = (await process.stdout.readline()).decode().strip()
    async with aiohttp.ClientSession() as session:
        asked = session.post(f"{url}/chat/completions", json=question(stream=False))
        assert "From the file." in await read(asked)
    process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0
