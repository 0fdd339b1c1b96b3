"""Tests of the cursor over streamed text."""

import re

import pytest

from custom_components.chatterbox.agent.dialects.parsing.cursor import (
    Cursor,
    IncompleteBlock,
    MalformedBlock,
    space_end,
)


def cursor(text: str, *, final: bool = False) -> Cursor:
    return Cursor(text, 0, final)


def test_white_space_ends_at_the_first_other_character() -> None:
    assert space_end(" \n\ta b", 0) == 3
    assert space_end("a", 0) == 0
    assert space_end("a", 1) == 1


def test_literal_is_accepted_only_where_it_stands() -> None:
    at = cursor("</call>rest")
    assert not at.accept("<call>")
    assert at.position == 0
    assert at.accept("</call>")
    assert at.position == len("</call>")


@pytest.mark.parametrize("text", ["", "<", "</cal"])
def test_beginning_of_a_literal_waits_for_the_rest(text: str) -> None:
    with pytest.raises(IncompleteBlock):
        cursor(text).accept("</call>")


def test_missing_literal_is_not_waited_for_at_the_end_of_the_text() -> None:
    assert not cursor("", final=True).accept("</call>")
    with pytest.raises(IncompleteBlock):
        cursor("</", final=True).accept("</call>")


def test_expected_literal_that_is_missing_is_malformed() -> None:
    with pytest.raises(MalformedBlock):
        cursor("text").expect("<call>")
    with pytest.raises(IncompleteBlock):
        cursor("", final=True).expect("<call>")


def test_match_waits_while_the_text_may_still_become_one() -> None:
    pattern = re.compile(r"a+b")
    assert cursor("aab").match(pattern).group() == "aab"
    with pytest.raises(IncompleteBlock):
        cursor("aa").match(pattern, longest=5)
    with pytest.raises(MalformedBlock):
        cursor("aa").match(pattern)
    with pytest.raises(MalformedBlock):
        cursor("a" * 6).match(pattern, longest=5)


def test_text_is_read_up_to_a_literal_and_past_it() -> None:
    at = cursor("value</end>rest")
    assert at.until("</end>") == "value"
    assert at.text[at.position :] == "rest"
    with pytest.raises(IncompleteBlock):
        at.until("</end>")


def test_json_is_read_with_its_brackets() -> None:
    at = cursor('{"a": [1]}, [2]')
    assert at.arguments() == {"a": [1]}
    at.expect(",")
    at.skip_space()
    assert at.json("[") == [2]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", IncompleteBlock),
        ('{"a": ', IncompleteBlock),
        ("5", MalformedBlock),
        ("{'a' 'b'}", MalformedBlock),
    ],
)
def test_other_text_than_an_object_has_no_arguments(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        cursor(text).arguments()
