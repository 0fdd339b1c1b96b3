"""Decoder of the action grammar: the text of an answer as it comes, actions at its end."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..messages import replace_lone_surrogates
from .catalogue import LOOK_UP, TOPICS, Item

# Servers without constrained decoding may put a fence around the object.
_FENCE = re.compile(r"\s*(?:```(?:json)?\s*)?")
_FENCE_BEGUN = re.compile(r"\s*(?:`{1,2}|```(?:j|js|jso))\Z")
_OBJECT = re.compile(r'\{\s*(?:["}]|\Z)')
_ANSWER = re.compile(r'\{\s*"topic"\s*:\s*"other"\s*,\s*"answer"\s*:\s*"')
_SPECIAL = re.compile(r'[\\"]')
_HIGH, _LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = re.compile(rf"{_HIGH}{_LOW}|\\u[0-9a-fA-F]{{4}}|\\[^u]", re.DOTALL)
_PAIR_BEGUN = re.compile(rf"{_HIGH}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?\Z")
_LONGEST_ESCAPE = 6


class ReplyDecoder:
    """Decodes one answer. Text that is no object at all is an answer in plain words."""

    def __init__(self) -> None:
        self._held = ""
        self._is_plain = False
        self._answer: StringDecoder | None = None

    def feed(self, text: str) -> str:
        """Return what is certain to be said to the user."""
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
        if not body or _OBJECT.match(body) or _FENCE_BEGUN.match(self._held):
            return ""
        self._is_plain = True
        return self._held

    def finish(self, *, truncated: bool = False) -> tuple[str, list[Item]]:
        """Return the rest of the text, and the actions; a truncated answer has none."""
        if self._is_plain or self._answer is not None or truncated:
            return "", []
        start = _FENCE.match(self._held)
        body = self._held[start.end() :] if start else self._held
        if body and body[0] != "{":
            return self._held, []
        try:
            written, _ = json.JSONDecoder().raw_decode(body)
            # A half of a character shows only when its escape sequence has been read.
            reply = json.loads(replace_lone_surrogates(json.dumps(written, ensure_ascii=False)))
        except ValueError, RecursionError:
            return "", []
        answer = reply.get("answer")
        return answer if isinstance(answer, str) else "", list(_items(reply))


def _items(reply: Mapping[str, Any]) -> Iterator[Item]:
    do, about = reply.get("do"), reply.get(LOOK_UP)
    if reply.get("topic") in TOPICS:
        yield {"verb": LOOK_UP, "device": reply["topic"]}
    for item in do if isinstance(do, list) else ():
        if isinstance(item, dict) and isinstance(item.get("verb"), str):
            yield item
    for device in about if isinstance(about, list) else ():
        if isinstance(device, str):
            yield {"verb": LOOK_UP, "device": device}


class StringDecoder:
    """Decodes a JSON string whose opening quote has been read, up to the closing one."""

    def __init__(self) -> None:
        self._held = ""
        self._over = False

    def feed(self, text: str) -> str:
        """Return the characters that are certain."""
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
            elif _PAIR_BEGUN.match(text, position):
                break
            elif (escape := _ESCAPE.match(text, position)) is not None:
                parts.append(_unescape(escape.group()))
                position = escape.end()
            elif len(text) - position >= _LONGEST_ESCAPE:
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
