"""Parsing of single blocks of tool calls."""

import pytest

from custom_components.chatterbox.agent.dialects.parsing.cursor import Cursor, IncompleteBlock
from custom_components.chatterbox.agent.dialects.parsing.families import BLOCK_STARTS, BLOCKS
from custom_components.chatterbox.agent.dialects.parsing.pieces import ParsedCall

TYPED = ParsedCall("HassTurnOn", {"name": "Kitchen"})
"""The sample call in a format with types."""
UNTYPED = ParsedCall("HassTurnOn", {"name": "Kitchen"}, typed=False)
"""The sample call in a format without types."""


def parse_block(text: str, *, final: bool = True) -> tuple[list[ParsedCall], str]:
    """Return the calls of the block at the beginning of a text, and the text behind the block."""
    start = BLOCK_STARTS.pattern.match(text)
    assert start is not None
    cursor = Cursor(text, start.end(), final)
    calls = BLOCKS[start.group()](cursor)
    return calls, text[cursor.position :]


def assert_waits_for_rest(text: str) -> None:
    """Assert that no part of a streamed block is parsed before the block is complete."""
    start = BLOCK_STARTS.pattern.match(text)
    assert start is not None
    for end in range(start.end(), len(text)):
        with pytest.raises(IncompleteBlock):
            parse_block(text[:end], final=False)
