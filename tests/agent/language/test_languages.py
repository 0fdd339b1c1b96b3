"""Tests of the languages: one complete module each."""

from itertools import chain
from pathlib import Path

import pytest

from custom_components.chatterbox.agent.language.language import Language
from custom_components.chatterbox.agent.language.language_names import language_name
from custom_components.chatterbox.agent.language.languages import LANGUAGES, find_language

INTEGRATION = Path(__file__).parents[3] / "custom_components" / "chatterbox"
MODULES = INTEGRATION / "agent" / "language" / "languages"
TRANSLATED = sorted(path.stem for path in (INTEGRATION / "translations").glob("*.json"))
NUMBERS = (0, 0.5, 1, 1.5, 2, 3, 5, 12, 22, 100)

every_language = pytest.mark.parametrize("code", sorted(LANGUAGES))


def test_each_module_is_a_language() -> None:
    assert {path.stem for path in MODULES.glob("*.py")} - {"__init__"} == LANGUAGES.keys()
    assert all(isinstance(language, Language) for language in LANGUAGES.values())


@every_language
def test_phrases_are_filled_and_lower_case(code: str) -> None:
    language = LANGUAGES[code]
    assert language.new_conversation
    for phrase in chain(
        language.new_conversation,
        language.stop,
        language.yes,
        language.go_on,
        language.polite,
        language.abbreviations,
    ):
        assert phrase == phrase.lower().strip() != ""


@pytest.mark.parametrize("code", TRANSLATED)
def test_language_with_a_translation_is_complete(code: str) -> None:
    language = LANGUAGES[code]
    assert all((language.stop, language.yes, language.go_on, language.polite, language.minus))
    assert language.abbreviations
    assert {"%", "°", "°C"} <= language.units.keys()


@every_language
def test_each_unit_has_a_form_for_every_number(code: str) -> None:
    language = LANGUAGES[code]
    assert bool(language.units) is bool(language.minus)
    forms = {language.plural_form(number) for number in NUMBERS}
    for spoken in language.units.values():
        assert forms == set(range(len(spoken)))
        assert all(spoken)


@every_language
def test_language_has_a_name(code: str) -> None:
    assert language_name(code) != code


@pytest.mark.parametrize(
    ("tag", "code"), [("de", "de"), ("pt-BR", "pt"), ("EN_us", "en"), ("no", "nb"), ("no-NO", "nb")]
)
def test_language_is_found_by_its_tag(tag: str, code: str) -> None:
    assert find_language(tag) is LANGUAGES[code]


@pytest.mark.parametrize("tag", ["", "*", "xx", "tlh-DE"])
def test_unknown_language_is_none(tag: str) -> None:
    assert find_language(tag) is None
