"""Wire format of replies, as pure functions."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .replies import AUTO, Call, Fault, Reply

CUT_SHORT = "The kitchen lights are on and the living room is"
LOGIN_PAGE = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>"
GATEWAY_PAGE = (
    "<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>"
)


@dataclass(frozen=True)
class Answer:
    """A whole HTTP answer."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def error(
    status: int,
    message: str,
    kind: str = "invalid_request_error",
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Return an error in the shape of the OpenAI API."""
    content = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    return Answer(
        status,
        json.dumps(content).encode(),
        {"Content-Type": "application/json", **(headers or {})},
    )


def _page(status: int, page: str) -> Answer:
    return Answer(status, page.encode(), {"Content-Type": "text/html; charset=utf-8"})


def wrong_key() -> Answer:
    """Return the answer to a request without the right key."""
    return error(401, "Incorrect API key provided.", code="invalid_api_key")


def no_such_model(model: object) -> Answer:
    """Return the answer to a request for a model that is not served."""
    return error(404, f"The model `{model}` does not exist.", code="model_not_found")


HTTP_FAULTS: Mapping[Fault, Answer] = {
    Fault.UNAUTHORIZED: wrong_key(),
    Fault.FORBIDDEN: error(403, "Your key may not use this model.", code="forbidden"),
    Fault.MODEL_NOT_FOUND: no_such_model("scripted-1"),
    Fault.RATE_LIMITED: error(
        429,
        "Rate limit reached.",
        "rate_limit_error",
        code="rate_limit_exceeded",
        headers={"Retry-After": "1"},
    ),
    Fault.RATE_LIMITED_WITHOUT_HINT: error(
        429, "Rate limit reached.", "rate_limit_error", code="rate_limit_exceeded"
    ),
    Fault.SERVER_ERROR: error(
        500,
        "The model produced output that does not match the expected peg-native format",
        "server_error",
    ),
    Fault.OVERLOADED: error(503, "Loading model", "unavailable_error"),
    Fault.HTML: _page(200, LOGIN_PAGE),
    Fault.HTML_BAD_GATEWAY: _page(502, GATEWAY_PAGE),
    Fault.CONTEXT_LENGTH: error(
        400,
        "This model's maximum context length is 4096 tokens. Your messages have 9000 tokens.",
        code="context_length_exceeded",
        param="messages",
    ),
    Fault.UNSUPPORTED_TEMPERATURE: error(
        400,
        "Unsupported value: 'temperature' is not supported with this model.",
        code="unsupported_value",
        param="temperature",
    ),
    Fault.UNSUPPORTED_MAX_COMPLETION_TOKENS: error(
        400,
        "Unsupported parameter: 'max_completion_tokens' is not supported; use 'max_tokens'.",
        code="unsupported_parameter",
        param="max_completion_tokens",
    ),
}

REFUSED_PARAMETER: Mapping[Fault, str] = {
    Fault.UNSUPPORTED_TEMPERATURE: "temperature",
    Fault.UNSUPPORTED_MAX_COMPLETION_TOKENS: "max_completion_tokens",
}

CUT_OFF = frozenset(
    {
        Fault.RESET_MIDWAY,
        Fault.TRUNCATED,
        Fault.HANGING,
        Fault.ERROR_EVENT,
        Fault.MALFORMED_EVENT,
    }
)


def raw_answer(reply: Reply, request: Mapping[str, Any]) -> Answer | None:
    """Return the HTTP answer that a reply stands for, None if it is a completion."""
    if reply.status is not None or reply.body is not None:
        body = reply.body or b""
        return Answer(
            reply.status or 200,
            body.encode() if isinstance(body, str) else body,
            {"Content-Type": "application/json", **reply.headers},
        )
    if reply.fault is None or (answer := HTTP_FAULTS.get(reply.fault)) is None:
        return None
    if REFUSED_PARAMETER.get(reply.fault, "") not in {"", *request}:
        return None
    return replace(answer, headers={**answer.headers, **reply.headers})


def shaped(reply: Reply) -> Reply:
    """Return the reply as its fault deforms it."""
    changes: dict[str, Any] = {}
    calls = tuple(reply.tool_calls) or (Call("*"),)
    match reply.fault:
        case Fault.EMPTY_CONTENT:
            changes = {"text": "", "tool_calls": ()}
        case Fault.NULL_CONTENT:
            changes = {"text": None, "tool_calls": ()}
        case Fault.LENGTH:
            changes = {"text": reply.text or CUT_SHORT, "finish_reason": "length"}
        case Fault.CONTENT_FILTER:
            changes = {"text": None, "tool_calls": (), "finish_reason": "content_filter"}
        case Fault.BAD_TOOL_JSON:
            changes = {"tool_calls": [replace(call, arguments='{"name": "Kit') for call in calls]}
        case Fault.UNKNOWN_TOOL:
            changes = {"tool_calls": (Call("launch_rocket", {"target": "moon"}),)}
        case Fault.MISSING_TOOL_CALL_IDS:
            changes = {"tool_calls": [replace(call, id="") for call in calls]}
        case Fault.DUPLICATE_TOOL_CALL_IDS:
            twins = calls if len(calls) > 1 else calls * 2
            changes = {"tool_calls": [replace(call, id="call_same") for call in twins]}
        case fault if fault in CUT_OFF:
            changes = {"text": reply.text or CUT_SHORT}
    return replace(reply, **changes)


def finish_reason(reply: Reply) -> str | None:
    """Return why the reply ends."""
    if reply.finish_reason != AUTO:
        return reply.finish_reason
    return "tool_calls" if reply.tool_calls else "stop"


def usage(reply: Reply, prompt_size: int) -> Mapping[str, float] | None:
    """Return the tokens of a reply to so many bytes: a quarter of the characters, as a guess."""
    if not isinstance(reply.usage, str):
        return reply.usage
    said = [reply.text or "", reply.reasoning or "", *map(_arguments, reply.tool_calls)]
    prompt, completion = prompt_size // 4 + 1, sum(map(len, said)) // 4 + 1
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }


def completion(reply: Reply, head: Mapping[str, Any], prompt_size: int) -> dict[str, Any]:
    """Return the reply as a whole."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.reasoning is not None:
        message["reasoning_content"] = reply.reasoning
    if reply.tool_calls:
        message["tool_calls"] = [
            _fragment(call, {"name": call.name, "arguments": _arguments(call)})
            for call in reply.tool_calls
        ]
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish_reason(reply)}
    whole: dict[str, Any] = {**head, "object": "chat.completion", "choices": [choice]}
    if (tokens := usage(reply, prompt_size)) is not None:
        whole["usage"] = tokens
    return whole


def chunks(
    reply: Reply, head: Mapping[str, Any], prompt_size: int, *, include_usage: bool
) -> list[dict[str, Any]]:
    """Return the reply as the chunks of a stream."""
    head = {**head, "object": "chat.completion.chunk"}
    choices: list[dict[str, Any]] = [
        {"index": 0, "delta": delta, "finish_reason": None}
        for delta in [{"role": "assistant", "content": None}, *_deltas(reply)]
    ]
    choices.append({"index": 0, "delta": {}, "finish_reason": finish_reason(reply)})
    stream = [{**head, "choices": [choice]} for choice in choices]
    if include_usage and (tokens := usage(reply, prompt_size)) is not None:
        stream.append({**head, "choices": [], "usage": tokens})
    return stream


def half(size: int) -> int:
    """Return where an answer of this length is cut off: after the role and some text."""
    return max(2, size // 2)


def _deltas(reply: Reply) -> Iterator[dict[str, Any]]:
    for piece in _pieces(reply.reasoning, reply.chunk_size):
        yield {"reasoning_content": piece}
    if reply.text == "":
        yield {"content": ""}
    for piece in reply.pieces or _pieces(reply.text, reply.chunk_size):
        yield {"content": piece}
    for index, call in enumerate(reply.tool_calls):
        first, *rest = list(_pieces(_arguments(call), reply.fragment)) or [""]
        opening = _fragment(call, {"name": call.name, "arguments": first})
        yield {"tool_calls": [{"index": index, **opening}]}
        for piece in rest:
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _pieces(text: str | None, size: int) -> Iterator[str]:
    whole = text or ""
    return (whole[start : start + size] for start in range(0, len(whole), size))


def _arguments(call: Call) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)


def _fragment(call: Call, function: dict[str, str]) -> dict[str, Any]:
    identity = {"id": call.id} if call.id else {}
    return {**identity, "type": "function", "function": function}
