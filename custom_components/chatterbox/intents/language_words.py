"""Words of a language that identify the topic of a message, from Home Assistant's own texts."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.util.hass_dict import HassKey

from ..agent.home import Directions
from ..agent.text_match import Words, words
from ..const import DOMAIN
from .kind_words import KindWords, find_kind_words, merge_kinds
from .sentence_data import (
    ENGLISH,
    entry_domains,
    general_words,
    is_for_whole_home,
    load_sentences,
    normalized_words,
    spelled_numbers,
)
from .sentence_templates import SentenceTemplates

# The intents of the two directions of a command, and the one that only asks.
_DIRECTED = (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF, intent.INTENT_GET_STATE)
_HUNDRED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageWords:
    """Normalized words of a language, by their meaning for a message."""

    kinds: KindWords = field(default_factory=dict)
    """Words for each kind of entities, in the language and in English."""
    grammar: frozenset[str] = frozenset()
    """All words of Home Assistant's own sentences."""
    directions: Mapping[str, Directions] = field(default_factory=dict)
    """Words for the direction of a command, by domain."""
    numbers: Mapping[Words, int] = field(default_factory=dict)
    """The numbers up to a hundred by their words."""


_CACHE: HassKey[dict[str, LanguageWords]] = HassKey(f"{DOMAIN}_language_words")


async def async_language_words(hass: HomeAssistant, language: str) -> LanguageWords:
    """Return the words of a language, which are cached: they come from thousands of sentences."""
    known = hass.data.setdefault(_CACHE, {})
    if language not in known:
        found = await hass.async_add_executor_job(_words_in, language)
        if language != ENGLISH:
            english = await async_language_words(hass, ENGLISH)
            found = replace(found, kinds=merge_kinds(english.kinds, found.kinds))
        known[language] = found
    return known[language]


def _words_in(language: str) -> LanguageWords:
    """Return the words of one language alone."""
    data = load_sentences(language)
    templates = SentenceTemplates(data)
    return LanguageWords(
        kinds=find_kind_words(language, data),
        grammar=_grammar(data, templates),
        directions=_directions(data, templates),
        numbers=_numbers(data),
    )


def _grammar(data: Mapping[str, Any], templates: SentenceTemplates) -> frozenset[str]:
    sentences = [
        sentence
        for details in data.get("intents", {}).values()
        for entry in details["data"]
        for sentence in entry["sentences"]
    ]
    return normalized_words(templates.words(sentences)) | general_words(data)


def _directions(data: Mapping[str, Any], templates: SentenceTemplates) -> Mapping[str, Directions]:
    general = normalized_words(data.get("skip_words", ()))
    templates_of: dict[str, defaultdict[str, set[str]]] = {
        name: defaultdict(set) for name in _DIRECTED
    }
    for name in _DIRECTED:
        for entry in data.get("intents", {}).get(name, {}).get("data", ()):
            if not is_for_whole_home(entry):
                for domain in entry_domains(entry):
                    templates_of[name][domain] |= set(entry["sentences"])
    on, off, ask = (
        {
            domain: normalized_words(templates.words(each))
            for domain, each in templates_of[name].items()
        }
        for name in _DIRECTED
    )
    asked = frozenset().union(*ask.values())
    return {
        domain: Directions(
            on=on[domain] - off[domain] - general,
            off=off[domain] - on[domain] - general,
            command=(on[domain] | off[domain]) - asked - general,
            question=asked - on[domain] - off[domain] - general,
        )
        for domain in on.keys() & off.keys()
    }


def _numbers(data: Mapping[str, Any]) -> Mapping[Words, int]:
    spelled = spelled_numbers(data.get("language", ENGLISH), range(_HUNDRED + 1))
    # A form that also is an article or a pronoun is the number one in most languages.
    return {
        words(form): number
        for number in sorted(spelled, reverse=True)
        for form in spelled[number]
        if number != 1 and words(form) and not words(form)[0].isdecimal()
    }
