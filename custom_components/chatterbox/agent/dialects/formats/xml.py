"""Calls in XML's clothes: Hermes and Qwen, Qwen-Coder, GLM, Granite, Llama's functions."""

import re
from typing import Any

from ..lenient_json import find_end, loads
from ..scanner import INCOMPLETE, Block, Context, FoundCall, Mode

FENCE = "```"
# The name of a tool.
NAME = r"[A-Za-z_][\w.\-]{0,80}"

_GLM_NAME = re.compile(rf"\s*({NAME})\s*(?=<)")
_GLM_NAME_BEGUN = re.compile(r"\s{0,50}[\w.\-]{0,80}\s{0,50}\Z")
_GLM_PAIR = re.compile(
    r"\s*<arg_key>\s{0,50}([^<>\s][^<>]{0,80}?)\s{0,50}</arg_key>\s{0,50}<arg_value>"
)
_GLM_END_OF_VALUE = "</arg_value>"
_SPACE = re.compile(r"\s*")
_FUNCTION_NAME = re.compile(r"\s*([\w.\-]{1,80})\s*>")
_PARAMETER = re.compile(r"\s*<parameter=\s*([^>\n]{1,80}?)\s*>")
_END_OF_VALUE = re.compile(r"(</parameter>|<parameter=|</function>)")
_END_ON_LINE = re.compile(r"\n(</parameter>|<parameter=|</function>)")
_HEADER_BEGUN = 200


def word_block(text: str, start: int, after: int, context: Context) -> Block | None:
    """Parse a tag that is an ordinary word: it is text, unless a call begins behind it."""
    rest = text[after : after + _HEADER_BEGUN].lstrip()
    if rest.startswith(("{", "[", "<", FENCE)):
        return tag_block(text, start, after, context)
    if FENCE.startswith(rest) and len(text) - after < _HEADER_BEGUN and not context.whole:
        return INCOMPLETE
    return None


def tag_block(text: str, _start: int, after: int, context: Context) -> Block | None:
    """Parse what an opening tag for calls begins. GLM's calls are here; others follow as blocks.

    Between the tags nothing is said, whatever it is.
    """
    here = _SPACE.match(text, after)
    position = here.end() if here else after
    if position == len(text):
        return Block(position, mode=Mode.SILENT) if context.final else INCOMPLETE
    if text[position] in "{[<`":
        return Block(after, mode=Mode.SILENT)
    if (name := _GLM_NAME.match(text, position)) is not None:
        return _glm(text, name, context)
    if not context.final and _GLM_NAME_BEGUN.match(text, position):
        return INCOMPLETE
    return Block(after, mode=Mode.SILENT)


def _glm(text: str, name: re.Match[str], context: Context) -> Block:
    """Read `name <arg_key>k</arg_key> <arg_value>v</arg_value>… </tool_call>`."""
    arguments: dict[str, str] = {}
    position = name.end()
    while (pair := _GLM_PAIR.match(text, position)) is not None:
        end = text.find(_GLM_END_OF_VALUE, pair.end())
        position = end + len(_GLM_END_OF_VALUE)
        if end < 0:
            # Forgotten in front of the end of the call, which the value itself may also name.
            end = position = text.find("</tool_call>", pair.end())
            if end < 0 or not context.final:
                return INCOMPLETE
        arguments[pair[1]] = text[pair.end() : end]
    space = _SPACE.match(text, position)
    position = space.end() if space else position
    if text.startswith("</tool_call>", position):
        return Block(position, (FoundCall(name[1], arguments, typed=False),), mode=Mode.SILENT)
    if context.final or len(text) - position > _HEADER_BEGUN:
        return Block(position, mode=Mode.SILENT)
    return INCOMPLETE


def function_block(text: str, _start: int, after: int, context: Context) -> Block | None:
    """Parse `<function=name>`: an object, or parameters in tags, up to `</function>`."""
    if (name := _FUNCTION_NAME.match(text, after)) is None:
        begun = len(text) - after < _HEADER_BEGUN and ">" not in text[after:]
        return INCOMPLETE if begun else None
    space = _SPACE.match(text, name.end())
    position = space.end() if space else name.end()
    if text.startswith("{", position):
        return object_arguments(text, name[1], position, context)
    arguments: dict[str, str] = {}
    while (parameter := _PARAMETER.match(text, position)) is not None:
        value = _parameter_value(text, parameter.end())
        if value is None:
            return INCOMPLETE
        arguments[parameter[1]], position = value
    space = _SPACE.match(text, position)
    position = space.end() if space else position
    if text.startswith("</function>", position):
        return Block(position + 11, (FoundCall(name[1], arguments, typed=False),))
    if context.final or len(text) - position > _HEADER_BEGUN:
        return Block(position, mode=Mode.SILENT)
    return INCOMPLETE


def _parameter_value(text: str, start: int) -> tuple[str, int] | None:
    """Return a value and where it ends; its own tag at the end may be missing."""
    on_lines = text.startswith("\n", start)
    found = (_END_ON_LINE if on_lines else _END_OF_VALUE).search(text, start)
    if found is None:
        return None
    after = found.end() if found[1] == "</parameter>" else found.start(1)
    return text[start + on_lines : found.start()], after


def object_arguments(text: str, name: str, position: int, context: Context) -> Block:
    """Return the call of a tool whose arguments are the object at a place."""
    end = find_end(text, position)
    if end is None:
        if not context.whole:
            return INCOMPLETE
        try:
            return Block(None, (FoundCall(name, loads(text[position:], unclosed=True)),))
        except ValueError:
            return INCOMPLETE
    try:
        arguments: Any = loads(text[position:end])
    except ValueError:
        return Block(end)
    return Block(end, (FoundCall(name, arguments),))
