"""Faults on the wire: each looks as its name says."""

import asyncio
import json

import aiohttp
import pytest

from . import FakeOpenAI, Fault, Gate, Reply
from .client import TOOLS, deltas, events, post, question, read

HTTP_ANSWERS = {
    Fault.UNAUTHORIZED: (401, "invalid_api_key"),
    Fault.FORBIDDEN: (403, "forbidden"),
    Fault.MODEL_NOT_FOUND: (404, "model_not_found"),
    Fault.RATE_LIMITED: (429, "rate_limit_exceeded"),
    Fault.RATE_LIMITED_WITHOUT_HINT: (429, "rate_limit_exceeded"),
    Fault.SERVER_ERROR: (500, "peg-native"),
    Fault.OVERLOADED: (503, "Loading model"),
    Fault.HTML: (200, "<html"),
    Fault.HTML_BAD_GATEWAY: (502, "<html"),
    Fault.CONTEXT_LENGTH: (400, "context_length_exceeded"),
    Fault.UNSUPPORTED_TEMPERATURE: (400, "unsupported_value"),
    Fault.UNSUPPORTED_MAX_COMPLETION_TOKENS: (400, "unsupported_parameter"),
}


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("fault", HTTP_ANSWERS)
async def test_http_fault_has_its_status_and_body(
    server: FakeOpenAI,
    client: aiohttp.ClientSession,
    fault: Fault,
    stream: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """An HTTP fault has its status and names itself."""
    server.script(Reply("Yes.", fault=fault, headers={"X-Request-Id": "7"}))
    asked = post(client, stream=stream, temperature=0.7, max_completion_tokens=10)
    async with asked as answer:
        status, text = HTTP_ANSWERS[fault]
        assert answer.status == status
        assert answer.headers["X-Request-Id"] == "7"
        assert text in await answer.text()
        assert ("Retry-After" in answer.headers) is (fault is Fault.RATE_LIMITED)


@pytest.mark.parametrize(
    "fault", [Fault.UNSUPPORTED_TEMPERATURE, Fault.UNSUPPORTED_MAX_COMPLETION_TOKENS]
)
async def test_request_without_the_rejected_parameter_is_answered(
    server: FakeOpenAI, client: aiohttp.ClientSession, fault: Fault
) -> None:
    """Without the refused parameter the request is fine."""
    server.script(Reply("Yes.", fault=fault))
    assert "Yes." in await read(post(client))


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("fault", [Fault.RESET, Fault.RESET_MIDWAY])
async def test_reset_aborts_the_connection(
    server: FakeOpenAI,
    client: aiohttp.ClientSession,
    fault: Fault,
    stream: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """The connection is torn, not closed."""
    server.script(Reply(fault=fault))
    with pytest.raises(aiohttp.ClientError, match="reset by peer"):
        await read(post(client, stream=stream))


async def test_truncated_stream_ends_without_its_last_event(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """The stream ends in good order, and yet too early."""
    server.script(Reply(fault=Fault.TRUNCATED))
    async with post(client, stream=True) as answer:
        parsed = [json.loads(event) for event in await events(answer)]
    assert parsed[-1]["choices"][0]["delta"]["content"]
    assert all(chunk["choices"][0]["finish_reason"] is None for chunk in parsed)


async def test_truncated_body_is_shorter_than_announced(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """Less comes than was announced."""
    server.script(Reply(fault=Fault.TRUNCATED))
    with pytest.raises(aiohttp.ClientPayloadError):
        await read(post(client))


async def test_error_event_follows_some_text(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """After some text an event carries an error; a whole answer is that error."""
    server.script(Reply(fault=Fault.ERROR_EVENT), Reply(fault=Fault.ERROR_EVENT))
    async with post(client, stream=True) as answer:
        *_, text, last = [json.loads(event) for event in await events(answer)]
    assert text["choices"][0]["delta"]["content"]
    assert "peg-native" in last["error"]["message"]
    async with post(client) as answer:
        assert answer.status == 500


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
async def test_malformed_answer_is_invalid_json(
    server: FakeOpenAI,
    client: aiohttp.ClientSession,
    stream: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """What should be JSON is cut off."""
    server.script(Reply(fault=Fault.MALFORMED_EVENT))
    async with post(client, stream=stream) as answer:
        last = (await events(answer))[-1] if stream else await answer.text()
    with pytest.raises(ValueError, match=r"Unterminated|Expecting"):
        json.loads(last)


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
async def test_hanging_answer_stops_after_some_text(
    server: FakeOpenAI,
    client: aiohttp.ClientSession,
    stream: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """An answer that hangs has begun, and ends when the client leaves."""
    server.script(Reply(fault=Fault.HANGING))
    async with post(client, stream=stream) as answer:
        assert await answer.content.readany()
        assert not server.completions[0].disconnected.is_set()
    await server.completions[0].disconnected.wait()


async def test_never_answering_ends_with_the_client(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    """A request that is never answered leaves nothing behind when the client gives up."""
    gate = Gate()
    gate.open()
    server.script(Reply(fault=Fault.NEVER, hold=gate))
    task = asyncio.create_task(read(post(client)))
    await gate.reached.wait()
    task.cancel()
    await server.completions[0].disconnected.wait()


async def test_never_answering_ends_with_the_server(socket_enabled: None) -> None:
    """A server that is closed drops those who still wait."""
    gate = Gate()
    gate.open()
    async with aiohttp.ClientSession() as session:
        async with FakeOpenAI() as server:
            server.script(Reply(fault=Fault.NEVER, hold=gate))
            url = f"{server.url}/chat/completions"
            task = asyncio.create_task(read(session.post(url, json=question(stream=True))))
            await gate.reached.wait()
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await task


@pytest.mark.parametrize(
    ("fault", "content", "reason"),
    [
        (Fault.EMPTY_CONTENT, "", "stop"),
        (Fault.NULL_CONTENT, None, "stop"),
        (Fault.LENGTH, "Yes", "length"),
        (Fault.CONTENT_FILTER, None, "content_filter"),
    ],
)
async def test_faulty_content_is_sent_as_scripted(
    server: FakeOpenAI,
    client: aiohttp.ClientSession,
    fault: Fault,
    content: str | None,
    reason: str,
) -> None:
    """Content that is empty, missing or cut off is so in both ways of answering."""
    server.script(Reply("Yes", fault=fault), Reply("Yes", fault=fault))
    async with post(client) as answer:
        (choice,) = (await answer.json())["choices"]
    assert choice["message"]["content"] == content
    assert choice["finish_reason"] == reason
    async with post(client, stream=True) as answer:
        pieces = [item["content"] for item in await deltas(answer) if "content" in item]
    assert pieces == [None, *([] if content is None else [content])]


@pytest.mark.parametrize(
    ("fault", "call", "ids"),
    [
        (Fault.BAD_TOOL_JSON, ("get_weather", '{"name": "Kit'), ["call_1"]),
        (Fault.UNKNOWN_TOOL, ("launch_rocket", '{"target": "moon"}'), ["call_1"]),
        (Fault.MISSING_TOOL_CALL_IDS, ("get_weather", "{}"), [None]),
        (Fault.DUPLICATE_TOOL_CALL_IDS, ("get_weather", "{}"), ["call_same", "call_same"]),
    ],
)
async def test_faulty_tool_calls_are_sent_as_scripted(
    server: FakeOpenAI,
    client: aiohttp.ClientSession,
    fault: Fault,
    call: tuple[str, str],
    ids: list[str | None],
) -> None:
    """A fault of tool calls makes some up, with the first offered tool."""
    server.script(Reply(fault=fault))
    async with post(client, tools=TOOLS) as answer:
        calls = (await answer.json())["choices"][0]["message"]["tool_calls"]
    assert {(item["function"]["name"], item["function"]["arguments"]) for item in calls} == {call}
    assert [item.get("id") for item in calls] == ids


def test_every_fault_is_tested() -> None:
    """Each fault has a test above."""
    others = {
        Fault.RESET,
        Fault.RESET_MIDWAY,
        Fault.TRUNCATED,
        Fault.ERROR_EVENT,
        Fault.MALFORMED_EVENT,
        Fault.HANGING,
        Fault.NEVER,
        Fault.EMPTY_CONTENT,
        Fault.NULL_CONTENT,
        Fault.LENGTH,
        Fault.CONTENT_FILTER,
        Fault.BAD_TOOL_JSON,
        Fault.UNKNOWN_TOOL,
        Fault.MISSING_TOOL_CALL_IDS,
        Fault.DUPLICATE_TOOL_CALL_IDS,
    }
    assert {*HTTP_ANSWERS, *others} == set(Fault)


async def test_flood_ends_with_the_client(
    server: FakeOpenAI, client: aiohttp.ClientSession
) -> None:
    server.script(Reply(body="one, ", flood=b"two, "))
    async with post(client) as answer:
        assert await answer.content.readexactly(15) == b"one, two, two, "
    await server.completions[0].disconnected.wait()
