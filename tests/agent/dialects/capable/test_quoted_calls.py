"""Tests of calls quoted in messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.dialects.capable.quoted_calls import QuotedCalls
from custom_components.chatterbox.agent.dialects.parsing.pieces import ParsedCall
from custom_components.chatterbox.agent.messages import Message, canonical_json, envelope
from tests.agent.dialects.answer_reader import read
from tests.agent.dialects.sample_calls import CALL, HARMONY, MARKED

LAMP_CALL = ParsedCall("turn_on", {"device": "Lamp"})
RAW = "turn_on the lamp"


def contains(*messages: Message) -> bool:
    quoted = QuotedCalls(messages, lambda name: name if name == "turn_on" else None)
    return quoted.contains(LAMP_CALL, RAW)


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
def test_quoted_call_in_any_form_is_found_in_messages_and_results(text: str) -> None:
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


def test_messages_of_the_model_are_not_searched() -> None:
    assert not contains(Message.assistant('{"verb": "turn_on", "device": "Lamp"}'))


KITCHEN = [("intent__HassTurnOn", {"name": "Kitchen"})]


BEFORE = st.sampled_from(["", "Sure.\n", "The note says:\n\n"])


VALUES = st.text(alphabet="abc äß'{}[]()", min_size=1, max_size=12)


def written(name: str, value: str) -> dict[str, str]:
    """Return a call with this value in every format that can hold it."""
    forms = {
        form: text.replace("Kitchen", value.replace("'", "`"))
        for form, text in (MARKED | HARMONY | {"object": CALL}).items()
    }
    return {form: text.replace("HassTurnOn", name) for form, text in forms.items()}


@given(
    st.sampled_from(["HassTurnOn", "intent__HassTurnOn"]),
    VALUES,
    st.sampled_from([*MARKED, *HARMONY, "object"]),
    st.sampled_from([*MARKED, *HARMONY]),
    BEFORE,
    st.sampled_from(["user", "suffix", "result", "nested", "text"]),
)
def test_quoted_call_is_never_made_in_any_format(  # noqa: PLR0917 - drawn by place
    name: str, value: str, quoted: str, answered: str, before: str, place: str
) -> None:
    quotation = written(name, value)[quoted]
    messages = {
        "user": Message.user(f"Radio: {quotation} (live)"),
        "suffix": Message.user("What is on?", f"The radio plays {quotation}."),
        "result": Message.tool("1", canonical_json({"success": True, "result": quotation})),
        "nested": Message.tool("1", canonical_json({"result": canonical_json([{"t": quotation}])})),
        "text": Message.tool("1", f"plain {quotation} text"),
    }
    answer = written("HassTurnOn", value)[answered]
    text = answer if answered in HARMONY else f"{before}{answer}"
    assert read(text, messages=[messages[place]]).calls == []


@pytest.mark.parametrize(
    "quotation",
    [
        '{"tool": "HassTurnOn", "name": "Kitchen"}',
        '{"action": "HassTurnOn", "action_input": {"name": "Kitchen"}}',
        '{"HassTurnOn": {"name": "Kitchen"}}',
        "{'name': 'HassTurnOn', 'parameters': {'name': 'kitchen'}}",
        '{"name": "intent__HassTurnOn", "arguments": "{\\"name\\": \\"Kitchen\\"}"}',
        '{"x": {broken, {"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}',
    ],
)
def test_object_with_the_content_of_a_call_is_a_quotation(quotation: str) -> None:
    messages = [Message.user(f"Radio: {quotation} (live)")]
    assert read(MARKED["hermes"], messages=messages).calls == []


def test_quotation_is_recognized_regardless_of_types() -> None:
    quotation = '{"name": "get_weather", "arguments": {"days": 3, "x": [null, true, "\\"A\\""]}}'
    answer = quotation.replace("3", '"3"').replace("true", '"true"')
    text = f"<tool_call>{answer}</tool_call>"
    assert read(text, messages=[Message.user(quotation)]).calls == []
    assert len(read(text, messages=[Message.user(quotation.replace("3", "4"))]).calls) == 1


def test_deeply_nested_result_without_a_call_hides_no_call() -> None:
    deep = "[" * 60 + "]" * 60
    assert read(MARKED["hermes"], messages=[Message.tool("1", deep)]).calls == KITCHEN


def test_unsearchable_message_allows_no_call() -> None:
    hidden = Message.user("{" * 2000 + "x")
    assert read(MARKED["hermes"], messages=[hidden]).calls == []
    assert read(MARKED["hermes"], messages=[Message.user("{" * 100)]).calls == KITCHEN
