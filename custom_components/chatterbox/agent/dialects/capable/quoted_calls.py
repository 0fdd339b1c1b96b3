"""Calls in user messages and tool results; a model that repeats one is only quoting it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from ...messages import Message, Role
from ..parsing.cursor import Cursor, IncompleteBlock, MalformedBlock
from ..parsing.families import BLOCK_STARTS, BLOCKS
from ..parsing.harmony import HarmonyScanner
from ..parsing.json_call import json_call
from ..parsing.lenient_json import find_end, loads, read_members
from ..parsing.pieces import CallPiece, ParsedCall

_HARMONY = re.compile(r"<\|(?:start|channel)\|>|\bto=functions\.")
_NAMES = ("name", "tool", "tool_name", "function", "function_name", "action", "verb")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "action_input")
# Nesting of JSON texts within texts.
_MAX_DEPTH = 40
# Characters of a call, and places of a text that are searched. A text with more places counts as
# one that quotes every call, so that no call can be hidden among thousands of brackets.
_MAX_CALL_LENGTH = 5000
_MAX_GAP = 40
_MAX_PLACES = 1000
_WORD = re.compile(r"[A-Za-z_][\w\-]*")
_BRACKET = re.compile(r"[{(]")
# String delimiter of FunctionGemma:
# https://ai.google.dev/gemma/docs/functiongemma/formatting-and-best-practices
_ESCAPE = "<escape>"
_PLACE = re.compile(rf"\{{|{_HARMONY.pattern}|{BLOCK_STARTS.pattern.pattern}")


class QuotedCalls:
    """The calls in the user messages and tool results of a request."""

    def __init__(self, messages: Sequence[Message], tool_name: Callable[[str], str | None]) -> None:
        self._messages = messages
        self._tool_name = tool_name

    def contains(self, call: ParsedCall, raw: str) -> bool:
        """Return whether a message contains the call, or the raw text of its block."""
        folded, key = _folded(raw), self._key(call)
        return any(
            len(places) > _MAX_PLACES
            or folded in _folded(text)
            or any(self._key(quoted) == key for quoted in _calls_at(text, places))
            or any(self._key(quoted) == key for quoted in self._named_calls(text))
            for text, places in self._texts
        )

    @cached_property
    def _texts(self) -> list[tuple[str, list[int]]]:
        """The texts of the messages, with the positions at which a call may begin."""
        return [
            (text, [place.start() for place in _PLACE.finditer(text)])
            for message in self._messages
            if message.role in {Role.USER, Role.TOOL}
            for text in _texts(message.text, 0)
        ]

    def _named_calls(self, text: str) -> Iterator[ParsedCall]:
        """Yield the calls that a tool name followed closely by a bracket may represent."""
        text = text.replace(_ESCAPE, '"')
        for name in _WORD.finditer(text):
            if self._tool_name(name.group()) is None:
                continue
            bracket = _BRACKET.search(text, name.end(), name.end() + _MAX_GAP)
            if bracket is None:
                continue
            part = text[bracket.start() : bracket.start() + _MAX_CALL_LENGTH]
            if (end := find_end(part, 0)) is not None:
                with suppress(ValueError):
                    arguments, _ = read_members(part[1:end], part[end - 1])
                    yield ParsedCall(name.group(), arguments)

    def _key(self, call: ParsedCall) -> str:
        name = self._tool_name(call.name) or call.name
        return json.dumps([name, _comparable(call.arguments)], sort_keys=True)


def _texts(value: Any, depth: int) -> Iterator[str]:
    """Yield all texts in a value, including those within a text that is JSON."""
    if depth > _MAX_DEPTH:
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
    """Yield the calls that begin at these positions of a text."""
    for place in places:
        part = text[place : place + _MAX_CALL_LENGTH]
        if start := BLOCK_STARTS.pattern.match(part):
            try:
                yield from BLOCKS[start.group()](Cursor(part, start.end(), final=True))
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
    """Return a value for comparison without types and case, as some formats have no types."""
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
