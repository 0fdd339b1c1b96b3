"""Words that tell questions and commands apart, from Home Assistant's sentences."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from homeassistant.helpers import intent

from ..agent.assist import OPPOSITES, QUERY_INTENTS
from ..agent.questions import Questions
from ..agent.text_match import words
from .sentence_data import (
    NAME_AND_STATE,
    NAME_ONLY,
    general_words,
    intent_sentences,
    normalized_words,
)
from .sentence_templates import SentenceTemplates

_COMMANDS = tuple(chain.from_iterable(OPPOSITES))


def find_questions(
    data: Mapping[str, Any],
    templates: SentenceTemplates,
    everything: frozenset[frozenset[str]],
    states: frozenset[str],
) -> Questions:
    """Return the words of questions and of commands; `states` are the names of states."""
    asked, commanded = (
        templates.first_words(
            sentence for name in names for sentence in intent_sentences(data, name)
        )
        for names in (QUERY_INTENTS, _COMMANDS)
    )
    # *All lights off* may be both.
    return Questions(
        queried=_words(data, templates, QUERY_INTENTS)
        - _words(data, templates, data.get("intents", {}).keys() - QUERY_INTENTS)
        - general_words(data),
        copulas=_copulas(data, templates),
        asked=asked - commanded - frozenset().union(*everything),
        commanded=commanded - asked,
        polite=frozenset(map(words, data.get("skip_words", ()))),
        states=states,
    )


def _words(
    data: Mapping[str, Any], templates: SentenceTemplates, intents: Iterable[str]
) -> frozenset[str]:
    """Return all words of the sentences of intents."""
    sentences = (each for name in intents for each in intent_sentences(data, name))
    return normalized_words(templates.words(sentences))


def _copulas(data: Mapping[str, Any], templates: SentenceTemplates) -> frozenset[str]:
    """Return the words of which questions for the state of a device have to contain one.

    Without its accent a word of a single letter is another one, such as Italian *e*.
    """
    asked = [*intent_sentences(data, intent.INTENT_GET_STATE, NAME_AND_STATE)]
    if not all(templates.phrases([sentence]) for sentence in asked):
        return frozenset()
    commands = (each for name in _COMMANDS for each in intent_sentences(data, name, NAME_ONLY))
    commanded = frozenset[str]().union(*templates.phrases(commands))
    required = (each for each in templates.required_words(asked) if len(each) == 1)
    return frozenset(word for each in required for word in each - commanded if len(word) > 1)
