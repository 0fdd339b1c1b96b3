"""Size of a model, from its name or from its server's metadata."""

import re
from collections.abc import Mapping
from typing import Any

# A single-digit number of millions is a context length.
_BILLIONS = re.compile(
    r"(?<![a-z0-9.])e?(\d+(?:\.\d+)?)\s*(b|(?<=\d\d)m)(?![a-z0-9])", re.IGNORECASE
)
# Ollama has `parameter_size`, LM Studio `params_string`.
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([bmk])", re.IGNORECASE)
_SIZE_UNITS: Mapping[str, float] = {"b": 1.0, "m": 1e-3, "k": 1e-6}
_BILLION = 1e9

# In billions: few models up to this size call a tool without guidance.
SMALL_MODEL = 4.0


def model_size(model: str) -> float | None:
    """Return the parameters in a model's name, in billions, None if there are none."""
    sizes = [
        float(number) / (1000 if unit in "mM" else 1) for number, unit in _BILLIONS.findall(model)
    ]
    return max(sizes) if sizes else None


def is_small(model: str) -> bool:
    """Return whether a model is small according to its name."""
    size = model_size(model)
    return size is not None and size <= SMALL_MODEL


def parameters_of(details: Mapping[str, Any]) -> float | None:
    """Return the parameters of a model, in billions, None if its details have none.

    `details` is the model's entry in a list of models, or Ollama's answer to `/api/show`.
    """
    # Ollama has the size in `details` and `model_info`, llama.cpp in `meta`.
    for key in ("meta", "model_info", "details"):
        if isinstance(nested := details.get(key), Mapping) and (found := _parse_parameters(nested)):
            return found
    return _parse_parameters(details)


def _parse_parameters(details: Mapping[str, Any]) -> float | None:
    for key in ("n_params", "general.parameter_count"):
        match details.get(key):
            case bool():
                continue
            case int() | float() as count if count > 0:
                return count / _BILLION
    for key in ("parameter_size", "params_string"):
        text = details.get(key)
        if isinstance(text, str) and (found := _SIZE.fullmatch(text.strip())):
            return float(found[1]) * _SIZE_UNITS[found[2].lower()] or None
    return None
