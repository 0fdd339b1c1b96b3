"""Body of a chat completion request, in the wire form of the OpenAI API."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from ..messages import ToolDefinition, wire_messages
from .provider import CompletionRequest
from .rejections import apply_known_workarounds
from .server_quirks import ServerQuirks


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Model of a server, and the parameters that every request to it has."""

    model: str
    temperature: float | None = 0.7
    max_tokens: int | None = 1024
    stream: bool = True
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    """Parameters beside those of the protocol, such as a switch for reasoning."""


# Times the usual number of tokens that an extended answer may have.
_EXTENSION = 4


def request_body(
    request: CompletionRequest, settings: ModelSettings, quirks: ServerQuirks
) -> dict[str, Any]:
    """Return the parameters of a request, without those that the server is known to reject.

    Their order is always the same.
    """
    body: dict[str, Any] = {
        "model": settings.model,
        "messages": wire_messages(request.messages),
    }
    if request.tools:
        # Their JSON is made once; a workaround that changes them makes dictionaries of them.
        body["tools"] = list(request.tools)
        if request.tool_choice != "auto":
            body["tool_choice"] = request.tool_choice
    if request.response_format is not None:
        body["response_format"] = request.response_format
    if settings.temperature is not None:
        body["temperature"] = settings.temperature
    if settings.max_tokens is not None:
        extension = _EXTENSION if request.extended else 1
        body["max_completion_tokens"] = settings.max_tokens * extension
    if settings.stream:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    if settings.extra_body:
        rejected = quirks.rejected
        body["extra_body"] = {
            key: value for key, value in settings.extra_body.items() if key not in rejected
        }
    apply_known_workarounds(body, quirks)
    return body


def encode(body: Mapping[str, Any]) -> bytes:
    """Return the JSON of a body as it is sent: equal bodies give equal bytes."""
    extra: Mapping[str, Any] = body.get("extra_body") or {}
    parameters = {name: value for name, value in body.items() if name != "extra_body"}
    return orjson.dumps(
        {**parameters, **extra}, default=_json, option=orjson.OPT_PASSTHROUGH_DATACLASS
    )


def _json(value: Any) -> orjson.Fragment | str:
    return orjson.Fragment(value.json) if isinstance(value, ToolDefinition) else str(value)
