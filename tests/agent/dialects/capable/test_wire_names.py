"""Tests of the tool names on the wire."""

import re

import pytest

from custom_components.chatterbox.agent.dialects.capable.wire_names import rename, wire_names
from custom_components.chatterbox.agent.messages import Message
from tests.agent.builders import call, request, tool

LONG = f"a.very{'_long' * 20}_name"


def test_accepted_names_are_not_replaced() -> None:
    assert wire_names(["look", "assist__HassTurnOn", "x" * 64, "a-b"]) == {}


@pytest.mark.parametrize("name", [LONG, "x" * 65, "light.turn_on", "größe", "_" * 70])
def test_replacement_has_at_most_64_allowed_characters(name: str) -> None:
    [(original, replacement)] = wire_names([name, "look"]).items()
    assert original == name
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", replacement)


def test_names_that_differ_in_their_beginning_have_different_replacements() -> None:
    names = [f"{letter}{'_long' * 20}" for letter in "abc"]
    assert len(set(wire_names(names).values())) == 3


def test_tools_and_calls_of_the_history_are_renamed() -> None:
    names = wire_names([LONG])
    messages = [
        Message.user("Hello?"),
        Message.assistant(None, [call(LONG, "1"), call("look", "2")]),
        Message.assistant(None, [call("look", "3")]),
    ]
    asked = request(messages, [tool(LONG), tool("look")])
    sent = rename(asked, names)
    assert [each.name for each in sent.tools] == [names[LONG], "look"]
    assert [made.name for made in sent.messages[1].tool_calls] == [names[LONG], "look"]
    assert sent.messages[::2] == asked.messages[::2]
    assert rename(asked, {}) is asked
