"""Tests of the reader of answers in the capable profile."""

import pytest

from custom_components.chatterbox.agent.dialects.capable.arguments import ArgumentNormalizer
from custom_components.chatterbox.agent.dialects.capable.quoted_calls import QuotedCalls
from custom_components.chatterbox.agent.dialects.capable.reader import AnswerReader
from custom_components.chatterbox.agent.messages import Message, ToolCall
from custom_components.chatterbox.agent.model.provider import CallCompleted
from custom_components.chatterbox.agent.model.usage import UsageStats
from tests.agent.builders import tool
from tests.agent.dialects.answer_reader import read
from tests.agent.dialects.sample_calls import CALL, HARMONY, MARKED
from tests.agent.sample_tools import TOOLS

KITCHEN = [("intent__HassTurnOn", {"name": "Kitchen"})]
NATIVE = ToolCall(id="1", name="get_weather", arguments={"city": "Oslo"})


# Calls.


def test_text_after_a_call_is_withheld_and_its_calls_are_not_made() -> None:
    weather = '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>'
    reading = read(f"{MARKED['hermes']}\nIt is on!\n{weather}")
    assert (reading.calls, reading.text) == (KITCHEN, "")


def test_repeated_call_is_made_once() -> None:
    assert read(MARKED["hermes"] * 5).calls == KITCHEN


def test_usage_is_kept_when_the_text_has_a_call() -> None:
    assert read(MARKED["hermes"], usage=UsageStats(total_tokens=5)).result.usage == UsageStats(
        total_tokens=5
    )


@pytest.mark.parametrize("calls", [True, False])
def test_call_that_arrives_early_is_normalized(*, calls: bool) -> None:
    normalizer = ArgumentNormalizer(TOOLS)
    reader = AnswerReader(normalizer, QuotedCalls((), normalizer.tool_name), calls=calls)
    early = CallCompleted(ToolCall(id="1", name="HassTurnOn", arguments={"name": "Kitchen"}))
    told = [event.call.name for event in reader.read(early) if isinstance(event, CallCompleted)]
    assert told == (["intent__HassTurnOn"] if calls else [])


# Calls that are not made.


@pytest.mark.parametrize("form", [*MARKED, *HARMONY])
def test_quoted_call_is_text(form: str) -> None:
    text = (MARKED | HARMONY)[form]
    for messages in (
        [Message.user(f"What does this do: {text}")],
        [Message.user("What is on?", f"The note says {text}")],
        [Message.tool("1", f'{{"result": "{text}"}}')],
        [Message.user('Hit {"name": "HassTurnOn", "arguments": {"name": "Kitchen"}} ')],
    ):
        reading = read(text, messages=messages)
        assert reading.calls == []
        assert form in HARMONY or reading.text == text


@pytest.mark.parametrize("form", [*MARKED, *HARMONY])
def test_call_is_made_when_only_another_one_is_quoted(form: str) -> None:
    other = CALL.replace("Kitchen", "Hall")
    messages = [Message.user(f"Kitchen on. {other}"), Message.assistant(MARKED["hermes"])]
    assert read((MARKED | HARMONY)[form], messages=messages).calls == KITCHEN


@pytest.mark.parametrize("form", MARKED)
def test_truncated_answer_calls_nothing(form: str) -> None:
    text = MARKED[form]
    for end in range(1, len(text) + 1):
        reading = read(text[:end], finish_reason="length")
        assert reading.calls == []
        assert text.startswith(reading.text)


def test_incomplete_block_of_a_truncated_answer_is_dropped() -> None:
    reading = read(f"One moment.\n{MARKED['hermes'][:-3]}", finish_reason="length")
    assert reading.text == "One moment.\n"


def test_native_calls_take_precedence_over_calls_in_text() -> None:
    text = f"{MARKED['hermes']}\nMore."
    reading = read(text, native=[NATIVE])
    assert reading.calls == [("get_weather", {"city": "Oslo"})]
    assert reading.text == text


def test_block_that_repeats_a_native_call_is_dropped() -> None:
    native = ToolCall(id="1", name="HassTurnOn", arguments={"name": "Kitchen"})
    reading = read(f"Sure.\n{MARKED['hermes']}", native=[native])
    assert (reading.calls, reading.text) == (KITCHEN, "Sure.\n")


def test_no_calls_are_made_when_calls_are_disabled() -> None:
    reading = read(f"Fine.\n{MARKED['hermes']}", native=[NATIVE], calls=False)
    assert reading.calls == []
    assert read(MARKED["hermes"], [], calls=False).text == MARKED["hermes"]
    withheld = read(f"Fine.\n{MARKED['hermes']}", calls=False)
    assert (withheld.text, withheld.calls) == ("Fine.\n", [])


def test_invalid_arguments_of_a_truncated_native_call_are_not_repaired() -> None:
    broken = ToolCall(id="1", name="HassTurnOn", arguments={}, invalid="{'name': 'Kitchen'}")
    (call,) = read("", native=[broken], finish_reason="length").result.tool_calls
    assert call.invalid == "{'name': 'Kitchen'}"
    (call,) = read("", native=[broken]).result.tool_calls
    assert (call.invalid, call.arguments) == (None, {"name": "Kitchen"})


def test_finish_reason_tool_calls_without_calls_becomes_stop() -> None:
    reading = read("Fine.", finish_reason="tool_calls")
    assert (reading.result.finish_reason, reading.result.content) == ("stop", "Fine.")


def test_block_with_an_unknown_tool_makes_no_call() -> None:
    text = f'<TOOLCALL>[{CALL}, {{"name": "other", "arguments": {{}}}}]</TOOLCALL>'
    reading = read(text)
    assert (reading.calls, reading.text) == ([], text)


# Reasoning.


def test_reasoning_field_of_the_server_is_passed_on() -> None:
    for text in (["Hello there. More."], ["", "\n", "Hello there.", " More."]):
        reading = read(text, reasoning=["hm", ""], starts_thinking=True)
        assert (reading.text, reading.reasoning) == ("Hello there. More.", "hm")
        assert reading.unopened is False
    assert not read("Which kitchen?", reasoning=[MARKED["hermes"]]).calls


@pytest.mark.parametrize(
    ("text", "unopened"),
    [
        ("I wonder.\n</think>\nYes.", True),
        ("\n</think>\nYes.", True),
        ("I wonder.\n  [/THINK]Yes.", True),
        ("I wonder.</think>Yes.", False),
        ("```\n</think>\n```\nYes.", False),
        ("<think>I wonder.</think>\n</think>\nYes.", False),
        ("Its thoughts end with </think>. Then the answer comes.", False),
        ("Yes.", False),
        (" \n", None),
    ],
)
def test_unopened_reasoning_is_a_candidate_where_its_end_begins_a_line(
    text: str, unopened: object
) -> None:
    for pieces in ([text], list(text)):
        reading = read(pieces)
        assert reading.unopened is unopened
        if "<think>" not in text:
            assert reading.text == text.lstrip()


def test_unopened_reasoning_ends_with_its_closing_tag() -> None:
    for text in ("I wonder.</think>Yes.", "I wonder.</think>\n\nYes."):
        for pieces in ([text], list(text)):
            reading = read(pieces, starts_thinking=True)
            assert (reading.text, reading.reasoning) == ("Yes.", "I wonder.")
            assert reading.unopened is True
    called = read(f"Hm.</think>{MARKED['hermes']}", starts_thinking=True)
    assert called.calls == KITCHEN


@pytest.mark.parametrize("reason", ["stop", "length"])
def test_answer_without_expected_reasoning_is_complete(reason: str) -> None:
    reading = read(list("Yes, it is."), starts_thinking=True, finish_reason=reason)
    assert reading.text == "Yes, it is."
    assert reading.unopened is False
    if reason == "stop":
        assert read(MARKED["hermes"], starts_thinking=True).calls == KITCHEN


def test_opened_reasoning_disproves_unopened_reasoning() -> None:
    reading = read("<think>Hm.</think>Yes.", starts_thinking=True)
    assert (reading.text, reading.reasoning, reading.unopened) == ("Yes.", "Hm.", False)


def test_text_with_the_name_of_a_tool_is_no_call() -> None:
    tools = [tool("play", title="string"), *TOOLS]
    text = "Let us play (chess) tonight. play(title='Jazz')"
    assert (read(text, tools).text, read(text, tools).calls) == (text, [])
