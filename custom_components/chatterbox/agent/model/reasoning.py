"""Reasoning effort: the switches of each family of models."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Thinking(StrEnum):
    """Reasoning effort."""

    AUTO = "auto"
    """The default of the model."""
    OFF = "off"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class ThinkingSwitch:
    """Additions to a request that set the reasoning effort."""

    body: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the request body."""
    suffix: str = ""
    """Suffix of the user's message."""


_TEMPLATE_OFF = {"chat_template_kwargs": {"enable_thinking": False}}
# By a pattern of the model's name; the first match counts.
_OFF: Mapping[str, ThinkingSwitch] = {
    r"qwen-?3": ThinkingSwitch(_TEMPLATE_OFF, "/no_think"),
    r"smollm": ThinkingSwitch(_TEMPLATE_OFF, "/no_think"),
    r"deepseek|granite|kimi": ThinkingSwitch(
        {"chat_template_kwargs": {"thinking": False, "enable_thinking": False}}
    ),
    r"gpt-oss": ThinkingSwitch({"reasoning_effort": "low"}),
    r"\bo[134]\b": ThinkingSwitch({"reasoning_effort": "low"}),
    r"gpt-5(?!\.\d)": ThinkingSwitch({"reasoning_effort": "minimal"}),
    r"gpt-[5-9]": ThinkingSwitch({"reasoning_effort": "none"}),
    r"magistral|mistral": ThinkingSwitch({"reasoning_effort": "none"}),
    r"": ThinkingSwitch({**_TEMPLATE_OFF, "reasoning_effort": "none"}),
}


def thinking_switch(model: str, thinking: Thinking) -> ThinkingSwitch:
    """Return the switch for a model. Servers may reject parameters that they do not know.

    gpt-oss and o1 to o4 cannot turn reasoning off: for them it is low.
    """
    match thinking:
        case Thinking.AUTO:
            return ThinkingSwitch()
        case Thinking.OFF:
            return next(s for name, s in _OFF.items() if re.search(name, model, re.IGNORECASE))
    return ThinkingSwitch({"reasoning_effort": thinking.value})
