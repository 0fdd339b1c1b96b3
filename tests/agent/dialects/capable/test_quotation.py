"""Tests of the tracker of code fences and quotations."""

import pytest

from custom_components.chatterbox.agent.dialects.capable.quotation import LineTracker
from tests.agent.dialects.answer_reader import read
from tests.agent.dialects.sample_calls import MARKED

KITCHEN = [("intent__HassTurnOn", {"name": "Kitchen"})]


def test_call_may_follow_a_closed_fence_or_quotation() -> None:
    for before in (
        "```\ncode\n```\n",
        "````\n```\n````\n",
        'She said "hello" and `x`.\n',
        'A 5" screen.\n',
        "Sie sagte „hallo“ und «bonjour».\n",
        "It's Anna's.\n",
    ):
        assert read(f"{before}{MARKED['hermes']}").calls == KITCHEN, before


def tracker(text: str) -> LineTracker:
    """Return a tracker that has followed a text."""
    line = LineTracker()
    line.follow(text)
    return line


@pytest.mark.parametrize("text", ["", "\n", "   ", "Text.\n", "Text.\n  ", "```\ncode\n```\n"])
def test_block_may_begin_at_the_beginning_of_a_line(text: str) -> None:
    assert tracker(text).may_begin_block


@pytest.mark.parametrize(
    "text",
    [
        "Text ",
        "\t",
        "    ",
        "```json\n",
        "> ~~~\n",
        "- ```\n  code\n",
        "````\n```\n",
        "He said “\n",
        "The literal `\n",
        "„Schau:\n",
        "Write <tool_call> like this:\n",
    ],
)
def test_block_begins_neither_behind_text_nor_in_a_fence_or_quotation(text: str) -> None:
    assert not tracker(text).may_begin_block


def test_line_that_has_begun_with_text_is_no_place_for_a_block() -> None:
    line = tracker("")
    line.begin()
    assert not line.may_begin_block
    line.follow("\n")
    assert line.may_begin_block


def test_fence_is_closed_by_one_of_at_least_its_length() -> None:
    line = tracker("````\n")
    assert line.in_fence
    line.follow("```\n")
    assert line.in_fence
    line.follow("`````\n")
    assert not line.in_fence


def test_start_token_within_a_block_is_no_mention() -> None:
    line = tracker("")
    line.follow("<tool_call><tool_call>", is_block=True)
    line.follow("\n")
    assert line.may_begin_block
