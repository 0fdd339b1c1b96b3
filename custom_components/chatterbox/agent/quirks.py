"""What servers refuse, and what they are sent instead: tried once, then remembered."""

import hashlib
import json
import logging
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from .json_schema import plain_object
from .errors import LLMUnsupportedError
from .server_quirks import Quirk, ServerQuirks

# Plain strings, as they are keys of requests.
TOOLS = Quirk.TOOLS.value
RESPONSE_FORMAT = Quirk.RESPONSE_FORMAT.value

LOGGER = logging.getLogger(__package__)

type Body = dict[str, Any]

# Statuses with which servers refuse a request for what is in it.
_REFUSALS = frozenset({400, 404, 405, 415, 422, 501})
_NOT_FROM_MODEL = r".{0,20}(?:grammar|schema|messages\b|request|body|tools\b)"
# Said by servers that could not read what the model wrote as a tool call.
_PARSING_FAILED = re.compile(
    rf"failed to parse(?!{_NOT_FROM_MODEL})"
    rf"|\bpars(?:e|ing)(?!{_NOT_FROM_MODEL}).{{0,20}}(?:tool|function)",
    re.IGNORECASE,
)
# And these in so many words.
_SLIPPED = re.compile(
    r"peg-native|tool.?call validation failed|tool_use_failed|failed_generation"
    r"|not in request\.tools",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(r"\btools?\b|function.?call", re.IGNORECASE)
# What an error repeats of the request, which may have any word in it.
_ECHO = re.compile(r"""(?:['"]input['"]\s*:|\binput_value=).*?(?=,\s*input_type|\Z)""", re.DOTALL)
_PAGE = re.compile(r"<(?:!doctype|html|head|body)\b", re.IGNORECASE)
# Where servers put what they have to say.
_SAID_UNDER = ("param", "code", "message", "msg", "detail", "error", "metadata", "raw")

_ID_LENGTH = 9


@dataclass(frozen=True, slots=True)
class Remedy:
    """Something that servers refuse, and what helps."""

    name: str
    complaint: re.Pattern[str]
    """Finds it in the text of the error."""
    concerns: Callable[[Body], bool]
    """Whether a request has it at all."""
    apply: Callable[[Body], None]
    """Takes it out of the request."""
    leads_on: bool = False
    """Whether another remedy goes on from what this one has done."""
    statuses: frozenset[int] = _REFUSALS
    """With which it is complained of."""


def complaint_of(body: Any, message: str) -> str:
    """Return what an error says, without what it repeats of the request; nothing of a page."""
    said = " ".join(_said(body)) or message
    return "" if _PAGE.search(said) else _ECHO.sub("", said)


def _said(body: Any) -> Iterator[str]:
    match body:
        case str() if body.lstrip().startswith("{"):
            # The error of another server, passed on.
            try:
                yield from _said(json.loads(body))
            except ValueError:
                yield body
        case str():
            yield body
        case list():
            for item in body:
                yield from _said(item)
        case dict():
            if isinstance(place := body.get("loc"), list):
                yield f"{'.'.join(map(str, place))}:"
            for key in _SAID_UNDER:
                yield from _said(body.get(key))


def cure(status: int, complaint: str, body: Body, tried: Collection[str]) -> str | None:
    """Take out of a request what an error complains of; return what that was, None if nothing.

    Raises `LLMUnsupportedError` if it complains of the tools as such.
    """
    unreadable = is_unreadable(complaint)
    if _SLIPPED.search(complaint) or (unreadable and status not in _REFUSALS):
        return None
    # What a model writes has a format, too.
    tried = {*tried, "schema keywords"} if unreadable else tried
    if (remedy := remedy_for(complaint, body, tried, status)) is not None:
        LOGGER.debug("The server refuses %s", remedy.name)
        remedy.apply(body)
        return remedy.name
    if unreadable or status not in _REFUSALS:
        return None
    extra: Body = body.get("extra_body") or {}
    if (name := extra_named(complaint, extra)) is not None:
        LOGGER.debug("The server refuses %s", name)
        del extra[name]
        return name
    if body.get("tools") and _NO_TOOLS.search(complaint):
        raise LLMUnsupportedError(complaint, status)
    return None


def remedy_for(
    complaint: str, body: Body, tried: Collection[str] = (), status: int = 400
) -> Remedy | None:
    """Return what helps against an error and was not tried, None if nothing is known to."""
    for remedy in REMEDIES:
        if remedy.name in tried or status not in remedy.statuses:
            continue
        if remedy.complaint.search(complaint) and remedy.concerns(body):
            return remedy
    return None


def leads_on(name: str) -> bool:
    """Tell whether another remedy goes on from what this one has done."""
    return any(remedy.name == name and remedy.leads_on for remedy in REMEDIES)


def is_unreadable(complaint: str) -> bool:
    """Tell whether a server could not read what its model wrote as tool calls."""
    return bool(_SLIPPED.search(complaint) or _PARSING_FAILED.search(complaint))


def apply_known(body: Body, quirks: ServerQuirks) -> None:
    """Take out of a request what its server is known to refuse."""
    for remedy in REMEDIES:
        if remedy.name in quirks.refused and remedy.concerns(body):
            remedy.apply(body)


def extra_named(complaint: str, extra: Body) -> str | None:
    """Return the parameter of the user's own that an error names, None if it names none."""
    return next((name for name in extra if re.search(rf"\b{re.escape(name)}\b", complaint)), None)


def _without(*parameters: str) -> Callable[[Body], None]:
    def apply(body: Body) -> None:
        for parameter in parameters:
            body.pop(parameter, None)

    return apply


def _has(*parameters: str) -> Callable[[Body], bool]:
    return lambda body: all(body.get(parameter) for parameter in parameters)


def _carries(parameter: str) -> Callable[[Body], bool]:
    return lambda body: parameter in body


def _rename_max_tokens(body: Body) -> None:
    body["max_tokens"] = body.pop("max_completion_tokens")


def _schema_format(body: Body) -> bool:
    return bool((body.get(RESPONSE_FORMAT) or {}).get("type") == "json_schema")


def _object_format(body: Body) -> None:
    body[RESPONSE_FORMAT] = {"type": "json_object"}


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
    """Give the calls ids of nine letters and digits, as the strictest server wants them."""

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


def _results_as_text(body: Body) -> None:
    """Write calls and their results as text of the model and of the user."""
    messages: list[dict[str, Any]] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            text = f"Result: {message['content']}"
            if messages and messages[-1].get("role") == "user" and messages[-1].get("_result"):
                messages[-1]["content"] += f"\n\n{text}"
            else:
                messages.append({"role": "user", "content": text, "_result": True})
        elif calls := message.get("tool_calls"):
            written = [
                f"{call['function']['name']} {call['function']['arguments']}" for call in calls
            ]
            content = "\n".join([message.get("content") or "", *written]).strip()
            messages.append({"role": "assistant", "content": content})
        else:
            messages.append(dict(message))
    for message in messages:
        message.pop("_result", None)
    body["messages"] = messages


def _several_systems(body: Body) -> bool:
    return [message["role"] for message in body["messages"]].count("system") > 1


def _join_systems(body: Body) -> None:
    systems = [m["content"] for m in body["messages"] if m["role"] == "system"]
    others = [m for m in body["messages"] if m["role"] != "system"]
    body["messages"] = [{"role": "system", "content": "\n\n".join(systems)}, *others]


def _has_system(body: Body) -> bool:
    return any(message["role"] == "system" for message in body["messages"])


def _system_as_user(body: Body) -> None:
    _join_systems(body)
    system, *others = body["messages"]
    first = next((i for i, m in enumerate(others) if m["role"] == "user"), None)
    if first is None:
        others.insert(0, {"role": "user", "content": system["content"]})
    else:
        content = f"{system['content']}\n\n{others[first]['content']}"
        others[first] = {**others[first], "content": content}
    body["messages"] = others


def _plain_schemas(body: Body) -> None:
    body["tools"] = [
        {
            **tool,
            "function": {
                **tool["function"],
                "parameters": _barest(plain_object(tool["function"]["parameters"])),
            },
        }
        for tool in body["tools"]
    ]


def _barest(schema: Any) -> Any:
    """Return a plain schema without what the plainest servers do not know."""
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _barest(part) for name, part in value.items()}
        if key == "properties"
        else _barest(value)
        for key, value in schema.items()
        if key not in {"additionalProperties", "minimum", "maximum"}
    }


def _complaint(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


# The system may just have an error.
_SYSTEM = (
    r"\bsystem\b(?!\s+(?:error|failure)).{0,60}(?:role|message|prompt|instruction)"
    r"|(?:role|message|instruction).{0,60}\bsystem\b(?!\s+(?:error|failure))"
    r"|developer instruction"
)
# Beside the word for it.
_NOT_DONE = (
    r"(?:(?:not|n't|cannot)\b.{0,20}|un)(?:support|allow|permit|avail|implement|used)"
    r"|disabled|must be false|verified"
)

# In the order in which they are looked for, and applied when they are known.
REMEDIES: tuple[Remedy, ...] = (
    Remedy(
        "stream_options",
        _complaint(r"stream_options|include_usage"),
        _has("stream_options"),
        _without("stream_options"),
    ),
    Remedy(
        "stream with tools",
        _complaint(rf"\A(?=.*(?:{_NOT_DONE})).*(?:\bstream.*\btool|\btool.*\bstream)"),
        _has("stream", "tools"),
        _without("stream", "stream_options"),
    ),
    Remedy(
        "stream",
        _complaint(
            rf"\bstream(?:ing)?\b.{{0,40}}(?:{_NOT_DONE})"
            rf"|(?:{_NOT_DONE}).{{0,40}}\bstream(?:ing)?\b"
        ),
        _has("stream"),
        _without("stream", "stream_options"),
    ),
    Remedy(
        "max_completion_tokens",
        _complaint("max_completion_tokens"),
        _has("max_completion_tokens"),
        _rename_max_tokens,
        leads_on=True,
    ),
    Remedy("max_tokens", _complaint("max_tokens"), _has("max_tokens"), _without("max_tokens")),
    *(
        Remedy(name, _complaint(rf"\b{name}\b"), _carries(name), _without(name))
        for name in ("temperature", "tool_choice")
    ),
    Remedy(
        RESPONSE_FORMAT,
        _complaint(r"json_schema|response_format|schema|grammar"),
        _schema_format,
        _object_format,
        leads_on=True,
    ),
    Remedy(
        "json_object",
        _complaint(r"json_object|response_format"),
        _has(RESPONSE_FORMAT),
        _without(RESPONSE_FORMAT),
    ),
    Remedy(
        "tool call ids",
        _complaint(r"tool.?call.?id|\bids?\b.*(?:length|long|charact|alphanumeric|a-z)"),
        _has_calls,
        _shorten_ids,
    ),
    Remedy(
        "role tool",
        _complaint(r"\broles?\b|tool.{0,20}(?:message|result)"),
        _has_results,
        _results_as_text,
    ),
    Remedy(
        "null content",
        _complaint(r"content.*(?:null|none|string|required|empty|missing)|(?:null|none).*content"),
        _has_null_content,
        _fill_null_content,
        # The template of a prompt fails on it.
        statuses=_REFUSALS | {500},
    ),
    Remedy(
        "several system messages",
        _complaint(_SYSTEM),
        _several_systems,
        _join_systems,
        leads_on=True,
    ),
    Remedy("system role", _complaint(_SYSTEM), _has_system, _system_as_user),
    Remedy(
        "schema keywords",
        _complaint(
            r"schema|additionalProperties|\b(?:pattern|minimum|maximum|anyOf|allOf|oneOf|const|format)\b"
        ),
        _has("tools"),
        _plain_schemas,
    ),
)
