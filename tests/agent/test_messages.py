"""Tests of messages, tool calls and definitions, and their wire form."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.messages import (
    Message,
    Role,
    ToolAnnotations,
    ToolCall,
    ToolDefinition,
    ToolResult,
    canonical_json,
    envelope,
    replace_lone_surrogates,
)
from tests.agent.builders import call

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
json_objects = st.dictionaries(st.text(), json_values, max_size=4)
tool_calls = st.builds(
    ToolCall, id=st.text(min_size=1), name=st.text(), arguments=json_objects, invalid=st.none()
)
any_message = (
    st.builds(Message.system, st.text())
    | st.builds(Message.user, st.text())
    | st.builds(Message.assistant, st.text())
    | st.builds(
        Message.assistant, st.none() | st.text(), st.lists(tool_calls, min_size=1, max_size=3)
    )
    | st.builds(Message.tool, st.text(), st.text())
)


# The wire.


@given(any_message)
def test_message_round_trips_through_json(message: Message) -> None:
    assert Message.from_wire(json.loads(json.dumps(message.to_wire()))) == message


@pytest.mark.parametrize(
    ("message", "wire"),
    [
        (Message.system("Be brief."), {"role": "system", "content": "Be brief."}),
        (Message.user("Hi"), {"role": "user", "content": "Hi"}),
        (Message.assistant("Hello."), {"role": "assistant", "content": "Hello."}),
        (
            Message.assistant(None, [call(where="here")]),
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "look", "arguments": '{"where":"here"}'},
                    }
                ],
            },
        ),
        (Message.assistant(None), {"role": "assistant", "content": ""}),
        (Message.tool("a", "{}"), {"role": "tool", "content": "{}", "tool_call_id": "a"}),
    ],
)
def test_message_has_only_the_keys_of_the_protocol(message: Message, wire: dict[str, Any]) -> None:
    """Content is null only beside calls."""
    assert message.to_wire() == wire


def test_unknown_keys_are_dropped() -> None:
    wire = {
        "role": "assistant",
        "content": "Hi.",
        "refusal": None,
        "reasoning_content": "Hm.",
        "tool_calls": None,
    }
    message = Message.from_wire(wire)
    assert message == Message.assistant("Hi.")
    assert message.to_wire().keys() == {"role", "content"}


def test_missing_content_is_none() -> None:
    """Servers leave out what is null."""
    wire = {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "look"}}]}
    assert Message.from_wire(wire) == Message.assistant(None, [call(call_id="a")])


def test_unknown_role_is_rejected() -> None:
    assert [role.value for role in Role] == ["system", "user", "assistant", "tool"]
    with pytest.raises(ValueError, match="developer"):
        Message.from_wire({"role": "developer", "content": "Hi"})


# Calls.


@pytest.mark.parametrize(
    ("written", "arguments", "invalid"),
    [
        ('{"a": 1}', {"a": 1}, None),
        ("", {}, None),
        (" \n", {}, None),
        ("{}", {}, None),
        ('{"a": ', {}, '{"a": '),
        ("[1]", {}, "[1]"),
        ('"a"', {}, '"a"'),
        ("null", {}, "null"),
        ("sure!", {}, "sure!"),
        ('{"a": ' + "[" * 40 + "]" * 40 + "}", {}, '{"a": ' + "[" * 40 + "]" * 40 + "}"),
        ('{"a": ' + "[" * 9_000 + "}", {}, '{"a": ' + "[" * 9_000 + "}"),
        ('{"a": [[{"b": {}}]]}', {"a": [[{"b": {}}]]}, None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_arguments_are_parsed_or_kept_as_invalid(
    written: str, arguments: dict[str, Any], invalid: str | None
) -> None:
    """Empty text is no arguments; anything but an object is kept as invalid."""
    parsed = ToolCall.parse("a", "look", written)
    assert parsed == ToolCall(id="a", name="look", arguments=arguments, invalid=invalid)


@given(st.text() | json_values.map(json.dumps) | st.text('{}[]":,\\u0d83 1e-'))
def test_call_with_any_arguments_can_be_sent(written: str) -> None:
    parsed = ToolCall.parse("a", "look", written)
    sent = parsed.to_wire()["function"]["arguments"]
    assert isinstance(json.loads(sent.encode()), dict)


def test_lone_surrogates_in_arguments_are_replaced() -> None:
    """A model can write them; no server and no file accepts them."""
    parsed = ToolCall.parse("a", "look", r'{"\ud83d": ["\ud83d\ude00", "\ude00"]}')
    assert parsed.arguments == {"\ufffd": ["😀", "\ufffd"]}


@pytest.mark.parametrize(
    ("text", "expected"), [("Grüße 😀", "Grüße 😀"), ("\ud83d\ude00", "😀"), ("a\ud83d", "a\ufffd")]
)
def test_lone_surrogates_are_replaced(text: str, expected: str) -> None:
    """Matching surrogates are joined."""
    assert replace_lone_surrogates(text) == expected


@given(json_objects)
def test_key_order_of_arguments_does_not_change_canonical_json(arguments: dict[str, Any]) -> None:
    turned = dict(reversed(arguments.items()))
    assert canonical_json(arguments) == canonical_json(turned)
    assert json.loads(canonical_json(arguments)) == arguments


def test_arguments_are_sent_in_the_order_of_the_model() -> None:
    """In the order in which the model wrote them: a server need not read them again."""
    call = ToolCall(id="1", name="look", arguments={"name": "Bed Light", "brightness": 5})
    wire = Message.assistant(None, [call]).to_wire()
    [again] = Message.from_wire(json.loads(canonical_json(wire))).tool_calls
    assert list(again.arguments) == ["name", "brightness"]
    assert again.to_wire() == call.to_wire()


def test_equivalent_calls_have_the_same_key() -> None:
    """Id, order of the arguments, repairs and question make no difference; all else does."""
    one = ToolCall(id="1", name="look", arguments={"where": "here", "days": 1})
    other = ToolCall(
        id="2",
        name="look",
        arguments={"days": 1, "where": "here"},
        repairs=("where",),
        question="Here?",
    )
    assert one.key == other.key
    assert one.key != replace(one, name="walk").key
    assert one.key != replace(one, arguments={"days": "1", "where": "here"}).key
    assert one.key != replace(one, invalid="{").key


def test_canonical_json_is_compact_and_sorted() -> None:
    """No spaces, sorted, in the user's letters; what JSON does not know becomes text."""
    assert canonical_json({"b": "ü", "a": {3.5}}) == '{"a":"{3.5}","b":"ü"}'


# Results.


@pytest.mark.parametrize(
    ("data", "error", "expected"),
    [
        ({"a": 1}, False, {"success": True, "result": {"a": 1}}),
        (None, False, {"success": True, "result": None}),
        (
            {"error": "no", "error_type": "timeout"},
            True,
            {"success": False, "error": "no", "error_type": "timeout"},
        ),
        ("no", True, {"success": False, "error": "no"}),
        ({"success": True, "error": "no"}, True, {"success": False, "error": "no"}),
    ],
)
def test_envelope_has_success_and_result_or_error(
    data: Any,
    error: bool,  # noqa: FBT001 - a parameter of the test
    expected: dict[str, Any],
) -> None:
    """Success and failure can be told apart by one key, whatever the tool returned."""
    assert json.loads(envelope(data, error=error)) == expected
    assert ToolResult(call=call(), data=data, error=error).content == envelope(data, error=error)


# Definitions.


def test_definition_is_sent_as_a_function() -> None:
    """The annotations are not sent."""
    definition = ToolDefinition(
        name="look",
        description="Looks.",
        annotations=ToolAnnotations(read_only=True),
    )
    assert definition.to_wire() == {
        "type": "function",
        "function": {
            "name": "look",
            "description": "Looks.",
            "parameters": {"type": "object", "properties": {}, "required": []},
        },
    }


def test_annotations_default_to_the_worst_case() -> None:
    assert ToolDefinition(name="a", description="A.").annotations == ToolAnnotations(
        read_only=False, destructive=True, idempotent=False, open_world=True
    )


def test_suffix_is_sent_in_brackets_behind_the_message() -> None:
    message = Message.user("Time?", "It is noon.")
    assert message.content == "Time?"
    assert message.to_wire() == {"role": "user", "content": "Time?\n\n(It is noon.)"}
    assert message.with_suffix("Be quick.").text == "Time?\n\n(It is noon. Be quick.)"
    assert Message.user("Time?").with_suffix("Be quick.").text == "Time?\n\n(Be quick.)"
