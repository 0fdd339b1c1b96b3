"""Incremental decoder of replies: the answer as it is streamed, the actions at the end."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...messages import replace_lone_surrogates
from .inventory import DAYS, LOOK_UP, TOPICS, Action

# Models put a code fence around the object where decoding is not constrained.
_FENCE = re.compile(r"\s*(?:```(?:json)?\s*)?")
_PARTIAL_FENCE = re.compile(r"\s*(?:`{1,2}|```(?:j|js|jso))\Z")
_OBJECT = re.compile(r'\{\s*(?:["}]|\Z)')
_ANSWER = re.compile(r'\{\s*"topic"\s*:\s*"other"\s*,\s*"answer"\s*:\s*"')
_SPECIAL = re.compile(r'[\\"]')
_HIGH, _LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = re.compile(rf"{_HIGH}{_LOW}|\\u[0-9a-fA-F]{{4}}|\\[^u]", re.DOTALL)
_PARTIAL_PAIR = re.compile(rf"{_HIGH}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?\Z")
_MAX_ESCAPE_LENGTH = 6


class ReplyDecoder:
    """Decoder of one reply; a text that is no JSON object is an answer in words."""

    def __init__(self) -> None:
        self._held = ""
        self._is_plain = False
        self._answer: StringDecoder | None = None

    def feed(self, text: str) -> str:
        """Process a chunk; return the decoded part of the answer."""
        if self._is_plain:
            return text
        if self._answer is not None:
            return self._answer.feed(text)
        self._held += text
        start = _FENCE.match(self._held)
        body = self._held[start.end() :] if start else self._held
        if (opening := _ANSWER.match(body)) is not None:
            self._answer = StringDecoder()
            return self._answer.feed(body[opening.end() :])
        if not body or _OBJECT.match(body) or _PARTIAL_FENCE.match(self._held):
            return ""
        self._is_plain = True
        return self._held

    def finish(self, *, truncated: bool = False) -> tuple[str, list[Action]]:
        """Return the rest of the answer, and the actions; a truncated reply has none."""
        if self._is_plain or self._answer is not None or truncated:
            return "", []
        start = _FENCE.match(self._held)
        body = self._held[start.end() :] if start else self._held
        if body and body[0] != "{":
            return self._held, []
        try:
            decoded, _ = json.JSONDecoder().raw_decode(body)
            # Lone surrogates appear only when their escape sequences have been decoded.
            reply = json.loads(replace_lone_surrogates(json.dumps(decoded, ensure_ascii=False)))
        except ValueError, RecursionError:
            return "", []
        answer = reply.get("answer")
        return answer if isinstance(answer, str) else "", list(actions_of(reply))


def actions_of(reply: Mapping[str, Any]) -> Iterator[Action]:
    """Yield the actions and look-ups of a reply."""
    do, about = reply.get("do"), reply.get(LOOK_UP)
    if (topic := reply.get("topic")) in TOPICS:
        # Without constrained decoding the day may be missing.
        day = {"day": reply.get("day", DAYS[topic][0])} if topic in DAYS else {}
        yield {"verb": LOOK_UP, "device": topic, **day}
    for action in do if isinstance(do, list) else ():
        if isinstance(action, dict) and isinstance(action.get("verb"), str):
            yield action
    for device in about if isinstance(about, list) else ():
        if isinstance(device, str):
            yield {"verb": LOOK_UP, "device": device}


class StringDecoder:
    """Incremental decoder of a JSON string, from after its opening quote to the closing one."""

    def __init__(self) -> None:
        self._held = ""
        self._over = False

    def feed(self, text: str) -> str:
        """Process a chunk; return the decoded characters."""
        self._held += text
        parts: list[str] = []
        text, position = self._held, 0
        while not self._over:
            special = _SPECIAL.search(text, position)
            end = special.start() if special else len(text)
            parts.append(text[position:end])
            position = end
            if special is None:
                break
            if special.group() == '"':
                self._over = True
            elif _PARTIAL_PAIR.match(text, position):
                break
            elif (escape := _ESCAPE.match(text, position)) is not None:
                parts.append(_unescape(escape.group()))
                position = escape.end()
            elif len(text) - position >= _MAX_ESCAPE_LENGTH:
                position += 1
            else:
                break
        self._held = "" if self._over else text[position:]
        return "".join(parts)


def _unescape(escape: str) -> str:
    try:
        return replace_lone_surrogates(json.loads(f'"{escape}"'))
    except ValueError:
        return escape[1:]
