"""Words for kinds of entities, from Home Assistant's sentences and translations.

A kind is a domain, such as `light`, or a `domain.device_class`, such as `cover.garage`.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from homeassistant.components.climate.const import ATTR_HVAC_ACTION, HVACAction, HVACMode
from homeassistant.components.media_player.const import ATTR_MEDIA_CONTENT_TYPE, MediaType
from homeassistant.const import Platform
from homeassistant.helpers import intent

from ..agent.assist import OPPOSITES
from ..agent.text_match import is_unspaced, normalize, words
from .sentence_data import (
    GENERAL,
    entry_domains,
    general_words,
    intent_sentences,
    is_for_whole_home,
    load_intent_domains,
    normalized_words,
    slot_combination,
)
from .sentence_templates import SentenceTemplates
from .translations import Translations

type KindWords = Mapping[str, frozenset[str]]
"""Normalized words, or phrases of them, by kind."""

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
# Their domains have no meaning without the device class.
_SENSORS = frozenset({Platform.BINARY_SENSOR, Platform.SENSOR})
# Translations that are sentences, not names.
_SENTENCE_CATEGORIES = ("services", "triggers", "conditions", "device_automation", "exceptions")
# What entities are for, by its place in the translations of their domain.
_PURPOSES: Mapping[str, Iterable[tuple[str, ...]]] = {
    Platform.CLIMATE: (
        ("state", HVACMode.HEAT),
        ("state_attributes", ATTR_HVAC_ACTION, "state", HVACAction.HEATING),
        ("state_attributes", ATTR_HVAC_ACTION, "state", HVACAction.COOLING),
    ),
    Platform.MEDIA_PLAYER: (
        ("state_attributes", ATTR_MEDIA_CONTENT_TYPE, "state", MediaType.MUSIC),
    ),
}
_COVER_CLASSES = "cover_classes"
_SHORTEST_WORD = 3
# A word is common if the texts about this number of other domains have it.
MIN_DOMAINS_OF_COMMON = 5
# It is still distinctive for a domain if it is more frequent there by this factor than on average.
_DISTINCTIVE_FACTOR = 4
_NONE: frozenset[str] = frozenset()


def find_kind_words(translations: Translations, data: Mapping[str, Any]) -> KindWords:
    """Return the words for kinds in a language whose translations and sentences these are."""
    domains = {**load_intent_domains(), **INTENT_KINDS}
    return merge_kinds(
        _without_empty(kind_names(translations)),
        _without_empty(sentence_words(data, domains, domain_texts(translations))),
    )


def merge_kinds(one: KindWords, other: KindWords) -> KindWords:
    """Return the words of both languages or sources, by kind."""
    return {kind: one.get(kind, _NONE) | other.get(kind, _NONE) for kind in {*one, *other}}


def _without_empty(found: Mapping[str, set[str]]) -> KindWords:
    return {kind: frozenset(phrases) for kind, phrases in found.items() if phrases}


# Translations


def kind_names(translations: Translations) -> dict[str, set[str]]:
    """Return the names of domains and device classes, by kind."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for domain, texts in translations.items():
        for key, entity in texts.get("entity_component", {}).items():
            if key != "_":
                found[f"{domain}.{key}"].add(entity.get("name", ""))
            elif domain not in _SENSORS:
                found[domain] |= {entity.get("name", ""), texts.get("title", "")}
                found[domain] |= {*_purposes(domain, entity)}
    return {
        kind: {" ".join(words(name)) for name in called if _is_long_enough(name) or name.isupper()}
        for kind, called in found.items()
    }


def _purposes(domain: str, entity: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of what entities of a domain are for, such as *heating*."""
    for path in _PURPOSES.get(domain, ()):
        found: Any = entity
        for key in path:
            found = found.get(key, {})
        if found:
            yield found


class DomainTexts:
    """Texts about each domain, which distinguish common words from those of a domain."""

    def __init__(self, texts: Mapping[str, Collection[str]]) -> None:
        self._texts = {domain: [*map(normalize, each)] for domain, each in texts.items() if each}
        self._shares: dict[str, dict[str, float]] = {}
        for domain, each in self._texts.items():
            counts = Counter(stem for text in each for stem in {*map(_stem, words(text))})
            self._shares[domain] = {stem: count / len(each) for stem, count in counts.items()}

    def is_common(self, word: str, domain: str) -> bool:
        """Return whether a word is common, and not distinctive for the texts about its domain."""
        shares = {other: self._share(word, other) for other in self._shares}
        own = shares.pop(domain, 0)
        if sum(map(bool, shares.values())) < MIN_DOMAINS_OF_COMMON:
            return False
        return own < _DISTINCTIVE_FACTOR * sum(shares.values()) / len(shares)

    def _share(self, word: str, domain: str) -> float:
        if not word.isascii() and is_unspaced(word):
            texts = self._texts[domain]
            return sum(word in text for text in texts) / len(texts)
        return self._shares[domain].get(_stem(word), 0)


def domain_texts(translations: Translations) -> DomainTexts:
    """Return the sentences among the translations."""
    return DomainTexts(
        {
            domain: [
                text
                for category in _SENTENCE_CATEGORIES
                for text in _leaves(texts.get(category, {}))
            ]
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
    data: Mapping[str, Any], domains: Mapping[str, str], texts: DomainTexts
) -> dict[str, set[str]]:
    """Return the words that only the sentences of one domain have, by kind.

    `domains` holds the domain of each intent.
    """
    templates = SentenceTemplates(data)
    covers: defaultdict[str, set[str]] = defaultdict(set)
    for device_class, phrase in templates.list_values(_COVER_CLASSES):
        if _is_long_enough(phrase):
            covers[f"{Platform.COVER}.{device_class}"].add(" ".join(words(phrase)))
    classes = set[str]().union(*covers.values())
    sentences_by_scope = _sentences_by_scope(data, domains)
    words_by_scope = {
        scope: normalized_words(templates.words(sentences))
        for scope, sentences in sentences_by_scope.items()
    }
    general = general_words(data)
    shared = _words_of_tools(data, templates)
    required = _required(data, domains, templates)
    found = {}
    for scope, own_words in words_by_scope.items():
        if len(scope) == 1 and not scope & {GENERAL, *_SENSORS}:
            (domain,) = scope
            others = general.union(
                *(words for other, words in words_by_scope.items() if other != scope)
            )
            distinctive = {
                word
                for word in _distinctive(own_words, others) - classes
                if not texts.is_common(word, domain)
                and (domain not in shared or _stem(word) in shared[domain])
            }
            essential = _essential(distinctive, required.get(domain, ()))
            essential -= _particles(data, domains, domain, templates)
            if domain == Platform.TODO:
                # What is added to a list can be anything: the verb says more.
                verbs = templates.first_words(sentences_by_scope[scope])
                essential |= distinctive & verbs
            found[domain] = set(filter(_is_long_enough, essential))
    return found | covers


def _essential(distinctive: Collection[str], required: Iterable[frozenset[str]]) -> set[str]:
    """Return the phrases by which sentences with these required words are of their domain.

    A word beside which another one says so already is no word for the kind: *turn out the lights*.
    Those that are never without each other are one phrase: *go back*.
    """
    marked = {each.intersection(distinctive) for each in required} - {_NONE}
    alone = frozenset(word for own in marked if len(own) == 1 for word in own)
    together = [own for own in marked if own.isdisjoint(alone)]
    phrases = (
        frozenset.intersection(*(own for own in together if word in own))
        for word in frozenset[str]().union(*together)
    )
    # Where no spaces are written, the required words are no words of their own.
    unspaced = filter(is_unspaced, distinctive)
    return {*alone, *unspaced, *(" ".join(sorted(phrase)) for phrase in phrases)}


def _particles(
    data: Mapping[str, Any], domains: Mapping[str, str], domain: str, templates: SentenceTemplates
) -> set[str]:
    """Return the words of a domain that belong to a verb, such as *back* in *go back*.

    They are in sentences of one of two opposite commands only, and there is a command of which they
    neither begin a sentence nor are one.
    """
    sentences: defaultdict[str, set[str]] = defaultdict(set)
    for name, details in data.get("intents", {}).items():
        for entry in details["data"]:
            if _scope(entry, domains.get(name, GENERAL)) == {domain}:
                sentences[name] |= set(entry["sentences"])
    known = {name: normalized_words(templates.words(own)) for name, own in sentences.items()}
    # The opposite has to be for the domain as well.
    opposites = {one: known.get(other) for pair in OPPOSITES for one, other in (pair, pair[::-1])}
    found: set[str] = set()
    for name, own in sentences.items():
        alone = {word for each in templates.phrases(own) if len(each) == 1 for word in each}
        found |= known[name] - alone - templates.first_words(own)
    for name, each in known.items():
        opposite = opposites.get(name)
        found -= each if opposite is None else each & opposite
    return found


def _required(
    data: Mapping[str, Any], domains: Mapping[str, str], templates: SentenceTemplates
) -> Mapping[str, frozenset[frozenset[str]]]:
    """Return the sets of words that sentences have to contain, by the domain that they are for.

    A sentence with the name of a device need not say what it is, nor one with one of the values of
    a list, such as a color; those of a domain that has no others count.
    """
    found: dict[bool, defaultdict[str, set[str]]] = {
        True: defaultdict(set),
        False: defaultdict(set),
    }
    for name, details in data.get("intents", {}).items():
        for entry in details["data"]:
            scope = _scope(entry, domains.get(name, GENERAL))
            if len(scope) > 1 or is_for_whole_home(entry):
                continue
            (domain,) = scope
            is_named = "name" in (slot_combination(entry) or "")
            for sentence in entry["sentences"]:
                is_plain = not is_named and not templates.has_listed_value(sentence)
                found[is_plain][domain].add(sentence)
    return {
        domain: templates.phrases(found[True].get(domain) or found[False][domain])
        for domain in {*found[True], *found[False]}
    }


def _scope(entry: Mapping[str, Any], domain: str) -> frozenset[str]:
    """Return the domains that an entry of an intent of this domain is for."""
    scope = entry_domains(entry) if domain == GENERAL else (domain,)
    return frozenset(_SAME_DOMAIN.get(each, each) for each in scope)


def _words_of_tools(
    data: Mapping[str, Any], templates: SentenceTemplates
) -> Mapping[str, frozenset[str]]:
    """Return the stems that all intents of a kind without entities have, by kind.

    Such a word is the only evidence for a tool. *When* and *half* are in sentences of some only.
    """
    found: dict[str, frozenset[str]] = {}
    for name, kind in INTENT_KINDS.items():
        own = frozenset(map(_stem, normalized_words(templates.words(intent_sentences(data, name)))))
        if own:
            found[kind] = found.get(kind, own) & own
    return found


def _sentences_by_scope(
    data: Mapping[str, Any], domains: Mapping[str, str]
) -> Mapping[frozenset[str], set[str]]:
    """Return the templates by the domains that they are for."""
    sentences: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for name, details in data.get("intents", {}).items():
        domain = domains.get(name, GENERAL)
        for entry in details["data"]:
            if is_for_whole_home(entry):
                continue
            sentences[_scope(entry, domain)] |= set(entry["sentences"])
    return sentences


def _distinctive(own_words: frozenset[str], others: frozenset[str]) -> set[str]:
    stems = {_stem(word) for word in others}
    unspaced = " ".join(filter(is_unspaced, others))
    return {word for word in own_words if _stem(word) not in stems and word not in unspaced}


def _stem(word: str) -> str:
    """Return the word without the plural ending of many languages."""
    return word.removesuffix("s")


def _is_long_enough(phrase: str) -> bool:
    """Return whether a phrase has a word that is long enough not to be a part of any sentence."""
    return any(len(word) >= _SHORTEST_WORD or is_unspaced(word) for word in words(phrase))
