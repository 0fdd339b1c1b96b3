"""Options of a server and of an agent."""

from datetime import timedelta
from typing import Any

import pytest

from custom_components.chatterbox.agent.dialects.profile import Profile
from custom_components.chatterbox.agent.loop_settings import LoopSettings
from custom_components.chatterbox.agent.memory.index import MemoryScope
from custom_components.chatterbox.agent.memory.memory import MemorySettings, Retention
from custom_components.chatterbox.agent.model.http_client import Timeouts
from custom_components.chatterbox.agent.model.request_body import ModelSettings
from custom_components.chatterbox.agent.model.usage import Price
from custom_components.chatterbox.option_table import ContinueConversation
from custom_components.chatterbox.options import (
    AgentOptions,
    ServerOptions,
    VoiceOptions,
)

SERVER = {"base_url": "http://server/v1"}


def agent(**options: Any) -> AgentOptions:
    return AgentOptions.parse({"model": "m", **options})


def test_missing_options_have_the_defaults() -> None:
    assert agent().model_settings() == ModelSettings(model="m")
    assert agent().loop == LoopSettings()
    server = ServerOptions.parse(SERVER, {})
    assert agent().memory_settings(server) == MemorySettings()
    assert (server.timeouts, server.price) == (Timeouts(), None)
    assert (server.api_key, server.verify_ssl) == (None, True)


@pytest.mark.parametrize(
    ("options", "price"),
    [
        ({"prompt_price": 1.0, "completion_price": 2.0}, Price(prompt=1.0, completion=2.0)),
        ({"prompt_price": 0, "completion_price": 0}, Price(prompt=0, completion=0)),
        ({"prompt_price": 1.0}, None),
        ({"completion_price": 2.0}, None),
    ],
)
def test_price_needs_both_token_prices(options: dict[str, Any], price: Price | None) -> None:
    assert ServerOptions.parse(SERVER, options).price == price


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
def test_default_temperature_is_low_for_the_guided_profile(
    options: dict[str, Any], in_force: Profile, temperature: float
) -> None:
    assert AgentOptions.parse(options).model_settings(in_force).temperature == temperature


def test_profile_is_automatic_unless_it_was_chosen() -> None:
    assert agent().profile is Profile.AUTO
    assert agent(profile="guided").profile is Profile.GUIDED


def test_extra_parameters_are_merged_with_the_thinking_switch() -> None:
    """So that one of a template does not switch thinking on again."""
    options = agent(
        thinking="off", extra_body={"chat_template_kwargs": {"tone": "dry"}, "top_k": 5}
    )
    assert options.model_settings().extra_body == {
        "chat_template_kwargs": {"enable_thinking": False, "tone": "dry"},
        "reasoning_effort": "none",
        "top_k": 5,
    }


@pytest.mark.parametrize("own", [7, ["x"], None])
def test_extra_parameter_that_is_no_object_replaces_the_default(own: object) -> None:
    options = agent(thinking="off", extra_body={"chat_template_kwargs": own})
    assert options.model_settings().extra_body["chat_template_kwargs"] == own


def test_options_are_passed_to_the_model_and_the_loop() -> None:
    options = {
        "model": "m",
        "temperature": 0.1,
        "max_tokens": 50,
        "max_iterations": 3,
        "turn_timeout": 8,
    }
    assert AgentOptions.parse(options).model_settings() == ModelSettings(
        model="m", temperature=0.1, max_tokens=50
    )
    assert AgentOptions.parse(options).loop == LoopSettings(
        max_iterations=3, turn_timeout=8, soft_timeout=6
    )
    assert AgentOptions.parse(options).tool_timeout == 2


def test_pause_within_a_response_is_half_as_long_as_the_wait_for_it() -> None:
    server = ServerOptions.parse(SERVER, {"first_token_timeout": 100})
    assert server.timeouts == Timeouts(first_token=100, between_tokens=50)


def test_memory_settings_combine_server_and_agent_options() -> None:
    server = ServerOptions.parse(SERVER, {"history_days": 7, "history_conversations": 20})
    options = agent(remember="session", memory_scope="device", memory_minutes=5)
    assert options.memory_settings(server) == MemorySettings(
        retention=Retention.SESSION,
        scope=MemoryScope.DEVICE,
        continue_within=timedelta(minutes=5),
        max_conversations=20,
        max_age=timedelta(days=7),
    )


def test_voice_options_have_defaults() -> None:
    """An agent of an earlier release has none of them."""
    assert agent().voice == VoiceOptions(
        quick_confirmation=True,
        continue_conversation=ContinueConversation.QUESTION,
        lead_in=False,
        max_sentences=0,
        interrupt=False,
        background_tools=False,
        silent_done=False,
        plain_speech=True,
    )


def test_voice_options_are_parsed() -> None:
    options = agent(
        quick_confirmation=False,
        continue_conversation="never",
        lead_in=True,
        max_sentences=3,
        interrupt=True,
        background_tools=True,
        silent_done=True,
        plain_speech=False,
    )
    assert options.voice == VoiceOptions(
        quick_confirmation=False,
        continue_conversation=ContinueConversation.NEVER,
        lead_in=True,
        max_sentences=3,
        interrupt=True,
        background_tools=True,
        silent_done=True,
        plain_speech=False,
    )


def test_no_tools_are_shared_by_default() -> None:
    assert ServerOptions.parse(SERVER, {}).shared_tools == ()
    assert ServerOptions.parse(SERVER, {"shared_tools": ["x"]}).shared_tools == ("x",)
