"""Calls that begin with the name of a tool: in Python's form, before an object, alone."""

import re
from typing import Any

from ..lenient_json import find_end, loads, read_members
from ..scanner import INCOMPLETE, Block, Context, FoundCall, Mode
from .objects import object_block
from .xml import NAME

_PYTHONIC_LIST = re.compile(rf"\[\s{{0,50}}{NAME}\(")
_PYTHONIC_LIST_BEGUN = re.compile(rf"\[\s{{0,50}}(?:{NAME})?\Z")
_FIRST_CALL = re.compile(rf"\s*({NAME})\(")
_NEXT_CALL = re.compile(rf"\s{{0,50}},\s{{0,50}}({NAME})\(")
_NEXT_CALL_BEGUN = re.compile(rf"\s{{0,50}}(?:,\s{{0,50}}(?:{NAME})?)?\Z")
_END_OF_LIST = re.compile(r"\s{0,50},?\s{0,50}\]")
_BEFORE_ARGUMENTS = re.compile(r"(?:\.call|\[ARGS\]|[\s:=`*]|arguments|parameters){0,8}")
PRINT = "print("
_BETWEEN = (".call", "[ARGS]", "arguments", "parameters")
_PREVIOUS = {"", "\n", "\t", ":"}
# In front of a name these mean a call only where a line begins with them.
_QUOTES = {"(", "`", "*"}
# What the arguments between round brackets begin with; otherwise it is a remark.
_ARGUMENTS = re.compile(
    r"""\(\s{0,50}(?:[)"'\[{]|(?:-?[\d.]{1,20}|true|false|none|null)\s{0,50}[,)]"""
    r"|[\w\- ]{1,80}[:=])",
    re.IGNORECASE,
)
_ARGUMENTS_BEGUN = re.compile(r"\(\s{0,50}[\w.\- ]{0,80}\s{0,50}\Z")
# A name that is no word of a language.
_UNLIKE_A_WORD = re.compile(r"_|[^\W_A-Z][A-Z]")


def bracket_block(text: str, start: int, after: int, context: Context) -> Block | None:
    """Parse what begins with a square bracket: calls in Python's form, or objects."""
    if context.mode is Mode.ANSWER:
        return None
    if _PYTHONIC_LIST.match(text, start):
        return _pythonic_list(text, start, context)
    unclear = context.cut_off or not context.final
    if unclear and _PYTHONIC_LIST_BEGUN.match(text, start):
        return INCOMPLETE
    return object_block(text, start, after, context)


def _pythonic_list(text: str, start: int, context: Context) -> Block | None:
    """Read `[tool(argument="value"), other()]`."""
    calls: list[FoundCall] = []
    position = start + 1
    while (found := (_NEXT_CALL if calls else _FIRST_CALL).match(text, position)) is not None:
        name = found[1]
        if context.mode is not Mode.SILENT and not context.knows(name):
            return Block(position, tuple(calls)) if calls else None
        if (end := find_end(text, found.end() - 1)) is None:
            return Block(None, tuple(calls) if context.final else ())
        try:
            arguments = pythonic_arguments(text[found.end() : end])
        except ValueError:
            return Block(end)
        calls.append(FoundCall(name, arguments))
        position = end
    if (closed := _END_OF_LIST.match(text, position)) is not None:
        return Block(closed.end(), tuple(calls))
    if not context.final and _NEXT_CALL_BEGUN.match(text, position):
        return INCOMPLETE
    return Block(position, tuple(calls))


def pythonic_arguments(text: str) -> dict[str, Any] | list[Any]:
    """Return the arguments of a call in Python's form; a list if they have no names."""
    named, others = read_members(text)
    return named or others or {}


def print_block(text: str, start: int, after: int, context: Context) -> Block | None:
    """Parse a call whose result is to be printed."""
    return name_block(text, start + len(PRINT), after, context)


def name_block(text: str, start: int, after: int, context: Context) -> Block | None:
    """Parse what begins with the name of an offered tool at the start of a line."""
    if context.mode is Mode.ANSWER or not _may_begin(context):
        return None
    between = _BEFORE_ARGUMENTS.match(text, after)
    position = between.end() if between else after
    name = text[start:after]
    if position == len(text):
        return _bare(name, position, context)
    if text[position] not in "({":
        # The beginning of what may stand between the name and the arguments.
        rest = text[position:]
        begun = any(word.startswith(rest) for word in _BETWEEN)
        return INCOMPLETE if begun and not context.final else None
    if text[position] == "(" and context.mode is not Mode.SILENT:
        touches = not any(map(str.isspace, text[after:position]))
        if not (touches and _ARGUMENTS.match(text, position)):
            unclear = touches and (context.cut_off or not context.final)
            return INCOMPLETE if unclear and _ARGUMENTS_BEGUN.match(text, position) else None
    end = find_end(text, position)
    if end is None:
        return _unclosed(name, text[position:], context)
    return _call(name, text[position:end], end)


def _may_begin(context: Context) -> bool:
    if context.previous in _QUOTES:
        return not context.in_line or context.mode is Mode.SILENT
    return context.previous in _PREVIOUS


def _bare(name: str, end: int, context: Context) -> Block | None:
    """Return the call of a tool that only its name stands for."""
    if context.cut_off or not context.final:
        return INCOMPLETE
    called = context.mode is Mode.SILENT or (context.alone and _UNLIKE_A_WORD.search(name))
    return Block(end, (FoundCall(name, {}),)) if called else None


def _call(name: str, arguments: str, end: int) -> Block:
    try:
        read = pythonic_arguments(arguments[1:]) if arguments[0] == "(" else loads(arguments)
    except ValueError:
        return Block(end)
    return Block(end, (FoundCall(name, read),))


def _unclosed(name: str, arguments: str, context: Context) -> Block:
    if not context.whole or arguments[0] == "(":
        return INCOMPLETE
    try:
        return Block(None, (FoundCall(name, loads(arguments, unclosed=True)),))
    except ValueError:
        return INCOMPLETE
