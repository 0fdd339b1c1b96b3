"""Words of a language that identify the topic of a message, from Home Assistant's own texts."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.util.hass_dict import HassKey

from ..agent.assist import OPPOSITES, QUERY_INTENTS, TEMPERATURE_STEP, VOLUME_STEP
from ..agent.directions import Directions, Pair, Phrases
from ..agent.language.languages import find_language
from ..agent.number_words import NumberWords
from ..agent.qualifiers import Qualifiers
from ..agent.questions import Questions
from ..agent.text_match import words
from ..const import DOMAIN
from .kind_words import KindWords, find_kind_words, merge_kinds
from .qualifier_words import find_qualifiers
from .question_words import find_questions
from .room_names import load_room_names
from .sentence_data import (
    ENGLISH,
    GENERAL,
    NAME_AND_STATE,
    NAME_ONLY,
    WHOLE_HOME,
    entry_domains,
    general_words,
    intent_entries,
    intent_sentences,
    load_intent_domains,
    load_sentences,
    normalized_words,
    spelled_numbers,
)
from .sentence_templates import SentenceTemplates, smallest
from .translations import (
    action_names,
    attribute_names,
    load_translations,
    load_weekdays,
    state_names,
)

# The intents of the two directions of a command.
_DIRECTED = (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF)
# Response to a question about all devices of a kind.
_ALL = "all"
# Combinations of slots of sentences that are about one device.
_OF_ONE = (NAME_ONLY, "name_scene", "name_script", "default")
_HUNDRED = 100
_ORDINALS = range(3, 11)
# What is halved in the lists whose names begin so: minutes, seconds, percent.
_UNITS: Mapping[str, int] = {"timer": 60, "brightness": 100, "position": 100}
_COLORS = "color"
_STATES = "_states"
_STEPS = ("up", "down")
_STEP_COMMANDS = frozenset({TEMPERATURE_STEP, VOLUME_STEP})
_MEDIA_PLAYER = "media_player"
_CLIMATE = "climate"
_COVER = "cover"
_SWITCH = "switch"
_VALVE = "valve"
_SET_VOLUME = "HassSetVolumeRelative"
_SET_TEMPERATURE = "HassClimateSetTemperature"
_TEMPERATURE = "temperature"
_SHORTEST_UNIT = 2
# Combinations of slots of sentences that differ in the place alone.
_NAMED_IN_AREA = "name_state_area"


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageWords:
    """Normalized words of a language, by their meaning for a message."""

    kinds: KindWords = field(default_factory=dict)
    """Words for each kind of entities, in the language and in English."""
    states: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names of states, by kind and state."""
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names of attributes, by domain and attribute."""
    weekdays: Mapping[str, str] = field(default_factory=dict)
    """Names of the days of the week, by `mon` to `sun`."""
    actions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names of actions, by domain and action."""
    grammar: frozenset[str] = frozenset()
    """All words of Home Assistant's own sentences."""
    directions: Mapping[Pair, Directions] = field(default_factory=dict)
    """Phrases for the two directions of a pair of commands."""
    numbers: NumberWords = field(default_factory=NumberWords)
    """The numbers up to a hundred, a half, and the parts of a whole."""
    colors: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Words for each color, by its English name."""
    questions: Questions = field(default_factory=Questions)
    """Words of questions and of commands."""
    everything: frozenset[frozenset[str]] = frozenset()
    """Sets of words that mean all entities of a kind in the whole home."""
    all_of_kind: frozenset[str] = frozenset()
    """Words that mean all devices of a kind, in the whole home or in a place."""
    negations: frozenset[str] = frozenset()
    """Words that make the opposite of what is said."""
    qualifiers: Qualifiers = field(default_factory=Qualifiers)
    """Words that qualify a command."""
    prepositions: frozenset[str] = frozenset()
    """Words before the name of a place."""
    all_devices: frozenset[str] = frozenset()
    """Words for all devices of any kind, such as *everything*."""
    rooms: Mapping[str, str] = field(default_factory=dict)
    """Names of rooms, by their normalized names in any language."""


_CACHE: HassKey[dict[str, LanguageWords]] = HassKey(f"{DOMAIN}_language_words")


async def async_language_words(hass: HomeAssistant, language: str) -> LanguageWords:
    """Return the words of a language, which are cached: they come from thousands of sentences."""
    known = hass.data.setdefault(_CACHE, {})
    if language not in known:
        found = await hass.async_add_executor_job(_words_in, language)
        if language != ENGLISH:
            english = await async_language_words(hass, ENGLISH)
            found = replace(
                found,
                kinds=merge_kinds(english.kinds, found.kinds),
                colors=merge_kinds(english.colors, found.colors),
            )
        known[language] = found
    return known[language]


def _words_in(language: str) -> LanguageWords:
    """Return the words of one language alone."""
    data = load_sentences(language)
    templates = SentenceTemplates(data)
    translations = load_translations(language)
    listed_states = _listed_states(data, templates)
    directions = _directions(data, templates, listed_states)
    everything = _everything(data, templates)
    questions = find_questions(data, templates, everything, listed_states)
    states = state_names(translations)
    grammar = _grammar(data, templates)
    known = find_language(language)
    return LanguageWords(
        kinds=_without_verbs(find_kind_words(translations, data), directions, questions),
        states=states,
        attributes=attribute_names(translations),
        weekdays=load_weekdays(language),
        actions=action_names(translations),
        grammar=grammar,
        directions=directions,
        numbers=_numbers(data, templates),
        colors=_list_words(templates, _COLORS),
        questions=questions,
        everything=everything,
        all_of_kind=_all_of_kind(data, templates),
        negations=_negations(states),
        qualifiers=find_qualifiers(translations, data, templates, grammar),
        prepositions=_prepositions(data, templates),
        all_devices=normalized_words(known.all_devices if known else ()),
        rooms=load_room_names(language),
    )


def _prepositions(data: Mapping[str, Any], templates: SentenceTemplates) -> frozenset[str]:
    """Return the words that questions about a device have only if they name its area as well."""
    named, in_area = (
        [each for name in QUERY_INTENTS for each in intent_sentences(data, name, combination)]
        for combination in (NAME_AND_STATE, _NAMED_IN_AREA)
    )
    if not named:
        return frozenset()
    # Words may be optional, and names of states hold some as well.
    added = templates.words(in_area) - templates.words(named)
    required, known = (frozenset[str]().union(*templates.phrases(s)) for s in (in_area, named))
    return normalized_words(added) | (required - known)


def _negations(states: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    """Return the words that alone make a state the opposite one, as in *not charging*."""
    named = (
        ({*words(each["on"])}, {*words(each["off"])})
        for each in states.values()
        if {"on", "off"} <= each.keys()
    )
    added = (off - on for on, off in named if on < off)
    return frozenset(word for each in added if len(each) == 1 for word in each)


def _grammar(data: Mapping[str, Any], templates: SentenceTemplates) -> frozenset[str]:
    sentences = [
        sentence
        for details in data.get("intents", {}).values()
        for entry in details["data"]
        for sentence in entry["sentences"]
    ]
    return normalized_words(templates.words(sentences)) | general_words(data)


def _directions(
    data: Mapping[str, Any], templates: SentenceTemplates, states: Collection[str]
) -> Mapping[Pair, Directions]:
    """Return the phrases for the two directions of each pair of commands.

    Sentences of one device consist of its name and a phrase; others name kinds and places as well.
    """
    domains = load_intent_domains()
    found: dict[Pair, Directions] = {}
    for one, other in OPPOSITES:
        general = domains.get(one, GENERAL)
        on, off = (
            {
                domain if domain != GENERAL else general: templates.phrases(sentences)
                for domain, sentences in _by_domain(intent_entries(data, name, *_OF_ONE)).items()
            }
            for name in (one, other)
        )
        found |= {
            (domain, one): _distinct(on[domain], off[domain]) for domain in on.keys() & off.keys()
        }
    turned, opened = ((domain, intent.INTENT_TURN_ON) for domain in (_SWITCH, _VALVE))
    if turned in found:
        found[opened] = _turned(found.get(opened, Directions()), found[turned], states)
    steps = _list_words(templates, VOLUME_STEP)
    up, down = (frozenset(frozenset(words(each)) for each in steps.get(way, ())) for way in _STEPS)
    return found | {
        (_MEDIA_PLAYER, VOLUME_STEP): _distinct(up, down),
        (_COVER, VOLUME_STEP): _distinct(up, down),
        (_CLIMATE, TEMPERATURE_STEP): _steps(data, templates, up, down),
    }


def _turned(valve: Directions, switch: Directions, states: Collection[str]) -> Directions:
    """Return the phrases for a valve with those by which a switch is turned on and off.

    What flows through it is said to be on or off. Without a verb *on* only is the name of a state,
    while *off* does no harm. Words of the valve's own phrases keep their meaning.
    """
    own = valve.on | valve.off
    on, off = (
        frozenset(phrase for phrase in phrases if not any(map(phrase.issubset, own)))
        for phrases in (switch.on, switch.off)
    )
    on = frozenset(phrase for phrase in on if not phrase.issubset(states))
    return _distinct(valve.on | on, valve.off | off)


def _steps(
    data: Mapping[str, Any], templates: SentenceTemplates, up: Phrases, down: Phrases
) -> Directions:
    """Return the phrases for more and less, by those for the volume.

    The words that both have are for the volume itself.
    """
    sentences = [*intent_sentences(data, _SET_VOLUME)]
    more, less = (
        phrases | templates.phrases(each for each in sentences if f"{{{VOLUME_STEP}_{way}" in each)
        for way, phrases in zip(_STEPS, (up, down), strict=True)
    )
    common = frozenset[str]().union(*more) & frozenset[str]().union(*less)
    return _distinct(
        frozenset(filter(None, (each - common for each in more))),
        frozenset(filter(None, (each - common for each in less))),
    )


def _without_verbs(
    kinds: KindWords, directions: Mapping[Pair, Directions], questions: Questions
) -> KindWords:
    """Return the words for kinds that are no verbs of other kinds: *switch* is both.

    A verb begins commands, but for steps: German *Garage* is only where the mower is sent to.
    """
    verbs: defaultdict[str, set[str]] = defaultdict(set)
    for (domain, command), each in directions.items():
        own = set[str]().union(*each.on, *each.off)
        verbs[domain] |= own if command in _STEP_COMMANDS else own & questions.commanded
    return {
        kind: phrases
        - set().union(*(v for domain, v in verbs.items() if domain != kind.partition(".")[0]))
        for kind, phrases in kinds.items()
    }


def _distinct(on: Phrases, off: Phrases) -> Directions:
    """Return the phrases that only one direction has."""
    return Directions(on=on - off, off=off - on)


def _list_words(templates: SentenceTemplates, name: str) -> Mapping[str, frozenset[str]]:
    """Return the words for the values of a list."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for value, phrase in templates.list_values(name):
        found[value].add(" ".join(words(phrase)))
    return {value: frozenset(each) for value, each in found.items()}


def _listed_states(data: Mapping[str, Any], templates: SentenceTemplates) -> frozenset[str]:
    """Return the names of states in questions, which are no commands."""
    return normalized_words(
        phrase
        for name in data.get("lists", {})
        if name.endswith(_STATES)
        for _, phrase in templates.list_values(name)
    )


def _everything(data: Mapping[str, Any], templates: SentenceTemplates) -> Phrases:
    """Return the sets of words that only sentences for the whole home have to contain."""
    whole, named = (
        [sentence for name in _DIRECTED for sentence in intent_sentences(data, name, combination)]
        for combination in (WHOLE_HOME, NAME_ONLY)
    )
    return templates.required_words(whole, normalized_words(templates.words(named)))


def _all_of_kind(data: Mapping[str, Any], templates: SentenceTemplates) -> frozenset[str]:
    """Return the words by which questions about all devices differ from others about several.

    Words of other sentences, such as *and*, are none.
    """
    asked: defaultdict[bool, list[str]] = defaultdict(list)
    for entry in intent_entries(data, intent.INTENT_GET_STATE):
        asked[entry.get("response") == _ALL] += entry["sentences"]
    timers = intent_sentences(data, intent.INTENT_START_TIMER)
    others = templates.words([*timers, *asked[False]])
    return normalized_words(templates.words(asked[True])) - normalized_words(others)


def _by_domain(entries: Iterable[Mapping[str, Any]]) -> Mapping[str, set[str]]:
    sentences: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        for domain in entry_domains(entry):
            sentences[domain] |= set(entry["sentences"])
    return sentences


def _numbers(data: Mapping[str, Any], templates: SentenceTemplates) -> NumberWords:
    language = data.get("language", ENGLISH)
    spelled = spelled_numbers(language, range(_HUNDRED + 1))
    ordinals = spelled_numbers(language, _ORDINALS, ordinal=True)
    known = find_language(language)
    # A form that also is an article or a pronoun is the number one in most languages.
    return NumberWords(
        numbers={
            words(form): number
            for number in sorted(spelled, reverse=True)
            for form in spelled[number]
            if number != 1 and words(form) and not words(form)[0].isdecimal()
        },
        halves=_halves(data, templates) | normalized_words(known.halves if known else ()),
        ordinals={
            " ".join(words(form)): number for number, forms in ordinals.items() for form in forms
        },
        ones=normalized_words(spelled.get(1, ())),
        degrees=frozenset(
            word
            for word in normalized_words(
                templates.units(intent_sentences(data, _SET_TEMPERATURE), _TEMPERATURE)
            )
            if len(word) >= _SHORTEST_UNIT
        ),
    )


def _halves(data: Mapping[str, Any], templates: SentenceTemplates) -> frozenset[str]:
    """Return the words that only stand for a half: of an hour, a minute, or what is at 50 %."""
    half: set[frozenset[str]] = set()
    others: set[str] = set()
    for name in data.get("lists", {}):
        if (unit := _UNITS.get(name.partition("_")[0])) is None:
            continue
        for value, phrase in templates.list_values(name):
            if value.isdecimal() and int(value) % unit == unit // 2:
                half.add(frozenset(words(phrase)))
            else:
                others.update(words(phrase))
    # Units such as *minutes* are in longer phrases only.
    singles = frozenset().union(*(each for each in smallest(half) if len(each - others) == 1))
    return frozenset(word for word in singles - others if word.isalpha())
