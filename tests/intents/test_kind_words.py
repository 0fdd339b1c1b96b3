"""Words for kinds of entities."""

from collections.abc import Mapping
from typing import Any

import pytest

from custom_components.chatterbox.intents.kind_words import (
    DomainTexts,
    domain_texts,
    kind_names,
    sentence_words,
)

NO_TEXTS = DomainTexts({})
DOMAINS = {
    "SetLight": "light",
    "StartVacuum": "vacuum",
    "AddToShoppingList": "shopping_list",
    "AddToList": "todo",
    "TurnOn": "homeassistant",
    "Respond": "homeassistant",
}


def _sentences(**intents: list[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "language": "en",
        "intents": {name: {"data": entries} for name, entries in intents.items()},
    }


def _entry(*sentences: str, **details: Any) -> dict[str, Any]:
    return {"sentences": list(sentences), **details}


def test_words_of_one_domain_are_distinctive_and_shared_words_are_not() -> None:
    """Articles and general verbs occur in the sentences of several domains."""
    data = _sentences(SetLight=[_entry("set the lamp")], StartVacuum=[_entry("set the vacuum off")])
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {
        "light": {"lamp"},
        "vacuum": {"off vacuum"},
    }


@pytest.mark.parametrize(
    ("sentences", "words"),
    [
        # One says already what the other would say.
        (["lamps", "out lamps"], {"lamps"}),
        # None is without one of the others.
        (["skip song", "skip track", "next track"], {"skip song", "skip", "track", "next track"}),
        # Optional words are not needed.
        (["lamp [again]"], {"lamp"}),
        # A sentence with a value says by it what it is for.
        (["lamp", "paint {area} {color}", "paint {area} <tint>"], {"lamp"}),
        (["lamp", "paint {area} [{color}]"], {"lamp", "paint"}),
        (["lamp", "paint {area} ({color}|glossy)"], {"lamp", "paint"}),
    ],
)
def test_words_are_those_that_say_what_a_sentence_is_for(
    sentences: list[str], words: set[str]
) -> None:
    data = _sentences(SetLight=[_entry(*sentences)], StartVacuum=[_entry("vacuum")])
    data["lists"] = {"color": {"values": ["red"]}}
    data["expansion_rules"] = {"tint": "in {color}"}
    assert sentence_words(data, DOMAINS, NO_TEXTS)["light"] == words


def test_sentences_with_a_name_count_where_there_are_no_others() -> None:
    """A named device need not be described."""
    named = _entry("illuminate {name}", metadata={"slot_combination": "name_only"})
    data = _sentences(SetLight=[named, _entry("lamp")], StartVacuum=[_entry("vacuum")])
    assert sentence_words(data, DOMAINS, NO_TEXTS)["light"] == {"lamp"}
    data = _sentences(SetLight=[named], StartVacuum=[_entry("vacuum")])
    assert sentence_words(data, DOMAINS, NO_TEXTS)["light"] == {"illuminate"}


@pytest.mark.parametrize(
    ("following", "previous", "found"),
    [
        (["skip"], ["go back"], {"skip"}),
        # A whole sentence, its first word, and what both commands have.
        (["skip"], ["back"], {"skip", "back"}),
        (["skip"], ["back to it"], {"skip", "back"}),
        (["go back"], ["get back"], {"back"}),
    ],
)
def test_word_beside_the_verb_of_one_direction_is_no_word_for_a_kind(
    following: list[str], previous: list[str], found: set[str]
) -> None:
    data = _sentences(
        HassMediaNext=[_entry(*following)],
        HassMediaPrevious=[_entry(*previous)],
        StartVacuum=[_entry("go to it and get going")],
    )
    media = dict.fromkeys(("HassMediaNext", "HassMediaPrevious"), "media_player")
    assert sentence_words(data, DOMAINS | media, NO_TEXTS)["media_player"] == found


def test_verbs_for_lists_count_beside_their_names() -> None:
    """An item of a list can be anything."""
    named = _entry("[please] jot {item} down on {name}", metadata={"slot_combination": "name_item"})
    data = _sentences(AddToList=[named], AddToShoppingList=[_entry("{item} on the groceries")])
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {"todo": {"jot", "groceries on the"}}


def test_plural_of_a_shared_word_is_not_distinctive() -> None:
    """The words are compared without the ending that only makes a plural."""
    data = _sentences(
        SetLight=[_entry("lamps in all rooms")], StartVacuum=[_entry("vacuum this room")]
    )
    assert sentence_words(data, DOMAINS, NO_TEXTS)["light"] == {"all in lamps"}


@pytest.mark.parametrize(
    "details",
    [{"slots": {"domain": "fan"}}, {"requires_context": {"domain": ["fan"]}}],
    ids=["slots", "context"],
)
def test_entry_of_a_general_intent_belongs_to_the_domain_it_names(details: Any) -> None:
    """Turning on is for many domains, each with sentences of its own."""
    data = _sentences(TurnOn=[_entry("blow", **details), _entry("start")])
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {"fan": {"blow"}}


def test_entry_for_several_domains_gives_words_to_none_and_takes_them_from_all() -> None:
    """What is said to lights and fans does not say which of them is meant."""
    data = _sentences(
        TurnOn=[_entry("activate it", requires_context={"domain": ["fan", "light"]})],
        SetLight=[_entry("activate brightness")],
    )
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {"light": {"brightness"}}


@pytest.mark.parametrize("domain", ["sensor", "binary_sensor"])
def test_sensors_have_no_words_from_sentences(domain: str) -> None:
    """Only their device classes say what they are."""
    data = _sentences(TurnOn=[_entry("triggered", slots={"domain": domain})])
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {}


def test_sentences_about_the_whole_home_are_left_out() -> None:
    """They have words for home and everywhere, and only one domain has such sentences."""
    data = _sentences(
        SetLight=[
            _entry("lamps"),
            _entry("lamps everywhere", metadata={"slot_combination": "domain_all"}),
        ]
    )
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {"light": {"lamps"}}


def test_shopping_list_is_a_todo_list() -> None:
    """Its words are not lost because both have them."""
    data = _sentences(
        AddToShoppingList=[_entry("groceries list")], AddToList=[_entry("chores list")]
    )
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {
        "todo": {"chores", "chores list", "groceries", "groceries list", "list"}
    }


def test_skip_words_numbers_and_short_words_never_count() -> None:
    """They are in sentences of one domain by chance."""
    data = _sentences(SetLight=[_entry("please set lamp to seven", "up")])
    data["skip_words"] = ["please"]
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {"light": {"lamp set to"}}


def test_language_without_spelled_numbers_keeps_its_words() -> None:
    """Not every language has rules for numbers."""
    data = _sentences(SetLight=[_entry("seven lamps")]) | {"language": "xx"}
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {"light": {"lamps seven"}}


def test_words_for_timers_are_those_of_all_intents_about_them() -> None:
    """*When* and *half* are in the sentences of some, and would make any question one."""
    data = _sentences(
        HassStartTimer=[_entry("half an hour timer"), _entry("start timer")],
        HassCancelAllTimers=[_entry("cancel all timers")],
        HassTimerStatus=[_entry("when does my timer end")],
    )
    domains = dict.fromkeys(data["intents"], "timer")
    assert sentence_words(data, domains, NO_TEXTS) == {"timer": {"timer", "timers"}}


def test_cover_classes_have_their_own_words() -> None:
    """A word for one class of covers is no word for all covers."""
    data = _sentences(TurnOn=[_entry("raise {cover_classes}", slots={"domain": "cover"})])
    data["lists"] = {
        "cover_classes": {
            "values": [{"in": "curtain[s]", "out": "curtain"}, {"in": "my", "out": "gate"}]
        }
    }
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {
        "cover": {"raise"},
        "cover.curtain": {"curtain", "curtains"},
    }


def test_pieces_of_templates_without_spaces_are_words() -> None:
    """A piece counts however short it is, unless it is a part of another domain's."""
    data = _sentences(SetLight=[_entry("{area}電気を<on>")], StartVacuum=[_entry("電気掃除機")])
    data["expansion_rules"] = {"on": "(点|掃除)"}
    assert sentence_words(data, DOMAINS, NO_TEXTS) == {
        "light": {"電気を", "点"},
        "vacuum": {"電気掃除機"},
    }


def test_common_word_of_the_texts_about_other_domains_does_not_count() -> None:
    """A word that is much more frequent in the texts about its own domain does."""
    others = {f"domain_{number}": ["this list", *["milk and bread"] * 9] for number in range(5)}
    texts = DomainTexts(others | {"todo": ["a list", "this list", "the list and more"]})
    data = _sentences(AddToList=[_entry("list eggs and milk")])
    assert sentence_words(data, DOMAINS, texts) == {"todo": {"list", "eggs list"}}


def test_word_is_common_in_texts_of_at_least_five_other_domains() -> None:
    """Texts about a few domains may share a word by chance."""
    texts = {f"domain_{number}": ["and"] for number in range(4)}
    assert not DomainTexts(texts).is_common("and", "light")
    assert DomainTexts(texts | {"domain_4": ["and"]}).is_common("and", "light")


def test_word_without_spaces_is_common_as_a_part_of_texts() -> None:
    """Such texts are not divided into words."""
    texts = {f"domain_{number}": ["電気を点けます"] for number in range(5)}
    assert DomainTexts(texts).is_common("点け", "light")
    assert not DomainTexts(texts).is_common("消し", "light")


def test_texts_are_sentences_not_names() -> None:
    """Names are what words are distinctive for."""
    translations = {
        f"domain_{number}": {
            "title": "Lamp",
            "entity_component": {"_": {"name": "Lamp"}},
            "services": {"turn_on": {"name": "Start", "description": "Starts and lights it."}},
        }
        for number in range(5)
    }
    found = domain_texts(translations)
    assert found.is_common("and", "light")
    assert not found.is_common("lamp", "light")


def test_names_of_domains_and_device_classes_are_words_for_them() -> None:
    """The title of an integration is one too, the other texts are not."""
    translations: dict[str, dict[str, Any]] = {
        "climate": {
            "title": "Climate",
            "entity_component": {"_": {"name": "Thermostat", "state": {"off": "Off"}}},
        },
        "cover": {"entity_component": {"garage": {"name": "Garage Door"}, "gas": {}}},
        "conversation": {"title": "Conversation"},
    }
    assert kind_names(translations) == {
        "climate": {"climate", "thermostat"},
        "cover.garage": {"garage door"},
        "cover.gas": set(),
    }


def test_purposes_are_words_for_a_domain() -> None:
    climate: dict[str, Any] = {
        "name": "Thermostat",
        "state": {"heat": "Chauffage", "dry": "Déshumidification"},
        "state_attributes": {"hvac_action": {"state": {"heating": "Chauffe"}}},
    }
    player: dict[str, Any] = {
        "state_attributes": {"media_content_type": {"state": {"music": "Muzyka"}}}
    }
    translations: dict[str, dict[str, Any]] = {
        "climate": {"entity_component": {"_": climate}},
        "media_player": {"entity_component": {"_": player}},
    }
    assert kind_names(translations) == {
        "climate": {"thermostat", "chauffage", "chauffe"},
        "media_player": {"muzyka"},
    }


def test_sensors_are_named_by_their_device_classes_only() -> None:
    """Every sensor is a sensor."""
    translations = {
        "sensor": {
            "title": "Sensor",
            "entity_component": {"_": {"name": "Sensor"}, "power": {"name": "Power"}},
        }
    }
    assert kind_names(translations) == {"sensor.power": {"power"}}


def test_short_name_counts_only_as_an_abbreviation() -> None:
    """*TV* says what it is, *pH* may be a part of anything."""
    component = {"entity_component": {"tv": {"name": "TV"}, "ph": {"name": "pH"}}}
    assert kind_names({"media_player": component}) == {
        "media_player.tv": {"tv"},
        "media_player.ph": set(),
    }
