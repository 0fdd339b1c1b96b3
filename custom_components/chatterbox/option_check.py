"""Check of stored options: their values have the types of the dataclasses that hold them."""

import dataclasses
import math
from collections.abc import Mapping
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from .agent.model.urls import normalize_base_url
from .data import ChatterboxConfigEntry
from .options import AgentOptions, ServerOptions


def check_server(entry: ChatterboxConfigEntry) -> None:
    """Raise `ValueError` if the stored data or options of a server cannot be used."""
    try:
        options = ServerOptions.parse(entry.data, entry.options)
        _check_types(options)
        normalize_base_url(options.base_url)
    except (KeyError, TypeError) as err:
        raise ValueError(_text(err)) from err


def check_agent(data: Mapping[str, Any]) -> None:
    """Raise `ValueError` if the stored data of an agent cannot be used."""
    try:
        _check_types(AgentOptions.parse(data))
    except (KeyError, TypeError) as err:
        raise ValueError(_text(err)) from err


def _text(err: Exception) -> str:
    return f"{err} is missing" if isinstance(err, KeyError) else str(err)


def _check_types(options: Any) -> None:
    """Raise `ValueError` with the name of the first value that has another type.

    The value itself is not named: it may be a secret.
    """
    for name, hint in get_type_hints(type(options)).items():
        value = getattr(options, name)
        if not _fits(value, hint):
            raise ValueError(f"{name} cannot be of type {type(value).__name__}")
        if isinstance(value, int | float) and not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name} is {value}")
        if dataclasses.is_dataclass(value):
            _check_types(value)


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value is of a type, such as `float | None` or `tuple[str, ...]`."""
    if isinstance(hint, UnionType):
        return any(_fits(value, each) for each in get_args(hint))
    if (origin := get_origin(hint)) is not None:
        items = get_args(hint)[0]
        return isinstance(value, origin) and (
            origin is not tuple or all(_fits(item, items) for item in value)
        )
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        # Forms return whole numbers as floats.
        return not isinstance(value, bool) and (
            isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        )
    return isinstance(value, hint)
