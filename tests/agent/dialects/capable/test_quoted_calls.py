"""Calls that stand in messages."""

import pytest

from custom_components.chatterbox.agent.dialects.capable.quoted_calls import QuotedCalls
from custom_components.chatterbox.agent.dialects.parsing.pieces import ParsedCall
from custom_components.chatterbox.agent.messages import Message, envelope

CALL = ParsedCall("turn_on", {"device": "Lamp"})
RAW = "turn_on the lamp"


def contains(*messages: Message) -> bool:
    quoted = QuotedCalls(messages, lambda name: name if name == "turn_on" else None)
    return quoted.contains(CALL, RAW)


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "turn_on", "arguments": {"device": "Lamp"}}',
        '{"verb": "turn_on", "device": "lamp"}',
        '{"topic": "home", "do": [{"device": "Lamp", "verb": "turn_on"}]}',
        '{"turn_on": {"device": "Lamp"}}',
        'turn_on(device="Lamp")',
        'turn_on( and turn_on(device="Lamp")',
        'The call turn_on with {"device": "Lamp"}',
        "Please turn_on  the\nlamp!",
    ],
)
def test_call_in_any_form_is_found_in_messages_and_results(text: str) -> None:
    assert contains(Message.user(text))
    assert contains(Message.tool("1", envelope([{"summary": text}], error=False)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Turn on the lamp",
        '{"verb": "turn_off", "device": "Lamp"}',
        '{"verb": "turn_on", "device": "Lamp", "brightness": 5}',
        'turn_on(device="Lamp',
        "turn_on {",
        "turn_on",
    ],
)
def test_another_call_is_not_found(text: str) -> None:
    assert not contains(Message.user(text))


def test_what_the_model_has_said_is_not_searched() -> None:
    assert not contains(Message.assistant('{"verb": "turn_on", "device": "Lamp"}'))
