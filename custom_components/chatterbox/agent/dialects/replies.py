"""Replies of the action grammar: their schemas, and how they are written."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..json_schema import object_of
from .catalogue import LOOK_UP, TOPICS, Item
from .offers import Schema

_LONGEST_DO = 4
_LONGEST_LOOK_UP = 3


ANSWER = object_of({"topic": {"const": "other"}, "answer": {"type": "string"}})


def do_schema(actions: Sequence[Schema], longest: int = _LONGEST_DO) -> Schema:
    """Return the schema of a reply that does something."""
    entries = {
        "type": "array",
        "items": any_of(actions),
        "minItems": 1,
        "maxItems": min(longest, _LONGEST_DO),
    }
    return object_of({"topic": {"const": "home"}, "do": entries})


def devices_in(actions: Sequence[Schema]) -> int:
    """Return how many devices the actions can be for: some models repeat what they have done."""
    enums = (action["properties"].get("device", {}).get("enum", ("",)) for action in actions)
    return len({device for devices in enums for device in devices})


def look_up_schema(labels: Sequence[str]) -> Schema:
    """Return the schema of a reply that reads states."""
    entries = {
        "type": "array",
        "items": {"enum": list(dict.fromkeys(labels))},
        "minItems": 1,
        "maxItems": min(_LONGEST_LOOK_UP, len(labels)),
    }
    return object_of({"topic": {"const": "home"}, LOOK_UP: entries})


def topic_schema(topic: str) -> Schema:
    """Return the schema of a reply that looks up the time, the date or the weather."""
    return object_of({"topic": {"const": topic}})


def any_of(schemas: Sequence[Schema]) -> Schema:
    """Return the schema of any of these."""
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def answer_of(items: Sequence[Item]) -> dict[str, Any]:
    """Return the answer that does something, or looks something up."""
    if any(item["verb"] != LOOK_UP for item in items):
        return {"topic": "home", "do": list(items)}
    about = [item.get("device") for item in items]
    if len(about) == 1 and about[0] in TOPICS:
        return {"topic": about[0]}
    return {"topic": "home", LOOK_UP: about}


def write_do(items: Sequence[Item]) -> str:
    """Return an answer that does something, or looks something up."""
    return write_json(answer_of(items))


def write_topic(topic: str) -> str:
    """Return an answer that looks up the time, the date or the weather."""
    return write_json({"topic": topic})


def write_answer(answer: str) -> str:
    """Return an answer that speaks."""
    return write_json({"topic": "other", "answer": answer})


def write_json(value: Mapping[str, Any]) -> str:
    """Return JSON as models write it most often; the order of the keys is kept."""
    return json.dumps(value, ensure_ascii=False, default=str)
