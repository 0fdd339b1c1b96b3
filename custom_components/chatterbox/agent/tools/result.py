"""Serialize tool results; mask secrets in their errors."""

import dataclasses
import json
import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import date, time
from typing import Any

from ..attachments import Attachment

_SECRETS = re.compile(
    r"(?P<name>\bbearer\s+"
    r"|(?:api[_-]?key|token|password|secret|authorization)[\"']?\s*[:=]\s*(?:(?:bearer|basic)\s+)?)"
    r"(?:\"[^\"]*\"|'[^']*'|[^\s\"',;&]+)"
    r"|(?<=://)[^\s/@]+(?=@)"
    r"|\bsk-[\w-]{8,}",
    re.IGNORECASE,
)


class DataWithAttachments(dict[str, Any]):
    """Data of a tool, with images that belong to them."""

    def __init__(self, data: Mapping[str, Any], *attachments: Attachment) -> None:
        super().__init__(data)
        self.attachments = attachments


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


def mask_secrets(text: str) -> str:
    """Return the text with keys, tokens and passwords replaced by `***`."""
    return _SECRETS.sub(lambda match: f"{match['name'] or ''}***", text)
