"""Response templates: Home Assistant's own sentences for intents that were handled.

They and the rules for their use are data of `home-assistant-intents`, in all of its languages.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hassil.parse_expression import parse_sentence
from hassil.sample import sample_sentence
from home_assistant_intents import get_intent_info, get_intents

from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import TemplateError
from homeassistant.helpers.template import Template, TemplateState
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from .default_agent import get_default_agent, nearest_intent_language

_ENGLISH = "en"
_DEFAULT_KEY = "default"
# Some languages contain sentences that are not translated yet.
_UNTRANSLATED = "TODO"
# The lists of the language data with the words for the values of a slot.
_WORD_LISTS = {"color": "color", "device_class": "cover_classes"}

type _Source = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentCall:
    """An intent that was handled."""

    intent: str
    slots: Mapping[str, Any]
    speech_slots: Mapping[str, Any] = field(default_factory=dict)
    """Values that the handler adds for its sentences."""
    states: Sequence[State] = ()
    """The entities that were its targets, or that fit its question."""
    unmatched: Sequence[State] = ()
    """The entities that do not fit its question."""

    @property
    def domains(self) -> frozenset[str]:
        """The domains of the targets."""
        return frozenset(state.domain for state in self.states)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """Rule for the use of a response sentence: one form of a command in the language data."""

    key: str
    slots: frozenset[str]
    domain: str | None
    """The domain that all targets have."""
    target_domains: frozenset[str] | None
    """The domains that a target may have; None where there is no restriction."""
    values: Mapping[str, Any]
    """Values that slots have to have."""

    def applies(self, call: IntentCall) -> bool:
        """Return whether the rule describes a call."""
        if self.domain is not None and call.domains != {self.domain}:
            return False
        if self.target_domains is not None and not (
            call.domains and call.domains <= self.target_domains
        ):
            return False
        if any(call.slots.get(name) != value for name, value in self.values.items()):
            return False
        return self._describes(call.slots.keys())

    def _describes(self, given: Iterable[str]) -> bool:
        given = set(given)
        # A sentence for one entity is wrong for a group, and so is one for all for an area.
        decisive = {"name"} if "name" in given else {"name", "area", "floor"}
        return self.slots <= given and self.slots & decisive == given & decisive

    @property
    def specificity(self) -> tuple[int, int]:
        """Sort key, the most specific rule first: more slots, then fewer domains."""
        return -len(self.slots), len(self.target_domains or range(100))


class ResponseTemplates:
    """The response sentences of one language.

    `source` holds the data of the language, `info` those of the intents.
    """

    def __init__(self, hass: HomeAssistant, source: _Source, info: _Source) -> None:
        self.source = source
        self.language: str = source.get("language", _ENGLISH)
        responses = source.get("responses", {})
        self._hass = hass
        self._templates: dict[str, dict[str, Template]] = {
            intent: {
                key: Template(text, hass)
                for key, text in templates.items()
                if _UNTRANSLATED not in text
            }
            for intent, templates in responses.get("intents", {}).items()
        }
        self._errors: Mapping[str, str] = responses.get("errors", {})
        self._words = dict(_words(source.get("lists", {})))
        self._special_domains = {
            intent: _special_domains(details) for intent, details in info.items()
        }
        rules = {
            intent: list(_rules(details, info.get(intent, {})))
            for intent, details in source.get("intents", {}).items()
        }
        self._rules = {
            intent: _with_siblings(intent, rules, templates)
            for intent, templates in self._templates.items()
        }

    def matching(self, call: IntentCall) -> str | None:
        """Return the sentence of the rule that describes a call best, None if there is none."""
        rules = self._rules.get(call.intent, ())
        return self._first_rendered(call, (rule.key for rule in rules if rule.applies(call)))

    def fallback(self, call: IntentCall) -> str | None:
        """Return the default sentence of an intent, None where it may not be true."""
        keys = list(self._templates.get(call.intent, ()))
        if len(keys) > 1:
            special = self._special_domains.get(call.intent, frozenset())
            keys = [_DEFAULT_KEY] if call.domains.isdisjoint(special) else []
        return self._first_rendered(call, keys)

    def response(self, call: IntentCall, key: str) -> str | None:
        """Return the sentence with a key, None if the language has none."""
        return self._first_rendered(call, [key])

    def error(self, key: str, values: Mapping[str, Any]) -> str | None:
        """Return the sentence of an error, None if the language has none."""
        if not (text := self._errors.get(key)) or _UNTRANSLATED in text:
            return None
        return _rendered(Template(text, self._hass), values)

    def _first_rendered(self, call: IntentCall, keys: Iterable[str]) -> str | None:
        templates = self._templates.get(call.intent, {})
        matched, unmatched = (
            [TemplateState(self._hass, state) for state in states]
            for states in (call.states, call.unmatched)
        )
        spoken = {name: self._spoken(name, value) for name, value in call.slots.items()}
        variables = {
            "slots": {**spoken, **call.speech_slots},
            "state": next(iter((*matched, *unmatched)), None),
            "query": {"matched": matched, "unmatched": unmatched},
        }
        sentences = (_rendered(templates[key], variables) for key in keys if key in templates)
        return next(filter(None, sentences), None)

    def _spoken(self, slot: str, value: Any) -> Any:
        """Return a slot's value as text, as the templates expect it, in the user's language."""
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return self._words.get((slot, str(value)), str(value))


async def async_get_response_templates(hass: HomeAssistant, language: str) -> ResponseTemplates:
    """Return the sentences in the nearest language, in English if there is none."""
    language = nearest_intent_language(language) or _ENGLISH
    source = await _async_get_source(hass, language)
    cache = hass.data.setdefault(_CACHE, {})
    cached = cache.get(language)
    # A reload of the conversation integration brings new sentences.
    if cached is None or cached.source is not source:
        cached = await hass.async_add_executor_job(_load, hass, source)
        cache[language] = cached
    return cached


def _load(hass: HomeAssistant, source: _Source) -> ResponseTemplates:
    return ResponseTemplates(hass, source, get_intent_info() or {})


_CACHE: HassKey[dict[str, ResponseTemplates]] = HassKey(f"{DOMAIN}_response_templates")


async def _async_get_source(hass: HomeAssistant, language: str) -> _Source:
    """Return the data of a language, including the user's own sentences if they are loaded."""
    agent = get_default_agent(hass)
    if agent is not None and (loaded := await agent.async_get_or_load_intents(language)):
        return loaded.intents_dict
    return await hass.async_add_executor_job(get_intents, language) or {}


def _rules(details: _Source, info: _Source) -> Iterator[_Rule]:
    """Yield the rules of an intent, except for those that depend on where the user is."""
    combinations = info.get("slot_combinations", {})
    for form in details.get("data", ()):
        context = form.get("requires_context", {})
        combination = combinations.get(form.get("metadata", {}).get("slot_combination"))
        if combination is None or "response" not in form or "area" in context:
            continue
        values = dict(form.get("slots") or {})
        target_domains = context.get("domain")
        yield _Rule(
            key=form["response"],
            slots=frozenset(combination.get("slots", ())) - {"domain"},
            domain=values.pop("domain", None),
            target_domains=_as_set(target_domains) if target_domains else None,
            values=values,
        )


def _special_domains(info: _Source) -> frozenset[str]:
    """Return the domains of which the default sentence of an intent is not true.

    An intent that turns on lights locks locks; a language may have no sentence for that.
    """
    combinations = info.get("slot_combinations", {}).values()
    if not any("name_domain_groups" in combination for combination in combinations):
        return frozenset()
    special: set[str] = set()
    for combination in combinations:
        usual = combination.get("name_domain_groups", {}).get(_DEFAULT_KEY, ())
        for domains in combination.get("name_domains", {}).values():
            special.update(set(domains).difference(usual))
    return frozenset(special)


def _as_set(domains: str | Iterable[str]) -> frozenset[str]:
    return frozenset([domains] if isinstance(domains, str) else domains)


def _with_siblings(
    intent: str, rules: Mapping[str, Sequence[_Rule]], templates: Mapping[str, Template]
) -> list[_Rule]:
    """Return the rules of an intent, then those of others whose sentences it has, too.

    A model can call an intent in forms that the language data knows of its counterpart only.
    """
    own = rules.get(intent, ())
    others = (
        rule
        for other, theirs in rules.items()
        if other != intent
        for rule in theirs
        if rule.key in templates and rule.key != _DEFAULT_KEY
    )
    return [
        *sorted(own, key=lambda rule: rule.specificity),
        *sorted(others, key=lambda rule: rule.specificity),
    ]


def _words(lists: _Source) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield each value of a slot with the first word that the language has for it."""
    for slot, name in _WORD_LISTS.items():
        for value in lists.get(name, {}).get("values", ()):
            words = sample_sentence(parse_sentence(value["in"]), expand_lists=False)
            yield (slot, str(value["out"])), next(iter(words))


def _rendered(template: Template, variables: Mapping[str, Any]) -> str | None:
    """Return a sentence in one line, None if the template lacks a value."""
    try:
        text = template.async_render(variables, parse_result=False, strict=True)
    except TemplateError:
        return None
    words = str(text).split()
    # Some translations use values that only other languages set.
    return None if "None" in words else " ".join(words)
