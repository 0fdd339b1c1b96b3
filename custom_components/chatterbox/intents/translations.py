"""Translations of Home Assistant's domains: names of states, attributes, actions and weekdays."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from homeassistant import components
from homeassistant.const import WEEKDAYS, Platform
from homeassistant.util.json import json_loads_object

from .nearest_language import nearest_language

type Translations = Mapping[str, Mapping[str, Any]]
"""Translations of a language, by domain."""

# Domains of entities that are no platforms.
_HELPERS = frozenset(
    {
        *("automation", "counter", "group", "input_boolean", "input_button", "input_datetime"),
        *("input_number", "input_select", "input_text", "person", "schedule", "script"),
        *("sun", "timer", "zone"),
    }
)
_DOMAINS = frozenset({*map(str, Platform), *_HELPERS})


def load_translations(language: str) -> Translations:
    """Return the translations of each domain.

    The translation cache of Home Assistant would flatten them in the event loop.
    """
    loaded = {domain: load_translation(domain, language) for domain in _DOMAINS}
    return {domain: texts for domain, texts in loaded.items() if texts}


def load_translation(domain: str, language: str) -> Mapping[str, Any]:
    """Return the translation of a domain, an empty one if there is none in this language."""
    tag = nearest_language(language, translation_languages(domain))
    return json_loads_object((_folder(domain) / f"{tag}.json").read_bytes()) if tag else {}


def translation_languages(domain: str) -> list[str]:
    """Return the languages that a domain is translated into."""
    return [path.stem for path in _folder(domain).glob("*.json")]


def _folder(domain: str) -> Path:
    return Path(components.__path__[0]) / domain / "translations"


def load_weekdays(language: str) -> Mapping[str, str]:
    """Return the names of the days of the week, by `mon` to `sun`."""
    texts = load_translation("workday", language)
    days = texts.get("selector", {}).get("days", {}).get("options", {})
    return {day: name for day, name in days.items() if day in WEEKDAYS}


def state_names(translations: Translations) -> Mapping[str, Mapping[str, str]]:
    """Return the names of the states of each kind, by state."""
    return {
        domain if key == "_" else f"{domain}.{key}": {
            state: name.lower() for state, name in entity["state"].items()
        }
        for domain, texts in translations.items()
        for key, entity in texts.get("entity_component", {}).items()
        if "state" in entity
    }


def attribute_names(translations: Translations) -> Mapping[str, Mapping[str, str]]:
    """Return the names of the attributes of each domain."""
    return {
        domain: {key: each["name"] for key, each in attributes.items() if "name" in each}
        for domain, texts in translations.items()
        if (attributes := texts.get("entity_component", {}).get("_", {}).get("state_attributes"))
    }


def action_names(translations: Translations) -> Mapping[str, Mapping[str, str]]:
    """Return the names of the actions of each domain."""
    return {
        domain: {key: action["name"] for key, action in actions.items() if action.get("name")}
        for domain, texts in translations.items()
        if (actions := texts.get("services"))
    }
