"""Words for kinds of entities, from Home Assistant's sentences and translations."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import IO, Any

from hassil.numbers import get_rbnf_engine
from home_assistant_intents import get_intent_info, get_intents, get_languages

from homeassistant import components
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.util import language as language_util
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.json import json_loads_object

from .agent.home import Directions
from .agent.text_match import Words, is_unspaced, normalize, words
from .sentence_templates import SentenceTemplates

type KindWords = Mapping[str, frozenset[str]]

# Kinds of intents that belong to no entity of that kind.
INTENT_KINDS: Mapping[str, str] = {
    intent.INTENT_START_TIMER: "timer",
    intent.INTENT_CANCEL_TIMER: "timer",
    intent.INTENT_CANCEL_ALL_TIMERS: "timer",
    intent.INTENT_INCREASE_TIMER: "timer",
    intent.INTENT_DECREASE_TIMER: "timer",
    intent.INTENT_PAUSE_TIMER: "timer",
    intent.INTENT_UNPAUSE_TIMER: "timer",
    intent.INTENT_TIMER_STATUS: "timer",
    intent.INTENT_GET_CURRENT_DATE: "date",
    intent.INTENT_GET_CURRENT_TIME: "time",
}
# The shopping list is a to-do list.
_SAME_DOMAIN = {"shopping_list": "todo"}
# Only their device classes say what they are.
_SENSORS = frozenset({Platform.BINARY_SENSOR, Platform.SENSOR})
# Domains of entities that are no platforms.
_HELPERS = frozenset(
    {
        *("automation", "counter", "group", "input_boolean", "input_button", "input_datetime"),
        *("input_number", "input_select", "input_text", "person", "schedule", "script"),
        *("sun", "timer", "zone"),
    }
)
_DOMAINS = frozenset({*map(str, Platform), *_HELPERS})
# Translations that are sentences.
_PROSE = ("services", "triggers", "conditions", "device_automation", "exceptions")
_COVER_CLASSES = "cover_classes"
_GENERAL = "homeassistant"
# Sentences that say that the whole home is meant.
_WHOLE_HOME = "domain_all"
# The sentences in two directions, and those that only ask.
_DIRECTED = (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF, intent.INTENT_GET_STATE)
_NUMBERS = range(21)
_HUNDRED = 100
_SHORTEST_WORD = 3
# A word is usual if the translations of so many other domains have it.
_USUAL = 5
# It still is a word of a domain that has it so many times as often as others have on average.
_DISTINCTIVE = 4
_ENGLISH = "en"
_NONE: frozenset[str] = frozenset()

_CACHE: HassKey[dict[str, KindWords]] = HassKey("chatterbox_kind_words")
_NUMBER_WORDS: HassKey[dict[str, Mapping[Words, int]]] = HassKey("chatterbox_number_words")
_DIRECTIONS: HassKey[dict[str, Mapping[str, Directions]]] = HassKey("chatterbox_directions")
_GRAMMAR: HassKey[dict[str, frozenset[str]]] = HassKey("chatterbox_grammar_words")


async def async_kind_words(hass: HomeAssistant, language: str) -> KindWords:
    """Return the normalized words for each domain and `domain.device_class`.

    They are in the language and in English.
    """
    known = hass.data.setdefault(_CACHE, {})
    for each in (_ENGLISH, language):
        if each not in known:
            known[each] = await hass.async_add_executor_job(_words_in, each)
    english, own = known[_ENGLISH], known[language]
    return {kind: english.get(kind, _NONE) | own.get(kind, _NONE) for kind in {*english, *own}}


async def async_grammar_words(hass: HomeAssistant, language: str) -> frozenset[str]:
    """Return all normalized words of Home Assistant's own sentences in a language."""
    known = hass.data.setdefault(_GRAMMAR, {})
    if language not in known:
        known[language] = await hass.async_add_executor_job(_grammar_in, language)
    return known[language]


def _grammar_in(language: str) -> frozenset[str]:
    data = _load_sentences(language)
    sentences = [
        sentence
        for details in data.get("intents", {}).values()
        for entry in details["data"]
        for sentence in entry["sentences"]
    ]
    numbers = _numbers(data.get("language", _ENGLISH))
    used = SentenceTemplates(data).words(sentences)
    return _normalized((*used, *data.get("skip_words", ()), *numbers))


def _words_in(language: str) -> KindWords:
    """Return the words for kinds in one language."""
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    translations = _load_translations(language)
    for found in (
        names(translations),
        sentence_words(_load_sentences(language), _domains_of_intents(), prose(translations)),
    ):
        for kind, phrases in found.items():
            kinds[kind] |= phrases
    return {kind: frozenset(phrases) for kind, phrases in kinds.items() if phrases}


# Loading


def _load_sentences(language: str) -> Mapping[str, Any]:
    tag = _best_tag(language, tuple(get_languages()))
    return (get_intents(tag, json_load=_json_load) if tag else None) or {}


def _load_translations(language: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the translations of each domain.

    The translation cache of Home Assistant would flatten them in the event loop.
    """
    loaded: dict[str, Mapping[str, Any]] = {}
    for domain in _DOMAINS:
        folder = Path(components.__path__[0]) / domain / "translations"
        tag = _best_tag(language, tuple(path.stem for path in folder.glob("*.json")))
        if tag:
            loaded[domain] = json_loads_object((folder / f"{tag}.json").read_bytes())
    return loaded


def _domains_of_intents() -> Mapping[str, str]:
    domains = {
        name: str(details.get("domain", _GENERAL))
        for name, details in (get_intent_info(json_load=_json_load) or {}).items()
    }
    return {**domains, **INTENT_KINDS}


def _json_load(file: IO[str]) -> dict[str, Any]:
    return dict(json_loads_object(file.read()))


@cache
def _best_tag(language: str, tags: tuple[str, ...]) -> str | None:
    return next(iter(language_util.matches(language, tags)), None)


# Translations


def names(translations: Mapping[str, Mapping[str, Any]]) -> dict[str, set[str]]:
    """Return what domains and their device classes are called."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for domain, texts in translations.items():
        for key, entity in texts.get("entity_component", {}).items():
            if key != "_":
                found[f"{domain}.{key}"].add(entity.get("name", ""))
            elif domain not in _SENSORS:
                found[domain] |= {entity.get("name", ""), texts.get("title", "")}
    return {
        kind: {" ".join(words(name)) for name in called if _counts(name) or name.isupper()}
        for kind, called in found.items()
    }


class Prose:
    """The texts about each domain, which tell usual words from those of a domain."""

    def __init__(self, texts: Mapping[str, Collection[str]]) -> None:
        self._texts = {domain: [*map(normalize, each)] for domain, each in texts.items() if each}
        self._shares: dict[str, dict[str, float]] = {}
        for domain, each in self._texts.items():
            counts = Counter(stem for text in each for stem in {*map(_stem, words(text))})
            self._shares[domain] = {stem: count / len(each) for stem, count in counts.items()}

    def is_usual(self, word: str, domain: str) -> bool:
        """Return whether a word is usual, and not distinctive for the texts about its domain."""
        shares = {other: self._share(word, other) for other in self._shares}
        own = shares.pop(domain, 0)
        if sum(map(bool, shares.values())) < _USUAL:
            return False
        return own < _DISTINCTIVE * sum(shares.values()) / len(shares)

    def _share(self, word: str, domain: str) -> float:
        if not word.isascii() and is_unspaced(word):
            texts = self._texts[domain]
            return sum(word in text for text in texts) / len(texts)
        return self._shares[domain].get(_stem(word), 0)


def prose(translations: Mapping[str, Mapping[str, Any]]) -> Prose:
    """Return the sentences among the translations."""
    return Prose(
        {
            domain: [text for category in _PROSE for text in _leaves(texts.get(category, {}))]
            for domain, texts in translations.items()
        }
    )


def _leaves(texts: Any) -> Iterator[str]:
    if isinstance(texts, str):
        yield texts
    else:
        for each in texts.values():
            yield from _leaves(each)


# Sentences


def sentence_words(
    data: Mapping[str, Any], domains: Mapping[str, str], usual: Prose
) -> dict[str, set[str]]:
    """Return the words that only the sentences of one domain have."""
    templates = SentenceTemplates(data)
    covers: defaultdict[str, set[str]] = defaultdict(set)
    for device_class, phrase in templates.list_values(_COVER_CLASSES):
        if _counts(phrase):
            covers[f"{Platform.COVER}.{device_class}"].add(" ".join(words(phrase)))
    classes = set[str]().union(*covers.values())
    said = {
        scope: _normalized(templates.words(sentences))
        for scope, sentences in _sentences_by_scope(data, domains).items()
    }
    general = _normalized((*data.get("skip_words", ()), *_numbers(data.get("language", _ENGLISH))))
    found = {}
    for scope, mine in said.items():
        if len(scope) == 1 and not scope & {_GENERAL, *_SENSORS}:
            (domain,) = scope
            others = general.union(*(words for other, words in said.items() if other != scope))
            found[domain] = {
                word
                for word in _distinctive(mine, others) - classes
                if _counts(word) and not usual.is_usual(word, domain)
            }
    return found | covers


def _sentences_by_scope(
    data: Mapping[str, Any], domains: Mapping[str, str]
) -> Mapping[frozenset[str], set[str]]:
    """Return the templates by the domains that they are for."""
    sentences: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for name, details in data.get("intents", {}).items():
        domain = domains.get(name, _GENERAL)
        for entry in details["data"]:
            if entry.get("metadata", {}).get("slot_combination") == _WHOLE_HOME:
                continue
            scope = _entry_domains(entry) if domain == _GENERAL else (domain,)
            scope = frozenset(_SAME_DOMAIN.get(each, each) for each in scope)
            sentences[scope] |= set(entry["sentences"])
    return sentences


def _entry_domains(entry: Mapping[str, Any]) -> Iterable[str]:
    for key in ("slots", "requires_context"):
        domain = entry.get(key, {}).get("domain")
        if domain:
            return (domain,) if isinstance(domain, str) else domain
    return (_GENERAL,)


def _numbers(language: str) -> Iterator[str]:
    for spelled in _spelled(language, _NUMBERS).values():
        yield from spelled


def _spelled(language: str, numbers: Iterable[int]) -> dict[int, list[str]]:
    """Return the forms in which numbers are spelled out; none where that is not known."""
    try:
        engine = get_rbnf_engine(language)
    except ValueError:
        return {}
    return {
        number: list(engine.format_number(number).text_by_ruleset.values()) for number in numbers
    }


async def async_directions(hass: HomeAssistant, language: str) -> Mapping[str, Directions]:
    """Return the words that tell the direction of a command in a language, by domain."""
    known = hass.data.setdefault(_DIRECTIONS, {})
    if language not in known:
        known[language] = await hass.async_add_executor_job(_directions_in, language)
    return known[language]


def _directions_in(language: str) -> Mapping[str, Directions]:
    data = _load_sentences(language)
    templates = SentenceTemplates(data)
    general = _normalized(data.get("skip_words", ()))
    said: dict[str, defaultdict[str, set[str]]] = {name: defaultdict(set) for name in _DIRECTED}
    for name in _DIRECTED:
        for entry in data.get("intents", {}).get(name, {}).get("data", ()):
            if entry.get("metadata", {}).get("slot_combination") != _WHOLE_HOME:
                for domain in _entry_domains(entry):
                    said[name][domain] |= set(entry["sentences"])
    on, off, ask = (
        {domain: _normalized(templates.words(each)) for domain, each in said[name].items()}
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


async def async_number_words(hass: HomeAssistant, language: str) -> Mapping[Words, int]:
    """Return the numbers up to a hundred by their words in a language."""
    known = hass.data.setdefault(_NUMBER_WORDS, {})
    if language not in known:
        known[language] = await hass.async_add_executor_job(_number_words_in, language)
    return known[language]


def _number_words_in(language: str) -> Mapping[Words, int]:
    tag = str(_load_sentences(language).get("language", _ENGLISH))
    spelled = _spelled(tag, range(_HUNDRED + 1))
    # A form that also is an article or a pronoun is the number one in most languages.
    return {
        words(form): number
        for number in sorted(spelled, reverse=True)
        for form in spelled[number]
        if number != 1 and words(form) and not words(form)[0].isdecimal()
    }


def _distinctive(mine: frozenset[str], others: frozenset[str]) -> set[str]:
    stems = {_stem(word) for word in others}
    unspaced = " ".join(filter(is_unspaced, others))
    return {word for word in mine if _stem(word) not in stems and word not in unspaced}


def _normalized(phrases: Iterable[str]) -> frozenset[str]:
    return frozenset(word for phrase in phrases for word in words(phrase))


def _stem(word: str) -> str:
    """Return the word without the plural ending of many languages."""
    return word.removesuffix("s")


def _counts(phrase: str) -> bool:
    return any(len(word) >= _SHORTEST_WORD or is_unspaced(word) for word in words(phrase))
