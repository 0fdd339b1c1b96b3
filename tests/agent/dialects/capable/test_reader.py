"""Answers of a capable model: what is a call, what is text, what is reasoning."""

import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.messages import Message, ToolCall, canonical_json
from custom_components.chatterbox.agent.model.usage import UsageStats
from tests.agent.builders import tool
from tests.agent.dialects.answer_reader import passed_so_far, read
from tests.agent.dialects.sample_calls import CALL, HARMONY, MARKED, UNMARKED
from tests.agent.sample_tools import TOOLS

KITCHEN = [("intent__HassTurnOn", {"name": "Kitchen"})]
NATIVE = ToolCall(id="1", name="get_weather", arguments={"city": "Oslo"})


# Calls.


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
def test_marked_block_is_a_call_however_it_is_cut(form: str) -> None:
    text = f"Well: one moment.\n{MARKED[form]}\nIt is on."
    for place in range(1, len(text)):
        reading = read([text[:place], text[place:]])
        assert (reading.calls, reading.text) == (KITCHEN, "Well: one moment.\n"), place
    assert read(list(text)).calls == KITCHEN


@pytest.mark.parametrize("form", HARMONY)
def test_harmony_message_to_a_function_is_a_call(form: str) -> None:
    reading = read(list(HARMONY[form]))
    assert (reading.calls, reading.text) == (KITCHEN, "")


@pytest.mark.parametrize("form", UNMARKED)
def test_everything_else_is_text_byte_for_byte(form: str) -> None:
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


def test_what_follows_a_call_is_withheld_and_calls_nothing() -> None:
    weather = '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>'
    reading = read(f"{MARKED['hermes']}\nIt is on!\n{weather}")
    assert (reading.calls, reading.text) == (KITCHEN, "")


def test_values_with_types_are_read_where_they_can_be() -> None:
    text = (
        '<｜DSML｜invoke name="get_weather"><｜DSML｜parameter name="days" string="false">{}'
        "</｜DSML｜parameter></｜DSML｜invoke>"
    )
    for value, read_value in (("3", 3), ("two days, a", "two days, a"), ("[1, ", "[1, ")):
        assert read(text.format(value)).calls == [("get_weather", {"days": read_value})]


def test_call_without_arguments() -> None:
    for text in (
        '<invoke name="get_weather"/>',
        "<tool_call>get_weather</tool_call>",
        '<tool_call>{"name": "get_weather"}</tool_call>',
        "<|python_start|>[get_weather()]<|python_end|>",
    ):
        assert read(text).calls == [("get_weather", {})]


def test_repeated_call_is_one_call() -> None:
    assert read(MARKED["hermes"] * 5).calls == KITCHEN


def test_usage_is_kept_where_the_text_has_a_call() -> None:
    assert read(MARKED["hermes"], usage=UsageStats(total_tokens=5)).result.usage == UsageStats(
        total_tokens=5
    )


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
def test_call_is_made_though_another_one_is_quoted(form: str) -> None:
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


@pytest.mark.parametrize("form", HARMONY)
def test_truncated_answer_of_gpt_oss_calls_nothing(form: str) -> None:
    text = HARMONY[form]
    for end in range(1, len(text) + 1):
        reading = read(text[:end], finish_reason="length")
        assert reading.calls == []
        assert "Kitchen" not in reading.text or end >= text.index("}")


def test_incomplete_block_of_a_truncated_answer_is_dropped() -> None:
    reading = read(f"One moment.\n{MARKED['hermes'][:-3]}", finish_reason="length")
    assert reading.text == "One moment.\n"


def test_calls_of_the_protocol_win() -> None:
    text = f"{MARKED['hermes']}\nMore."
    reading = read(text, native=[NATIVE])
    assert reading.calls == [("get_weather", {"city": "Oslo"})]
    assert reading.text == text


def test_block_that_the_server_made_a_call_of_is_no_text() -> None:
    native = ToolCall(id="1", name="HassTurnOn", arguments={"name": "Kitchen"})
    reading = read(f"Sure.\n{MARKED['hermes']}", native=[native])
    assert (reading.calls, reading.text) == (KITCHEN, "Sure.\n")


def test_nothing_is_called_where_no_calls_are_wanted() -> None:
    reading = read(f"Fine.\n{MARKED['hermes']}", native=[NATIVE], calls=False)
    assert reading.calls == []
    assert read(MARKED["hermes"], [], calls=False).text == MARKED["hermes"]
    withheld = read(f"Fine.\n{MARKED['hermes']}", calls=False)
    assert (withheld.text, withheld.calls) == ("Fine.\n", [])


def test_native_call_of_a_truncated_answer_has_to_be_valid_as_it_came() -> None:
    broken = ToolCall(id="1", name="HassTurnOn", arguments={}, invalid="{'name': 'Kitchen'}")
    (call,) = read("", native=[broken], finish_reason="length").result.tool_calls
    assert call.invalid == "{'name': 'Kitchen'}"
    (call,) = read("", native=[broken]).result.tool_calls
    assert (call.invalid, call.arguments) == (None, {"name": "Kitchen"})


def test_announced_calls_that_do_not_come_are_an_answer() -> None:
    reading = read("Fine.", finish_reason="tool_calls")
    assert (reading.result.finish_reason, reading.result.content) == ("stop", "Fine.")


def test_several_calls_in_a_block_are_made_only_if_all_may_be() -> None:
    text = f'<TOOLCALL>[{CALL}, {{"name": "other", "arguments": {{}}}}]</TOOLCALL>'
    reading = read(text)
    assert (reading.calls, reading.text) == ([], text)


# Text.


@given(st.text(alphabet="{}[]()<>|/\"'`\\ \n=:,abtool_call｜", max_size=60), st.data())
def test_result_does_not_depend_on_the_cuts(text: str, data: st.DataObject) -> None:
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
def test_no_mix_depends_on_the_cuts(parts: list[str]) -> None:
    text = "".join(parts)
    for learned in (False, True):
        whole = read(text, starts_thinking=learned)
        pieces = read(list(text), starts_thinking=learned)
        assert (pieces.text, pieces.calls) == (whole.text, whole.calls)
        assert pieces.reasoning == whole.reasoning


@given(st.text(alphabet="abc .,\n\"'*-", max_size=80))
def test_plain_text_passes_byte_for_byte(text: str) -> None:
    assert read(list(text)).text == text.lstrip()


def test_each_delta_of_plain_text_leaves_at_once() -> None:
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
def test_token_that_ends_an_answer_is_no_text(token: str) -> None:
    for pieces in ([f"It is done.{token}"], list(f"It is done.{token}")):
        assert read(pieces).text == "It is done."
    assert read(f"It is done.\n{token}").text == "It is done.\n"
    assert read(f"It is done.{token}user: thanks").text == f"It is done.{token}user: thanks"


def test_end_of_a_response_may_stand_before_the_calls() -> None:
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


# Reasoning.


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
def test_reasoning_opens_at_the_very_beginning(opening: str, closing: str) -> None:
    text = f"\n {opening}One {MARKED['hermes']} </b>.{closing}\nHello. {opening}Two.{closing}"
    for pieces in ([text], list(text)):
        reading = read(pieces)
        assert reading.reasoning.strip() == f"One {MARKED['hermes']} </b>."
        assert reading.text == f"Hello. {opening}Two.{closing}"
        assert reading.calls == []
        assert reading.unopened is False


def test_call_may_follow_the_reasoning_at_once() -> None:
    assert read(f"<think>Hm.</think>{MARKED['hermes']}").calls == KITCHEN


def test_reasoning_that_is_never_closed_is_no_answer() -> None:
    for reason in ("stop", "length"):
        reading = read("<think>I wonder", finish_reason=reason)
        assert (reading.text, reading.reasoning) == ("", "I wonder")
        assert reading.result.content is None


def test_reasoning_of_the_server_passes() -> None:
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


def test_learned_reasoning_ends_with_its_mark() -> None:
    for text in ("I wonder.</think>Yes.", "I wonder.</think>\n\nYes."):
        for pieces in ([text], list(text)):
            reading = read(pieces, starts_thinking=True)
            assert (reading.text, reading.reasoning) == ("Yes.", "I wonder.")
            assert reading.unopened is True
    called = read(f"Hm.</think>{MARKED['hermes']}", starts_thinking=True)
    assert called.calls == KITCHEN


@pytest.mark.parametrize("reason", ["stop", "length"])
def test_nothing_is_lost_where_a_model_does_not_think_this_time(reason: str) -> None:
    reading = read(list("Yes, it is."), starts_thinking=True, finish_reason=reason)
    assert reading.text == "Yes, it is."
    assert reading.unopened is False
    if reason == "stop":
        assert read(MARKED["hermes"], starts_thinking=True).calls == KITCHEN


def test_model_that_opens_its_reasoning_itself_is_unlearned() -> None:
    reading = read("<think>Hm.</think>Yes.", starts_thinking=True)
    assert (reading.text, reading.reasoning, reading.unopened) == ("Yes.", "Hm.", False)


# gpt-oss.


def test_channels_of_gpt_oss() -> None:
    text = (
        "<|channel|>analysis<|message|>Hm <|call|>.<|end|><|start|>assistant<|channel|>commentary"
        "<|message|>One moment.<|end|><|start|>assistant to=python<|channel|>commentary<|message|>"
        "print(1)<|end|><|start|>assistant<|channel|>final<|message|>"
        f"{MARKED['hermes']} is an example.<|return|>"
    )
    for pieces in ([text], list(text)):
        reading = read(pieces)
        assert reading.reasoning == "Hm <|call|>.print(1)"
        assert reading.text == f"One moment.{MARKED['hermes']} is an example."
        assert reading.calls == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<|channel|>" + "x" * 400, ""),
        ("<|channel|>", ""),
        ("<|start|>assistant<|end|>", ""),
        ("<|channel|>??<|end|><|start|>assistant<|channel|>final<|message|>Hi", "Hi"),
        ("<|channel|>what<|message|>Hi", "Hi"),
        ("<|start|>assistant<|message|>Hi < there", "Hi < there"),
        ("<|channel|>commentary to=functions.HassTurnOn<|message|>nonsense", ""),
        ("<|channel|>commentary to=functions.HassTurnOn<|message|>{'a' 'b'}", ""),
        ("<|channel|>commentary to=functions.HassTurnOn<|message|>", ""),
    ],
)
def test_malformed_messages_of_gpt_oss(text: str, said: str) -> None:
    for pieces in ([text], list(text)):
        reading = read(pieces)
        assert (reading.text, reading.calls) == (said, [])


# No quoted call is ever made.

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
def test_call_that_is_quoted_in_any_format_is_never_made(  # noqa: PLR0917 - drawn by place
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
def test_objects_that_mean_the_call_quote_it(quotation: str) -> None:
    messages = [Message.user(f"Radio: {quotation} (live)")]
    assert read(MARKED["hermes"], messages=messages).calls == []


def test_types_do_not_matter_for_a_quotation() -> None:
    quotation = '{"name": "get_weather", "arguments": {"days": 3, "x": [null, true, "\\"A\\""]}}'
    answer = quotation.replace("3", '"3"').replace("true", '"true"')
    text = f"<tool_call>{answer}</tool_call>"
    assert read(text, messages=[Message.user(quotation)]).calls == []
    assert len(read(text, messages=[Message.user(quotation.replace("3", "4"))]).calls) == 1


def test_deeply_nested_result_is_searched_without_end() -> None:
    deep = "[" * 60 + "]" * 60
    assert read(MARKED["hermes"], messages=[Message.tool("1", deep)]).calls == KITCHEN


def test_a_thousand_brackets_hide_no_call() -> None:
    hidden = Message.user("{" * 2000 + "x")
    assert read(MARKED["hermes"], messages=[hidden]).calls == []
    assert read(MARKED["hermes"], messages=[Message.user("{" * 100)]).calls == KITCHEN


def test_tool_may_be_named_like_a_word() -> None:
    tools = [tool("play", title="string"), *TOOLS]
    text = "Let us play (chess) tonight. play(title='Jazz')"
    assert (read(text, tools).text, read(text, tools).calls) == (text, [])
