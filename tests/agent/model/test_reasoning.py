"""Tests of the reasoning effort."""

import pytest

from custom_components.chatterbox.agent.model.reasoning import Thinking, thinking_switch


@pytest.mark.parametrize(
    ("model", "body", "suffix"),
    [
        ("Qwen3-8B", {"chat_template_kwargs": {"enable_thinking": False}}, "/no_think"),
        (
            "granite-3.3",
            {"chat_template_kwargs": {"thinking": False, "enable_thinking": False}},
            "",
        ),
        ("openai/gpt-oss-20b", {"reasoning_effort": "low"}, ""),
        ("o3-mini", {"reasoning_effort": "low"}, ""),
        ("gpt-5-mini", {"reasoning_effort": "minimal"}, ""),
        ("gpt-5-2025-08-07", {"reasoning_effort": "minimal"}, ""),
        ("openai/gpt-5.1", {"reasoning_effort": "none"}, ""),
        ("gpt-5.2-chat", {"reasoning_effort": "none"}, ""),
        ("magistral-small", {"reasoning_effort": "none"}, ""),
        (
            "whatever",
            {"chat_template_kwargs": {"enable_thinking": False}, "reasoning_effort": "none"},
            "",
        ),
    ],
)
def test_reasoning_is_disabled_by_the_parameter_of_the_family(
    model: str, body: dict[str, object], suffix: str
) -> None:
    switch = thinking_switch(model, Thinking.OFF)
    assert (dict(switch.body), switch.suffix) == (body, suffix)


def test_reasoning_effort_is_default_or_limited() -> None:
    """By the one parameter that servers share."""
    assert not thinking_switch("qwen3", Thinking.AUTO).body
    assert thinking_switch("qwen3", Thinking.HIGH).body == {"reasoning_effort": "high"}
