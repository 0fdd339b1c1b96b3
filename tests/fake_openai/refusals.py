"""Rejection of request parameters, with the error messages of real servers."""

import re
from collections.abc import Callable, Mapping
from typing import Any

type Body = Mapping[str, Any]

_ID = re.compile(r"[a-zA-Z0-9]{9}")
_KEYWORDS = ("additionalProperties", "minimum", "anyOf", "allOf", "pattern")


def _messages(body: Body, **wanted: Any) -> list[Mapping[str, Any]]:
    return [
        message
        for message in body["messages"]
        if all(message.get(key) == value for key, value in wanted.items())
    ]


def _odd_ids(body: Body) -> bool:
    ids = [call["id"] for message in body["messages"] for call in message.get("tool_calls") or ()]
    return any(not _ID.fullmatch(call_id) for call_id in ids)


def _names(body: Body) -> list[str]:
    return [tool["function"]["name"] for tool in body.get("tools") or ()]


def _has_keyword(body: Body) -> bool:
    parameters = [tool["function"]["parameters"] for tool in body.get("tools") or ()]
    return any(f'"{keyword}"' in str(parameters).replace("'", '"') for keyword in _KEYWORDS)


REFUSALS: Mapping[str, tuple[Callable[[Body], bool], str]] = {
    "tools with stream": (
        lambda body: bool(body.get("tools") and body.get("stream")),
        "tools cannot be used with stream, see the documentation",
    ),
    "stream": (lambda body: bool(body.get("stream")), "streaming is not supported"),
    "stream_options": (lambda body: "stream_options" in body, "unknown field stream_options"),
    "user": (lambda body: "user" in body, "Unsupported parameter: user"),
    "null content": (
        lambda body: bool(_messages(body, content=None)),
        "messages: content must be a string, got null",
    ),
    "tool_choice": (lambda body: "tool_choice" in body, "'tool_choice' is not supported"),
    "parallel_tool_calls": (
        lambda body: "parallel_tool_calls" in body,
        "extra inputs are not permitted: parallel_tool_calls",
    ),
    "temperature": (lambda body: "temperature" in body, "'temperature' does not support 0.7"),
    "two systems": (
        lambda body: len(_messages(body, role="system")) > 1,
        "only one system message is allowed",
    ),
    "system": (lambda body: bool(_messages(body, role="system")), "System role not supported"),
    "role tool": (
        lambda body: bool(_messages(body, role="tool")),
        "Unexpected role 'tool', expected user or assistant",
    ),
    "max_completion_tokens": (
        lambda body: "max_completion_tokens" in body,
        "unknown field max_completion_tokens",
    ),
    "max_tokens": (lambda body: "max_tokens" in body, "unknown field max_tokens"),
    "schema keywords": (_has_keyword, "the tool schema has an unsupported keyword"),
    "tool call ids": (_odd_ids, "Tool call id has to be 9 alphanumeric characters"),
    "long names": (
        lambda body: any(len(name) > 64 for name in _names(body)),
        "tools.0.function.name: string too long, at most 64 characters",
    ),
    "tools": (lambda body: "tools" in body, "this model does not support tools"),
    "json_schema": (
        lambda body: (body.get("response_format") or {}).get("type") == "json_schema",
        "response_format json_schema is not available",
    ),
    "response_format": (
        lambda body: "response_format" in body,
        "response_format is not supported",
    ),
}


def complaint(refused: str, body: Body) -> str | None:
    """Return what the server complains of, None if the request has nothing of it."""
    concerns, sentence = REFUSALS[refused]
    return sentence if concerns(body) else None
