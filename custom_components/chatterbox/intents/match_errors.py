"""Errors of intents whose targets were not found: sentences for the user, hints for the model."""

import difflib
from collections.abc import Iterable
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers.intent import (
    MatchFailedError,
    MatchFailedReason,
    MatchTargetsConstraints,
)

from ..exposed import exposed_states

# Names in a hint.
_MAX_NAMES = 5

_INVALID = {MatchFailedReason.INVALID_AREA: "area", MatchFailedReason.INVALID_FLOOR: "floor"}
# Subjects of the sentence for a reason, in order of preference; others may have any subject.
_SUBJECTS = {
    MatchFailedReason.NAME: ("entity",),
    MatchFailedReason.DOMAIN: ("device_class", "domain"),
    MatchFailedReason.DEVICE_CLASS: ("device_class", "domain"),
}
_ANY_SUBJECT = ("entity", "device_class", "domain")
_SCOPES = {MatchFailedReason.AREA: ("area",), MatchFailedReason.FLOOR: ("floor",)}
_ANY_SCOPE = ("area", "floor")

type ErrorSentence = tuple[str, dict[str, Any]]
"""Key of an error sentence of Home Assistant, and its variables."""


def match_error(err: MatchFailedError) -> ErrorSentence:
    """Return the sentence for the reason of the mismatch; its key is empty if there is none."""
    reason, constraints = err.result.no_match_reason, err.constraints
    match reason:
        case MatchFailedReason.INVALID_AREA | MatchFailedReason.INVALID_FLOOR:
            scope = _INVALID[reason]
            return f"no_{scope}", {scope: err.result.no_match_name}
        case MatchFailedReason.FEATURE:
            return "feature_not_supported", {}
        case MatchFailedReason.STATE if constraints.states:
            return "entity_wrong_state", {"state": next(iter(constraints.states))}
        case MatchFailedReason.DUPLICATE_NAME | MatchFailedReason.MULTIPLE_TARGETS:
            is_name = reason is MatchFailedReason.DUPLICATE_NAME
            return _duplicates(
                err.result.no_match_name if is_name else constraints.name, constraints
            )
        case None | MatchFailedReason.STATE:
            return "", {}
        case _:
            return _nothing_found(reason, constraints)


def _duplicates(name: str | None, constraints: MatchTargetsConstraints) -> ErrorSentence:
    if not name:
        return "duplicate_targets", {}
    suffix, where = _scope(_ANY_SCOPE, constraints)
    return f"duplicate_entities{suffix}", {"entity": name, **where}


def _nothing_found(
    reason: MatchFailedReason, constraints: MatchTargetsConstraints
) -> ErrorSentence:
    wanted = {
        "entity": constraints.name,
        "device_class": next(iter(constraints.device_classes or ()), None),
        "domain": next(iter(constraints.domains or ()), None),
    }
    subjects = _SUBJECTS.get(reason, _ANY_SUBJECT)
    subject = next((subject for subject in subjects if wanted[subject]), None)
    if subject is None:
        return "", {}
    suffix, where = _scope(_SCOPES.get(reason, _ANY_SCOPE), constraints)
    exposed = "_exposed" if reason is MatchFailedReason.ASSISTANT else ""
    return f"no_{subject}{suffix}{exposed}", {subject: wanted[subject], **where}


def _scope(
    scopes: tuple[str, ...], constraints: MatchTargetsConstraints
) -> tuple[str, dict[str, str]]:
    """Return the suffix of the keys of sentences about a place, and the place."""
    places = {"area": constraints.area_name, "floor": constraints.floor_name}
    for scope in scopes:
        if place := places[scope]:
            return f"_in_{scope}", {scope: place}
    return "", {}


def nearest_names(hass: HomeAssistant, err: MatchFailedError) -> str:
    """Return a hint with the names nearest to a wrong one, empty if no name was wrong.

    Of entities, only exposed ones are named.
    """
    wanted = err.constraints
    match err.result.no_match_reason:
        case MatchFailedReason.INVALID_AREA:
            areas = ar.async_get(hass).async_list_areas()
            return _hint("areas", wanted.area_name, (area.name for area in areas))
        case MatchFailedReason.INVALID_FLOOR:
            floors = fr.async_get(hass).async_list_floors()
            return _hint("floors", wanted.floor_name, (floor.name for floor in floors))
    return _hint("exposed names", wanted.name, (state.name for state in exposed_states(hass)))


def _hint(kind: str, wanted: str | None, names: Iterable[str]) -> str:
    if not wanted or not (known := sorted(set(names))):
        return ""
    lower = {name.lower(): name for name in known}
    nearest = difflib.get_close_matches(wanted.lower(), lower, n=_MAX_NAMES, cutoff=0.0)
    return f" The nearest {kind}: {', '.join(lower[name] for name in nearest)}."
