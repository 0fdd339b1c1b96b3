"""Tests of the streaming decoder of guided answers."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.dialects.guided.reply_decoder import ReplyDecoder

LAMP = {"verb": "turn_on", "device": "Desk Lamp"}


def decode(*pieces: str, truncated: bool = False) -> tuple[str, list[dict[str, Any]]]:
    """Return the text and the actions of an answer that comes in these pieces."""
    decoder = ReplyDecoder()
    text = "".join(map(decoder.feed, pieces))
    rest, items = decoder.finish(truncated=truncated)
    return text + rest, items


def answer(text: str, **options: Any) -> str:
    """Return a written answer."""
    return json.dumps({"topic": "other", "answer": text}, **options)


@given(text=st.text(), ascii_only=st.booleans(), size=st.integers(1, 9))
def test_answer_is_the_same_in_pieces_of_any_size(
    text: str, size: int, *, ascii_only: bool
) -> None:
    written = answer(text, ensure_ascii=ascii_only)
    pieces = [written[start : start + size] for start in range(0, len(written), size)]
    assert decode(*pieces) == (text, [])


def test_answer_is_returned_character_by_character() -> None:
    decoder = ReplyDecoder()
    assert [decoder.feed(piece) for piece in ('{"topic": "other", "ans', 'wer": "', "Hi", "!")] == [
        *("", "", "Hi", "!")
    ]


@pytest.mark.parametrize(
    ("pieces", "parts"),
    [
        (["a\\", "nb"], ["a", "\nb"]),
        (["a\\u00", "e4b"], ["a", "äb"]),
        (["\\ud83d", "\\ude00!"], ["", "😀!"]),
        (["\\ud83d\\ude", "00!"], ["", "😀!"]),
        (["\\ud83d", "x"], ["", "\ufffdx"]),
        (["\\ud83d\\n"], ["\ufffd\n"]),
        (["\\q", "x"], ["q", "x"]),
        (["\\u12", "zz!!"], ["", "u12zz!!"]),
        (["\\u12", '"'], ["", ""]),
    ],
    ids=[
        *("escape", "code", "pair", "pair cut", "half a pair", "half and escape"),
        *("no escape", "broken code", "code that the end cuts off"),
    ],
)
def test_escapes_are_held_until_they_are_whole(pieces: list[str], parts: list[str]) -> None:
    decoder = ReplyDecoder()
    assert decoder.feed('{"topic": "other", "answer": "') == ""
    assert [decoder.feed(piece) for piece in pieces] == parts


def test_text_after_the_answer_is_not_spoken() -> None:
    assert decode(answer("Hi."), "\n\nAnd now", " more") == ("Hi.", [])
    assert decode('{"topic":"other","answer":"Hi.","note":"secret"}') == ("Hi.", [])


@pytest.mark.parametrize(
    "text",
    [
        "Hello there.",
        "  Hello",
        "[1, 2]",
        "Sure: {}",
        "42",
        '"quoted"',
        "true",
        "```[1]```",
        "```js\n1\n```",
        "`turn_on` is a verb.",
        "``a ` b``",
        "`",
        "{name} is a placeholder.",
        "{ name }",
    ],
)
def test_text_without_an_object_is_streamed(text: str) -> None:
    assert decode(*text) == (text, [])
    assert decode(text) == (text, [])


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}\n```", "\n {}", "{}"])
@pytest.mark.parametrize("size", [1, 100])
def test_object_may_stand_in_a_fence(fence: str, size: int) -> None:
    for reply, expected in (
        (answer("Hi."), ("Hi.", [])),
        (json.dumps({"topic": "home", "do": [LAMP]}), ("", [LAMP])),
    ):
        written = fence.replace("{}", reply)
        pieces = [written[start : start + size] for start in range(0, len(written), size)]
        assert decode(*pieces) == expected


def test_actions_and_look_ups_are_items() -> None:
    door = {"verb": "lock", "device": "Front Door"}
    reply = {"topic": "home", "do": [LAMP, door], "look_up": ["weather"]}
    assert decode(json.dumps(reply)) == (
        "",
        [LAMP, door, {"verb": "look_up", "device": "weather"}],
    )


@pytest.mark.parametrize("topic", ["time", "date"])
def test_topic_of_its_own_is_looked_up(topic: str) -> None:
    reply = json.dumps({"topic": topic})
    assert decode(reply) == ("", [{"verb": "look_up", "device": topic}])


@pytest.mark.parametrize(
    ("topic", "written", "day"),
    [
        ("weather", {"day": "Monday"}, "Monday"),
        ("weather", {}, "now"),
        ("calendar", {"day": "today"}, "today"),
        ("calendar", {}, "this week"),
    ],
)
def test_weather_and_events_are_those_of_a_day(
    topic: str, written: dict[str, str], day: str
) -> None:
    reply = json.dumps({"topic": topic, **written})
    assert decode(reply) == ("", [{"verb": "look_up", "device": topic, "day": day}])


def test_content_does_not_depend_on_the_order_of_keys() -> None:
    """Servers without a schema do not keep to it."""
    reply = {"answer": "On.", "do": [LAMP]}
    assert decode(json.dumps(reply)) == ("On.", [LAMP])


@pytest.mark.parametrize(
    "reply",
    [
        *('{"topic": "home", "do": [', '{"nonsense"}', "{", "```json", "", "  "),
        *('{"topic": "home"}', '{"topic": "home", "do": "turn_on"}', '{"look_up": 5}'),
        *('{"do": ["turn_on", {"device": "Desk Lamp"}, {"verb": 5}]}', '{"look_up": [5, null]}'),
        *('{"answer": 5}', '{"do": ' + "[" * 200_000),
    ],
)
def test_object_without_answer_and_actions_is_empty(reply: str) -> None:
    assert decode(reply) == ("", [])


def test_truncated_answer_makes_no_calls_and_keeps_its_text() -> None:
    assert decode(json.dumps({"topic": "home", "do": [LAMP]}), truncated=True) == ("", [])
    assert decode('{"topic": "other", "answer": "Hello th', truncated=True) == ("Hello th", [])


def test_object_behind_other_words_is_text() -> None:
    reply = json.dumps({"topic": "home", "do": [LAMP]})
    for text in (f"Sure: {reply}", f"- {reply}", f'"{reply}"', f"`{reply}`", f"[{reply}]"):
        assert decode(*text) == (text, [])


def test_lone_surrogate_is_replaced_in_an_answer_of_another_form_and_in_actions() -> None:
    assert decode('{"answer": "a\\ud83d"}') == ("a\ufffd", [])
    reply = '{"do": [{"verb": "add_to_list", "item": "\\udc00"}], "look_up": ["\\ud83d"]}'
    assert decode(reply) == (
        "",
        [{"verb": "add_to_list", "item": "\ufffd"}, {"verb": "look_up", "device": "\ufffd"}],
    )
