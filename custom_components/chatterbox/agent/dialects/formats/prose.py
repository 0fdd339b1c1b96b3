"""Calls that a model speaks of instead of making them: a tool's name, then its arguments."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from ...grounding import tool_talk
from ..lenient_json import find_end, loads
from ..scanner import FoundCall

# `name="Kitchen Lights" and brightness=10`
_PAIR = re.compile(
    r"\b(?P<key>[a-z_]{1,40})\s?[=:]\s?(?:\"(?P<text>[^\"\n]{1,200})\"|(?P<number>\d+))"
)


def calls_in_prose(text: str, names: Iterable[str]) -> Iterator[FoundCall]:
    """Yield the calls of the tools that a text names together with arguments."""
    if (named := tool_talk(names)) is None:
        return
    mentions = list(named.finditer(text))
    ends = [*(mention.start() for mention in mentions), len(text)]
    for mention, (_, end) in zip(mentions, pairwise(ends), strict=True):
        if arguments := _arguments(text[mention.end() : end]):
            yield FoundCall(mention.group(), arguments)


def _arguments(text: str) -> dict[str, Any]:
    if (start := text.find("{")) >= 0 and (end := find_end(text, start)) is not None:
        try:
            value = loads(text[start:end])
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}
    return {
        pair["key"]: pair["text"] if pair["number"] is None else int(pair["number"])
        for pair in _PAIR.finditer(text)
    }
