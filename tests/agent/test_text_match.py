"""Tests of the matching of names in messages."""

import pytest

from custom_components.chatterbox.agent.text_match import (
    MessageText,
    distance,
    is_unspaced,
    normalize,
    same_noun,
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
    ("one", "other", "same"),
    [
        ("lampen", "lampe", True),
        ("porta", "porte", True),
        ("muzyke", "muzyka", True),
        ("gerade", "gerat", False),
        ("estoy", "estor", False),
        ("kitchen", "kitten", False),
    ],
)
def test_endings_of_nouns_that_take_each_others_place_have_vowels(
    one: str, other: str, *, same: bool
) -> None:
    assert same_noun(one, other) is same_noun(other, one) is same
    assert not same_noun(one, other, inflects=False)


def test_distance_is_the_number_of_letters_that_are_not_shared() -> None:
    assert [distance("schalte", each) for each in ("schalte", "schalt", "schalter")] == [0, 1, 1]
    assert distance("porta", "porte") == 2


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
        ("allumee", "allumer", True, False),
    ],
)
def test_inflected_forms_of_a_word_match(
    one: str, other: str, *, inflected: bool, plural: bool
) -> None:
    for pair in ((one, other), (other, one)):
        assert same_word(*pair) is inflected
        assert same_word(*pair, inflects=False) is plural
