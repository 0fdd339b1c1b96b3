"""Directions of commands, in whole messages and between several devices."""

import pytest

from custom_components.chatterbox.agent.directions import (
    Anchor,
    Directions,
    DirectionWords,
    join_anchors,
)
from custom_components.chatterbox.agent.number_words import NumberWords
from custom_components.chatterbox.agent.text_match import MessageText, words

LIGHT, LOCK = ("light", "switch"), ("lock", "bolt")


def phrases(*texts: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(text.split()) for text in texts)


WORDS = DirectionWords(
    {
        LIGHT: Directions(on=phrases("an", "ein", "dreh auf"), off=phrases("aus", "dreh ab")),
        LOCK: Directions(on=phrases("schliess", "开"), off=phrases("schliess auf", "auf", "关")),
    },
    inflects=True,
)


def message(text: str) -> MessageText:
    return MessageText(text, inflects=True)


@pytest.mark.parametrize(
    ("text", "light", "lock"),
    [
        ("mach das licht an", {True}, set()),
        ("an oder aus", {True, False}, set()),
        ("lampe", set(), set()),
        ("schließanlage", set(), set()),
        ("schließ die tür", set(), {True}),
        # A particle at the end of a clause makes another verb.
        ("schließ die tür auf", set(), {False}),
        ("schließ die tür auf, die post ist da", set(), {False}),
        ("schließ die tür auf der terrasse", set(), {True, False}),
        ("把门关上", set(), {False}),
    ],
)
def test_phrases_of_a_message_state_directions(
    text: str, light: set[bool], lock: set[bool]
) -> None:
    stated = WORDS.stated(message(text))
    assert stated == {LIGHT: frozenset(light), LOCK: frozenset(lock)}


def test_longer_phrase_of_the_first_direction_counts_as_well() -> None:
    words = DirectionWords(
        {LIGHT: Directions(on=phrases("turn up"), off=phrases("turn"))}, inflects=False
    )
    assert words.stated(MessageText("turn it up", inflects=False))[LIGHT] == {True}


def anchors(text: str, **names: str) -> list[Anchor]:
    places = {word: place for place, word in enumerate(message(text).words)}
    return [
        ((places[name], places[name] + 1), frozenset({domain})) for name, domain in names.items()
    ]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("mach die lampe aus und die leuchte an", {False}, {True}),
        ("aus mit lampe, an mit leuchte", {False}, {True}),
        ("lampe aus leuchte", {False}, {False}),
        ("lampe und leuchte", set(), set()),
        ("lampe an aus leuchte", {True}, {False}),
    ],
)
def test_words_between_devices_belong_to_one_of_them(
    text: str, first: set[bool], second: set[bool]
) -> None:
    found = WORDS.stated_at(message(text), anchors(text, lampe="light", leuchte="light"))
    assert [each.get(LIGHT, frozenset()) for each in found] == [first, second]


def test_cut_at_a_punctuation_mark_is_preferred() -> None:
    text = "lampe, aus leuchte"
    found = WORDS.stated_at(message(text), anchors(text, lampe="light", leuchte="light"))
    assert [each[LIGHT] for each in found] == [set(), {False}]


def test_anchors_that_touch_are_one() -> None:
    light, lock = frozenset({"light"}), frozenset({"lock"})
    assert list(join_anchors([((4, 5), lock), ((0, 1), light), ((1, 3), lock)])) == [
        ((0, 3), light | lock),
        ((4, 5), lock),
    ]
    assert list(join_anchors([])) == []


@pytest.mark.parametrize(
    ("text", "domains"),
    [
        ("tür spalt", {"lock"}),
        ("spalt tür", set()),
        ("licht spalt an und tür auf", {"light"}),
        # The unknown word may be the verb of the second device.
        ("licht an und spalt tür auf", set()),
        ("licht an, tür auf spalt", {"lock"}),
        ("licht an und tür auf, spalt", set()),
    ],
)
def test_unknown_word_after_a_name_belongs_to_it(text: str, domains: set[str]) -> None:
    names = {name: d for name, d in (("licht", "light"), ("tur", "lock")) if name in words(text)}
    found = WORDS.detailed_domains(message(text), anchors(text, **names), {"spalt"})
    assert set(found) == domains


@pytest.mark.parametrize(("text", "light"), [("ausen?", set()), ("ausen", {False})])
def test_name_of_a_state_in_a_question_is_no_form_of_a_command(text: str, light: set[bool]) -> None:
    found = {LIGHT: Directions(on=phrases("ein"), off=phrases("ausens"))}
    words_of_light = DirectionWords(found, frozenset({"ausen"}), inflects=True)
    assert words_of_light.stated(message(text).without([]))[LIGHT] == light


def test_number_of_degrees_states_no_direction() -> None:
    """German *ein* is a form of *on* and the number one."""
    numbers = NumberWords(ones=frozenset({"ein"}), degrees=frozenset({"grad"}))
    counting = DirectionWords(
        {LIGHT: Directions(on=phrases("ein"))}, numbers=numbers, inflects=True
    )
    assert counting.stated(message("ein grad"))[LIGHT] == frozenset()
    assert counting.stated(message("schalt das ein"))[LIGHT] == {True}


@pytest.mark.parametrize(
    ("text", "describes"),
    [("la lampe est allumee", True), ("allumez la lampe", False), ("lampe ouverte", False)],
)
def test_state_of_a_device_may_be_described(text: str, *, describes: bool) -> None:
    """By a word that is a form of a command by its ending only."""
    pair = Directions(on=phrases("allumez"), off=phrases("eteignez"))
    found = DirectionWords({LIGHT: pair}, frozenset({"allumee", "ouverte"}), inflects=True)
    assert found.describes(MessageText(text, inflects=True)) is describes
