"""Tests of the OpenAI provider: errors and timeouts."""

import json
from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import (
    LLMAPIError,
    LLMAuthError,
    LLMConnectionError,
    LLMContextLengthError,
    LLMError,
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMRateLimitError,
    LLMResponseError,
    LLMServerError,
    LLMTimeoutError,
)
from custom_components.chatterbox.agent.model.http_client import Timeouts
from custom_components.chatterbox.agent.model.provider import CompletionResult, TextDelta
from custom_components.chatterbox.agent.model.server_quirks import ServerQuirks
from tests.agent.conftest import Connect
from tests.agent.scripted_server import (
    QUESTION,
    delta,
    events,
    fragment,
    provider,
    raw_stream,
    raw_whole,
)
from tests.fake_openai import FakeOpenAI, Fault, Gate, Reply

# Long enough for a loopback connection on a slow machine, where the server is to answer at all.
PATIENT = 30
SOON = 0.2
LONGER_THAN_ANY_TEST = 3600

both_ways = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])

# Every fault that is no completion, whether it is streamed or not.
ERRORS: dict[Fault, type[LLMError]] = {
    Fault.UNAUTHORIZED: LLMAuthError,
    Fault.FORBIDDEN: LLMAuthError,
    Fault.MODEL_NOT_FOUND: LLMModelNotFoundError,
    Fault.RATE_LIMITED: LLMRateLimitError,
    Fault.RATE_LIMITED_WITHOUT_HINT: LLMRateLimitError,
    Fault.SERVER_ERROR: LLMServerError,
    Fault.OVERLOADED: LLMServerError,
    Fault.HTML: LLMResponseError,
    Fault.HTML_BAD_GATEWAY: LLMServerError,
    Fault.CONTEXT_LENGTH: LLMContextLengthError,
    Fault.RESET: LLMConnectionError,
    Fault.RESET_MIDWAY: LLMConnectionError,
    Fault.ERROR_EVENT: LLMServerError,
    Fault.MALFORMED_EVENT: LLMResponseError,
    Fault.NEVER: LLMTimeoutError,
    Fault.HANGING: LLMTimeoutError,
}
# Faults that the provider handles, or passes on as a completion for the loop to judge.
NO_ERRORS = {
    Fault.UNSUPPORTED_TEMPERATURE,
    Fault.UNSUPPORTED_MAX_COMPLETION_TOKENS,
    Fault.EMPTY_CONTENT,
    Fault.NULL_CONTENT,
    Fault.LENGTH,
    Fault.CONTENT_FILTER,
    Fault.BAD_TOOL_JSON,
    Fault.UNKNOWN_TOOL,
    Fault.MISSING_TOOL_CALL_IDS,
    Fault.DUPLICATE_TOOL_CALL_IDS,
    # Without a stream it is an error, see below.
    Fault.TRUNCATED,
}
SILENT = {Fault.NEVER, Fault.HANGING}


def hasty(fault: Fault | None) -> Timeouts:
    """Return timeouts that only those run into who are silent."""
    if fault in SILENT:
        return Timeouts(first_token=SOON, between_tokens=SOON)
    return Timeouts(first_token=PATIENT, between_tokens=PATIENT)


def test_every_fault_is_covered() -> None:
    """No fault of the scripted server is forgotten here."""
    assert ERRORS.keys() | NO_ERRORS == set(Fault)


@both_ways
@pytest.mark.parametrize(("fault", "expected"), ERRORS.items())
async def test_fault_raises_its_error(
    server: FakeOpenAI,
    connect: Connect,
    fault: Fault,
    *,
    stream: bool,
    expected: type[LLMError],
) -> None:
    """Each fault is exactly one class of error, after exactly one request."""
    server.default = Reply(fault=fault)
    asked = provider(connect(timeouts=hasty(fault)), stream=stream)
    with pytest.raises(LLMError) as caught:
        await asked.complete(QUESTION)
    assert type(caught.value) is expected
    # Time may be up before the request has arrived.
    assert len(server.completions) == 1 or (not server.completions and fault in SILENT)


async def test_truncated_body_is_a_connection_error(server: FakeOpenAI, connect: Connect) -> None:
    server.default = Reply(fault=Fault.TRUNCATED)
    with pytest.raises(LLMConnectionError):
        await provider(connect(), stream=False).complete(QUESTION)


async def test_text_of_a_stream_that_ends_without_a_mark_is_kept(
    server: FakeOpenAI, connect: Connect
) -> None:
    """Some servers and proxies end all their streams so."""
    server.script(Reply("The lights are on.", fault=Fault.TRUNCATED))
    answer = await provider(connect()).complete(QUESTION)
    assert answer == CompletionResult(content="The lights a")


@both_ways
@pytest.mark.parametrize("fault", sorted(NO_ERRORS - {Fault.TRUNCATED}))
async def test_formally_complete_answer_raises_no_error(
    server: FakeOpenAI,
    connect: Connect,
    fault: Fault,
    *,
    stream: bool,
) -> None:
    server.default = Reply("Yes.", fault=fault)
    answer = await provider(connect(), stream=stream).complete(QUESTION)
    assert answer.finish_reason in {"stop", "length", "content_filter", "tool_calls"}


async def test_stream_without_a_finish_reason_ends_with_stop(
    server: FakeOpenAI, connect: Connect
) -> None:
    """Where the stream has its end mark, an end without a reason is one like any other."""
    server.script(Reply("The lights are on.", finish_reason=None, usage=None))
    answer = await provider(connect()).complete(QUESTION)
    assert answer.finish_reason == "stop"
    assert answer.content == "The lights are on."


async def test_stream_is_not_read_behind_its_end_mark(server: FakeOpenAI, connect: Connect) -> None:
    """A server that goes on is not waited for."""
    server.script(replace(raw_stream(delta("stop", content="Yes.")), flood=b": ping\n\n"))
    answer = await provider(connect()).complete(QUESTION)
    assert answer == CompletionResult(content="Yes.")
    await server.completions[0].disconnected.wait()


@pytest.mark.parametrize(
    ("status", "content", "expected"),
    [
        (400, {"error": {"message": "messages are wrong"}}, LLMAPIError),
        (402, {"error": {"message": "Pay."}}, LLMQuotaError),
        (404, {"error": {"message": "no such path"}}, LLMAPIError),
        (404, {"detail": "model not loaded"}, LLMModelNotFoundError),
        (404, None, LLMAPIError),
        (413, {"error": "context size exceeded"}, LLMContextLengthError),
        (429, {"error": {"message": "Pay.", "code": "insufficient_quota"}}, LLMQuotaError),
        (429, {"error": {"message": "Pay.", "type": "insufficient_quota"}}, LLMQuotaError),
        (429, None, LLMRateLimitError),
        (500, {"error": "the request exceeds the available context size"}, LLMContextLengthError),
        (500, None, LLMServerError),
        (503, {"error": "overloaded"}, LLMServerError),
    ],
)
async def test_status_raises_its_error(
    server: FakeOpenAI, connect: Connect, status: int, content: Any, expected: type[LLMAPIError]
) -> None:
    """The status, and where that is not enough the text, tell what is wrong."""
    body = "" if content is None else json.dumps(content)
    server.script(Reply(status=status, body=body))
    with pytest.raises(LLMAPIError) as caught:
        await provider(connect()).complete(QUESTION)
    assert type(caught.value) is expected
    assert caught.value.status_code == status


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7), ("1.5", 1.5), ("Wed, 21 Oct 2026 07:28:00 GMT", None)]
)
async def test_retry_after_header_is_read(
    server: FakeOpenAI, connect: Connect, header: str, seconds: float | None
) -> None:
    """Of a rate limit it is known when it ends, where the server said so in seconds."""
    fault = Fault.RATE_LIMITED_WITHOUT_HINT
    server.script(Reply(fault=fault, headers={"Retry-After": header}), Reply(fault=fault))
    for expected in (seconds, None):
        with pytest.raises(LLMRateLimitError) as caught:
            await provider(connect()).complete(QUESTION)
        assert caught.value.retry_after == expected
        assert caught.value.status_code == 429


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the context window is full", LLMContextLengthError),
        ("output does not match the expected peg-native format", LLMServerError),
    ],
)
async def test_error_event_in_a_stream_raises_its_error(
    server: FakeOpenAI, connect: Connect, text: str, expected: type[LLMAPIError]
) -> None:
    """The text before it is passed on; the error has no status."""
    server.script(raw_stream(delta(content="So"), {"error": {"message": text}}))
    stream = provider(connect()).stream(QUESTION)
    assert await anext(stream) == TextDelta("So")
    with pytest.raises(expected, match=text) as caught:
        await anext(stream)
    assert caught.value.status_code is None


async def test_context_overflow_is_no_rejected_parameter(
    server: FakeOpenAI, connect: Connect
) -> None:
    """Nothing is given up for good because the text of the error names a parameter."""
    text = "max_completion_tokens is too large: this model's maximum context length is 4096"
    server.script(Reply(status=400, body=json.dumps({"error": {"message": text}})))
    quirks = ServerQuirks()
    with pytest.raises(LLMContextLengthError):
        await provider(connect(), more={"quirks": quirks}).complete(QUESTION)
    assert not quirks.rejected
    assert len(server.completions) == 1


@pytest.mark.parametrize(
    "reply",
    [
        raw_stream(),
        raw_stream({"choices": []}),
        raw_stream(delta(role="assistant")),
        raw_stream(delta(content=5, tool_calls=[{"function": {"name": 5, "arguments": 5}}])),
        raw_stream(delta(content="a", tool_calls=7)),
    ],
)
async def test_stream_of_other_content_is_a_response_error(
    server: FakeOpenAI, connect: Connect, reply: Reply
) -> None:
    """A stream that holds no answer is an error."""
    server.script(reply)
    with pytest.raises(LLMResponseError):
        await provider(connect()).complete(QUESTION)


@pytest.mark.parametrize(
    "chunks",
    [
        (),
        (delta(role="assistant"),),
        (delta(tool_calls=[fragment(0, "call_1", "get_weather", "{}")]),),
    ],
    ids=["nothing", "role", "call"],
)
async def test_stream_that_breaks_off_is_a_connection_error_and_nothing_is_learned(
    server: FakeOpenAI, connect: Connect, chunks: tuple[dict[str, Any], ...]
) -> None:
    """Also where it breaks off before the first token."""
    whole = raw_stream(*chunks)
    server.script(replace(whole, body=str(whole.body).removesuffix("data: [DONE]\n\n")))
    quirks = ServerQuirks()
    with pytest.raises(LLMConnectionError):
        await provider(connect(), more={"quirks": quirks}).complete(QUESTION)
    assert not quirks.known


@pytest.mark.parametrize(
    "content", [{}, {"choices": []}, {"choices": None}, [], "text", 5, {"choices": [{}]}]
)
async def test_answer_of_other_content_is_a_response_error(
    server: FakeOpenAI, connect: Connect, content: Any
) -> None:
    """JSON that is no completion is an error."""
    server.script(raw_whole(content))
    with pytest.raises(LLMResponseError):
        await provider(connect(), stream=False).complete(QUESTION)


# Time.


async def test_chunk_with_a_role_alone_does_not_count_as_first_token(
    server: FakeOpenAI, connect: Connect
) -> None:
    """A server that opens the stream and then says nothing is silent, too."""
    server.script(Reply("Yes.", hold=Gate(after=1)))
    timeouts = Timeouts(first_token=SOON, between_tokens=LONGER_THAN_ANY_TEST)
    with pytest.raises(LLMTimeoutError):
        await provider(connect(timeouts=timeouts)).complete(QUESTION)


async def test_first_token_may_take_longer_than_the_next(
    server: FakeOpenAI, connect: Connect
) -> None:
    """After the first word the shorter limit counts, and what was said has been heard."""
    server.script(Reply("one two", chunk_size=4, hold=Gate(after=2)))
    timeouts = Timeouts(first_token=PATIENT, between_tokens=SOON)
    stream = provider(connect(timeouts=timeouts)).stream(QUESTION)
    assert await anext(stream) == TextDelta("one ")
    with pytest.raises(LLMTimeoutError):
        await anext(stream)
    await server.completions[0].disconnected.wait()


async def test_closed_port_is_a_connection_error(closed_url: str, connect: Connect) -> None:
    """A server that is not there is a broken connection, for the list of models as well."""
    endpoint = connect(url=closed_url)
    with pytest.raises(LLMConnectionError) as caught:
        await events(provider(endpoint))
    assert type(caught.value) is LLMConnectionError
    with pytest.raises(LLMConnectionError):
        await endpoint.list_models()


# The list of models.


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(fault=Fault.HTML), LLMResponseError),
        (Reply(fault=Fault.UNAUTHORIZED), LLMAuthError),
        (Reply(status=404, body='{"error":"nothing here"}'), LLMAPIError),
        (Reply(fault=Fault.HTML_BAD_GATEWAY), LLMServerError),
        (Reply(fault=Fault.RESET), LLMConnectionError),
        (Reply(fault=Fault.NEVER), LLMTimeoutError),
        (raw_whole({}), LLMResponseError),
        (raw_whole({"data": "scripted-1"}), LLMResponseError),
        (raw_whole([]), LLMResponseError),
        (Reply(body="{"), LLMResponseError),
    ],
)
async def test_failed_list_of_models_raises_its_error(
    server: FakeOpenAI,
    connect: Connect,
    reply: Reply,
    expected: type[LLMError],
) -> None:
    """A list that cannot be had is an error as with a completion."""
    server.models_reply = reply
    endpoint = connect(timeouts=hasty(reply.fault))
    with pytest.raises(LLMError) as caught:
        await endpoint.list_models()
    assert type(caught.value) is expected
    # aiohttp repeats a GET request whose connection was closed.
    requests = 2 if reply.fault is Fault.RESET else 1
    assert len(server.requests) == requests or (not server.requests and reply.fault in SILENT)
