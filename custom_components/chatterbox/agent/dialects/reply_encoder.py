"""Encoder of the action grammar: answers as the model is to write them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .catalogue import LOOK_UP, TOPICS, Item


def reply_of(items: Sequence[Item]) -> dict[str, Any]:
    """Return the answer that does something, or looks something up."""
    if any(item["verb"] != LOOK_UP for item in items):
        return {"topic": "home", "do": list(items)}
    about = [item.get("device") for item in items]
    if len(about) == 1 and about[0] in TOPICS:
        return {"topic": about[0]}
    return {"topic": "home", LOOK_UP: about}


def write_do(items: Sequence[Item]) -> str:
    """Return an answer that does something, or looks something up."""
    return write_json(reply_of(items))


def write_topic(topic: str) -> str:
    """Return an answer that looks up the time, the date or the weather."""
    return write_json({"topic": topic})


def write_answer(answer: str) -> str:
    """Return an answer that speaks."""
    return write_json({"topic": "other", "answer": answer})


def write_json(value: Mapping[str, Any]) -> str:
    """Return JSON as models write it most often; the order of the keys is kept."""
    return json.dumps(value, ensure_ascii=False, default=str)
