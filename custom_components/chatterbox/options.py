"""Options of a server and of an agent, parsed once; an option that is not set has its default."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any, Self

from homeassistant.const import (
    CONF_API_KEY,
    CONF_LLM_HASS_API,
    CONF_MODEL,
    CONF_PROMPT,
    CONF_VERIFY_SSL,
)

from .agent.dialects.profile import Profile
from .agent.loop_settings import LoopSettings, OnLimit
from .agent.memory.index import MemoryScope
from .agent.memory.memory import MemorySettings, Retention
from .agent.model.http_client import Timeouts
from .agent.model.model_name import is_small
from .agent.model.reasoning import Thinking, ThinkingSwitch, thinking_switch
from .agent.model.request_body import ModelSettings
from .agent.model.usage import Price
from .const import (
    CONF_BACKGROUND_TOOLS,
    CONF_BASE_URL,
    CONF_BUILT_IN_TOOLS,
    CONF_COMPLETION_PRICE,
    CONF_CONFIRM,
    CONF_CONNECT_TIMEOUT,
    CONF_CONTEXT_WINDOW,
    CONF_CONTINUE_CONVERSATION,
    CONF_EXTRA_BODY,
    CONF_FALLBACK_AGENT,
    CONF_FIRST_TOKEN_TIMEOUT,
    CONF_HISTORY_CONVERSATIONS,
    CONF_HISTORY_DAYS,
    CONF_HISTORY_TURNS,
    CONF_INTERRUPT,
    CONF_LEAD_IN,
    CONF_MAX_HISTORY_TURNS,
    CONF_MAX_ITERATIONS,
    CONF_MAX_REQUESTS_PER_MINUTE,
    CONF_MAX_SENTENCES,
    CONF_MAX_TOKENS,
    CONF_MAX_TOOL_RESULT_CHARS,
    CONF_MEMORY_MINUTES,
    CONF_MEMORY_SCOPE,
    CONF_NEW_CONVERSATION,
    CONF_NOTE_CUT_OFF,
    CONF_ON_LIMIT,
    CONF_PLAIN_SPEECH,
    CONF_PREWARM,
    CONF_PROFILE,
    CONF_PROMPT_PRICE,
    CONF_QUICK_CONFIRMATION,
    CONF_REMEMBER,
    CONF_RETRY_COMMANDS,
    CONF_RETRY_WAIT,
    CONF_SHARED_TOOLS,
    CONF_SILENT_DONE,
    CONF_SOFT_TIMEOUT,
    CONF_STREAMING,
    CONF_SUMMARIZE,
    CONF_TEMPERATURE,
    CONF_THINKING,
    CONF_TOKEN_TIMEOUT,
    CONF_TOOL_EXECUTION,
    CONF_TOOL_RETRIES,
    CONF_TOOL_TIMEOUT,
    CONF_TURN_TIMEOUT,
    DEFAULT_CONNECT_TIMEOUT,
    DEFAULT_CONTEXT_WINDOW,
    DEFAULT_CONTINUE_CONVERSATION,
    DEFAULT_FIRST_TOKEN_TIMEOUT,
    DEFAULT_HISTORY_CONVERSATIONS,
    DEFAULT_HISTORY_DAYS,
    DEFAULT_HISTORY_TURNS,
    DEFAULT_MAX_HISTORY_TURNS,
    DEFAULT_MAX_ITERATIONS,
    DEFAULT_MAX_REQUESTS_PER_MINUTE,
    DEFAULT_MAX_SENTENCES,
    DEFAULT_MAX_TOKENS,
    DEFAULT_MAX_TOOL_RESULT_CHARS,
    DEFAULT_MEMORY_MINUTES,
    DEFAULT_MEMORY_SCOPE,
    DEFAULT_ON_LIMIT,
    DEFAULT_REMEMBER,
    DEFAULT_RETRY_WAIT,
    DEFAULT_SOFT_TIMEOUT,
    DEFAULT_TEMPERATURE,
    DEFAULT_TOKEN_TIMEOUT,
    DEFAULT_TOOL_EXECUTION,
    DEFAULT_TOOL_RETRIES,
    DEFAULT_TOOL_TIMEOUT,
    DEFAULT_TURN_TIMEOUT,
    TEMPERATURE_WHEN_GUIDED,
    TOOL_EXECUTION_CONCURRENT,
)


class Prewarm(StrEnum):
    """Servers that get the beginning of the next request ahead of it."""

    AUTO = "auto"
    """Those for which it pays."""
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """Data and options of a config entry."""

    base_url: str
    api_key: str | None = None
    verify_ssl: bool = True
    timeouts: Timeouts = field(default_factory=Timeouts)
    price: Price | None = None
    """Price set by the user, None unless both parts are set."""
    max_requests_per_minute: int
    """0 for no limit."""
    retry_wait: float
    """Wait budget of a turn for retries, in seconds."""
    history_turns: int
    history_conversations: int
    history_days: int
    shared_tools: tuple[str, ...] = ()
    """Built-in tools that agents of other integrations are offered."""

    @classmethod
    def parse(cls, data: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        """Return the options of a config entry, from its data and its options."""
        prompt, completion = options.get(CONF_PROMPT_PRICE), options.get(CONF_COMPLETION_PRICE)
        own_price = None
        if prompt is not None and completion is not None:
            own_price = Price(prompt=prompt, completion=completion)
        return cls(
            base_url=data[CONF_BASE_URL],
            api_key=data.get(CONF_API_KEY),
            verify_ssl=data.get(CONF_VERIFY_SSL, True),
            timeouts=Timeouts(
                connect=options.get(CONF_CONNECT_TIMEOUT, DEFAULT_CONNECT_TIMEOUT),
                first_token=options.get(CONF_FIRST_TOKEN_TIMEOUT, DEFAULT_FIRST_TOKEN_TIMEOUT),
                between_tokens=options.get(CONF_TOKEN_TIMEOUT, DEFAULT_TOKEN_TIMEOUT),
            ),
            price=own_price,
            max_requests_per_minute=options.get(
                CONF_MAX_REQUESTS_PER_MINUTE, DEFAULT_MAX_REQUESTS_PER_MINUTE
            ),
            retry_wait=options.get(CONF_RETRY_WAIT, DEFAULT_RETRY_WAIT),
            history_turns=options.get(CONF_HISTORY_TURNS, DEFAULT_HISTORY_TURNS),
            history_conversations=options.get(
                CONF_HISTORY_CONVERSATIONS, DEFAULT_HISTORY_CONVERSATIONS
            ),
            history_days=options.get(CONF_HISTORY_DAYS, DEFAULT_HISTORY_DAYS),
            shared_tools=tuple(options.get(CONF_SHARED_TOOLS) or ()),
        )


class ContinueConversation(StrEnum):
    """Responses after which a satellite listens again."""

    ALWAYS = "always"
    QUESTION = "question"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceOptions:
    """Options of an agent that only matter where it is spoken to."""

    quick_confirmation: bool
    """Whether actions that Home Assistant understood as well are confirmed without the model."""
    continue_conversation: ContinueConversation
    lead_in: bool
    """Whether slow tools are announced."""
    max_sentences: int
    """Sentences of a response before it pauses; 0 for no limit."""
    interrupt: bool
    """Whether a new message cancels the turn in progress."""
    background_tools: bool
    """Whether tools that take too long finish in the background, and are announced."""

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """Return the voice options, from the data of a subentry."""
        return cls(
            quick_confirmation=data.get(CONF_QUICK_CONFIRMATION, True),
            continue_conversation=ContinueConversation(
                data.get(CONF_CONTINUE_CONVERSATION, DEFAULT_CONTINUE_CONVERSATION)
            ),
            lead_in=data.get(CONF_LEAD_IN, False),
            max_sentences=data.get(CONF_MAX_SENTENCES, DEFAULT_MAX_SENTENCES),
            interrupt=data.get(CONF_INTERRUPT, False),
            background_tools=data.get(CONF_BACKGROUND_TOOLS, False),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """Data of a conversation subentry."""

    model: str
    prompt: str | None
    """Template of the instructions; None for the default one."""
    llm_apis: tuple[str, ...]
    """Ids of the LLM APIs whose tools are offered."""
    built_in_tools: tuple[str, ...]
    profile: Profile
    thinking: Thinking
    prewarm: Prewarm
    temperature: float | None
    """None for the default of the profile in force."""
    max_tokens: int
    context_window: int
    """Tokens; 0 for the value that the server reports."""
    streaming: bool
    plain_speech: bool
    extra_body: Mapping[str, Any]
    """Additional request parameters of the user."""
    loop: LoopSettings
    retry_commands: bool
    silent_done: bool
    confirm: tuple[str, ...]
    """Categories of calls that require a confirmation."""
    fallback_agent: str | None
    tool_timeout: float
    tool_retries: int
    max_tool_result_chars: int
    retention: Retention
    memory_scope: MemoryScope
    memory_minutes: int
    """Minutes within which a new conversation continues the last one."""
    max_history_turns: int
    """Maximum number of earlier turns sent to the model."""
    new_conversation: bool
    """Whether the user can start a new conversation by saying so."""
    summarize: bool
    voice: VoiceOptions

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """Return the options of an agent, from the data of its subentry."""
        execution = data.get(CONF_TOOL_EXECUTION, DEFAULT_TOOL_EXECUTION)
        return cls(
            model=data[CONF_MODEL],
            prompt=data.get(CONF_PROMPT) or None,
            llm_apis=tuple(data.get(CONF_LLM_HASS_API) or ()),
            built_in_tools=tuple(data.get(CONF_BUILT_IN_TOOLS) or ()),
            profile=Profile(data.get(CONF_PROFILE, Profile.AUTO)),
            thinking=Thinking(data.get(CONF_THINKING, Thinking.AUTO)),
            prewarm=Prewarm(data.get(CONF_PREWARM, Prewarm.AUTO)),
            temperature=data.get(CONF_TEMPERATURE),
            max_tokens=data.get(CONF_MAX_TOKENS, DEFAULT_MAX_TOKENS),
            context_window=data.get(CONF_CONTEXT_WINDOW, DEFAULT_CONTEXT_WINDOW),
            streaming=data.get(CONF_STREAMING, True),
            plain_speech=data.get(CONF_PLAIN_SPEECH, True),
            extra_body=data.get(CONF_EXTRA_BODY, {}),
            loop=LoopSettings(
                max_iterations=data.get(CONF_MAX_ITERATIONS, DEFAULT_MAX_ITERATIONS),
                turn_timeout=data.get(CONF_TURN_TIMEOUT, DEFAULT_TURN_TIMEOUT),
                soft_timeout=data.get(CONF_SOFT_TIMEOUT, DEFAULT_SOFT_TIMEOUT),
                concurrent_reads=execution == TOOL_EXECUTION_CONCURRENT,
                on_limit=OnLimit(data.get(CONF_ON_LIMIT, DEFAULT_ON_LIMIT)),
                note_cut_off=data.get(CONF_NOTE_CUT_OFF, True),
            ),
            retry_commands=data.get(CONF_RETRY_COMMANDS, True),
            silent_done=data.get(CONF_SILENT_DONE, False),
            confirm=tuple(data.get(CONF_CONFIRM) or ()),
            fallback_agent=data.get(CONF_FALLBACK_AGENT) or None,
            tool_timeout=data.get(CONF_TOOL_TIMEOUT, DEFAULT_TOOL_TIMEOUT),
            tool_retries=data.get(CONF_TOOL_RETRIES, DEFAULT_TOOL_RETRIES),
            max_tool_result_chars=data.get(
                CONF_MAX_TOOL_RESULT_CHARS, DEFAULT_MAX_TOOL_RESULT_CHARS
            ),
            retention=Retention(data.get(CONF_REMEMBER, DEFAULT_REMEMBER)),
            memory_scope=MemoryScope(data.get(CONF_MEMORY_SCOPE, DEFAULT_MEMORY_SCOPE)),
            memory_minutes=data.get(CONF_MEMORY_MINUTES, DEFAULT_MEMORY_MINUTES),
            max_history_turns=data.get(CONF_MAX_HISTORY_TURNS, DEFAULT_MAX_HISTORY_TURNS),
            new_conversation=data.get(CONF_NEW_CONVERSATION, True),
            summarize=data.get(CONF_SUMMARIZE, False),
            voice=VoiceOptions.parse(data),
        )

    @property
    def thinking_switch(self) -> ThinkingSwitch:
        """The additions to a request that set the reasoning effort."""
        return thinking_switch(self.model, self.thinking)

    def model_settings(self, profile: Profile = Profile.AUTO) -> ModelSettings:
        """Return the settings of the model, under the profile that is in force for it."""
        in_force = self.profile if profile is Profile.AUTO else profile
        return ModelSettings(
            model=self.model,
            temperature=default_temperature(self.model, in_force)
            if self.temperature is None
            else self.temperature,
            max_tokens=self.max_tokens,
            stream=self.streaming,
            extra_body=_merge(self.thinking_switch.body, self.extra_body),
        )

    def memory_settings(self, server: ServerOptions) -> MemorySettings:
        """Return the settings of the agent's memory, within the limits of its server."""
        return MemorySettings(
            retention=self.retention,
            scope=self.memory_scope,
            continue_within=timedelta(minutes=self.memory_minutes),
            max_turns=server.history_turns,
            max_conversations=server.history_conversations,
            max_age=timedelta(days=server.history_days),
        )


def default_temperature(model: str, profile: Profile = Profile.AUTO) -> float:
    """Return the default temperature of a profile; with `auto` it depends on the model's size."""
    guided = is_small(model) if profile is Profile.AUTO else profile is Profile.GUIDED
    return TEMPERATURE_WHEN_GUIDED if guided else DEFAULT_TEMPERATURE


def _merge(defaults: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the merged parameters; those of the user take precedence, member by member."""
    merged = {**defaults, **own}
    for key in defaults.keys() & own.keys():
        if isinstance(defaults[key], Mapping) and isinstance(own[key], Mapping):
            merged[key] = {**defaults[key], **own[key]}
    return merged
