"""Tests of the tolerant JSON parser."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.dialects.parsing.lenient_json import (
    find_end,
    loads,
    read_members,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (
            "{'a': 'b', 'c': True, 'd': None, 'e': False}",
            {"a": "b", "c": True, "d": None, "e": False},
        ),
        ("{a: b, c: 1.5, d: -2, e: 1e3}", {"a": "b", "c": 1.5, "d": -2, "e": 1000.0}),
        ('{"a": [1, 2,], }', {"a": [1, 2]}),
        ('{{"a": {{"b": 1}}}}', {"a": {"b": 1}}),
        ('{"a": "line\nbreak"}', {"a": "line\nbreak"}),
        ('{"a": "say "hi" to her"}', {"a": 'say "hi" to her'}),
        (
            "{'a': 'it\\'s', 'b': \"tab\\there\", c: '\\q\\u00e9'}",
            {"a": "it's", "b": "tab\there", "c": "\\qé"},
        ),
        ('{"a": <|"|>x, "y"}<|"|>, <|"|>k<|"|>: 2}', {"a": 'x, "y"}', "k": 2}),
        ("{'a': (1, 2)}", {"a": [1, 2]}),
        ("{a = 1}", {"a": 1}),
        ("[{'a': {}}, []]", [{"a": {}}, []]),
        ("{'a': 'x'}};", {"a": "x"}),
        ("{'a': '\\u12'}", {"a": "12"}),
        ("{'a': '\\uzzzz'}", {"a": "zzzz"}),
        ("{'t': 14:30}", {"t": "14:30"}),
        ("{'t': '\\ud83d\\ude00 \\ud83d'}", {"t": "😀 \ufffd"}),
    ],
)
def test_nearly_json_is_parsed(text: str, value: Any) -> None:
    """Text with only one possible meaning."""
    assert loads(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"a',
        '{"a": ',
        "{'a': 'b",
        "{'a': 1 'b'}",
        "[1, 2",
        "{1}",
        "{'a': 1} and more",
        "[" * 100,
        '{"a": <|"|>x}',
        '{<|"|>a}',
        "{'a': , }",
        '{"a": {"b": [1',
        '{"a": 1,',
        '{{"a": 1}',
        "[,]",
    ],
)
def test_other_text_is_rejected(text: str) -> None:
    """Ambiguous text, and text too deep to be arguments."""
    with pytest.raises(ValueError):  # noqa: PT011 - any is fine, the text is not shown
        loads(text)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ('{"a": "}"} rest', 10),
        ("{'a': '}'} rest", 10),
        ('{"a": "it\'s }"}', 15),
        ("{a: it's} rest", 9),
        ('{"a": "\\"}"}', 12),
        ('{a: <|"|>}<|"|>}', 16),
        ("f(x=')') rest", None),
        ("{", None),
        ('{"a', None),
        ("{'a", None),
        ('{<|"|>}', None),
    ],
)
def test_closing_bracket_is_found(text: str, end: int | None) -> None:
    """Not in strings, and not behind an apostrophe."""
    if text.startswith("f"):
        assert find_end(text, 1) == 8
    else:
        assert find_end(text, 0) == end


def test_keyword_arguments_of_a_call_are_parsed() -> None:
    """With names and without."""
    assert read_members("a=1, b='x')", ")") == ({"a": 1, "b": "x"}, [])
    assert read_members("'x', 2)", ")") == ({}, ["x", 2])
    assert read_members(")", ")") == ({}, [])
    with pytest.raises(ValueError, match="too early"):
        read_members("a=1,", ")")


@given(JSON)
def test_every_json_value_is_parsed(value: Any) -> None:
    """And Python's own form of it."""
    assert loads(json.dumps(value)) == value


@given(st.text(alphabet="{}[]()\"':,= \\\n<|>ab1-.eu", max_size=80))
def test_any_text_raises_nothing_but_value_errors(text: str) -> None:
    with contextlib.suppress(ValueError):
        loads(text)
    if text[:1] in {"{", "["}:
        end = find_end(text, 0)
        assert end is None or 0 < end <= len(text)
