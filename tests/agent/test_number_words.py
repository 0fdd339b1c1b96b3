"""Spelled-out numbers and parts of a whole."""

import pytest

from custom_components.chatterbox.agent.number_words import NumberWords
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
