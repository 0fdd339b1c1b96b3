"""Scripted replies as bytes of a stream, selected by the last message of a request."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MODEL = "scripted-large"
CREATED = 1_700_000_000
# Tokens of the replies, and the seconds between those of the paced one.
SHORT, PACED, LONG = 12, 50, 400
FIRST_TOKEN, BETWEEN_TOKENS = 0.1, 0.02


class Message(StrEnum):
    """Messages to the agents, each with its reply."""

    PLAIN = "What is the capital of France?"
    TOOL = "Turn on Light 1"
    PACED = "Tell me slowly about the sea."
    LONG = "Tell me a long story."


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply: the deltas of its stream, and the seconds before each of them."""

    deltas: Sequence[Mapping[str, Any]]
    delays: Sequence[float] = ()
    finish_reason: str = "stop"

    def events(self) -> Iterator[bytes]:
        """Yield the server-sent events of the stream."""
        for delta in self.deltas:
            yield _event({"index": 0, "delta": delta, "finish_reason": None})
        last = _event({"index": 0, "delta": {}, "finish_reason": self.finish_reason})
        yield last + _data({**_HEAD, "choices": [], "usage": self._usage()}) + b"data: [DONE]\n\n"

    def completion(self) -> dict[str, Any]:
        """Return the reply without streaming."""
        message: dict[str, Any] = {"role": "assistant", "content": None}
        for delta in self.deltas:
            if content := delta.get("content"):
                message["content"] = (message["content"] or "") + content
            if calls := delta.get("tool_calls"):
                message["tool_calls"] = calls
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        head = {**_HEAD, "object": "chat.completion"}
        return {**head, "choices": [choice], "usage": self._usage()}

    def _usage(self) -> dict[str, int]:
        tokens = len(self.deltas)
        return {
            "prompt_tokens": 1000,
            "completion_tokens": tokens,
            "total_tokens": 1000 + tokens,
        }


_HEAD: Mapping[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion.chunk",
    "created": CREATED,
    "model": MODEL,
}


def reply_to(request: Mapping[str, Any]) -> Reply:
    """Return the reply to the last message of a request.

    Agents may append to the user's message, so that it is found by its beginning.
    """
    last = request["messages"][-1]
    tools = [tool["function"]["name"] for tool in request.get("tools") or ()]
    content = last.get("content") or ""
    if last["role"] == "tool":
        return text_reply(SHORT)
    if content.startswith(Message.TOOL):
        return _call_reply(next(name for name in tools if name.endswith("HassTurnOn")))
    if content.startswith(Message.PACED):
        return text_reply(PACED, (FIRST_TOKEN, *[BETWEEN_TOKENS] * (PACED - 1)))
    return text_reply(LONG if content.startswith(Message.LONG) else SHORT)


def text_reply(tokens: int, delays: Sequence[float] = ()) -> Reply:
    """Return a reply of as many different words; a sentence has twelve of them."""
    words = [
        f"word{number}{'. ' if number % SHORT == 0 else ' '}" for number in range(1, tokens + 1)
    ]
    first = {"role": "assistant", "content": words[0]}
    return Reply([first, *({"content": word} for word in words[1:])], delays)


def _call_reply(tool: str) -> Reply:
    function = {"name": tool, "arguments": json.dumps({"name": "Light 1"})}
    call = {"index": 0, "id": "call_1", "type": "function", "function": function}
    deltas = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    return Reply(deltas, finish_reason="tool_calls")


def _event(choice: Mapping[str, Any]) -> bytes:
    return _data({**_HEAD, "choices": [choice]})


def _data(content: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(content).encode() + b"\n\n"
