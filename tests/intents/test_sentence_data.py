"""Home Assistant's command sentences, as data of a language."""

from typing import Any

import pytest

from custom_components.chatterbox.intents.sentence_data import (
    entry_domains,
    general_words,
    intent_entries,
    intent_sentences,
    is_for_whole_home,
    load_intent_domains,
    load_sentences,
    normalized_words,
    spelled_numbers,
)


@pytest.mark.parametrize(
    ("language", "tag"), [("en-GB", "en"), ("de-AT", "de"), ("de-CH", "de-CH"), ("tlh", None)]
)
def test_sentences_are_those_of_the_nearest_language(language: str, tag: str | None) -> None:
    data = load_sentences(language)
    assert data.get("language") == tag
    assert bool(data.get("intents")) is (tag is not None)


def test_each_intent_has_a_domain() -> None:
    domains = load_intent_domains()
    assert domains["HassTurnOn"] == "homeassistant"
    assert domains["HassLightSet"] == "light"


@pytest.mark.parametrize(
    ("entry", "domains"),
    [
        ({}, ["homeassistant"]),
        ({"slots": {"domain": "fan"}}, ["fan"]),
        ({"requires_context": {"domain": ["fan", "light"]}}, ["fan", "light"]),
        ({"slots": {"domain": "fan"}, "requires_context": {"domain": "light"}}, ["fan"]),
        ({"slots": {"name": "x"}, "requires_context": {}}, ["homeassistant"]),
    ],
)
def test_domains_of_an_entry_are_those_of_its_slots_before_its_context(
    entry: dict[str, Any], domains: list[str]
) -> None:
    assert list(entry_domains(entry)) == domains


@pytest.mark.parametrize(
    ("entry", "whole"),
    [
        ({}, False),
        ({"metadata": {"slot_combination": "name_only"}}, False),
        ({"metadata": {"slot_combination": "domain_all"}}, True),
    ],
)
def test_entry_for_the_whole_home_is_known_by_its_metadata(
    entry: dict[str, Any], *, whole: bool
) -> None:
    assert is_for_whole_home(entry) is whole


def test_sentences_of_an_intent_are_limited_to_combinations_of_slots() -> None:
    named = {"sentences": ["stop <name>"], "metadata": {"slot_combination": "name_only"}}
    plain = {"sentences": ["stop", "halt"]}
    data = {"intents": {"HassStop": {"data": [named, plain]}}}
    assert [*intent_entries(data, "HassStop")] == [named, plain]
    assert [*intent_sentences(data, "HassStop")] == ["stop <name>", "stop", "halt"]
    assert [*intent_sentences(data, "HassStop", "name_only")] == ["stop <name>"]
    assert [*intent_sentences(data, "HassStart")] == []


def test_general_words_are_skip_words_and_spelled_numbers() -> None:
    words = general_words({"language": "en", "skip_words": ["Please", "for me"]})
    assert {"please", "for", "me", "zero", "twenty"} <= words
    assert "fifty" not in words


@pytest.mark.parametrize("language", ["nb", "not a language"])
def test_language_without_number_rules_has_no_spelled_numbers(language: str) -> None:
    assert spelled_numbers(language, range(3)) == {}


def test_numbers_have_each_of_their_spelled_forms() -> None:
    spelled = spelled_numbers("de", (1, 21))
    assert "einundzwanzig" in spelled[21]
    assert {"eins", "ein"} <= set(spelled[1])


def test_normalized_words_are_single_words_without_case_and_accents() -> None:
    assert normalized_words(["Lumière du Salon", "salon"]) == {"lumiere", "du", "salon"}
