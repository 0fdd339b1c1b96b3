"""Words that tell questions and commands apart, from Home Assistant's own sentences."""

import pytest

from custom_components.chatterbox.intents.language_words import async_language_words
from homeassistant.core import HomeAssistant


async def test_words_of_questions_alone_are_in_no_command(hass: HomeAssistant) -> None:
    queried = (await async_language_words(hass, "de")).questions.queried
    assert {"lauft", "welche"} <= queried
    assert queried.isdisjoint({"an", "licht", "noch", "bitte"})


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", {"is", "are"}),
        ("de", {"ist", "sind", "steht"}),
        ("fr", {"est", "sont"}),
        ("sv", {"ar"}),
        # Italian *è* looks like *and* without its accent.
        ("it", {"risulta", "risultano", "sono", "sta", "stanno"}),
        # Russian has a place after its prepositions, and no copula.
        ("ru", set()),
        ("tlh", set()),
    ],
)
async def test_copulas_are_words_of_questions_for_a_state(
    hass: HomeAssistant, language: str, expected: set[str]
) -> None:
    assert (await async_language_words(hass, language)).questions.copulas == expected
