"""Validation of message histories."""

from typing import Any

import pytest

from . import history_problems

SYSTEM = {"role": "system", "content": "You are a voice."}
USER = {"role": "user", "content": "turn it on"}
SAID = {"role": "assistant", "content": "It is on."}


def calling(*ids: str, arguments: str = "{}") -> dict[str, Any]:
    """Return a message that calls tools."""
    calls = [
        {"id": name, "type": "function", "function": {"name": "tool", "arguments": arguments}}
        for name in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(name: str) -> dict[str, Any]:
    """Return the result of a call."""
    return {"role": "tool", "tool_call_id": name, "content": '{"success": true}'}


@pytest.mark.parametrize(
    "messages",
    [
        [SYSTEM, USER],
        [SYSTEM, USER, SAID, USER],
        [SYSTEM, USER, calling("a", "b"), result("a"), result("b")],
        [SYSTEM, USER, calling("a"), result("a"), calling("b"), result("b"), SAID, USER],
    ],
)
def test_valid_history_has_no_problems(messages: list[dict[str, Any]]) -> None:
    """A conversation in good order has no problems."""
    assert history_problems(messages) == []


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ([USER], "system message"),
        ([SYSTEM, USER, SYSTEM, USER], "system message"),
        ([SYSTEM, USER, SAID], "last message"),
        ([SYSTEM, USER, USER], "user after user"),
        ([SYSTEM, SAID, USER], "assistant after system"),
        ([SYSTEM, USER, SAID, SAID, USER], "assistant after assistant"),
        ([SYSTEM, USER, calling("a"), result("a"), USER], "user after tool"),
        ([SYSTEM, USER, calling("a"), USER], "before the results"),
        ([SYSTEM, USER, calling("a", "b"), result("a")], "never answered"),
        ([SYSTEM, USER, calling("a", "b"), result("b"), result("a")], "expected"),
        ([SYSTEM, USER, calling("a"), result("a"), result("a")], "expected"),
        ([SYSTEM, USER, SAID, result("a"), SAID, USER], "tool after assistant"),
        ([SYSTEM, USER, calling("a", "a"), result("a"), result("a")], "no ids"),
        ([SYSTEM, USER, calling(""), result("")], "no ids"),
        ([SYSTEM, USER, calling("a", arguments="{"), result("a")], "no object"),
        ([SYSTEM, USER, calling("a", arguments="[]"), result("a")], "no object"),
        ([SYSTEM, USER, {"role": "assistant", "content": ""}, USER], "says and does nothing"),
        ([SYSTEM, USER, {"role": "assistant", "content": "Error: no"}, USER], "an error"),
        ([SYSTEM, {"role": "user", "content": ""}], "is empty"),
    ],
)
def test_invalid_history_has_a_problem(messages: list[dict[str, Any]], problem: str) -> None:
    """Each disorder is named."""
    assert any(problem in found for found in history_problems(messages))
