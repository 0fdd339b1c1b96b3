"""Scripted replies of the benchmark of turns."""

import json
from typing import Any

import pytest

from benchmarks.agent_turn.replies import LONG, PACED, SHORT, Message, Reply, reply_to, text_reply
from benchmarks.agent_turn.server import chunks, content_length


def request(*messages: dict[str, Any]) -> dict[str, Any]:
    tools = [{"type": "function", "function": {"name": "intent__HassTurnOn"}}]
    return {"messages": [{"role": "system", "content": "You are."}, *messages], "tools": tools}


def read(reply: Reply) -> list[dict[str, Any]]:
    """Return the chunks of a reply's stream, which ends as the API wants it."""
    lines = b"".join(reply.events()).decode().split("\n\n")
    assert lines[-2:] == ["data: [DONE]", ""]
    return [json.loads(line.removeprefix("data: ")) for line in lines[:-2]]


@pytest.mark.parametrize(
    ("message", "tokens"),
    [(Message.PLAIN, SHORT), (Message.PACED, PACED), (Message.LONG, LONG)],
)
def test_message_gets_as_many_tokens_also_with_a_suffix(message: Message, tokens: int) -> None:
    reply = reply_to(request({"role": "user", "content": f"{message}\n\nIt is late."}))
    *deltas, last, usage = read(reply)
    texts = [chunk["choices"][0]["delta"]["content"] for chunk in deltas]
    assert len(texts) == len(set(texts)) == tokens
    assert last["choices"][0]["finish_reason"] == "stop"
    assert usage["usage"]["completion_tokens"] == tokens


def test_only_the_paced_reply_has_delays() -> None:
    paced = reply_to(request({"role": "user", "content": Message.PACED}))
    assert len(paced.delays) == len(paced.deltas) == PACED
    assert not reply_to(request({"role": "user", "content": Message.LONG})).delays


def test_command_is_answered_with_a_call_and_its_result_with_text() -> None:
    user = {"role": "user", "content": Message.TOOL}
    call, last, _ = read(reply_to(request(user)))
    function = call["choices"][0]["delta"]["tool_calls"][0]["function"]
    assert function["name"] == "intent__HassTurnOn"
    assert json.loads(function["arguments"]) == {"name": "Light 1"}
    assert last["choices"][0]["finish_reason"] == "tool_calls"
    assert reply_to(request(user, {"role": "tool", "content": "{}"})) == text_reply(SHORT)


def test_completion_has_the_whole_reply() -> None:
    message = text_reply(2).completion()["choices"][0]["message"]
    assert message == {"role": "assistant", "content": "word1 word2 "}
    calling = reply_to(request({"role": "user", "content": Message.TOOL})).completion()
    assert calling["choices"][0]["message"]["tool_calls"][0]["id"] == "call_1"


def test_chunks_carry_their_length() -> None:
    for chunk, event in zip(chunks(text_reply(1)), text_reply(1).events(), strict=True):
        length, _, rest = chunk.partition(b"\r\n")
        assert int(length, 16) == len(event)
        assert rest == event + b"\r\n"


@pytest.mark.parametrize(
    ("head", "length"),
    [("POST / HTTP/1.1\r\ncontent-length: 12\r\n\r\n", 12), ("GET / HTTP/1.1\r\n\r\n", 0)],
)
def test_length_of_a_body_is_that_of_its_header(head: str, length: int) -> None:
    assert content_length(head) == length
