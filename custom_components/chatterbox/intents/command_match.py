"""Comparison of tool calls with the command that Home Assistant recognized in the message."""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ..agent.assist import short_name
from ..agent.mentions import RecognizedIntent
from ..agent.messages import ToolResult
from ..agent.text_match import normalize
from .result_sentences import intent_response

# Slots that select the targets; all others say what is done with them.
_TARGET_SLOTS = frozenset({"name", "area", "floor", "domain", "device_class"})


def async_carried_out(
    hass: HomeAssistant,
    recognized: RecognizedIntent,
    results: Sequence[ToolResult],
    area_id: str | None,
) -> bool:
    """Return whether calls succeeded and did together exactly what a command says.

    Targets are compared as entities, however they were named. `area_id` is the area of the user.
    """
    values = _values(recognized.slots)
    done: set[str] = set()
    for result in results:
        response = intent_response(result)
        if response is None or not _succeeded(result, response):
            return False
        if short_name(result.call.name) != recognized.name:
            return False
        if _values(result.call.arguments) != values:
            return False
        done.update(state.entity_id for state in response.matched_states)
    # The same words have the same targets, which takes long to find out in a large home; some
    # intents have none, such as that of a timer.
    if len(results) == 1 and _folded(results[0].call.arguments) == _folded(recognized.slots):
        return True
    return bool(done) and done == _targets(hass, recognized, area_id)


def _succeeded(result: ToolResult, response: intent.IntentResponse) -> bool:
    return not (
        result.error
        or response.failed_results
        or response.response_type is intent.IntentResponseType.ERROR
    )


def _targets(hass: HomeAssistant, recognized: RecognizedIntent, area_id: str | None) -> set[str]:
    """Return the entities that Home Assistant would have acted on."""
    slots = recognized.slots
    handlers = {handler.intent_type: handler for handler in intent.async_get(hass)}
    handler = handlers.get(recognized.name)
    name = slots.get("name")
    matched = intent.async_match_targets(
        hass,
        intent.MatchTargetsConstraints(
            name=None if name == "all" else name,
            area_name=slots.get("area"),
            floor_name=slots.get("floor"),
            domains=_as_set(slots.get("domain")) or getattr(handler, "required_domains", None),
            device_classes=_as_set(slots.get("device_class")),
            features=getattr(handler, "required_features", None),
            assistant=CONVERSATION,
        ),
        intent.MatchTargetsPreferences(area_id=area_id),
    )
    return {state.entity_id for state in matched.states} if matched.is_match else set()


def _values(slots: Mapping[str, Any]) -> dict[str, Any]:
    """Return the slots that say what is done, in a form that can be compared."""
    return _folded({key: value for key, value in slots.items() if key not in _TARGET_SLOTS})


def _folded(slots: Mapping[str, Any]) -> dict[str, Any]:
    """Return the slots that have a value: numbers as such, other values without case and accents.

    A list of one is the same as its only item.
    """
    return {
        key: _number_or_text(value[0] if isinstance(value, list) and len(value) == 1 else value)
        for key, value in slots.items()
        if value not in (None, "", [], {})
    }


def _number_or_text(value: Any) -> float | str:
    try:
        return float(value)
    except TypeError, ValueError:
        return normalize(str(value)).strip()


def _as_set(value: str | Sequence[str] | None) -> set[str] | None:
    if not value:
        return None
    return {value} if isinstance(value, str) else set(value)
