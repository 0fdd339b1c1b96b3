"""Words for kinds of entities."""

from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

import pytest

from custom_components.chatterbox import kind_words
from custom_components.chatterbox.kind_words import (
    Prose,
    async_directions,
    async_grammar_words,
    async_kind_words,
    async_number_words,
    names,
    prose,
    sentence_words,
)
from homeassistant.core import HomeAssistant

NO_PROSE = Prose({})
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
    assert sentence_words(data, DOMAINS, NO_PROSE) == {
        "light": {"lamp"},
        "vacuum": {"vacuum", "off"},
    }


def test_plural_of_a_shared_word_is_not_distinctive() -> None:
    """The words are compared without the ending that only makes a plural."""
    data = _sentences(
        SetLight=[_entry("lamps in all rooms")], StartVacuum=[_entry("vacuum this room")]
    )
    assert sentence_words(data, DOMAINS, NO_PROSE)["light"] == {"lamps", "all"}


@pytest.mark.parametrize(
    "details",
    [{"slots": {"domain": "fan"}}, {"requires_context": {"domain": ["fan"]}}],
    ids=["slots", "context"],
)
def test_entry_of_a_general_intent_belongs_to_the_domain_it_names(details: Any) -> None:
    """Turning on is for many domains, each with sentences of its own."""
    data = _sentences(TurnOn=[_entry("blow", **details), _entry("start")])
    assert sentence_words(data, DOMAINS, NO_PROSE) == {"fan": {"blow"}}


def test_entry_for_several_domains_gives_words_to_none_and_takes_them_from_all() -> None:
    """What is said to lights and fans does not say which of them is meant."""
    data = _sentences(
        TurnOn=[_entry("activate it", requires_context={"domain": ["fan", "light"]})],
        SetLight=[_entry("activate brightness")],
    )
    assert sentence_words(data, DOMAINS, NO_PROSE) == {"light": {"brightness"}}


@pytest.mark.parametrize("domain", ["sensor", "binary_sensor"])
def test_sensors_have_no_words_from_sentences(domain: str) -> None:
    """Only their device classes say what they are."""
    data = _sentences(TurnOn=[_entry("triggered", slots={"domain": domain})])
    assert sentence_words(data, DOMAINS, NO_PROSE) == {}


def test_sentences_about_the_whole_home_are_left_out() -> None:
    """They have words for home and everywhere, and only one domain has such sentences."""
    data = _sentences(
        SetLight=[
            _entry("lamps"),
            _entry("lamps everywhere", metadata={"slot_combination": "domain_all"}),
        ]
    )
    assert sentence_words(data, DOMAINS, NO_PROSE) == {"light": {"lamps"}}


def test_shopping_list_is_a_todo_list() -> None:
    """Its words are not lost because both have them."""
    data = _sentences(
        AddToShoppingList=[_entry("groceries list")], AddToList=[_entry("chores list")]
    )
    assert sentence_words(data, DOMAINS, NO_PROSE) == {"todo": {"groceries", "chores", "list"}}


def test_skip_words_numbers_and_short_words_never_count() -> None:
    """They are in sentences of one domain by chance."""
    data = _sentences(SetLight=[_entry("please set lamp to seven")])
    data["skip_words"] = ["please"]
    assert sentence_words(data, DOMAINS, NO_PROSE) == {"light": {"set", "lamp"}}


def test_language_without_spelled_numbers_keeps_its_words() -> None:
    """Not every language has rules for numbers."""
    data = _sentences(SetLight=[_entry("seven lamps")]) | {"language": "xx"}
    assert sentence_words(data, DOMAINS, NO_PROSE) == {"light": {"seven", "lamps"}}


def test_cover_classes_have_their_own_words() -> None:
    """A word for one class of covers is no word for all covers."""
    data = _sentences(TurnOn=[_entry("raise {cover_classes}", slots={"domain": "cover"})])
    data["lists"] = {
        "cover_classes": {
            "values": [{"in": "curtain[s]", "out": "curtain"}, {"in": "my", "out": "gate"}]
        }
    }
    assert sentence_words(data, DOMAINS, NO_PROSE) == {
        "cover": {"raise"},
        "cover.curtain": {"curtain", "curtains"},
    }


def test_pieces_of_templates_without_spaces_are_words() -> None:
    """A piece counts however short it is, unless it is a part of another domain's."""
    data = _sentences(SetLight=[_entry("{area}電気を<on>")], StartVacuum=[_entry("電気掃除機")])
    data["expansion_rules"] = {"on": "(点|掃除)"}
    assert sentence_words(data, DOMAINS, NO_PROSE) == {
        "light": {"電気を", "点"},
        "vacuum": {"電気掃除機"},
    }


def test_usual_word_of_the_texts_about_other_domains_does_not_count() -> None:
    """A word that is much more frequent in the texts about its own domain does."""
    others = {f"domain_{number}": ["this list", *["milk and bread"] * 9] for number in range(5)}
    usual = Prose(others | {"todo": ["a list", "this list", "the list and more"]})
    data = _sentences(AddToList=[_entry("list eggs and milk")])
    assert sentence_words(data, DOMAINS, usual) == {"todo": {"list", "eggs"}}


def test_word_is_usual_in_texts_of_at_least_five_other_domains() -> None:
    """Texts about a few domains may share a word by chance."""
    texts = {f"domain_{number}": ["and"] for number in range(4)}
    assert not Prose(texts).is_usual("and", "light")
    assert Prose(texts | {"domain_4": ["and"]}).is_usual("and", "light")


def test_word_without_spaces_is_usual_as_a_part_of_texts() -> None:
    """Such texts are not divided into words."""
    texts = {f"domain_{number}": ["電気を点けます"] for number in range(5)}
    assert Prose(texts).is_usual("点け", "light")
    assert not Prose(texts).is_usual("消し", "light")


def test_prose_is_taken_from_sentences_not_from_names() -> None:
    """Names are what words are distinctive for."""
    translations = {
        f"domain_{number}": {
            "title": "Lamp",
            "entity_component": {"_": {"name": "Lamp"}},
            "services": {"turn_on": {"name": "Start", "description": "Starts and lights it."}},
        }
        for number in range(5)
    }
    found = prose(translations)
    assert found.is_usual("and", "light")
    assert not found.is_usual("lamp", "light")


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
    assert names(translations) == {
        "climate": {"climate", "thermostat"},
        "cover.garage": {"garage door"},
        "cover.gas": set(),
    }


def test_sensors_are_named_by_their_device_classes_only() -> None:
    """Every sensor is a sensor."""
    translations = {
        "sensor": {
            "title": "Sensor",
            "entity_component": {"_": {"name": "Sensor"}, "power": {"name": "Power"}},
        }
    }
    assert names(translations) == {"sensor.power": {"power"}}


def test_short_name_counts_only_as_an_abbreviation() -> None:
    """*TV* says what it is, *pH* may be a part of anything."""
    component = {"entity_component": {"tv": {"name": "TV"}, "ph": {"name": "pH"}}}
    assert names({"media_player": component}) == {
        "media_player.tv": {"tv"},
        "media_player.ph": set(),
    }


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        pytest.param("en", {}, id="English"),
        pytest.param(
            "de",
            {
                "light": {"licht", "lampe", "helligkeit", "dimmen"},
                "cover.shutter": {"rollladen"},
                "cover.garage": {"garagentor"},
                "lock": {"schloss", "entriegeln"},
                "vacuum": {"staubsauger", "saugen"},
                "media_player": {"lautstarke", "musik"},
                "climate": {"heizung", "thermostat"},
                "todo": {"einkaufsliste", "liste"},
                "weather": {"wetter"},
                "time": {"uhrzeit"},
            },
            id="German",
        ),
        pytest.param("fr-CA", {"light": {"lumiere"}, "todo": {"liste"}}, id="French of a country"),
        pytest.param("pl", {"vacuum": {"odkurz"}, "cover.blind": {"roleta"}}, id="Polish"),
        pytest.param("ja", {"light": {"電気", "照明"}, "cover.window": {"窓"}}, id="Japanese"),
        pytest.param("tlh", {}, id="unknown"),
    ],
)
async def test_kind_words_are_in_the_language_and_in_english(
    hass: HomeAssistant, language: str, expected: Mapping[str, set[str]]
) -> None:
    """English names are everywhere, and a home may mix languages."""
    english = {
        "light": {"light", "lamp", "brightness"},
        "cover.curtain": {"curtain"},
        "cover.garage": {"garage door"},
        "lock": {"unlock"},
        "vacuum": {"vacuum"},
        "media_player": {"volume", "song"},
        "media_player.tv": {"tv"},
        "climate": {"thermostat", "degrees"},
        "todo": {"list", "shopping"},
        "timer": {"timer", "minutes"},
        "weather": {"weather"},
        "sensor.humidity": {"humidity"},
        "date": {"today"},
    }
    kinds = await async_kind_words(hass, language)
    for wanted in (english, expected):
        for kind, phrases in wanted.items():
            assert phrases <= kinds[kind]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "all room rooms please what is the set turn on off in and with that house every"),
        ("de", "alle zimmer bitte was ist der die das und auf an aus zwei mach sich im ganzen"),
        ("fr", "tous toutes piece quel est les des dans plus une maison allume"),
        ("nl", "alle kamer wat zijn het een van zet aan uit huis"),
    ],
)
async def test_kind_words_are_no_general_words(
    hass: HomeAssistant, language: str, words: str
) -> None:
    """A word of every message would mention a kind with each."""
    kinds = await async_kind_words(hass, language)
    kinds = {kind: phrases for kind, phrases in kinds.items() if kind != "assist_satellite"}
    assert not {
        (kind, word) for word in words.split() for kind, known in kinds.items() if word in known
    }


async def test_kind_words_are_found_once_for_a_language(hass: HomeAssistant) -> None:
    """The sentences of a language are as large as a book."""
    await async_kind_words(hass, "en")
    with patch.object(kind_words, "_words_in", return_value={"light": frozenset({"lys"})}) as found:
        kinds = await async_kind_words(hass, "da")
        await async_kind_words(hass, "da")
        await async_kind_words(hass, "en")
    found.assert_called_once_with("da")
    assert kinds["light"] >= {"lys", "light"}


@pytest.mark.parametrize(
    ("language", "known", "unknown"),
    [
        ("en", {"turn", "on", "the", "what", "please", "twenty"}, {"toaster", "joke", "capital"}),
        ("de", {"schalte", "das", "ist", "bitte", "zwanzig"}, {"toaster", "witz", "warum"}),
        ("de-AT", {"schalte"}, {"toaster"}),
    ],
)
async def test_grammar_words_are_those_of_home_assistants_sentences(
    hass: HomeAssistant, language: str, known: set[str], unknown: set[str]
) -> None:
    found = await async_grammar_words(hass, language)
    assert known - found == set()
    assert found.isdisjoint(unknown)
    assert await async_grammar_words(hass, language) is found


async def test_language_without_sentences_has_no_grammar_words(hass: HomeAssistant) -> None:
    assert "turn" not in await async_grammar_words(hass, "tlh")


@pytest.mark.parametrize(
    ("language", "form", "number"),
    [
        ("en", ("forty", "two"), 42),
        ("en", ("zero",), 0),
        ("de", ("zweiundvierzig",), 42),
        ("fr", ("quarante", "deux"), 42),
    ],
)
async def test_numbers_are_known_by_their_words(
    hass: HomeAssistant, language: str, form: tuple[str, ...], number: int
) -> None:
    found = await async_number_words(hass, language)
    assert found[form] == number
    assert 1 not in found.values()
    assert not any(each[0].isdecimal() for each in found)
    assert await async_number_words(hass, language) is found


@pytest.mark.parametrize(
    ("language", "domain", "on", "off"),
    [
        ("en", "cover", "open", "close"),
        ("en", "lock", "lock", "unlock"),
        ("de", "light", "einschalten", "aus"),
        ("de", "cover", "hoch", "runter"),
        ("nl", "light", "aan", "uit"),
    ],
)
async def test_directions_have_the_words_of_one_direction_only(
    hass: HomeAssistant, language: str, domain: str, on: str, off: str
) -> None:
    directions = (await async_directions(hass, language))[domain]
    assert on in directions.on - directions.off
    assert off in directions.off - directions.on
    assert directions.question.isdisjoint(directions.command)
