"""Tests of tool calls as one JSON object, and as tags in the text."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.dialects.dialect import DialectSettings, Native, Request
from custom_components.chatterbox.agent.dialects.structured import (
    AnswerUnwrapper,
    Structured,
    union_schema,
)
from custom_components.chatterbox.agent.dialects.text import Text
from custom_components.chatterbox.agent.dialects.vocabulary import Mentioned
from custom_components.chatterbox.agent.dialects.written import Example
from custom_components.chatterbox.agent.messages import Message, ToolAnnotations, ToolCall

from .reading import CONTEXT, TOOLS, TURN_ON, WEATHER, tool
from .test_vocabulary import HOME

CALLS = (
    ToolCall(id="1", name="get_weather", arguments={"city": "Oslo"}),
    ToolCall(id="2", name="intent__HassTurnOn", arguments={"name": "Bed"}),
)
HISTORY = (
    Message.system("Be brief."),
    Message.user("Hello"),
    Message.assistant("Hi."),
    Message.user("Weather, and light"),
    Message.assistant("One moment.", CALLS),
    Message.tool("1", '{"success":true}'),
    Message.tool("2", '{"success":false}'),
)
EXAMPLES = (
    Example(user="Light!", calls=((TURN_ON.name, {"name": "Bed"}),)),
    Example(user="Thanks", answer="You are welcome."),
)
REQUEST = Request(messages=HISTORY, tools=TOOLS)


def unwrap(pieces: list[str]) -> str:
    """Return what is in the object that comes in these pieces."""
    unwrapper = AnswerUnwrapper()
    return "".join([*map(unwrapper.feed, pieces), unwrapper.finish()])


def test_a_request_asks_for_an_answer_or_a_call() -> None:
    """The tools stand in the prompt, calls and results are text, and a schema holds it together."""
    encoded = Structured(DialectSettings(examples=EXAMPLES)).encode(REQUEST)
    assert encoded.tools == ()
    opening, *others = encoded.messages
    assert opening.content is not None
    assert opening.content.startswith("Be brief.")
    assert "- get_weather(city?: string, days?: integer): Does get_weather." in opening.content
    assert "domain?: list of" in opening.content
    assert 'User: Light!\nYou: {"tool": "intent__HassTurnOn"' in opening.content
    assert 'User: Thanks\nYou: {"answer": "You are welcome."}' in opening.content
    assert [(message.role.value, message.content) for message in others] == [
        ("user", "Hello"),
        ("assistant", '{"answer": "Hi."}'),
        ("user", "Weather, and light"),
        (
            "assistant",
            (
                'One moment.\n[{"tool": "get_weather", "arguments": {"city": "Oslo"}}, '
                '{"tool": "intent__HassTurnOn", "arguments": {"name": "Bed"}}]'
            ),
        ),
        (
            "user",
            (
                'Result of get_weather: {"success":true}\n\n'
                'Result of intent__HassTurnOn: {"success":false}'
            ),
        ),
    ]
    assert encoded.response_format is not None
    schema = encoded.response_format["json_schema"]["schema"]
    *calls, several, answer = schema["anyOf"]
    assert [list(part["properties"]) for part in calls] == [["tool", "arguments"]] * len(TOOLS)
    assert several["items"] == {"anyOf": calls}
    assert list(answer["properties"]) == ["answer"]


def test_equal_requests_become_equal_bytes() -> None:
    """The beginning is the same in every iteration and every turn, so that it is read once."""
    for dialect in (Structured(DialectSettings(examples=EXAMPLES)), Text(EXAMPLES), Native()):
        first = dialect.encode(Request(messages=HISTORY[:4], tools=TOOLS)).messages
        second = dialect.encode(REQUEST).messages
        assert [m.to_wire() for m in second[:4]] == [m.to_wire() for m in first]
        last = dialect.encode(Request(messages=HISTORY, tools=TOOLS, tool_choice="none"))
        assert last.messages == second


def test_the_choice_of_tools_becomes_the_schema() -> None:
    """Only answers, only calls, or both."""
    only_answer = union_schema(())
    assert list(only_answer["properties"]) == ["answer"]
    only_calls = union_schema((WEATHER,), answers=False)
    assert only_calls["anyOf"][0]["properties"]["tool"] == {"const": "get_weather"}
    assert only_calls["anyOf"][1]["items"] == only_calls["anyOf"][0]
    none = Structured(DialectSettings()).encode(
        Request(messages=HISTORY, tools=TOOLS, tool_choice="none")
    )
    assert none.response_format is not None
    assert none.response_format["json_schema"]["schema"] == only_answer


def test_without_tools_nothing_is_wrapped() -> None:
    """There is only one thing that the model can do."""
    request = Request(messages=HISTORY)
    assert Structured(DialectSettings()).encode(request) == request
    assert Text().encode(request) == request


def test_tags_are_explained_where_they_are_needed() -> None:
    """And nowhere else."""
    encoded = Text(EXAMPLES).encode(REQUEST)
    opening, *others = encoded.messages
    assert "<tool_call>" in (opening.content or "")
    assert "You are welcome." in (opening.content or "")
    assert encoded.tools == ()
    assert encoded.response_format is None
    assert others[1].content == "Hi."
    assert (others[3].content or "").startswith("One moment.\n<tool_call>")
    assert {message.role.value for message in others} == {"user", "assistant"}
    native = Native().encode(REQUEST)
    assert native == REQUEST
    assert "<tool_call>" not in (Text().encode(Request(messages=HISTORY)).messages[0].content or "")


def test_a_prompt_is_made_where_there_is_none() -> None:
    """The tools have to be told somewhere."""
    encoded = Text().encode(Request(messages=(Message.user("Hi"),), tools=TOOLS))
    assert [message.role.value for message in encoded.messages] == ["system", "user"]


def test_results_without_their_calls_are_still_results() -> None:
    """A history may have been cut."""
    messages = (Message.tool("9", "{}"), Message.assistant(None, CALLS[:1]))
    encoded = Text().encode(Request(messages=(Message.system("x"), *messages), tools=TOOLS))
    assert encoded.messages[1].content == "Result of the tool: {}"
    assert (encoded.messages[2].content or "").startswith("<tool_call>")


def test_the_answer_comes_out_while_it_is_written() -> None:
    """A voice starts with the first words."""
    unwrapper = AnswerUnwrapper()
    assert [unwrapper.feed(piece) for piece in ('{"ans', 'wer": "It is', " war", 'm."', "}")] == [
        "",
        "It is",
        " war",
        "m.",
        "",
    ]
    assert unwrapper.finish() == ""


@given(st.text(max_size=30), st.data())
def test_an_answer_is_unwrapped_however_it_is_cut(answer: str, data: st.DataObject) -> None:
    """With all that JSON escapes."""
    ascii_only = data.draw(st.booleans())
    text = json.dumps({"answer": answer}, ensure_ascii=ascii_only)
    place = data.draw(st.integers(0, len(text)))
    for pieces in ([text[:place], text[place:]], list(text), [text]):
        assert unwrap(pieces) == answer


def test_halves_of_a_character_are_put_together() -> None:
    """JSON may have it in two; a half that is alone, or is cut off, is no character."""
    text = '{"answer": "a \\uD83D\\uDE00 b \\ud83d c \\ude00 \\ud83d\\u0041 \\ud83d\\n \\ud83d"}'
    for pieces in ([text], list(text)):
        assert unwrap(pieces) == "a 😀 b \ufffd c \ufffd \ufffdA \ufffd\n \ufffd"
    assert unwrap(['{"answer": "cut off\\ud83d']) == "cut off"


def test_what_is_no_answer_goes_through() -> None:
    """Calls, and whatever a server writes that does not follow the schema."""
    for text in (
        '{"tool": "get_weather", "arguments": {}}',
        "Hello.",
        ' {"ans',
        "{",
        '{"answers": 1}',
    ):
        assert unwrap(list(text)) == text
    assert unwrap(['{"answer": "a\\qb\\u00zz"}']) == "aqb\\u00zz"[:2] + "bu00zz"
    assert unwrap(['{"answer": "cut o', "ff\\"]) == "cut off"


ASKING = Request(
    messages=(Message.user("Is the bed light on?"),), tools=(TURN_ON, CONTEXT, WEATHER)
)


def callable_names(settings: DialectSettings, request: Request) -> list[str]:
    """Return the names of the tools that the schema allows to call."""
    encoded = Structured(settings).encode(request)
    assert encoded.response_format is not None
    text = json.dumps(encoded.response_format)
    return [tool.name for tool in request.tools if f'"const": "{tool.name}"' in text]


def test_a_question_is_looked_up_first() -> None:
    """Only then may something be changed, as the user may have asked for that as well."""
    asking = DialectSettings(vocabulary=HOME, asks=True)
    assert callable_names(asking, ASKING) == [CONTEXT.name]
    named = replace(asking, mentioned=HOME.mentioned("Is the bed light on?"))
    clock = replace(tool("clock"), annotations=ToolAnnotations(read_only=True))
    assert callable_names(asking, replace(ASKING, tools=(CONTEXT, clock))) == [
        CONTEXT.name,
        clock.name,
    ]
    assert callable_names(named, replace(ASKING, tools=(CONTEXT, clock))) == [CONTEXT.name]
    call = ToolCall(id="1", name=CONTEXT.name, arguments={})
    looked_up = (*ASKING.messages, Message.assistant(None, [call]), Message.tool("1", "off"))
    assert TURN_ON.name in callable_names(named, replace(ASKING, messages=looked_up))


def test_what_is_named_is_all_that_can_be_called() -> None:
    """The prompt is the same: only the schema goes by the message."""
    plain, named = (
        Structured(DialectSettings(vocabulary=HOME, mentioned=mentioned)).encode(ASKING)
        for mentioned in (Mentioned(), HOME.mentioned("Turn on the bed light"))
    )
    assert plain.messages == named.messages
    assert "Kitchen Lights" in json.dumps(plain.response_format)
    assert "Bed Light" in json.dumps(named.response_format)
    assert "Kitchen" not in json.dumps(named.response_format)
