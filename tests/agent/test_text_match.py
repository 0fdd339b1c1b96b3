"""Tests of the matching of names in messages."""

import pytest

from custom_components.chatterbox.agent.text_match import (
    MessageText,
    is_unspaced,
    normalize,
    same_word,
    words,
)


def test_words_are_normalized() -> None:
    assert normalize("ÄÉß") == "aess"
    assert words("Don't turn on Café_2, l\u2019Office!") == (
        *("do", "not", "turn", "on", "cafe", "2", "loffice"),
    )
    assert words("'…'") == ()


def test_clauses_are_the_words_between_punctuation_marks() -> None:
    message = MessageText("It is hot, open it. Now", inflects=False)
    assert [*message.clauses] == [range(3), range(3, 5), range(5, 6)]


def test_words_after_a_place_are_those_of_its_clause() -> None:
    message = MessageText("It is hot, open it. Now", inflects=False)
    assert message.following(1, 6) == ("is", "hot")
    assert message.following(1, 2) == ("is",)
    assert message.following(3, 6) == ()
    assert message.following(5, 2) == ()


@pytest.mark.parametrize(
    ("text", "unspaced"), [("台所", True), ("ライト", True), ("ไฟ", True), ("Küche", False)]
)
def test_scripts_without_spaces_are_recognized(text: str, *, unspaced: bool) -> None:
    assert is_unspaced(text) is unspaced
    assert not is_unspaced("light")


@pytest.mark.parametrize(
    ("one", "other", "inflected", "plural"),
    [
        ("lamp", "lamp", True, True),
        ("lamps", "lamp", True, True),
        ("lampen", "lampe", True, False),
        ("schlafzimmer", "schlafzimmers", True, True),
        ("lamp", "lampshade", False, False),
        ("bad", "bads", False, False),
        ("kitchen", "kitten", False, False),
        ("open", "opening", False, False),
        ("leuchte", "leuchten", True, False),
    ],
)
def test_inflected_forms_of_a_word_match(
    one: str, other: str, *, inflected: bool, plural: bool
) -> None:
    for pair in ((one, other), (other, one)):
        assert same_word(*pair) is inflected
        assert same_word(*pair, inflects=False) is plural
