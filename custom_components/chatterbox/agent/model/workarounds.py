"""Workarounds for the parameters and messages that servers reject."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ..json_schema import plain_object, without_keywords
from ..messages import ToolDefinition
from .server_quirks import Quirk

type Body = dict[str, Any]
"""The body of a request for a chat completion."""

# HTTP statuses with which servers reject the content of a request.
REJECTION_STATUSES = frozenset({400, 404, 405, 415, 422, 501})
# The strictest server wants ids of nine letters and digits.
_ID_LENGTH = 9
_LIMITING_KEYWORDS = frozenset({"additionalProperties", "minimum", "maximum"})


@dataclass(frozen=True, slots=True)
class Workaround:
    """A change to a request that a server with a quirk then accepts."""

    quirk: Quirk
    error: re.Pattern[str]
    """Matches the text of the error."""
    concerns: Callable[[Body], bool]
    """Returns whether a request has the rejected part."""
    apply: Callable[[Body], None]
    """Removes or replaces the rejected part of a request, in place."""
    chains: bool = False
    """Whether another workaround continues where the server rejects the result of this one."""
    statuses: frozenset[int] = REJECTION_STATUSES
    """The HTTP statuses of the error."""


def _remove(*parameters: str) -> Callable[[Body], None]:
    def apply(body: Body) -> None:
        for parameter in parameters:
            body.pop(parameter, None)

    return apply


def _has(*parameters: str) -> Callable[[Body], bool]:
    return lambda body: all(body.get(parameter) for parameter in parameters)


def _contains(parameter: str) -> Callable[[Body], bool]:
    return lambda body: parameter in body


def _rename_max_tokens(body: Body) -> None:
    body["max_tokens"] = body.pop("max_completion_tokens")


def _has_schema_format(body: Body) -> bool:
    return bool((body.get("response_format") or {}).get("type") == "json_schema")


def _use_json_object(body: Body) -> None:
    body["response_format"] = {"type": "json_object"}


def _has_null_content(body: Body) -> bool:
    return any(message.get("content") is None for message in body["messages"])


def _fill_null_content(body: Body) -> None:
    body["messages"] = [
        {**message, "content": message.get("content") or ""} for message in body["messages"]
    ]


def _has_calls(body: Body) -> bool:
    return any(message.get("tool_calls") for message in body["messages"])


def _has_results(body: Body) -> bool:
    return any(message["role"] == "tool" for message in body["messages"])


def _shorten_ids(body: Body) -> None:
    def short(call_id: str) -> str:
        return hashlib.sha256(call_id.encode()).hexdigest()[:_ID_LENGTH]

    messages = []
    for message in body["messages"]:
        changed = dict(message)
        if calls := message.get("tool_calls"):
            changed["tool_calls"] = [{**call, "id": short(call["id"])} for call in calls]
        if call_id := message.get("tool_call_id"):
            changed["tool_call_id"] = short(call_id)
        messages.append(changed)
    body["messages"] = messages


def _write_calls_as_text(body: Body) -> None:
    """Replace tool calls by text of the assistant, and their results by messages of the user."""
    messages: list[dict[str, Any]] = []
    for are_results, group in groupby(body["messages"], lambda each: each["role"] == "tool"):
        if are_results:
            content = "\n\n".join(f"Result: {message['content']}" for message in group)
            messages.append({"role": "user", "content": content})
        else:
            messages += map(_with_calls_as_text, group)
    body["messages"] = messages


def _with_calls_as_text(message: dict[str, Any]) -> dict[str, Any]:
    if not (calls := message.get("tool_calls")):
        return message
    functions = [call["function"] for call in calls]
    lines = [f"{function['name']} {function['arguments']}" for function in functions]
    content = "\n".join([message.get("content") or "", *lines]).strip()
    return {"role": "assistant", "content": content}


def _has_multiple_system_messages(body: Body) -> bool:
    return [message["role"] for message in body["messages"]].count("system") > 1


def _join_system_messages(body: Body) -> None:
    texts = [message["content"] for message in body["messages"] if message["role"] == "system"]
    others = [message for message in body["messages"] if message["role"] != "system"]
    body["messages"] = [{"role": "system", "content": "\n\n".join(texts)}, *others]


def _has_system_message(body: Body) -> bool:
    return any(message["role"] == "system" for message in body["messages"])


def _prepend_system_to_user(body: Body) -> None:
    _join_system_messages(body)
    system, *others = body["messages"]
    first = next((i for i, m in enumerate(others) if m["role"] == "user"), None)
    if first is None:
        others.insert(0, {"role": "user", "content": system["content"]})
    else:
        content = _prepend(system["content"], others[first]["content"])
        others[first] = {**others[first], "content": content}
    body["messages"] = others


def _prepend(text: str, content: str | list[Any]) -> str | list[Any]:
    """Return the content of a message behind a text; one with attachments is a list of parts."""
    if isinstance(content, str):
        return f"{text}\n\n{content}"
    return [{"type": "text", "text": text}, *content]


def _simplify_schemas(body: Body) -> None:
    body["tools"] = [
        {**tool, "function": {**function, "parameters": _simplest(function["parameters"])}}
        for tool in map(ToolDefinition.to_wire, body["tools"])
        for function in [tool["function"]]
    ]


def _simplest(parameters: dict[str, Any]) -> Any:
    return without_keywords(plain_object(parameters), _LIMITING_KEYWORDS)


def _error(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


# Not "system error" or "system failure".
_SYSTEM = (
    r"\bsystem\b(?!\s+(?:error|failure)).{0,60}(?:role|message|prompt|instruction)"
    r"|(?:role|message|instruction).{0,60}\bsystem\b(?!\s+(?:error|failure))"
    r"|developer instruction"
)
_NOT_SUPPORTED = (
    r"(?:(?:not|n't|cannot)\b.{0,20}|un)(?:support|allow|permit|avail|implement|used)"
    r"|disabled|must be false|verified"
)

# In the order in which they are tried after an error, and applied to the requests after that.
WORKAROUNDS: tuple[Workaround, ...] = (
    Workaround(
        Quirk.STREAM_OPTIONS,
        _error(r"stream_options|include_usage"),
        _has("stream_options"),
        _remove("stream_options"),
    ),
    Workaround(
        Quirk.STREAM_WITH_TOOLS,
        _error(rf"\A(?=.*(?:{_NOT_SUPPORTED})).*(?:\bstream.*\btool|\btool.*\bstream)"),
        _has("stream", "tools"),
        _remove("stream", "stream_options"),
    ),
    Workaround(
        Quirk.STREAM,
        _error(
            rf"\bstream(?:ing)?\b.{{0,40}}(?:{_NOT_SUPPORTED})"
            rf"|(?:{_NOT_SUPPORTED}).{{0,40}}\bstream(?:ing)?\b"
        ),
        _has("stream"),
        _remove("stream", "stream_options"),
    ),
    Workaround(
        Quirk.MAX_COMPLETION_TOKENS,
        _error("max_completion_tokens"),
        _has("max_completion_tokens"),
        _rename_max_tokens,
        chains=True,
    ),
    Workaround(Quirk.MAX_TOKENS, _error("max_tokens"), _has("max_tokens"), _remove("max_tokens")),
    *(
        Workaround(
            quirk, _error(rf"\b{quirk.value}\b"), _contains(quirk.value), _remove(quirk.value)
        )
        for quirk in (Quirk.TEMPERATURE, Quirk.TOOL_CHOICE)
    ),
    Workaround(
        Quirk.RESPONSE_FORMAT,
        _error(r"json_schema|response_format|schema|grammar"),
        _has_schema_format,
        _use_json_object,
        chains=True,
    ),
    Workaround(
        Quirk.JSON_OBJECT,
        _error(r"json_object|response_format"),
        _has("response_format"),
        _remove("response_format"),
    ),
    Workaround(
        Quirk.TOOL_CALL_IDS,
        _error(r"tool.?call.?id|\bids?\b.*(?:length|long|charact|alphanumeric|a-z)"),
        _has_calls,
        _shorten_ids,
    ),
    Workaround(
        Quirk.TOOL_ROLE,
        _error(r"\broles?\b|tool.{0,20}(?:message|result)"),
        _has_results,
        _write_calls_as_text,
    ),
    Workaround(
        Quirk.NULL_CONTENT,
        _error(r"content.*(?:null|none|string|required|empty|missing)|(?:null|none).*content"),
        _has_null_content,
        _fill_null_content,
        # Chat templates fail on it.
        statuses=REJECTION_STATUSES | {500},
    ),
    Workaround(
        Quirk.MULTIPLE_SYSTEM_MESSAGES,
        _error(_SYSTEM),
        _has_multiple_system_messages,
        _join_system_messages,
        chains=True,
    ),
    Workaround(Quirk.SYSTEM_ROLE, _error(_SYSTEM), _has_system_message, _prepend_system_to_user),
    Workaround(
        Quirk.SCHEMA_KEYWORDS,
        _error(
            r"schema|additionalProperties|\b(?:pattern|minimum|maximum|anyOf|allOf|oneOf|const|format)\b"
        ),
        _has("tools"),
        _simplify_schemas,
    ),
)
