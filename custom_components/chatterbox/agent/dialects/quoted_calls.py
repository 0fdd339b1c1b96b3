"""Calls that stand in user messages or tool results: a model that repeats one quotes it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from ..messages import Message, Role
from .lenient_json import find_end, loads, read_members
from .parsing.cursor import Cursor, IncompleteBlock, MalformedBlock, ParsedCall
from .parsing.families import BLOCKS, OPENERS
from .parsing.harmony import HarmonyScanner
from .parsing.json_call import json_call
from .parsing.pieces import CallPiece

_HARMONY = re.compile(r"<\|(?:start|channel)\|>|\bto=functions\.")
_NAMES = ("name", "tool", "tool_name", "function", "function_name", "action", "verb")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "action_input")
# Texts within texts are read this deep.
_DEEPEST = 40
# Characters of a call, and how many places of a text are searched. A text with more places counts
# as one that quotes every call: nobody can hide one behind a thousand brackets.
_LONGEST_CALL = 5000
_LONGEST_GAP = 40
_MOST_PLACES = 1000
_WORD = re.compile(r"[A-Za-z_][\w\-]*")
_BRACKET = re.compile(r"[{(]")
# The quotation mark of FunctionGemma.
_ESCAPE = "<escape>"
_PLACE = re.compile(rf"\{{|{_HARMONY.pattern}|{OPENERS.pattern.pattern}")


class QuotedCalls:
    """The calls in the user messages and tool results of a request."""

    def __init__(self, messages: Sequence[Message], tool_name: Callable[[str], str | None]) -> None:
        self._messages = messages
        self._tool_name = tool_name

    def contain(self, call: ParsedCall, raw: str) -> bool:
        """Return whether a call, or the raw text of its block, stands in one of the messages."""
        folded, key = _folded(raw), self._key(call)
        return any(
            len(places) > _MOST_PLACES
            or folded in _folded(text)
            or any(self._key(quoted) == key for quoted in _calls_at(text, places))
            or any(self._key(quoted) == key for quoted in self._named_calls(text))
            for text, places in self._texts
        )

    @cached_property
    def _texts(self) -> list[tuple[str, list[int]]]:
        """The texts of the messages, with the places where a call may begin."""
        return [
            (text, [place.start() for place in _PLACE.finditer(text)])
            for message in self._messages
            if message.role in {Role.USER, Role.TOOL}
            for text in _texts(message.text, 0)
        ]

    def _named_calls(self, text: str) -> Iterator[ParsedCall]:
        """Yield the calls that the name of a tool and a bracket soon behind it may mean."""
        text = text.replace(_ESCAPE, '"')
        for name in _WORD.finditer(text):
            if self._tool_name(name.group()) is None:
                continue
            bracket = _BRACKET.search(text, name.end(), name.end() + _LONGEST_GAP)
            if bracket is None:
                continue
            part = text[bracket.start() : bracket.start() + _LONGEST_CALL]
            if (end := find_end(part, 0)) is not None:
                with suppress(ValueError):
                    arguments, _ = read_members(part[1:end], part[end - 1])
                    yield ParsedCall(name.group(), arguments)

    def _key(self, call: ParsedCall) -> str:
        name = self._tool_name(call.name) or call.name
        return json.dumps([name, _comparable(call.arguments)], sort_keys=True)


def _texts(value: Any, depth: int) -> Iterator[str]:
    """Yield all texts in a value: also those in the JSON that a text may be."""
    if depth > _DEEPEST:
        return
    match value:
        case str():
            yield value
            if value.lstrip()[:1] in {"{", "[", '"'}:
                try:
                    yield from _texts(json.loads(value), depth + 1)
                except ValueError, RecursionError:
                    return
        case list():
            for item in value:
                yield from _texts(item, depth + 1)
        case dict():
            for key, item in value.items():
                yield from _texts(key, depth + 1)
                yield from _texts(item, depth + 1)


def _calls_at(text: str, places: Sequence[int]) -> Iterator[ParsedCall]:
    """Yield the calls that begin at these places of a text."""
    for place in places:
        part = text[place : place + _LONGEST_CALL]
        if opener := OPENERS.pattern.match(part):
            try:
                yield from BLOCKS[opener.group()](Cursor(part, opener.end(), final=True))
            except MalformedBlock, IncompleteBlock:
                continue
        elif _HARMONY.match(part):
            scanner = HarmonyScanner()
            for piece in (*scanner.feed(part), *scanner.finish()):
                if isinstance(piece, CallPiece):
                    yield from piece.calls
        elif (end := find_end(part, 0)) is not None:
            try:
                yield from _object_calls(loads(part[:end]))
            except ValueError:
                continue


def _object_calls(value: Mapping[str, Any]) -> Iterator[ParsedCall]:
    with suppress(MalformedBlock):
        yield json_call(value)
    for key in _NAMES:
        if isinstance(name := value.get(key), str):
            rest = {other: item for other, item in value.items() if other != key}
            yield ParsedCall(name, rest)
            for arguments in _ARGUMENTS:
                if isinstance(given := value.get(arguments), dict):
                    yield ParsedCall(name, given)
    if len(value) == 1:
        [(name, arguments)] = value.items()
        if isinstance(arguments, dict):
            yield ParsedCall(name, arguments)


def _comparable(value: Any) -> Any:
    """Return a value in which types and case do not matter, as not all formats have types."""
    match value:
        case dict():
            return {str(key): _comparable(item) for key, item in value.items()}
        case list():
            return [_comparable(item) for item in value]
        case str():
            try:
                parsed = json.loads(value)
            except ValueError, RecursionError:
                return " ".join(value.split()).casefold()
            return _comparable(parsed) if not isinstance(parsed, str) else parsed.casefold()
    return json.dumps(value, default=str)


def _folded(text: str) -> str:
    return " ".join(text.split())
