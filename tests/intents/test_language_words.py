"""Words of a language, from Home Assistant's own sentences and translations."""

from collections.abc import Mapping
from unittest.mock import patch

import pytest

from custom_components.chatterbox.agent.text_match import words
from custom_components.chatterbox.intents import language_words
from custom_components.chatterbox.intents.language_words import LanguageWords, async_language_words
from custom_components.chatterbox.intents.sentence_data import load_sentences
from homeassistant.core import HomeAssistant


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        pytest.param("en", {}, id="English"),
        pytest.param(
            "de",
            {
                "light": {"licht", "lampe", "helligkeit", "dimmen"},
                "cover.shutter": {"rollladen"},
                "cover.garage": {"garage", "garagentor"},
                "lock": {"schloss", "entriegel"},
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
        pytest.param("es", {"switch": {"interruptor"}}, id="Spanish"),
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
        "media_player": {"volume", "skip"},
        "media_player.tv": {"tv"},
        "climate": {"thermostat"},
        "todo": {"list", "complete"},
        "timer": {"timer"},
        "weather": {"weather"},
        "sensor.humidity": {"humidity"},
        "date": {"date"},
    }
    kinds = (await async_language_words(hass, language)).kinds
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
    kinds = (await async_language_words(hass, language)).kinds
    kinds = {kind: phrases for kind, phrases in kinds.items() if kind != "assist_satellite"}
    assert not {
        (kind, word) for word in words.split() for kind, known in kinds.items() if word in known
    }


async def test_words_are_found_once_for_a_language(hass: HomeAssistant) -> None:
    """The sentences of a language are as large as a book."""
    await async_language_words(hass, "en")
    danish = LanguageWords(kinds={"light": frozenset({"lys"})})
    with patch.object(language_words, "_words_in", return_value=danish) as words_in:
        found = await async_language_words(hass, "da")
        assert await async_language_words(hass, "da") is found
        await async_language_words(hass, "en")
    words_in.assert_called_once_with("da")
    assert found.kinds["light"] >= {"lys", "light"}


async def test_data_of_a_language_are_loaded_once(hass: HomeAssistant) -> None:
    with patch.object(language_words, "load_sentences", side_effect=load_sentences) as load:
        await async_language_words(hass, "en")
        await async_language_words(hass, "de")
        await async_language_words(hass, "de")
    assert [call.args for call in load.call_args_list] == [("en",), ("de",)]


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
    found = (await async_language_words(hass, language)).grammar
    assert known - found == set()
    assert found.isdisjoint(unknown)
    assert (await async_language_words(hass, language)).grammar is found


async def test_language_without_spelled_numbers_has_its_other_words(hass: HomeAssistant) -> None:
    found = await async_language_words(hass, "nb")
    assert not found.numbers.numbers
    assert not found.numbers.ordinals
    assert "lys" in found.grammar


async def test_language_without_sentences_has_no_grammar_words(hass: HomeAssistant) -> None:
    assert "turn" not in (await async_language_words(hass, "tlh")).grammar


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
    found = (await async_language_words(hass, language)).numbers.numbers
    assert found[form] == number
    assert 1 not in found.values()
    assert not any(each[0].isdecimal() for each in found)
    assert (await async_language_words(hass, language)).numbers.numbers is found


@pytest.mark.parametrize(
    ("language", "domain", "on", "off"),
    [
        ("en", "cover", "open", "close"),
        ("en", "lock", "lock", "unlock"),
        ("de", "light", "ein", "aus"),
        ("de", "cover", "hoch", "runter"),
        ("nl", "light", "aan", "uit"),
    ],
)
async def test_directions_have_the_words_of_one_direction_only(
    hass: HomeAssistant, language: str, domain: str, on: str, off: str
) -> None:
    directions = (await async_language_words(hass, language)).directions[domain, "HassTurnOn"]
    assert frozenset({on}) in directions.on - directions.off
    assert frozenset({off}) in directions.off - directions.on


@pytest.mark.parametrize(
    ("language", "on", "off", "state"),
    [
        ("en", {"turn", "on"}, {"turn", "off"}, "off"),
        ("de", {"schalt", "ein"}, {"schalt", "aus"}, "aus"),
        # To open is *open doen*.
        ("nl", {"inschakelen"}, {"uitschakelen"}, "doen"),
    ],
)
async def test_valve_is_turned_on_and_off_by_a_verb(
    hass: HomeAssistant, language: str, on: set[str], off: set[str], state: str
) -> None:
    found = (await async_language_words(hass, language)).directions
    valve = found["valve", "HassTurnOn"]
    assert frozenset(on) in valve.on - valve.off
    assert frozenset(off) in valve.off - valve.on
    assert frozenset({state}) not in valve.on
    # Without a verb it only is said to be on, but *off* does no harm.
    assert (frozenset({state}) in valve.off) is (state != "doen")
    assert found["cover", "volume_step"] == found["media_player", "volume_step"]


@pytest.mark.parametrize(
    ("language", "more", "less"),
    [
        *(("en", "increase", "decrease"), ("de", "erhoh", "senk")),
        *(("es", "sube", "baja"), ("it", "alza", "abbassa"), ("nl", "hoger", "lager")),
    ],
)
async def test_words_for_more_and_less_are_those_for_the_volume(
    hass: HomeAssistant, language: str, more: str, less: str
) -> None:
    found = (await async_language_words(hass, language)).directions["climate", "temperature_step"]
    assert frozenset({more}) in found.on - found.off
    assert frozenset({less}) in found.off - found.on
    assert "volume" not in frozenset().union(*found.on, *found.off)


@pytest.mark.parametrize(
    ("language", "negation"),
    [
        *(("en", "not"), ("de", "nicht"), ("fr", "pas"), ("es", "no"), ("it", "non")),
        *(("nl", "niet"), ("pl", "nie")),
    ],
)
async def test_negations_are_what_makes_a_state_the_opposite_one(
    hass: HomeAssistant, language: str, negation: str
) -> None:
    found = (await async_language_words(hass, language)).negations
    assert negation in found
    assert len(found) <= 2


async def test_words_of_questions_of_everything_and_of_states(hass: HomeAssistant) -> None:
    english = await async_language_words(hass, "en")
    assert {"is", "what", "how"} <= english.questions.asked
    assert english.questions.asked.isdisjoint({"turn", "open", "all"})
    assert {"turn", "open", "lock"} <= english.questions.commanded
    assert ("could", "you") in english.questions.polite
    assert {"locked", "closed"} <= english.questions.states
    assert english.numbers.halves == {"half"}
    assert english.numbers.ordinals["third"] == 3
    assert english.colors["blue"] == {"blue"}
    assert {frozenset({"all"}), frozenset({"everywhere"})} <= english.everything
    assert "all" in english.all_of_kind
    assert english.all_of_kind.isdisjoint({"and", "the", "on"})
    dutch = await async_language_words(hass, "nl")
    assert {"alle", "elke"} <= dutch.all_of_kind
    assert english.states["binary_sensor.window"] == {"on": "open", "off": "closed"}
    assert "switch" not in english.kinds.get("switch", ())
    german = await async_language_words(hass, "de")
    assert german.states["lock"]["locked"] == "verriegelt"
    assert german.actions["vacuum"]["start"] == "Staubsauger starten"
    assert {"halb", "halbe"} <= german.numbers.halves
    assert german.colors["blue"] == {"blau", "blue"}
    step = german.directions["media_player", "volume_step"]
    assert frozenset({"lauter"}) in step.on


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", {"timer", "timers"}),
        ("es", {"temporizador", "timer", "timers"}),
        ("pl", {"licznik", "minutnik", "stoper", "timer", "timers"}),
    ],
)
async def test_words_for_timers_are_their_names(
    hass: HomeAssistant, language: str, expected: set[str]
) -> None:
    """Other words of their sentences, such as *when*, are no evidence for a timer."""
    found = (await async_language_words(hass, language)).kinds["timer"]
    assert found == expected


KNOWN: dict[str, LanguageWords] = {}


async def known_words(hass: HomeAssistant, language: str) -> LanguageWords:
    """Return the words of a language, which are found once for all tests."""
    if language not in KNOWN:
        KNOWN[language] = await async_language_words(hass, language)
    return KNOWN[language]


@pytest.mark.parametrize(
    ("language", "expected", "others"),
    [
        ("en", {"in", "at"}, {"the", "is"}),
        ("de", {"im", "in"}, {"die", "ist"}),
        ("fr", {"dans", "du"}, {"le", "est"}),
        ("it", {"in", "nella"}, {"la"}),
        ("nl", {"in", "van"}, {"de", "het"}),
        ("pl", {"w", "na"}, {"czy"}),
        ("tlh", set(), {"in"}),
    ],
)
async def test_prepositions_are_words_that_only_sentences_with_a_place_have(
    hass: HomeAssistant, language: str, expected: set[str], others: set[str]
) -> None:
    found = (await known_words(hass, language)).prepositions
    assert expected <= found
    assert not others & found


@pytest.mark.parametrize(
    ("language", "one", "degrees"),
    [
        ("en", "one", "degrees"),
        ("de", "ein", "grad"),
        ("fr", "un", "degres"),
        ("pl", "jeden", "stopni"),
    ],
)
async def test_number_one_and_degrees_have_words(
    hass: HomeAssistant, language: str, one: str, degrees: str
) -> None:
    numbers = (await known_words(hass, language)).numbers
    assert one in numbers.ones
    assert degrees in numbers.degrees


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "to half"),
        ("de", "zur hälfte"),
        ("fr", "à moitié"),
        ("es", "a la mitad"),
        ("it", "a metà"),
        ("nl", "op de helft"),
        ("pl", "do połowy"),
    ],
)
async def test_half_has_words(hass: HomeAssistant, language: str, text: str) -> None:
    numbers = (await known_words(hass, language)).numbers
    assert list(numbers.parts(words(text))) == [50]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "bring it back"),
        ("en", "send it out"),
        ("en", "again"),
        ("de", "mach das wieder an"),
        ("de", "etwas heller"),
        ("nl", "naar boven"),
        ("es", "otra vez"),
        ("fr", "en route"),
    ],
)
async def test_words_beside_a_verb_are_for_no_kind(
    hass: HomeAssistant, language: str, text: str
) -> None:
    kinds = (await known_words(hass, language)).kinds
    said = set(words(text))
    assert not [phrase for each in kinds.values() for phrase in each if {*phrase.split()} <= said]
