"""Options of a server and of an agent, parsed once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from typing import Any, Self

from homeassistant.const import (
    CONF_API_KEY,
    CONF_LLM_HASS_API,
    CONF_MODEL,
    CONF_PROMPT,
    CONF_VERIFY_SSL,
)

from .agent.dialects.profile import Profile
from .agent.loop_settings import LoopSettings
from .agent.memory.index import MemoryScope
from .agent.memory.memory import MemorySettings, Retention
from .agent.model.http_client import Timeouts
from .agent.model.model_name import is_small
from .agent.model.reasoning import Thinking, ThinkingSwitch, thinking_switch
from .agent.model.request_body import ModelSettings
from .agent.model.usage import Price
from .const import (
    CONF_BASE_URL,
    CONF_BUILT_IN_TOOLS,
    CONF_COMPLETION_PRICE,
    CONF_CONFIRM,
    CONF_CONTEXT_WINDOW,
    CONF_EXTRA_BODY,
    CONF_FALLBACK_AGENT,
    CONF_FIRST_TOKEN_TIMEOUT,
    CONF_HEADERS,
    CONF_HISTORY_CONVERSATIONS,
    CONF_HISTORY_DAYS,
    CONF_HOME_CONTEXT,
    CONF_MAX_HISTORY_TURNS,
    CONF_MAX_ITERATIONS,
    CONF_MAX_REQUESTS_PER_MINUTE,
    CONF_MAX_TOKENS,
    CONF_MEMORY_MINUTES,
    CONF_MEMORY_SCOPE,
    CONF_PROFILE,
    CONF_PROMPT_PRICE,
    CONF_REMEMBER,
    CONF_RETRY_WAIT,
    CONF_SHARED_TOOLS,
    CONF_SUMMARIZE,
    CONF_TEMPERATURE,
    CONF_THINKING,
    CONF_TRACE_REQUESTS,
    CONF_TURN_TIMEOUT,
    SECTION_VOICE,
)
from .option_table import (
    AGENT_FIELDS,
    AGENT_SECTIONS,
    SERVER_FIELDS,
    SERVER_SECTIONS,
    VOICE_FEATURES,
    ContinueConversation,
    read_options,
)

_DEFAULT_TEMPERATURE = 0.7
_TEMPERATURE_WHEN_GUIDED = 0.1
_MAX_HISTORY_TURNS = 20
# Shares of a turn's time: for a single tool, which leaves time for others, and for all of them.
_TOOL_SHARE = 1 / 4
_TOOLS_SHARE = 3 / 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """Data and options of a config entry."""

    base_url: str
    api_key: str | None = None
    verify_ssl: bool = True
    headers: Mapping[str, str]
    """Additional headers of every request."""
    first_token_timeout: float
    """Seconds."""
    price: Price | None = None
    """Price set by the user, None unless both parts are set."""
    max_requests_per_minute: int
    """0 for no limit."""
    retry_wait: float
    """Wait budget of a turn for retries, in seconds."""
    history_conversations: int
    history_days: int
    shared_tools: tuple[str, ...]
    """Built-in tools that agents of other integrations are offered."""
    trace_requests: bool
    """Whether Home Assistant's conversation traces have the requests."""

    @classmethod
    def parse(cls, data: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        """Return the options of a config entry, from its data and its options."""
        values = read_options(chain(SERVER_FIELDS, *SERVER_SECTIONS.values()), options)
        prompt, completion = values[CONF_PROMPT_PRICE], values[CONF_COMPLETION_PRICE]
        return cls(
            base_url=data[CONF_BASE_URL],
            api_key=data.get(CONF_API_KEY),
            verify_ssl=data.get(CONF_VERIFY_SSL, True),
            headers=data.get(CONF_HEADERS, {}),
            first_token_timeout=values[CONF_FIRST_TOKEN_TIMEOUT],
            price=None
            if prompt is None or completion is None
            else Price(prompt=prompt, completion=completion),
            max_requests_per_minute=values[CONF_MAX_REQUESTS_PER_MINUTE],
            retry_wait=values[CONF_RETRY_WAIT],
            history_conversations=values[CONF_HISTORY_CONVERSATIONS],
            history_days=values[CONF_HISTORY_DAYS],
            shared_tools=values[CONF_SHARED_TOOLS],
            trace_requests=values[CONF_TRACE_REQUESTS],
        )

    @property
    def timeouts(self) -> Timeouts:
        """The timeouts of a request: a server that begins late may also pause for long."""
        first_token = self.first_token_timeout
        return Timeouts(first_token=first_token, between_tokens=first_token / 2)


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
    silent_done: bool
    """Whether the agent says nothing if it has done something and the model says nothing."""
    plain_speech: bool
    """Whether responses are cleaned up for speech."""

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """Return the voice options, from the data of a subentry."""
        continues, max_sentences, _ = (
            option.read(data) for option in AGENT_SECTIONS[SECTION_VOICE]
        )
        return cls(
            continue_conversation=continues,
            max_sentences=max_sentences,
            **{key: data.get(key, default) for key, default in VOICE_FEATURES.items()},
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
    home_context: tuple[str, ...]
    """What of the home is told with a message."""
    temperature: float | None
    """None for the default of the profile in force."""
    max_tokens: int
    context_window: int
    """Tokens; 0 for the value that the server reports."""
    extra_body: Mapping[str, Any]
    """Additional request parameters of the user."""
    turn_timeout: float
    """Seconds."""
    max_iterations: int
    confirm: tuple[str, ...]
    """Categories of calls that require a confirmation."""
    fallback_agent: str | None
    retention: Retention
    memory_scope: MemoryScope
    memory_minutes: int
    """Minutes within which a new conversation continues the last one."""
    max_history_turns: int
    """Earlier turns that are sent to the model: what an earlier release has stored, 0 for none."""
    summarize: bool
    voice: VoiceOptions

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """Return the options of an agent, from the data of its subentry."""
        fields = read_options(AGENT_FIELDS, data)
        values = read_options(chain(*AGENT_SECTIONS.values()), data)
        return cls(
            model=data[CONF_MODEL],
            prompt=data.get(CONF_PROMPT) or None,
            llm_apis=tuple(data.get(CONF_LLM_HASS_API) or ()),
            built_in_tools=tuple(data.get(CONF_BUILT_IN_TOOLS) or ()),
            profile=values[CONF_PROFILE],
            thinking=fields[CONF_THINKING],
            home_context=fields[CONF_HOME_CONTEXT],
            temperature=values[CONF_TEMPERATURE],
            max_tokens=values[CONF_MAX_TOKENS],
            context_window=values[CONF_CONTEXT_WINDOW],
            extra_body=values[CONF_EXTRA_BODY] or {},
            turn_timeout=values[CONF_TURN_TIMEOUT],
            max_iterations=values[CONF_MAX_ITERATIONS],
            confirm=values[CONF_CONFIRM],
            fallback_agent=values[CONF_FALLBACK_AGENT],
            retention=values[CONF_REMEMBER],
            memory_scope=values[CONF_MEMORY_SCOPE],
            memory_minutes=values[CONF_MEMORY_MINUTES],
            max_history_turns=data.get(CONF_MAX_HISTORY_TURNS, _MAX_HISTORY_TURNS),
            summarize=values[CONF_SUMMARIZE],
            voice=VoiceOptions.parse(data),
        )

    @property
    def loop(self) -> LoopSettings:
        """The limits of a turn."""
        return LoopSettings(
            max_iterations=self.max_iterations,
            turn_timeout=self.turn_timeout,
            soft_timeout=self.turn_timeout * _TOOLS_SHARE,
        )

    @property
    def tool_timeout(self) -> float:
        """Seconds that a single tool may take."""
        return self.turn_timeout * _TOOL_SHARE

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
            extra_body=_merge(self.thinking_switch.body, self.extra_body),
        )

    def memory_settings(self, server: ServerOptions) -> MemorySettings:
        """Return the settings of the agent's memory, within the limits of its server."""
        return MemorySettings(
            retention=self.retention,
            scope=self.memory_scope,
            continue_within=timedelta(minutes=self.memory_minutes),
            max_conversations=server.history_conversations,
            max_age=timedelta(days=server.history_days),
        )


def default_temperature(model: str, profile: Profile = Profile.AUTO) -> float:
    """Return the default temperature of a profile; with `auto` it depends on the model's size."""
    guided = is_small(model) if profile is Profile.AUTO else profile is Profile.GUIDED
    return _TEMPERATURE_WHEN_GUIDED if guided else _DEFAULT_TEMPERATURE


def _merge(defaults: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the merged parameters; those of the user take precedence, member by member."""
    merged = {**defaults, **own}
    for key in defaults.keys() & own.keys():
        if isinstance(defaults[key], Mapping) and isinstance(own[key], Mapping):
            merged[key] = {**defaults[key], **own[key]}
    return merged
