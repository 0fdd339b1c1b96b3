"""Calls as JSON objects: what most families write, between marks of their own or bare."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...messages import well_formed
from ..lenient_json import find_end, loads
from ..scanner import INCOMPLETE, Block, Context, FoundCall, Mode

# The names under which a call carries the tool's name, its arguments, and other calls.
_NAME = ("name", "tool", "tool_name", "function_name", "function", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "action_input", "kwargs")
_WRAPPERS = ("tool_calls", "tool_call", "function_call", "function", "calls", "tools")
_ANSWERS = ("answer", "response", "text", "message", "speech", "reply", "final_answer", "content")
_SURE_ANSWERS = {"answer", "final_answer"}
_NOT_ARGUMENTS = {"type", "id", "index"}
# What may stand beside an answer, and what it is called as if it were a tool.
_BESIDE_ANSWERS = {*_NOT_ARGUMENTS, "role", "thought", "reasoning"}
_NO_TOOLS = {"answer", "final_answer", "final answer", "none"}
_WORDS = re.compile(r"[\w.\-]+")

_OBJECT = re.compile(r"\{[\s{]{0,50}(?:[\"'}]|<\|\"\|>|[A-Za-z_]\w{0,64}\s{0,50}:)")
_OBJECT_BEGUN = re.compile(r"\{[\s{]{0,50}(?:[A-Za-z_]\w{0,64}\s{0,50}|<\|?\"?\|?)?\Z")
_LIST = re.compile(r"\[\s{0,50}\{")
_LIST_BEGUN = re.compile(r"\[\s{0,50}\Z")


def object_block(text: str, start: int, _after: int, context: Context) -> Block | None:
    """Parse what begins with a curly bracket, or a list of such."""
    if context.mode is Mode.ANSWER:
        return None
    looks, begun = (_OBJECT, _OBJECT_BEGUN) if text[start] == "{" else (_LIST, _LIST_BEGUN)
    if not looks.match(text, start):
        unclear = context.cut_off or not context.final
        return INCOMPLETE if unclear and begun.match(text, start) else None
    if (end := find_end(text, start)) is None:
        return _unclosed(text[start:], context)
    try:
        value = loads(text[start:end])
    except ValueError:
        # Nobody wants to hear it; if it was to be a call, it cannot be read.
        return Block(end)
    return _block(value, end, text[start:end], context)


def _block(value: Any, end: int | None, text: str | None, context: Context) -> Block:
    """Return the block of a value: an answer, calls, or the text that it was read from."""
    if (answer := answer_in(value, context)) is not None:
        return Block(end, text=answer)
    calls = tuple(calls_in(value, context))
    # Behind other text, what names no tool is an example.
    expected = context.alone or context.mode is not Mode.TEXT
    if calls and (expected or any(context.knows(call.name) for call in calls)):
        return Block(end, calls)
    return Block(end, text=text)


def _unclosed(text: str, context: Context) -> Block:
    """Take an object whose brackets are not closed: at the end it may be a call all the same."""
    if not context.whole:
        return INCOMPLETE
    said = text if _is_prose(text, context) else None
    try:
        value = loads(text, unclosed=True)
    except ValueError:
        return Block(None, text=said)
    return _block(value, None, said, context)


def _is_prose(text: str, context: Context) -> bool:
    """Tell whether an open bracket behind other text is no wreck of a call."""
    if context.alone or context.mode is not Mode.TEXT:
        return False
    return {*_NAME, *context.names}.isdisjoint(_WORDS.findall(text))


def calls_in(value: Any, context: Context) -> Iterator[FoundCall]:
    """Yield the calls that a value stands for; nothing if it is something else."""
    if isinstance(value, list):
        calls = [list(calls_in(item, context)) for item in value]
        if all(calls):
            yield from (call for group in calls for call in group)
        return
    if not isinstance(value, dict):
        return
    for wrapper in _WRAPPERS:
        if isinstance(inner := value.get(wrapper), dict | list) and inner:
            yield from calls_in(inner, context)
            return
    if (call := _call(value, context)) is not None:
        yield call


def _call(value: Mapping[str, Any], context: Context) -> FoundCall | None:
    for key in _NAME:
        if not isinstance(name := value.get(key), str) or not name.strip():
            continue
        known = context.knows(name)
        if not known and context.mode is Mode.REASONING:
            continue
        for arguments in _ARGUMENTS:
            if isinstance(given := value.get(arguments), dict | str | list) or (
                arguments in value and known
            ):
                return FoundCall(name.strip(), {} if given is None else given)
        if known:
            rest = {k: v for k, v in value.items() if k != key and k not in _NOT_ARGUMENTS}
            return FoundCall(name.strip(), rest)
    return _keyed_call(value, context)


def _keyed_call(value: Mapping[str, Any], context: Context) -> FoundCall | None:
    """Read `{"tool": {"argument": "value"}}`."""
    if len(value) != 1:
        return None
    [(name, arguments)] = value.items()
    if isinstance(arguments, dict) and context.knows(name):
        return FoundCall(name, arguments)
    return None


def answer_in(value: Any, context: Context) -> str | None:
    """Return the text of an object that only wraps an answer."""
    if context.mode is Mode.SILENT:
        return None
    if isinstance(value, list) and len(value) == 1:
        [value] = value
    if not isinstance(value, dict):
        return None
    if not context.alone:
        # Behind other text it may be an example of something, unless its key says what it is.
        return _only_answer(value) if value.keys() <= _SURE_ANSWERS else None
    given = {
        key.casefold(): part
        for key, part in value.items()
        if part not in (None, [], {}) and key.casefold() not in _BESIDE_ANSWERS
    }
    names = [key for key in _NAME if _names_no_tool(given.get(key), context)]
    if not names:
        return _only_answer(given)
    rest = {key: part for key, part in given.items() if key not in names}
    return _only_answer(next((rest[key] for key in _ARGUMENTS if key in rest), rest))


def _names_no_tool(name: Any, context: Context) -> bool:
    return isinstance(name, str) and name.casefold() in _NO_TOOLS and not context.knows(name)


def _only_answer(given: Any) -> str | None:
    if isinstance(given, dict) and len(given) == 1:
        [(key, given)] = given.items()
        given = given if key.casefold() in _ANSWERS else None
    return well_formed(given) if isinstance(given, str) else None
