"""Verdicts on turns, by the state before and after, the service calls and the answer."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from homeassistant.util import dt as dt_util

from .sentence import Check, Sentence, Stepped, fits

type Values = Mapping[str, Any]
type Snapshot = Mapping[str, Values]

# Call syntax, which does not belong into a spoken answer.
_CALL_SYNTAX = re.compile(
    r"""
    </?\w*tool\w* | <function | <\| | ```                       # markers
    | \[/?TOOL_\w+ | \[/?INST\] | \btool_calls?\b | \bfunction_call\b
    | [{\[,]\s*["'][\w ]+["']\s*: | \[\s*\{ | \{\s*\}           # JSON, whole or broken off
    | ["'](?:name|arguments|parameters|tool|topic|do|action|answer|device)["']\s*:
    | \bHass[A-Z]\w+ | \bGet(?:LiveContext|DateTime|State)\b    # names of tools
    | \b\w+__\w+ | \b\w+\(\s*\w+\s*=
    | ^\s*(?:turn_o(?:n|ff)|set_\w+|look_up|unlock|lock|return_to_base|start_cleaning)\b\s*[({:]
    """,
    re.VERBOSE | re.MULTILINE,
)
# General offers of help are no clarifying questions.
_OFFER = re.compile(
    r"anything else|how (?:can|may) i|what (?:else )?can i (?:do|help)|help you|assist you"
    r"|sonst noch|kann ich .*(?:helfen|tun)|puis-je|autre chose|algo más|altro|iets anders"
    r"|coś jeszcze",
    re.IGNORECASE,
)
_OPPOSITES = (
    ({"on"}, {"off"}),
    ({"open", "opening"}, {"closed", "closing"}),
    ({"locked", "locking"}, {"unlocked", "unlocking"}),
    ({"cleaning"}, {"returning", "docked"}),
    ({"mowing"}, {"returning", "docked"}),
    ({"playing"}, {"paused", "idle", "off"}),
)


class Result(StrEnum):
    """Results of a turn, the worst first."""

    OPPOSITE_OR_UNRELATED = "opposite_or_unrelated"
    LEAKED = "leaked"
    PARTLY = "partly"
    NOTHING = "nothing"
    WRONG_ANSWER = "wrong_answer"
    ASKED = "asked"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Call:
    """A service call."""

    service: str
    entity_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer of the agent."""

    speech: str
    failed: bool = False
    now: datetime = field(default_factory=dt_util.now)
    """Time of the answer, in the time zone of the home."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of a turn, with its findings."""

    result: Result
    leaked: bool
    findings: tuple[str, ...]


def leaks(speech: str) -> bool:
    """Return whether call syntax was spoken."""
    return _CALL_SYNTAX.search(speech) is not None


def asks_back(speech: str) -> bool:
    """Return whether the answer ends in a question that is not an offer of help."""
    sentences = re.split(r"(?<=[.!?…])\s+", speech.strip())
    return sentences[-1].endswith("?") and _OFFER.search(sentences[-1]) is None


def judge(
    sentence: Sentence, before: Snapshot, after: Snapshot, calls: Sequence[Call], reply: Reply
) -> Verdict:
    """Return the verdict on a turn."""
    changes = differences(before, after)
    harm = _harm(sentence.changes, before, after, changes)
    missing = _missing(sentence, before, after, calls)
    wrong_speech = _wrong_speech(sentence, reply)
    leaked = leaks(reply.speech)
    if harm:
        result = Result.OPPOSITE_OR_UNRELATED
    elif leaked:
        result = Result.LEAKED
    elif missing:
        undone = Result.PARTLY if changes else Result.NOTHING
        result = _asked(sentence, reply, changed=bool(changes)) or undone
    elif wrong_speech:
        result = _asked(sentence, reply, changed=bool(changes)) or Result.WRONG_ANSWER
    else:
        result = Result.RIGHT
    findings = [*harm, *missing, *wrong_speech]
    return Verdict(result, leaked, () if result is Result.RIGHT else tuple(findings))


def differences(before: Snapshot, after: Snapshot) -> dict[str, dict[str, Any]]:
    """Return the values that have changed, by entity."""
    changed = {
        entity_id: {key: value for key, value in values.items() if value != before[entity_id][key]}
        for entity_id, values in after.items()
    }
    return {entity_id: values for entity_id, values in changed.items() if values}


def _harm(
    expected: Mapping[str, Check],
    before: Snapshot,
    after: Snapshot,
    changes: Mapping[str, Mapping[str, Any]],
) -> list[str]:
    """Return the unexpected changes, and those in the opposite direction."""
    found = []
    for entity_id, values in changes.items():
        if entity_id not in expected:
            found.append(f"{entity_id} became {dict(values)}")
            continue
        for key, wanted in expected[entity_id].items():
            if key in values and _is_opposite(before[entity_id][key], values[key], wanted):
                found.append(f"{entity_id} went the other way: {key} is {values[key]}")
        if "state" not in expected[entity_id] and _switched_off(
            before[entity_id], after[entity_id]
        ):
            found.append(f"{entity_id} is off")
    return found


def _is_opposite(before: Any, after: Any, wanted: Any) -> bool:
    """Return whether a value has changed in the opposite direction of the wanted one."""
    match wanted:
        case (low, high) if isinstance(before, int | float) and isinstance(after, int | float):
            return bool(_distance(after, low, high) > _distance(before, low, high))
        case Stepped(step=step) if isinstance(before, int | float):
            return isinstance(after, int | float) and (after - before) * step < 0
        case str() | set():
            states = {wanted} if isinstance(wanted, str) else wanted
            return any(
                (states & one and after in other) or (states & other and after in one)
                for one, other in _OPPOSITES
                if after not in states
            )
    return False


def _distance(value: float, low: float, high: float) -> float:
    return max(low - value, value - high, 0.0)


def _switched_off(before: Values, after: Values) -> bool:
    return bool(before["state"] != "off" and after["state"] == "off")


def _missing(
    sentence: Sentence, before: Snapshot, after: Snapshot, calls: Sequence[Call]
) -> list[str]:
    """Return the expected changes and calls that are missing."""
    found = []
    for entity_id, check in sentence.changes.items():
        values = after[entity_id]
        wrong = {
            key: values[key]
            for key, wanted in check.items()
            if not fits(before[entity_id][key], values[key], wanted)
        }
        if wrong:
            found.append(f"{entity_id} is {wrong}")
    for service, entity_id in sentence.calls.items():
        if not any(call.service == service and entity_id in call.entity_ids for call in calls):
            found.append(f"{service} was not called for {entity_id}")
    return found


def _wrong_speech(sentence: Sentence, reply: Reply) -> list[str]:
    found = []
    if reply.failed:
        found.append("the turn failed")
    if not reply.speech.strip():
        found.append("nothing was said")
    elif not sentence.answered(reply.speech, reply.now):
        found.append("the answer does not say it")
    return found


def _asked(sentence: Sentence, reply: Reply, *, changed: bool) -> Result | None:
    """Return the result of a turn that asked back, and None for any other."""
    if changed or reply.failed or not asks_back(reply.speech):
        return None
    return Result.RIGHT if sentence.may_ask else Result.ASKED


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict on several turns: the worst result, and all findings."""
    order = list(Result)
    result = min((verdict.result for verdict in verdicts), key=order.index)
    findings = tuple(finding for verdict in verdicts for finding in verdict.findings)
    return Verdict(result, any(verdict.leaked for verdict in verdicts), findings)
