"""Data of the sentences by which Home Assistant recognizes commands, by language.

The data are those of `home-assistant-intents`: `intents` with their templates, `lists`,
`expansion_rules` and `skip_words`.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import IO, Any

from hassil.numbers import get_rbnf_engine
from home_assistant_intents import get_intent_info, get_intents

from homeassistant.util.json import json_loads_object

from ..agent.text_match import words
from .default_agent import nearest_intent_language

ENGLISH = "en"
GENERAL = "homeassistant"
"""The domain of the intents that are for several domains."""
# Combinations of slots that sentences fill.
WHOLE_HOME = "domain_all"
NAME_ONLY = "name_only"
NAME_AND_STATE = "name_state"
_NUMBERS = range(21)
_ORDINAL = "spellout-ordinal"


def load_sentences(language: str) -> Mapping[str, Any]:
    """Return the data of the nearest language; empty if there is none."""
    tag = nearest_intent_language(language)
    return (get_intents(tag, json_load=_json_load) if tag else None) or {}


def load_intent_domains() -> Mapping[str, str]:
    """Return the domain of each intent."""
    return {
        name: str(details.get("domain", GENERAL))
        for name, details in (get_intent_info(json_load=_json_load) or {}).items()
    }


def _json_load(file: IO[str]) -> dict[str, Any]:
    return dict(json_loads_object(file.read()))


def intent_entries(
    data: Mapping[str, Any], name: str, *combinations: str
) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of an intent, or those that fill some combinations of slots."""
    for entry in data.get("intents", {}).get(name, {}).get("data", ()):
        if not combinations or slot_combination(entry) in combinations:
            yield entry


def intent_sentences(data: Mapping[str, Any], name: str, *combinations: str) -> Iterator[str]:
    """Yield the sentences of an intent, or those that fill some combinations of slots."""
    for entry in intent_entries(data, name, *combinations):
        yield from entry["sentences"]


def entry_domains(entry: Mapping[str, Any]) -> Iterable[str]:
    """Return the domains that an entry of an intent is for."""
    for key in ("slots", "requires_context"):
        domain = entry.get(key, {}).get("domain")
        if domain:
            return (domain,) if isinstance(domain, str) else domain
    return (GENERAL,)


def slot_combination(entry: Mapping[str, Any]) -> str | None:
    """Return which slots the sentences of an entry fill, such as `name_only`."""
    combination: str | None = entry.get("metadata", {}).get("slot_combination")
    return combination


def is_for_whole_home(entry: Mapping[str, Any]) -> bool:
    """Return whether the sentences of an entry are about the home as a whole."""
    return slot_combination(entry) == WHOLE_HOME


def general_words(data: Mapping[str, Any]) -> frozenset[str]:
    """Return the words that may stand in any sentence: polite words and spelled numbers."""
    spelled = spelled_numbers(data.get("language", ENGLISH), _NUMBERS).values()
    return normalized_words((*data.get("skip_words", ()), *chain.from_iterable(spelled)))


def spelled_numbers(
    language: str, numbers: Iterable[int], *, ordinal: bool = False
) -> dict[int, list[str]]:
    """Return the forms in which numbers are spelled out; none where that is not known."""
    try:
        engine = get_rbnf_engine(language)
        rules = [name for name in engine.rulesets if name.startswith(_ORDINAL)] if ordinal else None
        if rules == []:
            return {}
        return {
            number: list(engine.format_number(number, ruleset_names=rules).text_by_ruleset.values())
            for number in numbers
        }
    # No such language, or one without rules, such as `nb`.
    except ValueError:
        return {}


def normalized_words(phrases: Iterable[str]) -> frozenset[str]:
    """Return the normalized words of all phrases."""
    return frozenset(word for phrase in phrases for word in words(phrase))
