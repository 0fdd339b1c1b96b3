"""Tests of the incremental scanner: text, reasoning and blocks of calls."""

import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agent.dialects.answer_reader import passed_so_far, read
from tests.agent.dialects.sample_calls import MARKED, UNMARKED

KITCHEN = [("intent__HassTurnOn", {"name": "Kitchen"})]


@pytest.mark.parametrize("form", MARKED)
def test_marked_block_is_a_call(form: str) -> None:
    text = MARKED[form]
    for before in ("", "I will see to it.\n", "One.\n\n  "):
        reading = read(f"{before}{text}")
        assert reading.calls == KITCHEN
        assert reading.text == before
        assert reading.result.finish_reason == "tool_calls"
        assert reading.result.content == (before or None)


@pytest.mark.parametrize("form", MARKED)
def test_marked_block_is_a_call_for_any_split_of_the_stream(form: str) -> None:
    text = f"Well: one moment.\n{MARKED[form]}\nIt is on."
    for place in range(1, len(text)):
        reading = read([text[:place], text[place:]])
        assert (reading.calls, reading.text) == (KITCHEN, "Well: one moment.\n"), place
    assert read(list(text)).calls == KITCHEN


@pytest.mark.parametrize("form", UNMARKED)
def test_unmarked_text_passes_byte_for_byte(form: str) -> None:
    text = UNMARKED[form]
    for before, pieces in product(("", "So:\n"), (1, len(text) + 10)):
        whole = f"{before}{text}".lstrip() if before else text.lstrip()
        cut = [whole[start : start + pieces] for start in range(0, len(whole), pieces)]
        reading = read(cut)
        assert reading.calls == []
        assert reading.text == whole
        assert reading.result.content == whole
        assert reading.result.finish_reason == "stop"


def test_indented_block_at_the_start_is_a_call() -> None:
    assert read(f"\n   {MARKED['hermes']}").calls == KITCHEN


def test_several_blocks_are_several_calls() -> None:
    weather = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'
    wanted = [*KITCHEN, ("get_weather", {"city": "Oslo"})]
    for between in ("", "\n", "\n\n"):
        assert read(f"{MARKED['hermes']}{between}{weather}").calls == wanted
    lines = '<|python_tag|>{"name": "HassTurnOn", "parameters": {"name": "Kitchen"}}'
    more = '{"name": "get_weather", "parameters": {"city": "Oslo"}}'
    assert read(f"{lines}; {more}").calls == wanted
    functions = "<function=HassTurnOn><parameter=name>Kitchen</parameter></function>"
    other = "<function=get_weather><parameter=city>Oslo</parameter></function>"
    assert read(f"<tool_call>{functions}{other}</tool_call>").calls == wanted
    listed = "[HassTurnOn(name='Kitchen'), get_weather(city='Oslo')]"
    assert read(f"<|python_start|>{listed}<|python_end|>").calls == wanted


def test_call_without_arguments() -> None:
    for text in (
        '<invoke name="get_weather"/>',
        "<tool_call>get_weather</tool_call>",
        '<tool_call>{"name": "get_weather"}</tool_call>',
        "<|python_start|>[get_weather()]<|python_end|>",
    ):
        assert read(text).calls == [("get_weather", {})]


@given(st.text(alphabet="{}[]()<>|/\"'`\\ \n=:,abtool_call｜", max_size=60), st.data())
def test_result_does_not_depend_on_the_split_of_the_stream(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    whole = read(text)
    for pieces in ([text[:place], text[place:]], list(text)):
        reading = read(pieces)
        assert (reading.text, reading.reasoning, reading.calls) == (
            whole.text,
            whole.reasoning,
            whole.calls,
        )


MARKS = ["<think>", "</think>", "Fine.", "{", "```", "<tool_call>", "\n", " ", '"', "<|im_end|>"]


@given(st.lists(st.sampled_from([*MARKED.values(), *UNMARKED.values(), *MARKS]), max_size=5))
def test_mixed_formats_do_not_depend_on_the_split_of_the_stream(parts: list[str]) -> None:
    text = "".join(parts)
    for learned in (False, True):
        whole = read(text, starts_thinking=learned)
        pieces = read(list(text), starts_thinking=learned)
        assert (pieces.text, pieces.calls) == (whole.text, whole.calls)
        assert pieces.reasoning == whole.reasoning


@given(st.text(alphabet="abc .,\n\"'*-", max_size=80))
def test_plain_text_passes_byte_for_byte(text: str) -> None:
    assert read(list(text)).text == text.lstrip()


def test_plain_text_is_passed_on_without_delay() -> None:
    for text in (
        "The light is on, and 2 < 3. So {x} is [y].",
        "从前有一个小村庄，村里住着一位老人。",
        "กาลครั้งหนึ่งนานมาแล้ว",
    ):
        for end in range(1, len(text) + 1):
            # Only what may become an end token waits for the next character.
            assert passed_so_far(text[:end]) == text[:end].removesuffix("<")


@pytest.mark.parametrize(
    "token", ["<|im_end|>", "<｜end▁of▁sentence｜>", "</s>\n", "<|eot_id|><|im_end|>", "<turn|> "]
)
def test_end_token_is_dropped_only_at_the_end(token: str) -> None:
    for pieces in ([f"It is done.{token}"], list(f"It is done.{token}")):
        assert read(pieces).text == "It is done."
    assert read(f"It is done.\n{token}").text == "It is done.\n"
    assert read(f"It is done.{token}user: thanks").text == f"It is done.{token}user: thanks"


def test_end_of_response_token_may_precede_calls() -> None:
    text = f"Sure.<|close|>response<|sep|>{MARKED['kimi 3']}<|close|>message<|sep|>"
    for pieces in ([text], list(text)):
        reading = read(pieces)
        assert (reading.calls, reading.text) == (KITCHEN, "Sure.")
    assert read(f"Sure.<|im_end|>{MARKED['hermes']}").calls == []


def test_long_answers_take_linear_time() -> None:
    pieces = 20_000
    for text in (
        ["<tool_call>a<arg_key>" * pieces],
        ["<tool_call>a<arg_key>" + " " * pieces],
        ["[TOOL_CALLS]" * pieces],
        ["word "] * pieces,
        list("<tool_call>[" + "[1]," * pieces),
        ["<|im_end|>" * pieces],
        list("<|channel|>commentary to=functions.x<|message|>{" + "1, " * pieces),
    ):
        begun = time.process_time()
        read(text)
        assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("<think>", "</think>"),
        ("[THINK]", "[/THINK]"),
        ("<thought>", "</thought>"),
        ("◁think▷", "◁/think▷"),
        ("<|channel>thought\n", "<channel|>"),
    ],
)
def test_reasoning_opens_only_at_the_beginning(opening: str, closing: str) -> None:
    text = f"\n {opening}One {MARKED['hermes']} </b>.{closing}\nHello. {opening}Two.{closing}"
    for pieces in ([text], list(text)):
        reading = read(pieces)
        assert reading.reasoning.strip() == f"One {MARKED['hermes']} </b>."
        assert reading.text == f"Hello. {opening}Two.{closing}"
        assert reading.calls == []
        assert reading.unopened is False


def test_call_may_directly_follow_the_reasoning() -> None:
    assert read(f"<think>Hm.</think>{MARKED['hermes']}").calls == KITCHEN


def test_unclosed_reasoning_leaves_an_empty_answer() -> None:
    for reason in ("stop", "length"):
        reading = read("<think>I wonder", finish_reason=reason)
        assert (reading.text, reading.reasoning) == ("", "I wonder")
        assert reading.result.content is None
