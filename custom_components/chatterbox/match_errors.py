"""Keys of Home Assistant's error sentences for targets that were not found."""

from typing import Any

from homeassistant.helpers.intent import (
    MatchFailedError,
    MatchFailedReason,
    MatchTargetsConstraints,
)

_INVALID = {MatchFailedReason.INVALID_AREA: "area", MatchFailedReason.INVALID_FLOOR: "floor"}
# What a sentence is about, the best first; anything where a reason is not listed.
_SUBJECTS = {
    MatchFailedReason.NAME: ("entity",),
    MatchFailedReason.DOMAIN: ("device_class", "domain"),
    MatchFailedReason.DEVICE_CLASS: ("device_class", "domain"),
}
_ANY_SUBJECT = ("entity", "device_class", "domain")
_SCOPES = {MatchFailedReason.AREA: ("area",), MatchFailedReason.FLOOR: ("floor",)}
_ANY_SCOPE = ("area", "floor")

type ErrorSentence = tuple[str, dict[str, Any]]


def match_error(err: MatchFailedError) -> ErrorSentence:
    """Return the key of the sentence that says why nothing matched, and its variables.

    The key is empty where there is no such sentence.
    """
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
    """Return how the keys of sentences about a place end, and the place."""
    places = {"area": constraints.area_name, "floor": constraints.floor_name}
    for scope in scopes:
        if place := places[scope]:
            return f"_in_{scope}", {scope: place}
    return "", {}
