"""Serialize and truncate tool results; mask secrets in their errors."""

import dataclasses
import json
import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import date, time
from typing import Any

from ..messages import canonical_json

# Initial limits for the strings (characters) and lists (items) of a result that is too long. They
# are halved until the result fits.
_MAX_STRING = 500
_MAX_ITEMS = 10

_SECRETS = re.compile(
    r"(?P<name>\bbearer\s+"
    r"|(?:api[_-]?key|token|password|secret|authorization)[\"']?\s*[:=]\s*(?:(?:bearer|basic)\s+)?)"
    r"(?:\"[^\"]*\"|'[^']*'|[^\s\"',;&]+)"
    r"|(?<=://)[^\s/@]+(?=@)"
    r"|\bsk-[\w-]{8,}",
    re.IGNORECASE,
)


def to_jsonable(value: Any) -> Any:
    """Return the value itself if JSON can represent it, else the nearest value that JSON can."""
    try:
        json.dumps(value, sort_keys=True, allow_nan=False)
    except TypeError, ValueError:
        return _converted(value, frozenset())
    return value


def _converted(value: Any, parents: frozenset[int]) -> Any:
    if isinstance(value, float):
        # JSON has no infinity and no NaN.
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, date | time):
        return value.isoformat()
    return "…" if id(value) in parents else _converted_container(value, parents | {id(value)})


def _converted_container(value: Any, parents: frozenset[int]) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    match value:
        case Mapping():
            return {str(key): _converted(item, parents) for key, item in value.items()}
        case list() | tuple():
            return [_converted(item, parents) for item in value]
        case AbstractSet():
            return sorted((_converted(item, parents) for item in value), key=str)
    return str(value)


def prune(value: Any, limit: int) -> Any:
    """Return the value itself if its JSON has at most `limit` characters, else a shortened copy.

    The copy keeps the structure: it is valid JSON and says how much was left out.
    """
    max_string, max_items = _MAX_STRING, _MAX_ITEMS
    pruned = value
    while len(canonical_json(pruned)) > limit:
        if not max_items:
            return "too long"
        pruned = _shorten(value, max_string, max_items)
        max_string, max_items = max_string // 2, max_items // 2
    return pruned


def _shorten(value: Any, max_string: int, max_items: int) -> Any:
    match value:
        case str() if len(value) > max_string:
            return f"{value[:max_string]}… ({len(value) - max_string} more characters)"
        case list():
            kept = [_shorten(item, max_string, max_items) for item in value[:max_items]]
            left_out = len(value) - len(kept)
            return [*kept, f"… ({left_out} more)"] if left_out else kept
        case dict():
            # An object with far more members than a record has is cut like a list.
            items = list(value.items())[: max_items * 10]
            cut: dict[str, Any] = {
                key: _shorten(item, max_string, max_items) for key, item in items
            }
            if left_out := len(value) - len(items):
                cut["…"] = f"{left_out} more"
            return cut
    return value


def mask_secrets(text: str) -> str:
    """Return the text with keys, tokens and passwords replaced by `***`."""
    return _SECRETS.sub(lambda match: f"{match['name'] or ''}***", text)
