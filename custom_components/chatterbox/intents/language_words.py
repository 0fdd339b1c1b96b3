"""Words of a language that identify the topic of a message, from Home Assistant's own texts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.util.hass_dict import HassKey

from ..agent.assist import QUERY_INTENTS
from ..agent.home import Directions
from ..agent.text_match import Words, words
from ..const import DOMAIN
from .kind_words import (
    KindWords,
    find_kind_words,
    load_translations,
    merge_kinds,
    state_names,
)
from .sentence_data import (
    ENGLISH,
    WHOLE_HOME,
    entry_domains,
    general_words,
    load_sentences,
    normalized_words,
    slot_combination,
    spelled_numbers,
)
from .sentence_templates import SentenceTemplates

# The intents of the two directions of a command.
_DIRECTED = (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF)
_NAME_ONLY = "name_only"
_HUNDRED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageWords:
    """Normalized words of a language, by their meaning for a message."""

    kinds: KindWords = field(default_factory=dict)
    """Words for each kind of entities, in the language and in English."""
    states: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names of states, by kind and state."""
    grammar: frozenset[str] = frozenset()
    """All words of Home Assistant's own sentences."""
    directions: Mapping[str, Directions] = field(default_factory=dict)
    """Words for the direction of a command, by domain."""
    numbers: Mapping[Words, int] = field(default_factory=dict)
    """The numbers up to a hundred by their words."""
    questions: frozenset[str] = frozenset()
    """Words that questions begin with."""
    everything: frozenset[frozenset[str]] = frozenset()
    """Sets of words that mean all entities of a kind in the whole home."""


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
    translations = load_translations(language)
    return LanguageWords(
        kinds=find_kind_words(translations, data),
        states=state_names(translations),
        grammar=_grammar(data, templates),
        directions=_directions(data, templates),
        numbers=_numbers(data),
        questions=_questions(data, templates),
        everything=_everything(data, templates),
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
    """Return the words for the directions of commands that name a device, by domain.

    Such sentences consist of a name and a verb phrase; others name kinds and places as well.
    """
    on, off = (
        {
            domain: templates.required_words(sentences)
            for domain, sentences in _by_domain(_entries(data, name, _NAME_ONLY)).items()
        }
        for name in _DIRECTED
    )
    return {
        domain: Directions(on=on[domain] - off[domain], off=off[domain] - on[domain])
        for domain in on.keys() & off.keys()
    }


def _questions(data: Mapping[str, Any], templates: SentenceTemplates) -> frozenset[str]:
    asked, commands = (
        templates.first_words(
            sentence
            for name in names
            for entry in _entries(data, name)
            for sentence in entry["sentences"]
        )
        for names in (QUERY_INTENTS, _DIRECTED)
    )
    # *All lights off* may be both.
    return asked - commands - frozenset().union(*_everything(data, templates))


def _everything(data: Mapping[str, Any], templates: SentenceTemplates) -> frozenset[frozenset[str]]:
    """Return the sets of words that only sentences for the whole home have to contain."""
    whole, named = (
        [
            sentence
            for name in _DIRECTED
            for entry in _entries(data, name, combination)
            for sentence in entry["sentences"]
        ]
        for combination in (WHOLE_HOME, _NAME_ONLY)
    )
    return templates.required_words(whole, normalized_words(templates.words(named)))


def _entries(
    data: Mapping[str, Any], intent_name: str, combination: str | None = None
) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of an intent, or those that fill a combination of slots."""
    for entry in data.get("intents", {}).get(intent_name, {}).get("data", ()):
        if combination is None or slot_combination(entry) == combination:
            yield entry


def _by_domain(entries: Iterable[Mapping[str, Any]]) -> Mapping[str, set[str]]:
    sentences: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        for domain in entry_domains(entry):
            sentences[domain] |= set(entry["sentences"])
    return sentences


def _numbers(data: Mapping[str, Any]) -> Mapping[Words, int]:
    spelled = spelled_numbers(data.get("language", ENGLISH), range(_HUNDRED + 1))
    # A form that also is an article or a pronoun is the number one in most languages.
    return {
        words(form): number
        for number in sorted(spelled, reverse=True)
        for form in spelled[number]
        if number != 1 and words(form) and not words(form)[0].isdecimal()
    }
