"""Tests of the tracker of code fences and quotations."""

from tests.agent.dialects.answer_reader import read
from tests.agent.dialects.sample_calls import MARKED

KITCHEN = [("intent__HassTurnOn", {"name": "Kitchen"})]


def test_text_after_a_closed_fence_and_quotation_may_be_a_call() -> None:
    for before in (
        "```\ncode\n```\n",
        "````\n```\n````\n",
        'She said "hello" and `x`.\n',
        'A 5" screen.\n',
        "Sie sagte „hallo“ und «bonjour».\n",
        "It's Anna's.\n",
    ):
        assert read(f"{before}{MARKED['hermes']}").calls == KITCHEN, before
