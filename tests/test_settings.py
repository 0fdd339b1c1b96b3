"""The options of an agent as the settings of its parts."""

from datetime import timedelta
from typing import Any

import pytest

from custom_components.chatterbox.agent.conversation_index import MemoryScope
from custom_components.chatterbox.agent.dialects.profile import Profile
from custom_components.chatterbox.agent.loop import LoopSettings, OnLimit
from custom_components.chatterbox.agent.memory import MemorySettings, Retention
from custom_components.chatterbox.agent.openai_provider import ModelSettings
from custom_components.chatterbox.settings import (
    loop_settings,
    memory_settings,
    model_settings,
    profile,
    retry_commands,
)


def test_what_is_not_set_has_the_default_of_the_agent() -> None:
    assert model_settings({"model": "m"}) == ModelSettings(model="m")
    assert loop_settings({"model": "m"}) == LoopSettings()
    assert memory_settings({}, {"model": "m"}) == MemorySettings()


@pytest.mark.parametrize(
    ("options", "in_force", "temperature"),
    [
        ({"model": "tiny-1.5b"}, Profile.AUTO, 0.1),
        ({"model": "big"}, Profile.AUTO, 0.7),
        ({"model": "tiny-1.5b"}, Profile.CAPABLE, 0.7),
        ({"model": "big"}, Profile.GUIDED, 0.1),
        ({"model": "big", "profile": "guided"}, Profile.AUTO, 0.1),
        ({"model": "tiny-1.5b", "profile": "capable"}, Profile.AUTO, 0.7),
        ({"model": "tiny-1.5b", "temperature": 0.5}, Profile.GUIDED, 0.5),
    ],
)
def test_a_guided_model_is_to_be_exact(
    options: dict[str, Any], in_force: Profile, temperature: float
) -> None:
    assert model_settings(options, in_force).temperature == temperature


def test_profile_is_automatic_unless_it_was_chosen() -> None:
    assert profile({"model": "m"}) is Profile.AUTO
    assert profile({"model": "m", "profile": "guided"}) is Profile.GUIDED


def test_commands_are_retried_unless_the_user_does_not_want_it() -> None:
    assert retry_commands({"model": "m"}) is True
    assert retry_commands({"model": "m", "retry_commands": False}) is False


def test_parameters_of_the_user_are_joined_with_ours() -> None:
    """So that one of a template does not switch thinking on again."""
    options = {
        "model": "m",
        "thinking": "off",
        "extra_body": {"chat_template_kwargs": {"tone": "dry"}, "top_k": 5},
    }
    assert model_settings(options).extra_body == {
        "chat_template_kwargs": {"enable_thinking": False, "tone": "dry"},
        "reasoning_effort": "none",
        "top_k": 5,
    }


def test_every_option_arrives() -> None:
    options = {
        "model": "m",
        "temperature": 0.1,
        "max_tokens": 50,
        "streaming": False,
        "max_iterations": 3,
        "turn_timeout": 7,
        "tool_execution": "sequential",
        "on_limit": "stop",
        "note_cut_off": False,
    }
    assert model_settings(options) == ModelSettings(
        model="m", temperature=0.1, max_tokens=50, stream=False
    )
    assert loop_settings(options) == LoopSettings(
        max_iterations=3,
        turn_timeout=7,
        concurrent_reads=False,
        on_limit=OnLimit.STOP,
        note_cut_off=False,
    )


def test_what_is_remembered_is_up_to_the_server_and_the_agent() -> None:
    server = {"history_days": 7, "history_conversations": 20, "history_turns": 10}
    agent = {"remember": "session", "memory_scope": "device", "memory_minutes": 5}
    assert memory_settings(server, agent) == MemorySettings(
        retention=Retention.SESSION,
        scope=MemoryScope.DEVICE,
        continue_within=timedelta(minutes=5),
        max_turns=10,
        max_conversations=20,
        max_age=timedelta(days=7),
    )
