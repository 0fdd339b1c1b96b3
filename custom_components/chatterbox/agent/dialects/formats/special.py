"""Calls between the special tokens of a family: Mistral, DeepSeek, Kimi K2, Gemma 4, gpt-oss."""

import re
from dataclasses import replace

from ..lenient_json import find_end, read_members
from ..scanner import INCOMPLETE, Block, Context, FoundCall, Mode
from .xml import NAME, object_arguments

_LONGEST_HEADER = 300

_SPACE = re.compile(r"\s*")
_OBJECTS = re.compile(r"\s*[\[{]")

_MISTRAL = re.compile(rf"\s*({NAME})\s*(?:\[CALL_ID\]\s*[\w\-]{{0,80}}\s*)?(?:\[ARGS\])?\s*(?=\{{)")
_DEEPSEEK = re.compile(
    rf"\s*(?:function\s*<[｜|]tool[▁_ ]sep[｜|]>)?\s*({NAME})\s*"
    r"(?:<[｜|]tool[▁_ ]sep[｜|]>)?\s*(?:```\w{0,10})?\s*(?=\{)"
)
_KIMI = re.compile(
    rf"\s*(?:functions\.)?({NAME})(?::\d{{1,6}})?\s*<\|tool_call_argument_begin\|>\s*(?=\{{)"
)
_GEMMA = re.compile(rf"\s*(?:call\s*:)?\s*({NAME})\s*(?=\{{)")

_MESSAGE = "<|message|>"
_RECIPIENT = re.compile(r"to=([\w.\-]+)")
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)")
_HEADER_BROKEN = re.compile(r"<\|(?:end|call|return)\|>|<\|start\|>")
_CHANNELS = {"analysis": Mode.REASONING, "commentary": Mode.ANSWER, "final": Mode.ANSWER}


def _header(
    pattern: re.Pattern[str], text: str, after: int, context: Context
) -> re.Match[str] | Block:
    """Match what stands before the arguments, or return the block that is there instead."""
    if (found := pattern.match(text, after)) is not None:
        return found
    if len(text) - after < _LONGEST_HEADER and not context.final:
        return INCOMPLETE
    return Block(after, mode=Mode.SILENT)


def mistral_block(text: str, _start: int, after: int, context: Context) -> Block | None:
    """Parse what follows `[TOOL_CALLS]`: `name[ARGS]{…}`, or a list of objects."""
    if _OBJECTS.match(text, after):
        return Block(after, mode=Mode.SILENT)
    found = _header(_MISTRAL, text, after, context)
    return found if isinstance(found, Block) else _silent_call(text, found, context)


def deepseek_block(text: str, _start: int, after: int, context: Context) -> Block | None:
    """Parse one call of DeepSeek up to V3.1."""
    found = _header(_DEEPSEEK, text, after, context)
    return found if isinstance(found, Block) else _silent_call(text, found, context)


def kimi_block(text: str, _start: int, after: int, context: Context) -> Block | None:
    """Parse one call of Kimi K2."""
    found = _header(_KIMI, text, after, context)
    return found if isinstance(found, Block) else _silent_call(text, found, context)


def _silent_call(text: str, name: re.Match[str], context: Context) -> Block:
    block = object_arguments(text, name[1], name.end(), context)
    return Block(block.end, block.calls, mode=Mode.SILENT)


def gemma_block(text: str, _start: int, after: int, context: Context) -> Block | None:
    """Parse `call:name{key:<|"|>value<|"|>}`; a JSON object where Granite writes the same mark."""
    if _OBJECTS.match(text, after):
        return Block(after, mode=Mode.SILENT)
    found = _header(_GEMMA, text, after, context)
    if isinstance(found, Block):
        return found
    if (end := find_end(text, found.end())) is None:
        return INCOMPLETE
    try:
        arguments, _ = read_members(text[found.end() + 1 : end - 1])
    except ValueError:
        return Block(end, mode=Mode.SILENT)
    return Block(end, (FoundCall(found[1], arguments),), mode=Mode.SILENT)


def harmony_block(text: str, start: int, after: int, context: Context) -> Block | None:
    """Parse the header of a message of gpt-oss, and the call behind it if it is one."""
    message = text.find(_MESSAGE, after, start + _LONGEST_HEADER)
    broken = _HEADER_BROKEN.search(text, after, start + _LONGEST_HEADER)
    if message < 0 or (broken is not None and broken.start() < message):
        if broken is not None:
            return Block(broken.start(), mode=Mode.SILENT)
        unclear = not context.final and len(text) - start < _LONGEST_HEADER
        return INCOMPLETE if unclear else Block(after, mode=Mode.SILENT)
    header, body = text[start:message], message + len(_MESSAGE)
    recipient, channel = _RECIPIENT.search(header), _CHANNEL.search(header)
    if recipient is not None and recipient[1] != "assistant":
        return _addressed(text, recipient[1], body, context)
    return Block(body, mode=_CHANNELS.get(channel[1] if channel else "final", Mode.SILENT))


def _addressed(text: str, recipient: str, body: int, context: Context) -> Block:
    """Return the call that a message to a tool is; what goes to others is not for the user."""
    space = _SPACE.match(text, body)
    position = space.end() if space else body
    tool = recipient.removeprefix("functions.")
    if tool == recipient:
        return Block(body, mode=Mode.SILENT)
    if position == len(text):
        return INCOMPLETE
    if text[position] != "{":
        return Block(body, mode=Mode.SILENT)
    block = object_arguments(text, tool, position, context)
    # The channel is no thought, though it follows one.
    calls = tuple(replace(call, thought=False) for call in block.calls)
    return Block(block.end, calls, mode=Mode.SILENT)
