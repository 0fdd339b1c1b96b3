"""Spelled-out numbers and parts of a whole."""

from dataclasses import replace

import pytest

from custom_components.chatterbox.agent.number_words import NumberWords, find_digits
from custom_components.chatterbox.agent.text_match import words

GERMAN = NumberWords(
    numbers={("zwei",): 2, ("einundzwanzig",): 21, ("achtzig",): 80, ("ein", "hundert"): 100},
    halves=frozenset({"halb", "halbe"}),
    ordinals={"dritte": 3, "achte": 8},
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("auf zwei grad", [(1, 2.0)]),
        ("ein hundert und zwei", [(0, 100.0), (3, 2.0)]),
        ("einundzwanzigeinhalb", [(0, 21.5)]),
        ("oberhalb", []),
        # The number of parts is none of the whole.
        ("zwei drittel", []),
        ("zwei achtzig", [(0, 2.0), (1, 80.0)]),
        ("halb", []),
        ("nichts", []),
    ],
)
def test_numbers_are_found_with_their_places(text: str, numbers: list[tuple[int, float]]) -> None:
    assert list(GERMAN.find(words(text))) == numbers


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("ein drittel", [33]),
        ("zwei drittel", [67]),
        ("drittel", [33]),
        ("achtzig prozent", []),
        ("halb offen", [50]),
        ("achtzig drittel", []),
        ("ganz", []),
    ],
)
def test_parts_of_a_whole_are_percentages(text: str, parts: list[int]) -> None:
    assert list(GERMAN.parts(words(text))) == parts


def test_all_words_are_those_of_numbers_halves_and_parts() -> None:
    assert {"hundert", "halb", "dritte"} <= GERMAN.words


@pytest.mark.parametrize(
    ("text", "halved"),
    [
        ("zwei und ein halbes grad", [2.5]),
        ("zwei grad und eine halbe", [2.5]),
        # The word for a half may not be known.
        ("zwei et demi", [2.5]),
        ("demi zwei", []),
        ("zwei grad", []),
        ("einundzwanzigeinhalb demi", []),
    ],
)
def test_half_is_added_by_words_after_a_number(text: str, halved: list[float]) -> None:
    assert list(GERMAN.with_halves(words(text), {"demi", "einundzwanzigeinhalb"})) == halved


def test_digits_within_words_are_no_numbers() -> None:
    text = "21,5 in room4 or 3"
    assert list(find_digits(text, words(text))) == [21.5, 3.0]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("ein grad kälter", [0]),
        ("auf einundzwanzig grad", [1]),
        ("auf 21 grad", [1]),
        ("mach es ein", []),
        ("wie viel grad", []),
        ("grad", []),
    ],
)
def test_numbers_before_degrees_are_found(text: str, places: list[int]) -> None:
    numbers = replace(GERMAN, ones=frozenset({"ein", "eins"}), degrees=frozenset({"grad"}))
    assert list(numbers.of_degrees(words(text))) == places
