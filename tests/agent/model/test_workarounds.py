"""Tests of the table of workarounds: its errors, and the requests they concern."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.messages import Message, ToolCall
from custom_components.chatterbox.agent.model.rejections import apply_workaround, find_workaround
from tests.agent.sample_tools import TOOLS

CALLS = [
    ToolCall(id=f"call_{number}_{'x' * 20}", name="get_weather", arguments={}) for number in (1, 2)
]


MESSAGES = [
    Message.system("Be brief."),
    Message.user("Weather?"),
    Message.assistant(None, CALLS),
    *(Message.tool(call.id, '{"success":true}') for call in CALLS),
]


@pytest.mark.parametrize(
    ("message", "request_keys", "refused"),
    [
        ("'temperature' does not fit", ["temperature"], "temperature"),
        ("'temperature' does not fit", ["max_tokens"], None),
        (
            "use max_tokens, not max_completion_tokens",
            ["max_completion_tokens"],
            "max_completion_tokens",
        ),
        ("max_tokens is not known", ["max_completion_tokens"], None),
        ("messages are wrong", ["temperature"], None),
    ],
)
def test_workaround_concerns_a_part_of_the_request(
    message: str, request_keys: list[str], refused: str | None
) -> None:
    """An error may name a parameter that the request does not have."""
    body = {"messages": [], **dict.fromkeys(request_keys, 1)}
    workaround = find_workaround(message, body)
    assert (workaround.quirk if workaround else None) == refused


BODY: dict[str, Any] = {
    "messages": [message.to_wire() for message in MESSAGES],
    "tools": TOOLS,
    "temperature": 0.7,
    "stream": True,
}


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("error reading input stream", None),
        ("system error, please try again", None),
        ("For more information, see the manual", None),
        ("streaming is not supported", "stream"),
        ("stream: this organization must be verified to do so", "stream"),
        ("This model does not support stream", "stream"),
        ("tools cannot be used with stream", "stream with tools"),
        ("System role not supported", "role tool"),
        ("Developer instruction is not enabled", "system role"),
        ("messages.2.content\n  Input should be a valid string", "null content"),
        ("'format' is not a known keyword", "schema keywords"),
        ("Failed to parse messages: Expected 'content' to be a string", "null content"),
        ("Failed to parse input: 'content' is null", "null content"),
        ("Failed to parse a tool call: wrong format", None),
        ("Tool call validation failed: parameters for tool x did not match schema", None),
        ("attempted to call tool 'foo' which was not in request.tools", None),
    ],
)
def test_error_text_selects_the_workaround(text: str, refused: str | None) -> None:
    assert apply_workaround(400, text, dict(BODY), ()) == refused


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("messages: content must be a string, got null", "null content"),
        ("the schema is wrong", None),
        ("does not match the expected peg-native format", None),
        ("failed to parse a tool call: content missing", None),
    ],
)
def test_server_error_has_few_workarounds(text: str, refused: str | None) -> None:
    assert apply_workaround(500, text, dict(BODY), ()) == refused
