"""Requests adapted to their server: workarounds applied after an error, or as learned before."""

import re
from collections.abc import Collection, Iterator
from typing import Any

from ..const import LOGGER
from ..errors import LLMFileError, LLMImageError, LLMUnsupportedError
from .response_body import parse_json
from .server_quirks import Quirk, ServerQuirks
from .workarounds import REJECTION_STATUSES, WORKAROUNDS, Body, Workaround

MAX_ERROR_TEXT = 2000
"""Characters of an error that are searched by patterns."""

_PART_OF_REQUEST = r".{0,20}(?:grammar|schema|messages\b|request|body|tools\b)"
# The server could not parse a tool call in the output of the model.
_PARSE_ERROR = re.compile(
    rf"failed to parse(?!{_PART_OF_REQUEST})"
    rf"|\bpars(?:e|ing)(?!{_PART_OF_REQUEST}).{{0,20}}(?:tool|function)",
    re.IGNORECASE,
)
# The same, in terms that no server uses of a request.
_TOOL_PARSE_ERROR = re.compile(
    r"peg-native|tool.?call validation failed|tool_use_failed|failed_generation"
    r"|not in request\.tools",
    re.IGNORECASE,
)
_TOOLS = re.compile(r"\btools?\b|function.?call", re.IGNORECASE)
# How servers reject the parts of a message that are no text, for a model or for all.
_PART = (
    r"unknown variant|unsupported content|unknown part type|invalid message format"
    r"|content must be a string|valid string"
)
_NO_IMAGES = re.compile(
    rf"{_PART}|mmproj|\bnot a multimodal|at most 0 image|required for image input"
    r"|(?:\bnot?\b|n't\b|cannot).{0,40}\b(?:support|accept|process|read|see)\w*.{0,20}\bimages?\b"
    r"|\bimages?(?:_url| inputs?| content| parts?)? (?:is|are) (?:not|un)\b.{0,20}\bsupport"
    r"|endpoints found that support image",
    re.IGNORECASE,
)
_NO_FILES = re.compile(rf"{_PART}|\bfiles?\b|\bpdf\b|mmproj|\bnot a multimodal", re.IGNORECASE)
# Parts of the request that an error quotes; they may hold any word.
_ECHOED_INPUT = re.compile(
    r"""(?:['"]input['"]\s*:|\binput_value=).*?(?=,\s*input_type|\Z)""", re.DOTALL
)
_HTML = re.compile(r"<(?:!doctype|html|head|body)\b", re.IGNORECASE)
# Nesting of the members of an error's body.
_MAX_DEPTH = 10
# The members of an error's body that say what is wrong.
_TEXT_KEYS = ("param", "code", "message", "msg", "detail", "error", "metadata", "raw")


def error_text(body: Any, message: str) -> str:
    """Return the text of an error without the input that it quotes; empty for an HTML page.

    `message` is the text where `body` has none.
    """
    text = (" ".join(_texts(body)) or message)[:MAX_ERROR_TEXT]
    return "" if _HTML.search(text) else _ECHOED_INPUT.sub("", text)


def _texts(body: Any, depth: int = 0) -> Iterator[str]:
    if depth > _MAX_DEPTH:
        return
    match body:
        case str() if body.lstrip().startswith("{"):
            # A proxy passes on the error of another server.
            try:
                yield from _texts(parse_json(body), depth + 1)
            except ValueError:
                yield body
        case str():
            yield body
        case list():
            for item in body:
                yield from _texts(item, depth + 1)
        case dict():
            if isinstance(location := body.get("loc"), list):
                yield f"{'.'.join(map(str, location))}:"
            for key in _TEXT_KEYS:
                yield from _texts(body.get(key), depth + 1)


def apply_workaround(status: int, text: str, body: Body, tried: Collection[str]) -> str | None:
    """Apply a workaround for an error to a request, in place.

    Returns the name of the quirk: a `Quirk`, or the name of a parameter of the user's own. Returns
    None if there is no workaround that was not tried. Raises `LLMUnsupportedError` if the server
    rejects `tools`, `LLMImageError` or `LLMFileError` if it rejects these.
    """
    _raise_for_attachments(status, text, body)
    is_parse_error = is_tool_parse_error(text)
    if _TOOL_PARSE_ERROR.search(text) or (is_parse_error and status not in REJECTION_STATUSES):
        return None
    # The output of a model has a schema, too.
    tried = {*tried, Quirk.SCHEMA_KEYWORDS} if is_parse_error else tried
    if (workaround := find_workaround(text, body, tried, status)) is not None:
        LOGGER.debug("Request rejected, applying workaround: %s", workaround.quirk)
        workaround.apply(body)
        return workaround.quirk
    if is_parse_error or status not in REJECTION_STATUSES:
        return None
    extra: Body = body.get("extra_body") or {}
    if (name := _named_parameter(text, extra)) is not None:
        LOGGER.debug("Request rejected, removing parameter: %s", name)
        del extra[name]
        return name
    if body.get("tools") and _TOOLS.search(text):
        raise LLMUnsupportedError(text, status)
    return None


def _raise_for_attachments(status: int, text: str, body: Body) -> None:
    # llama.cpp answers with the status 500 for images.
    if status not in REJECTION_STATUSES | {500}:
        return
    kinds = {
        part["type"]
        for message in body["messages"]
        if isinstance(message.get("content"), list)
        for part in message["content"]
    }
    if "file" in kinds and _NO_FILES.search(text):
        raise LLMFileError(text, status)
    if "image_url" in kinds and _NO_IMAGES.search(text):
        raise LLMImageError(text, status)


def find_workaround(
    text: str, body: Body, tried: Collection[str] = (), status: int = 400
) -> Workaround | None:
    """Return the first workaround for an error that was not tried, None if there is none."""
    for workaround in WORKAROUNDS:
        if workaround.quirk in tried or status not in workaround.statuses:
            continue
        if workaround.error.search(text) and workaround.concerns(body):
            return workaround
    return None


def chains(quirk: str) -> bool:
    """Return whether another workaround continues where the server rejects this one's result."""
    return any(workaround.quirk == quirk and workaround.chains for workaround in WORKAROUNDS)


def is_tool_parse_error(text: str) -> bool:
    """Return whether a server failed to parse the tool calls that its model wrote."""
    return bool(_TOOL_PARSE_ERROR.search(text) or _PARSE_ERROR.search(text))


def apply_known_workarounds(body: Body, quirks: ServerQuirks) -> None:
    """Apply the workarounds for the learned quirks of a server to a request, in place."""
    for workaround in WORKAROUNDS:
        if workaround.quirk in quirks.rejected and workaround.concerns(body):
            workaround.apply(body)


def _named_parameter(text: str, parameters: Collection[str]) -> str | None:
    """Return the first of the parameters that an error names, None if it names none."""
    return next((name for name in parameters if re.search(rf"\b{re.escape(name)}\b", text)), None)
