"""Thinking before an answer: how each family of models is told to do more of it, less, or none."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Thinking(StrEnum):
    """How much a model is to think."""

    AUTO = "auto"
    """As it does by itself."""
    OFF = "off"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class ThinkingSwitch:
    """What a request needs so that the model thinks as it is to."""

    body: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the request."""
    said: str = ""
    """What stands behind the user's message."""


_NO_THOUGHTS_IN_TEMPLATE = {"chat_template_kwargs": {"enable_thinking": False}}
# What each family looks at, by a part of the model's name; the first that fits counts.
_OFF: Mapping[str, ThinkingSwitch] = {
    r"qwen-?3": ThinkingSwitch(_NO_THOUGHTS_IN_TEMPLATE, "/no_think"),
    r"smollm": ThinkingSwitch(_NO_THOUGHTS_IN_TEMPLATE, "/no_think"),
    r"deepseek|granite|kimi": ThinkingSwitch(
        {"chat_template_kwargs": {"thinking": False, "enable_thinking": False}}
    ),
    r"gpt-oss": ThinkingSwitch({"reasoning_effort": "low"}),
    r"\bo[134]\b": ThinkingSwitch({"reasoning_effort": "low"}),
    r"gpt-5(?!\.\d)": ThinkingSwitch({"reasoning_effort": "minimal"}),
    r"gpt-[5-9]": ThinkingSwitch({"reasoning_effort": "none"}),
    r"magistral|mistral": ThinkingSwitch({"reasoning_effort": "none"}),
    r"": ThinkingSwitch({**_NO_THOUGHTS_IN_TEMPLATE, "reasoning_effort": "none"}),
}


def thinking_switch(model: str, thinking: Thinking) -> ThinkingSwitch:
    """Return what has a model think as much as it is to. Servers may refuse what they do not know.

    gpt-oss and the models of o1 to o4 cannot be kept from thinking, only from thinking long.
    """
    match thinking:
        case Thinking.AUTO:
            return ThinkingSwitch()
        case Thinking.OFF:
            return next(s for name, s in _OFF.items() if re.search(name, model, re.IGNORECASE))
    return ThinkingSwitch({"reasoning_effort": thinking.value})
