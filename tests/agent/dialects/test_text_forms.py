"""Tests of calls in the text: one's own cases, by the descriptions of the formats."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.dialects.dialect import Plain
from custom_components.chatterbox.agent.dialects.reader import AnswerReader
from custom_components.chatterbox.agent.dialects.repair import Repairer
from custom_components.chatterbox.agent.messages import ToolCall
from custom_components.chatterbox.agent.provider import TextDelta

from .reading import TOOLS, WEATHER, read, tool

KITCHEN = [("intent__HassTurnOn", {"name": "Kitchen"})]
BOTH = [*KITCHEN, ("get_weather", {"city": "Oslo"})]

ONE_CALL = {
    "hermes": '<tool_call>\n{"name": "intent__HassTurnOn", "arguments": {"name": "Kitchen"}}\n'
    "</tool_call>",
    "hermes without its end": '<tool_call>{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}',
    "granite 3": '<|tool_call|>[{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}]',
    "granite 4": '<tool_call>\n[{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}]\n'
    "</tool_call>",
    "granite code": '<function_call> {"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}',
    "qwen-coder tools": '<tools>\n{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}\n'
    "</tools>",
    "qwen-coder fence": '```json\n{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}\n```',
    "qwen-coder xml fence": "```xml\n<function=HassTurnOn>\n<parameter=name>\nKitchen\n"
    "</parameter>\n"
    "</function>\n```",
    "qwen-coder xml": "<tool_call>\n<function=HassTurnOn>\n<parameter=name>\nKitchen\n"
    "</parameter>\n</function>\n</tool_call>",
    "llama function": '<function=HassTurnOn>{"name": "Kitchen"}</function>',
    "llama python tag": '<|python_tag|>HassTurnOn.call(name="Kitchen")',
    "pythonic": "[HassTurnOn(name='Kitchen')]",
    "liquid": "<|tool_call_start|>[HassTurnOn(name='Kitchen')]<|tool_call_end|>",
    "gemma 3": "```tool_code\nprint(HassTurnOn(name='Kitchen'))\n```",
    "printed": "print(HassTurnOn(name='Kitchen'))",
    "printed by python": "<|python_tag|>print(HassTurnOn(name='Kitchen'))",
    "gemma 4": '<|tool_call>call:HassTurnOn{name:<|"|>Kitchen<|"|>}<tool_call|>',
    "mistral": '[TOOL_CALLS] [{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}]',
    "mistral with arguments": '[TOOL_CALLS]HassTurnOn[ARGS]{"name": "Kitchen"}',
    "mistral with an id": '[TOOL_CALLS]HassTurnOn[CALL_ID]a1b2c3d4e[ARGS]{"name": "Kitchen"}',
    "nemotron": '<TOOLCALL>[{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}]</TOOLCALL>',
    "minimax": '<minimax:tool_call><invoke name="HassTurnOn"><parameter name="name">Kitchen'
    "</parameter></invoke></minimax:tool_call>",
    "glm": "<tool_call>HassTurnOn\n<arg_key>name</arg_key>\n<arg_value>Kitchen</arg_value>\n"
    "</tool_call>",
    "gpt-oss": '<|channel|>commentary to=functions.HassTurnOn <|constrain|>json<|message|>{"name": '
    '"Kitchen"}<|call|>',
    "bare object": '{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}',
    "parameters": '{"type": "function", "name": "HassTurnOn", "parameters": {"name": "Kitchen"}}',
    "doubled braces": '{{"name": "HassTurnOn", "arguments": {{"name": "Kitchen"}}}}',
    "one brace too many": '{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}}',
    "one brace too few": '{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}',
    "python literals": "{'name': 'HassTurnOn', 'arguments': {'name': 'Kitchen'}}",
    "arguments as text": '{"name": "HassTurnOn", "arguments": "{\\"name\\": \\"Kitchen\\"}"}',
    "wrapped": '{"tool_calls": [{"type": "function", "function": {"name": "HassTurnOn", '
    '"arguments": {"name": "Kitchen"}}}]}',
    "function call": '{"function_call": {"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}}',
    "tool and input": '{"action": "HassTurnOn", "action_input": {"name": "Kitchen"}}',
    "keyed": '{"HassTurnOn": {"name": "Kitchen"}}',
    "flat": '{"tool": "HassTurnOn", "name": "Kitchen"}',
    "name before an object": 'HassTurnOn {"name": "Kitchen"}',
    "name, unclosed": 'HassTurnOn: {"name": "Kitchen"',
    "name as a function": 'HassTurnOn(name="Kitchen")',
    "name as a function, by place": 'HassTurnOn("Kitchen")',
    "name with its prefix": 'intent__HassTurnOn\n{"name": "Kitchen"}',
}


@pytest.mark.parametrize("form", ONE_CALL)
def test_a_call_is_found(form: str) -> None:
    """Whatever the form, alone and at the end of a sentence; nothing of it is said."""
    text = ONE_CALL[form]
    assert read(text).calls == KITCHEN
    assert read(text).said == ""
    after = read(f"I will see to it.\n{text}")
    assert after.calls == KITCHEN
    assert after.said == "I will see to it.\n"
    assert after.result.content == "I will see to it."
    assert after.result.finish_reason == "tool_calls"


@pytest.mark.parametrize("form", ONE_CALL)
def test_a_call_is_found_however_it_is_cut(form: str) -> None:
    """At each place, and into single characters."""
    text = f"Well: one moment.\n{ONE_CALL[form]}"
    for place in range(1, len(text)):
        reading = read([text[:place], text[place:]])
        assert (reading.calls, reading.said) == (KITCHEN, "Well: one moment.\n"), place
    assert read(list(text)).calls == KITCHEN


@pytest.mark.parametrize("form", ONE_CALL)
def test_of_a_call_that_was_cut_off_nothing_is_made(form: str) -> None:
    """The model was not done: the rest could have said something else. Nothing of it is said."""
    text = ONE_CALL[form]
    for end in range(1, len(text)):
        reading = read(text[:end], finish_reason="length")
        assert reading.calls in ([], KITCHEN), text[:end]
        assert not any(mark in reading.said for mark in ("{", "<", "Kitchen", "arguments"))


@pytest.mark.parametrize(
    "text",
    [
        (
            '<tool_call>{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}</tool_call>\n'
            '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'
        ),
        (
            '{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}\n'
            '{"name": "get_weather", "arguments": {"city": "Oslo"}}'
        ),
        (
            '[{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}, '
            '{"name": "get_weather", "arguments": {"city": "Oslo"}}]'
        ),
        "[HassTurnOn(name='Kitchen'), get_weather(city='Oslo')]",
        (
            '[TOOL_CALLS]HassTurnOn[ARGS]{"name": "Kitchen"}'
            '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}'
        ),
        'HassTurnOn {"name": "Kitchen"}\nget_weather {"city": "Oslo"}',
        "print(HassTurnOn(name='Kitchen'))\nprint(get_weather(city='Oslo'))",
        "```tool_code\nprint(HassTurnOn(name='Kitchen'))\nprint(get_weather(city='Oslo'))\n```",
        (
            '```json\n{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}\n'
            '{"name": "get_weather", "arguments": {"city": "Oslo"}}\n```'
        ),
    ],
)
def test_several_calls_are_found(text: str) -> None:
    """In their order."""
    assert read(text).calls == BOTH
    assert read(list(text)).calls == BOTH


@pytest.mark.parametrize("name", ["get_weather", "get_weather\n", "get_weather: "])
def test_a_name_alone_is_a_call(name: str) -> None:
    """What the tool needs, the tool will say."""
    assert read(name).calls == [("get_weather", {})]
    assert read(list(name)).calls == [("get_weather", {})]


@pytest.mark.parametrize(
    "text",
    [
        "The weather is fine.",
        "I could use get_weather for that.",
        "get_weather is what I would use.",
        "Use HassTurnOn or HassTurnOff?",
        '{"a": 1} is an object.',
        "The set {1, 2} has two elements.",
        "[1] See the notes. [link](https://example.org)",
        "[see(1)] is no tool.",
        "if a < b and b > c",
        "Costs: 5 [approx.] {more or less}",
        "```python\nprint('hello')\n```",
        "{'unknown': 'thing'} and so on",
        "to be or not to be",
        "{}",
        "[]",
        "2 < 3 ` 4",
        "[{'a': 1}]",
        "{name} has {count} items",
        "HassTurnOn (see the manual",
        "HassTurnOn(see the manual)",
        "HassTurnOn(Kitchen) turns it on.",
        'You can use `HassTurnOn(name="Kitchen")` to turn it on.',
        "To do that I would call (get_weather()). Shall I?",
        "Use **get_weather()** for that.",
        "I have these tools:\nHassTurnOn (turns things on)\nget_weather (weather)",
        'Example: {"name": "Bob", "input": "hi"} as you asked.',
        'Example:\n```json\n{"name": "Bob", "input": "hi"}\n```\nas you asked.',
        'Send {"message": "hello"} to the API.',
        "Use the <tool> tag. Then more.",
        "Use `<call>`, <tools> and <functions>",
        "Use ``` to open code. It needs three.",
        'Write {"a": "b} and see. The rest.',
        "Der Wert {x: 5 und dann mehr",
    ],
)
def test_what_is_no_call_is_said(text: str) -> None:
    """As it is, however it is cut."""
    for pieces in (text, list(text)):
        reading = read(pieces)
        assert not reading.calls
        assert reading.said.strip() == text


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "It is warm."}',
        "{'response': 'It is warm.'}",
        '```json\n{"message": "It is warm."}\n```',
        '{"answer": "It is warm."',
        '```json\n{"answer": "It is warm."}',
        '{"type": "answer", "answer": "It is warm."}',
        '{"tool": null, "answer": "It is warm."}',
        '{"content": "It is warm.", "tool_calls": []}',
        '[{"answer": "It is warm."}]',
        '{"tool": "none", "answer": "It is warm."}',
        '{"tool": "answer", "arguments": {"answer": "It is warm."}}',
        '{"action": "Final Answer", "action_input": "It is warm."}',
    ],
)
def test_a_wrapped_answer_is_unwrapped(text: str) -> None:
    """Nobody wants to hear an object; within a fence it is code, which speech leaves out."""
    for pieces in (text, list(text)):
        reading = read(pieces)
        assert (reading.said, reading.calls) == ("It is warm.", [])


def test_what_is_called_like_an_answer_may_be_a_tool() -> None:
    """And what holds no text is no answer."""
    call = '{"tool": "answer", "arguments": {"answer": "Yes"}}'
    assert read(call, [tool("answer", answer="string")]).calls == [("answer", {"answer": "Yes"})]
    for text in ('{"tool": "none", "a": "b"}', '{"answer": 5}', '{"answer": "a", "text": "b"}'):
        assert read(text).said == text


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>not valid json</tool_call>",
        "<tool_call>\n{broken: [}</tool_call>",
        "[TOOL_CALLS] not json at all",
        "<|tool_call>call:bad_func no brace<tool_call|>",
        '<tool_call>{"name": "HassTurnOn", "arguments": {"name": "Kit',
        "<function=HassTurnOn>\n<parameter=name>\nKit",
        "<function=HassTurnOn>\nnonsense\n" + "x" * 300,
        "<tool_call>HassTurnOn\n<arg_key>name</arg_key>\n<arg_value>Kit",
        "<tool_call>HassTurnOn <other>" + "x" * 300,
        '<invoke name="HassTurnOn">nonsense' + "x" * 300,
        '<invoke name="HassTurnOn"><parameter name="name">Kit',
        "HassTurnOn(name='Kit",
        "[HassTurnOn(name='Kit",
        "HassTurnOn({)",
        "[HassTurnOn({)]",
        "<|channel|>commentary to=functions.HassTurnOn<|message|>",
        "<|channel|>commentary to=functions.HassTurnOn<|message|>nonsense",
        "<|channel|>commentary to=python<|message|>print(1)",
        "<|channel|>" + "x" * 400,
        "<|channel|>",
        "<|start|>assistant<|end|>",
        "<tool_call>",
        "<tool_call>  ",
        "<function=" + "x" * 250,
        "<|tool_call_begin|>",
        "<tool_call>?",
        '```json\n{"name": "HassTurnOn", "arguments": {"na',
        '<function=HassTurnOn>{"name": ',
        '<function=HassTurnOn>{"name": [}</function>',
        'HassTurnOn {"name": ',
        'HassTurnOn {"name": :}',
        "<|tool_call>call:HassTurnOn{name:}<tool_call|>",
    ],
)
def test_what_was_to_be_a_call_and_is_none_is_not_said(text: str) -> None:
    """Not even when it was cut off."""
    for reason in ("stop", "length"):
        for pieces in (text, list(text)):
            said = read(pieces, finish_reason=reason).said
            assert not any(mark in said for mark in ("tool_call", "arg", "[TOOL", "<|", "Kit"))


def test_a_call_in_the_reasoning_counts_where_nothing_else_does() -> None:
    """Models that think aloud also think of calls that they do not make."""
    call = '<tool_call>{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}</tool_call>'
    assert read(f"<think>So I call {call}").calls == KITCHEN
    assert read(f"<think>So I call {call}</think>\n\n").calls == KITCHEN
    assert read("", reasoning=["So I call ", call]).calls == KITCHEN
    assert not read(f"<think>Maybe {call}</think>Which kitchen?").calls
    assert not read("Which kitchen?", reasoning=[call]).calls
    assert not read('<think>{"name": "other", "arguments": {}}</think>').calls
    assert read(f"<think>Maybe {call}. Yes, {call}.</think>").calls == KITCHEN
    undecided = f"<think>Maybe {call}? No, wait, the user"
    assert not read(undecided, finish_reason="length").calls


def test_reasoning_is_thought_and_not_said() -> None:
    """Whatever its marks, several times, unclosed, and cut anywhere."""
    text = "<think>One.</think>Hello. <think>Two.</think>Bye."
    for place in range(len(text)):
        reading = read([text[:place], text[place:]])
        assert (reading.said, reading.thought) == ("Hello. Bye.", "One.Two.")
    for opening, closing in (
        ("[THINK]", "[/THINK]"),
        ("<thought>", "</thought>"),
        ("◁think▷", "◁/think▷"),
    ):
        reading = read(list(f"{opening}Hm.{closing}Yes."))
        assert (reading.said, reading.thought) == ("Yes.", "Hm.")
    unclosed = read("<think>I wonder")
    assert (unclosed.said, unclosed.thought) == ("", "I wonder")
    begun = read("I wonder.</think>Yes.", starts_thinking=True)
    assert (begun.said, begun.thought) == ("Yes.", "I wonder.")


def test_reasoning_beside_the_text_is_not_said() -> None:
    """Even where the model is known to begin with reasoning: the server has taken it out."""
    for text in (["Hello there. More."], ["", "\n", "Hello there.", " More."]):
        reading = read(text, reasoning=["hm"], starts_thinking=True)
        assert (reading.said, reading.thought) == ("Hello there. More.", "hm")
    empty = read("hm</think>Hello.", reasoning=[""], starts_thinking=True)
    assert (empty.said, empty.thought) == ("Hello.", "hm")
    # What is thought again later is no answer.
    again = read("hm</think>Hello.\n<think>more", starts_thinking=True)
    assert (again.said, again.thought) == ("Hello.\n", "hmmore")


def test_an_answer_in_json_behind_other_text_is_unwrapped() -> None:
    """Where its key says that it is one: nobody wants to hear it as it is."""
    assert read('Sure! {"answer": "It is on."}').said == "Sure! It is on."


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("I wonder.</think>Yes.", True),
        ("I wonder.[/THINK]Yes.", True),
        ("<think>I wonder.</think>Yes.", False),
        ("<|assistant|>\nHello", False),
        ("The </analysis> tag ends it.", False),
        ("The <think> tag begins it, the </think> tag ends it.", False),
    ],
)
def test_a_thought_that_the_prompt_began_is_known_by_its_end(text: str, ends: object) -> None:
    """It is learned of a model, so it has to be certain."""
    reader = AnswerReader(Plain(), Repairer(TOOLS))
    list(reader.take(TextDelta(text)))
    assert reader.thought_unopened is ends


@pytest.mark.parametrize(
    "block",
    ["```python\n" + "print('hello')\n" * 20 + "```", '{"a": [' + '"b", ' * 50 + '"c"]}'],
)
def test_what_stands_behind_a_block_is_told_at_once(block: str) -> None:
    """The explanation of what was shown does not wait for more."""
    reader = AnswerReader(Plain(), Repairer(TOOLS))
    told = [
        event
        for character in f"Look:\n{block}\nSo it is"
        for event in reader.take(TextDelta(character))
    ]
    said = "".join(event.text for event in told if isinstance(event, TextDelta))
    assert said.startswith(f"Look:\n{block}\nSo ")


def test_long_answers_are_read_in_no_time() -> None:
    """The time grows with the length, not with its square."""
    pieces = 20_000
    for text in (
        ["<tool_call>a<arg_key>" * pieces],
        ["<tool_call>a<arg_key>" + " " * pieces],
        ["[TOOL_CALLS]" * pieces],
        ["word "] * pieces,
        list('{"a": [' + "[1]," * pieces),
    ):
        begun = time.process_time()
        read(text)
        assert time.process_time() - begun < 5


def test_what_follows_a_call_is_not_said_and_ends_the_reading() -> None:
    """The model cannot know yet what came of the call."""
    reading = read('{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}\nThe light is on!')
    assert reading.calls == KITCHEN
    assert reading.said == ""
    assert reading.over
    assert not read(ONE_CALL["hermes"]).over
    other = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'
    text = f"{ONE_CALL['hermes']}\nThen:\n{other}"
    assert read(text).calls == read(list(text)).calls == KITCHEN


def test_the_same_call_again_is_one_call() -> None:
    """Small models go on and on."""
    assert read(ONE_CALL["hermes"] * 5).calls == KITCHEN


def test_without_tools_nothing_is_called_and_no_syntax_is_said() -> None:
    """An agent without tools may have a model that knows some."""
    for form in ("hermes", "mistral", "gpt-oss", "minimax"):
        reading = read(f"Fine. {ONE_CALL[form]}", [], calls=False)
        assert (reading.said, reading.calls) == ("Fine. ", [])
    example = '{"name": "Bob", "input": "hi"} is an object.'
    reading = read(example, [], calls=False)
    assert (reading.said, reading.over) == ("is an object.", False)


def test_after_the_end_of_an_answer_nothing_is_said() -> None:
    """Some servers pass the stop token on, and what the model imagines behind it."""
    for stop in ("<|im_end|>", "<|eot_id|>", "</s>", "<end_of_turn>", "<|end|>"):
        assert read(f"It is done.{stop}user: thanks").said == "It is done."


@given(st.text(alphabet="{}[]()<>|/\"'`\\ \n=:,abtool_call", max_size=60), st.data())
def test_any_text_is_read_the_same_however_it_is_cut(text: str, data: st.DataObject) -> None:
    """And nothing raises."""
    place = data.draw(st.integers(0, len(text)))
    whole = read(text)
    for pieces in ([text[:place], text[place:]], list(text)):
        reading = read(pieces)
        assert (reading.said, reading.thought, reading.calls) == (
            whole.said,
            whole.thought,
            whole.calls,
        )


@given(
    st.lists(st.sampled_from(list(ONE_CALL.values())), max_size=3),
    st.lists(st.sampled_from(["<think>", "</think>", "Fine.", "{", "[", "```", "<tool_call>"])),
    st.randoms(use_true_random=False),
)
def test_no_mix_of_forms_is_read_differently_in_pieces(
    forms: list[str], marks: list[str], random: object
) -> None:
    """Forms and marks in any order."""
    parts = [*forms, *marks]
    random.shuffle(parts)  # type: ignore[attr-defined]
    text = " ".join(parts)
    whole = read(text)
    assert read(list(text)).calls == whole.calls
    assert read(list(text)).said == whole.said


def test_names_and_tools_may_need_each_other() -> None:
    """A tool named like a word of the language is called only where a call can stand."""
    tools = [tool("play", title="string"), *TOOLS]
    assert read("Let us play (chess) tonight.", tools).said == "Let us play (chess) tonight."
    assert read("play(title='Jazz')", tools).calls == [("play", {"title": "Jazz"})]
    for text in ("play", "play (it well)!", "play(it well)!", "play("):
        reading = read(text, tools)
        assert (reading.said, reading.calls) == (text, [])
    assert read("play(5)", tools).calls == [("play", {"title": "5"})]
    assert read("`play()`", tools).calls == [("play", {})]
    assert read("<tool_call>play ()</tool_call>", tools).calls == [("play", {})]
    assert read("<tool_call>play</tool_call>", tools).calls == [("play", {})]
    assert WEATHER in TOOLS


def test_in_a_final_answer_nothing_is_a_call() -> None:
    """gpt-oss says which of its messages is for the user; what looks like a call is none."""
    answer = '{"name": "get_weather"} [get_weather()] ```get_weather()``` get_weather'
    reading = read(f"<|channel|>final<|message|>{answer}<|return|>")
    assert (reading.said, reading.calls) == (answer, [])


@pytest.mark.parametrize(
    "text",
    [
        "{'a': 'b' 'c'}",
        '{"name": "HassTurnOn", "arguments": [}]}',
        "HassTurnOn {'name' 'Kitchen'}",
        "HassTurnOn {name: }",
        "<function=HassTurnOn>{'name' 'Kitchen'}</function>",
        "[{'a' 'b'}]",
    ],
)
def test_what_cannot_be_read_is_no_call_and_not_said(text: str) -> None:
    """Nobody wants to hear the wreck of a call."""
    reading = read(text)
    assert reading.calls == []
    assert "Kitchen" not in reading.said


def test_a_call_of_an_unknown_tool_is_made_where_it_is_surely_one() -> None:
    """The model is told then that there is no such tool; behind other text it is an example."""
    call = '{"name": "open_door", "arguments": {"name": "Front"}}'
    made = [("open_door", {"name": "Front"})]
    assert read(call).calls == made
    assert read(f"I open it.\n<tool_call>{call}</tool_call>").calls == made
    assert read(f"I open it: {call}").calls == []
    unreadable = read('{"name": "open_door", "arguments": "the door"}').result.tool_calls
    assert [call.invalid for call in unreadable] == ["the door"]


def test_lists_of_something_else_are_no_calls() -> None:
    """All of a list, or nothing."""
    assert not read('[{"name": "get_weather", "arguments": {}}, 5]').calls
    assert not read('{"calls": ["get_weather"]}').calls


def test_values_that_are_told_to_be_json_and_are_none_are_text() -> None:
    """The tool will say what it thinks of them."""
    text = (
        '<｜DSML｜invoke name="get_weather"><｜DSML｜parameter name="days" string="false">'
        "two days, a</｜DSML｜parameter></｜DSML｜invoke>"
    )
    assert read(text).calls == [("get_weather", {"days": "two days, a"})]


def test_announced_calls_that_do_not_come_are_an_answer() -> None:
    """Whatever the server says."""
    reading = read("Fine.", finish_reason="tool_calls")
    assert (reading.result.finish_reason, reading.result.content) == ("stop", "Fine.")


def test_calls_of_the_protocol_win() -> None:
    """Some servers send both, the call and the text it was made of."""
    call = ToolCall(id="1", name="get_weather", arguments={"city": "Oslo"})
    assert read(ONE_CALL["hermes"], native=[call]).calls == [("get_weather", {"city": "Oslo"})]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[get_weather(city='Oslo')_other(1)", [("get_weather", {"city": "Oslo"})]),
        ("[get_weather(city='Oslo'), other(1)]", [("get_weather", {"city": "Oslo"})]),
        ("[get_weather(city='Oslo'),]", [("get_weather", {"city": "Oslo"})]),
        ("[get_weather(city='Oslo') and more", [("get_weather", {"city": "Oslo"})]),
        ("[get_weather(city='Oslo'), ", [("get_weather", {"city": "Oslo"})]),
        ("[other(1), get_weather(city='Oslo')]", []),
    ],
)
def test_a_list_of_calls_ends_where_something_else_begins(text: str, calls: list[object]) -> None:
    """However it is cut."""
    for place in range(len(text)):
        assert read([text[:place], text[place:]]).calls == calls


def test_thoughts_behind_a_call_are_whole() -> None:
    """Only brackets right behind the call belong to it."""
    text = "<think>get_weather() so ] and } it is"
    assert read(list(text)).thought == read(text).thought == "so ] and } it is"


def test_a_line_behind_a_call_begins_where_it_begins() -> None:
    """Though nothing of it is said, and however it is cut."""
    text = "<|python_tag|>get_weather(city='Oslo') and then\nHassTurnOn(name='Kitchen')"
    for place in range(len(text)):
        assert read([text[:place], text[place:]]).calls == BOTH[::-1]
