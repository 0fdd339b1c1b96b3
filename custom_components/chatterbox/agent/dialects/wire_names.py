"""Names of tools as every server takes them: at most 64 characters of a small alphabet."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..messages import Message, ToolCall
from ..provider import CompletionRequest

_LONGEST = 64
_STRANGE = re.compile(r"[^A-Za-z0-9_-]")
_DIGITS = 8


def wire_names(names: Iterable[str]) -> dict[str, str]:
    """Return what to send instead of the names that a server might refuse."""
    renamed = {}
    for name in names:
        plain = _STRANGE.sub("_", name)
        if plain != name or len(name) > _LONGEST:
            # The end tells more than the beginning: that is where prefixes stand.
            digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGITS]
            renamed[name] = f"{plain[-(_LONGEST - _DIGITS - 1) :].lstrip('_-')}_{digest}"
    return renamed


def rename(request: CompletionRequest, names: Mapping[str, str]) -> CompletionRequest:
    """Return the request with other names for its tools, also in the calls of its history."""
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
