"""What a tool returns, made fit for the model: JSON, and no longer than it may be."""

import dataclasses
import json
import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import date, time
from typing import Any

from ..messages import canonical_json

# Where a result is too long, first long strings and lists are shortened, and only as far as needed.
_LONGEST_STRING = 500
_LONGEST_LIST = 10

_SECRETS = re.compile(
    r"(?P<name>\bbearer\s+"
    r"|(?:api[_-]?key|token|password|secret|authorization)[\"']?\s*[:=]\s*(?:(?:bearer|basic)\s+)?)"
    r"(?:\"[^\"]*\"|'[^']*'|[^\s\"',;&]+)"
    r"|(?<=://)[^\s/@]+(?=@)"
    r"|\bsk-[\w-]{8,}",
    re.IGNORECASE,
)


def plain(value: Any) -> Any:
    """Return the value itself where JSON can carry it, else the nearest that JSON can carry."""
    try:
        json.dumps(value, sort_keys=True, allow_nan=False)
    except TypeError, ValueError:
        return _plain(value, frozenset())
    return value


def _plain(value: Any, parents: frozenset[int]) -> Any:
    if isinstance(value, float):
        # JSON has no words for infinity and not-a-number.
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, date | time):
        return value.isoformat()
    return "…" if id(value) in parents else _plain_container(value, parents | {id(value)})


def _plain_container(value: Any, parents: frozenset[int]) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    match value:
        case Mapping():
            return {str(key): _plain(item, parents) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item, parents) for item in value]
        case AbstractSet():
            return sorted((_plain(item, parents) for item in value), key=str)
    return str(value)


def prune(value: Any, limit: int) -> Any:
    """Return the value itself if its JSON has at most `limit` characters, else a shorter one.

    The structure stays, so that the model still reads valid JSON and sees what was left out.
    """
    longest_string, longest_list = _LONGEST_STRING, _LONGEST_LIST
    pruned = value
    while len(canonical_json(pruned)) > limit:
        if not longest_list:
            return "too long"
        pruned = _shorten(value, longest_string, longest_list)
        longest_string, longest_list = longest_string // 2, longest_list // 2
    return pruned


def _shorten(value: Any, longest_string: int, longest_list: int) -> Any:
    match value:
        case str() if len(value) > longest_string:
            return f"{value[:longest_string]}… ({len(value) - longest_string} more characters)"
        case list():
            kept = [_shorten(item, longest_string, longest_list) for item in value[:longest_list]]
            left_out = len(value) - len(kept)
            return [*kept, f"… ({left_out} more)"] if left_out else kept
        case dict():
            # An object is cut as a list is where it has far more members than a record has.
            items = list(value.items())[: longest_list * 10]
            cut: dict[str, Any] = {
                key: _shorten(item, longest_string, longest_list) for key, item in items
            }
            if left_out := len(value) - len(items):
                cut["…"] = f"{left_out} more"
            return cut
    return value


def mask_secrets(text: str) -> str:
    """Return the text without keys, tokens and passwords."""
    return _SECRETS.sub(lambda match: f"{match['name'] or ''}***", text)
