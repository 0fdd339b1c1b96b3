"""Replies of the action grammar: schemas and serialization."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...json_schema import object_of
from .inventory import DAYS, LOOK_UP, TOPICS, Action
from .offers import Schema

_MAX_ACTIONS = 4
_MAX_LOOK_UPS = 3


ANSWER = object_of({"topic": {"const": "other"}, "answer": {"type": "string"}})


def do_schema(
    actions: Sequence[Schema], longest: int = _MAX_ACTIONS, *, shortest: int = 1
) -> Schema:
    """Return the schema of a reply with actions, of which there are at least and at most so many.

    The least number is not above that of the devices.
    """
    entries = {
        "type": "array",
        "items": any_of(actions),
        "minItems": min(shortest, _MAX_ACTIONS),
        "maxItems": min(longest, _MAX_ACTIONS),
    }
    return object_of({"topic": {"const": "home"}, "do": entries})


def count_devices(actions: Sequence[Schema]) -> int:
    """Return the number of devices in the schemas; it limits models that repeat their actions."""
    enums = (action["properties"].get("device", {}).get("enum", ("",)) for action in actions)
    return len({device for devices in enums for device in devices})


def look_up_schema(labels: Sequence[str]) -> Schema:
    """Return the schema of a reply that looks up states."""
    entries = {
        "type": "array",
        "items": {"enum": list(dict.fromkeys(labels))},
        "minItems": 1,
        "maxItems": min(_MAX_LOOK_UPS, len(labels)),
    }
    return object_of({"topic": {"const": "home"}, LOOK_UP: entries})


def topic_schema(topic: str) -> Schema:
    """Return the schema of a reply that looks up a topic, of a day where it has several."""
    day = {"day": {"enum": [*DAYS[topic]]}} if topic in DAYS else {}
    return object_of({"topic": {"const": topic}, **day})


def any_of(schemas: Sequence[Schema]) -> Schema:
    """Return the schema of a value that matches any of these."""
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def reply_of(actions: Sequence[Action]) -> dict[str, Any]:
    """Return the reply with these actions: `do`, `look_up` or a topic of its own."""
    if any(action["verb"] != LOOK_UP for action in actions):
        return {"topic": "home", "do": list(actions)}
    about = [action.get("device") for action in actions]
    if len(about) == 1 and about[0] in TOPICS:
        (topic,) = actions
        return {"topic": about[0], **({"day": topic["day"]} if "day" in topic else {})}
    return {"topic": "home", LOOK_UP: about}


def write_actions(actions: Sequence[Action]) -> str:
    """Return the JSON of a reply with these actions."""
    return write_json(reply_of(actions))


def write_topic(topic: str) -> str:
    """Return the JSON of a reply that looks up a topic."""
    return write_json({"topic": topic, **({"day": "…"} if topic in DAYS else {})})


def write_answer(answer: str) -> str:
    """Return the JSON of a reply with an answer in words."""
    return write_json({"topic": "other", "answer": answer})


def write_json(value: Mapping[str, Any]) -> str:
    """Return JSON with spaces, as most models write it, and in the order of the keys."""
    return json.dumps(value, ensure_ascii=False, default=str)
