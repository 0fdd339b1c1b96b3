"""Words that qualify a command, from Home Assistant's sentences and translations."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from homeassistant.components.media_player.const import DOMAIN as MEDIA_PLAYER
from homeassistant.helpers import intent

from ..agent.language.languages import find_language
from ..agent.qualifiers import Qualifiers
from ..agent.text_match import words
from .kind_words import MIN_DOMAINS_OF_COMMON
from .sentence_data import ENGLISH, intent_sentences, normalized_words
from .sentence_templates import SentenceTemplates
from .translations import Translations

_DESCRIBED = ("triggers", "conditions")
_IS_MUTED = "is_volume_muted"
# The list for the command of a timer, which is carried out when it ends.
_COMMAND = "conversation_command"


def find_qualifiers(
    translations: Translations,
    data: Mapping[str, Any],
    templates: SentenceTemplates,
    grammar: Collection[str],
) -> Qualifiers:
    """Return the words that qualify a command; `grammar` has those of all sentences."""
    known = find_language(str(data.get("language", ENGLISH)))
    return Qualifiers(
        conditions=(_conditions(translations) - frozenset(grammar))
        | normalized_words(known.conditions if known else ()),
        delays=templates.required_words(_delayed(data)),
        refusals=_refusals(translations),
    )


def _conditions(translations: Translations) -> frozenset[str]:
    """Return the common words of descriptions such as *triggers when* and *tests if*.

    What they begin with is their verb.
    """
    by_domain = [
        [
            words(each.get("description", ""))
            for category in _DESCRIBED
            for each in texts.get(category, {}).values()
        ]
        for texts in translations.values()
    ]
    verbs = {word for texts in by_domain for text in texts for word in text[:1]}
    counts = Counter(word for texts in by_domain for word in {w for text in texts for w in text})
    return frozenset(
        word
        for word, count in counts.items()
        if count >= MIN_DOMAINS_OF_COMMON and word not in verbs
    )


def _delayed(data: Mapping[str, Any]) -> list[str]:
    """Return the sentences for a command that is carried out later."""
    return [
        sentence
        for sentence in intent_sentences(data, intent.INTENT_START_TIMER)
        if f":{_COMMAND}}}" in sentence
    ]


def _refusals(translations: Translations) -> frozenset[str]:
    """Return the word for *no*: what a media player that is not muted answers."""
    attributes = translations.get(MEDIA_PLAYER, {}).get("entity_component", {}).get("_", {})
    values = attributes.get("state_attributes", {}).get(_IS_MUTED, {}).get("state", {})
    return frozenset(words(values.get("false", "")))
