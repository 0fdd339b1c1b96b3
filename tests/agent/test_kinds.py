"""Kinds and unknown places in messages."""

import pytest

from custom_components.chatterbox.agent.kinds import KindWords, names_unknown_place
from custom_components.chatterbox.agent.number_words import NumberWords
from custom_components.chatterbox.agent.text_match import MessageText

KINDS = KindWords(
    {
        "light": ["licht"],
        "fan": ["ventilateur"],
        "weather": ["vent"],
        "lock": ["eche"],
        "timer": ["stoper"],
        "switch": ["schalter"],
        "media_player": ["go back"],
    },
    {"schalt", "licht", "back"},
    NumberWords(degrees=frozenset({"stopni"})),
)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Küchenlicht", {"light"}),
        ("das Licht", {"light"}),
        # A word for a kind is no compound with the word for another one.
        ("ventilateur", {"fan"}),
        ("le vent", {"weather"}),
        # One letter makes no compound: *leche* is milk, *eche* is to lock.
        ("leche", set()),
        ("eche", {"lock"}),
        # A word for degrees is no form of any other word.
        ("21 stopni", {"climate"}),
        ("stoper", {"timer"}),
        # A verb is no noun.
        ("schalte", set()),
        ("der schalter", {"switch"}),
        ("go all the way back", {"media_player"}),
        ("back", set()),
    ],
)
def test_word_is_for_the_kind_that_it_is_nearest_to(text: str, kinds: set[str]) -> None:
    message = MessageText(text, inflects=True)
    assert KINDS.find(message) == kinds


@pytest.mark.parametrize(
    ("text", "is_elsewhere"),
    [
        ("das Licht im Keller", True),
        ("das Licht in der Diele", True),
        ("das Licht in der Küche", False),
        ("das Licht, Keller", False),
        ("das Licht im", False),
    ],
)
def test_unknown_word_after_a_preposition_may_be_a_place(text: str, is_elsewhere: bool) -> None:  # noqa: FBT001 - a column
    message = MessageText(text, inflects=True)
    found = names_unknown_place(message, {"im", "in"}, {"keller", "diele"})
    assert found is is_elsewhere
