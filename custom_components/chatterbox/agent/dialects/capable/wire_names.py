"""Tool names that every server accepts: at most 64 letters, digits, underscores and hyphens."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...messages import Message, ToolCall
from ...model.provider import CompletionRequest

_MAX_LENGTH = 64
_INVALID_CHARACTER = re.compile(r"[^A-Za-z0-9_-]")
_DIGEST_LENGTH = 8


def wire_names(names: Iterable[str]) -> dict[str, str]:
    """Return replacements for the names that a server may reject, by the original names."""
    renamed = {}
    for name in names:
        plain = _INVALID_CHARACTER.sub("_", name)
        if plain != name or len(name) > _MAX_LENGTH:
            # The end is kept: names begin with common prefixes.
            digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST_LENGTH]
            renamed[name] = f"{plain[-(_MAX_LENGTH - _DIGEST_LENGTH - 1) :].lstrip('_-')}_{digest}"
    return renamed


def rename(request: CompletionRequest, names: Mapping[str, str]) -> CompletionRequest:
    """Return the request with other names for its tools, in the calls of its history as well."""
    if not names:
        return request
    return replace(
        request,
        tools=tuple(replace(tool, name=names.get(tool.name, tool.name)) for tool in request.tools),
        messages=tuple(_renamed(message, names) for message in request.messages),
    )


def _renamed(message: Message, names: Mapping[str, str]) -> Message:
    if not any(call.name in names for call in message.tool_calls):
        return message
    return replace(message, tool_calls=tuple(_call(call, names) for call in message.tool_calls))


def _call(call: ToolCall, names: Mapping[str, str]) -> ToolCall:
    return replace(call, name=names.get(call.name, call.name))
