"""The options of an agent as the settings of its parts; what is not set has its default."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from homeassistant.const import CONF_MODEL

from .agent.conversation_index import MemoryScope
from .agent.dialects.profile import Profile
from .agent.loop import LoopSettings, OnLimit
from .agent.memory import MemorySettings, Retention
from .agent.model_name import is_small
from .agent.openai_provider import ModelSettings
from .agent.reasoning import Thinking, ThinkingSwitch, thinking_switch
from .agent.tools.guard import ToolGuard
from .agent.tools.registry import ToolRegistry
from .const import (
    CONF_EXTRA_BODY,
    CONF_HISTORY_CONVERSATIONS,
    CONF_HISTORY_DAYS,
    CONF_HISTORY_TURNS,
    CONF_MAX_ITERATIONS,
    CONF_MAX_TOKENS,
    CONF_MAX_TOOL_RESULT_CHARS,
    CONF_MEMORY_MINUTES,
    CONF_MEMORY_SCOPE,
    CONF_NOTE_CUT_OFF,
    CONF_ON_LIMIT,
    CONF_PROFILE,
    CONF_REMEMBER,
    CONF_RETRY_COMMANDS,
    CONF_SOFT_TIMEOUT,
    CONF_STREAMING,
    CONF_TEMPERATURE,
    CONF_THINKING,
    CONF_TOOL_EXECUTION,
    CONF_TOOL_RETRIES,
    CONF_TOOL_TIMEOUT,
    CONF_TURN_TIMEOUT,
    DEFAULT_HISTORY_CONVERSATIONS,
    DEFAULT_HISTORY_DAYS,
    DEFAULT_HISTORY_TURNS,
    DEFAULT_MAX_ITERATIONS,
    DEFAULT_MAX_TOKENS,
    DEFAULT_MAX_TOOL_RESULT_CHARS,
    DEFAULT_MEMORY_MINUTES,
    DEFAULT_MEMORY_SCOPE,
    DEFAULT_ON_LIMIT,
    DEFAULT_REMEMBER,
    DEFAULT_SOFT_TIMEOUT,
    DEFAULT_TEMPERATURE,
    DEFAULT_TOOL_EXECUTION,
    DEFAULT_TOOL_RETRIES,
    DEFAULT_TOOL_TIMEOUT,
    DEFAULT_TURN_TIMEOUT,
    TEMPERATURE_WHEN_GUIDED,
    TOOL_EXECUTION_CONCURRENT,
)


def profile(options: Mapping[str, Any]) -> Profile:
    """Return the profile that the user has set."""
    return Profile(options.get(CONF_PROFILE, Profile.AUTO))


def retry_commands(options: Mapping[str, Any]) -> bool:
    """Return whether a model that does not do what it is told is asked once more."""
    return bool(options.get(CONF_RETRY_COMMANDS, True))


def model_settings(options: Mapping[str, Any], in_force: Profile = Profile.AUTO) -> ModelSettings:
    """Return what is asked of the model, under the profile that is in force for it."""
    model = options[CONF_MODEL]
    in_force = profile(options) if in_force is Profile.AUTO else in_force
    return ModelSettings(
        model=model,
        temperature=options.get(CONF_TEMPERATURE, usual_temperature(model, in_force)),
        max_tokens=options.get(CONF_MAX_TOKENS, DEFAULT_MAX_TOKENS),
        stream=options.get(CONF_STREAMING, True),
        extra_body=_joined(thinking(options).body, options.get(CONF_EXTRA_BODY, {})),
    )


def usual_temperature(model: str, in_force: Profile = Profile.AUTO) -> float:
    """Return the temperature where none was set; with `auto` the model's name decides."""
    guided = is_small(model) if in_force is Profile.AUTO else in_force is Profile.GUIDED
    return TEMPERATURE_WHEN_GUIDED if guided else DEFAULT_TEMPERATURE


def _joined(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of both; the user's count more, member by member."""
    joined = {**ours, **theirs}
    for key in ours.keys() & theirs.keys():
        if isinstance(ours[key], Mapping) and isinstance(theirs[key], Mapping):
            joined[key] = {**ours[key], **theirs[key]}
    return joined


def thinking(options: Mapping[str, Any]) -> ThinkingSwitch:
    """Return what has the model think as much as the user wants."""
    return thinking_switch(options[CONF_MODEL], Thinking(options.get(CONF_THINKING, Thinking.AUTO)))


def loop_settings(options: Mapping[str, Any]) -> LoopSettings:
    """Return the limits of a turn."""
    execution = options.get(CONF_TOOL_EXECUTION, DEFAULT_TOOL_EXECUTION)
    return LoopSettings(
        max_iterations=options.get(CONF_MAX_ITERATIONS, DEFAULT_MAX_ITERATIONS),
        turn_timeout=options.get(CONF_TURN_TIMEOUT, DEFAULT_TURN_TIMEOUT),
        concurrent_reads=execution == TOOL_EXECUTION_CONCURRENT,
        on_limit=OnLimit(options.get(CONF_ON_LIMIT, DEFAULT_ON_LIMIT)),
        note_cut_off=options.get(CONF_NOTE_CUT_OFF, True),
        soft_timeout=options.get(CONF_SOFT_TIMEOUT, DEFAULT_SOFT_TIMEOUT),
    )


def memory_settings(server: Mapping[str, Any], options: Mapping[str, Any]) -> MemorySettings:
    """Return what an agent remembers, from the options of its server and its own."""
    return MemorySettings(
        retention=Retention(options.get(CONF_REMEMBER, DEFAULT_REMEMBER)),
        scope=MemoryScope(options.get(CONF_MEMORY_SCOPE, DEFAULT_MEMORY_SCOPE)),
        continue_within=timedelta(minutes=options.get(CONF_MEMORY_MINUTES, DEFAULT_MEMORY_MINUTES)),
        max_turns=server.get(CONF_HISTORY_TURNS, DEFAULT_HISTORY_TURNS),
        max_conversations=server.get(CONF_HISTORY_CONVERSATIONS, DEFAULT_HISTORY_CONVERSATIONS),
        max_age=timedelta(days=server.get(CONF_HISTORY_DAYS, DEFAULT_HISTORY_DAYS)),
    )


def tool_guard(options: Mapping[str, Any], registry: ToolRegistry) -> ToolGuard:
    """Return the guard around the tools of a turn."""
    return ToolGuard(
        registry,
        timeout=options.get(CONF_TOOL_TIMEOUT, DEFAULT_TOOL_TIMEOUT),
        retries=options.get(CONF_TOOL_RETRIES, DEFAULT_TOOL_RETRIES),
        max_result_chars=options.get(CONF_MAX_TOOL_RESULT_CHARS, DEFAULT_MAX_TOOL_RESULT_CHARS),
    )
