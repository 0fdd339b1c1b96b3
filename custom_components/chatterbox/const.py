"""Constants of Chatterbox: option keys and their defaults."""

import logging
from typing import Final

from .agent.trace_id import add_trace_id

LOGGER = logging.getLogger(__package__)
LOGGER.addFilter(add_trace_id)

DOMAIN: Final = "chatterbox"

SUBENTRY_CONVERSATION: Final = "conversation"

# Version of the config entry.
ENTRY_VERSION: Final = 1
ENTRY_MINOR_VERSION: Final = 2

# Server: config entry data.
CONF_BASE_URL: Final = "base_url"

# Server: config entry options.
CONF_CONNECT_TIMEOUT: Final = "connect_timeout"
CONF_FIRST_TOKEN_TIMEOUT: Final = "first_token_timeout"
CONF_TOKEN_TIMEOUT: Final = "token_timeout"
CONF_PROMPT_PRICE: Final = "prompt_price"
CONF_COMPLETION_PRICE: Final = "completion_price"
CONF_HISTORY_DAYS: Final = "history_days"
CONF_HISTORY_CONVERSATIONS: Final = "history_conversations"
CONF_HISTORY_TURNS: Final = "history_turns"
CONF_SHARED_TOOLS: Final = "shared_tools"

DEFAULT_CONNECT_TIMEOUT: Final = 10
DEFAULT_FIRST_TOKEN_TIMEOUT: Final = 60
DEFAULT_TOKEN_TIMEOUT: Final = 30
DEFAULT_HISTORY_DAYS: Final = 30
DEFAULT_HISTORY_CONVERSATIONS: Final = 200
DEFAULT_HISTORY_TURNS: Final = 100

# Server: config entry options for retries and rate limiting.
CONF_RETRY_WAIT: Final = "retry_wait"
CONF_MAX_REQUESTS_PER_MINUTE: Final = "max_requests_per_minute"

DEFAULT_RETRY_WAIT: Final = 8
DEFAULT_MAX_REQUESTS_PER_MINUTE: Final = 0

# Agent: subentry data, besides Home Assistant's `model`, `prompt` and `llm_hass_api`.
CONF_BUILT_IN_TOOLS: Final = "built_in_tools"
CONF_RECOMMENDED: Final = "recommended"
CONF_TEMPERATURE: Final = "temperature"
CONF_MAX_TOKENS: Final = "max_tokens"
CONF_MAX_ITERATIONS: Final = "max_iterations"
CONF_MAX_HISTORY_TURNS: Final = "max_history_turns"
CONF_TURN_TIMEOUT: Final = "turn_timeout"
CONF_TOOL_TIMEOUT: Final = "tool_timeout"
CONF_TOOL_RETRIES: Final = "tool_retries"
CONF_TOOL_EXECUTION: Final = "tool_execution"
CONF_MAX_TOOL_RESULT_CHARS: Final = "max_tool_result_chars"
CONF_ON_LIMIT: Final = "on_limit"
CONF_NOTE_CUT_OFF: Final = "note_cut_off"
CONF_STREAMING: Final = "streaming"
CONF_REMEMBER: Final = "remember"
CONF_MEMORY_SCOPE: Final = "memory_scope"
CONF_MEMORY_MINUTES: Final = "memory_minutes"
CONF_SUMMARIZE: Final = "summarize"
CONF_CONTEXT_WINDOW: Final = "context_window"

# Agent: model-specific options.
CONF_PROFILE: Final = "profile"
CONF_THINKING: Final = "thinking"
CONF_PREWARM: Final = "prewarm"
CONF_EXTRA_BODY: Final = "extra_body"

# Agent: section of the form with the options for speech. They are stored beside all others.
SECTION_VOICE: Final = "voice"
CONF_QUICK_CONFIRMATION: Final = "quick_confirmation"
CONF_CONTINUE_CONVERSATION: Final = "continue_conversation"
CONF_LEAD_IN: Final = "lead_in"
CONF_MAX_SENTENCES: Final = "max_sentences"
CONF_INTERRUPT: Final = "interrupt"
CONF_BACKGROUND_TOOLS: Final = "background_tools"
CONF_SILENT_DONE: Final = "silent_done"
CONF_NEW_CONVERSATION: Final = "new_conversation"
CONF_PLAIN_SPEECH: Final = "plain_speech"

DEFAULT_CONTINUE_CONVERSATION: Final = "question"
DEFAULT_MAX_SENTENCES: Final = 0

TEMPERATURE_WHEN_GUIDED: Final = 0.1
# Request parameters that the agent sets itself.
RESERVED_PARAMETERS: Final = frozenset(
    {
        "max_completion_tokens",
        "max_tokens",
        "messages",
        "model",
        "n",
        "response_format",
        "stream",
        "stream_options",
        "temperature",
        "tool_choice",
        "tools",
    }
)

TOOL_WEATHER: Final = "get_weather"
TOOL_DATE_TIME: Final = "get_current_datetime"
TOOL_SEARCH_HISTORY: Final = "search_history"
BUILT_IN_TOOLS: Final = (TOOL_WEATHER, TOOL_DATE_TIME)
OPTIONAL_TOOLS: Final = (TOOL_SEARCH_HISTORY,)
# Those that other agents may be offered.
SHARED_TOOLS: Final = (TOOL_WEATHER, TOOL_DATE_TIME)

TOOL_EXECUTION_CONCURRENT: Final = "concurrent"
TOOL_EXECUTION_SEQUENTIAL: Final = "sequential"

DEFAULT_TEMPERATURE: Final = 0.7
DEFAULT_MAX_TOKENS: Final = 1024
DEFAULT_MAX_ITERATIONS: Final = 10
DEFAULT_MAX_HISTORY_TURNS: Final = 20
DEFAULT_TURN_TIMEOUT: Final = 120
DEFAULT_TOOL_TIMEOUT: Final = 30
DEFAULT_TOOL_RETRIES: Final = 0
DEFAULT_TOOL_EXECUTION: Final = TOOL_EXECUTION_CONCURRENT
DEFAULT_MAX_TOOL_RESULT_CHARS: Final = 10_000
DEFAULT_ON_LIMIT: Final = "ask"
DEFAULT_REMEMBER: Final = "persistent"
DEFAULT_MEMORY_SCOPE: Final = "conversation"
DEFAULT_MEMORY_MINUTES: Final = 60
DEFAULT_CONTEXT_WINDOW: Final = 0

# Agent: timeouts, confirmation and fallback.
CONF_SOFT_TIMEOUT: Final = "soft_timeout"
CONF_RETRY_COMMANDS: Final = "retry_commands"
CONF_CONFIRM: Final = "confirm"
CONF_FALLBACK_AGENT: Final = "fallback_agent"

DEFAULT_SOFT_TIMEOUT: Final = 90

CONFIRM_DESTRUCTIVE: Final = "destructive"
CONFIRM_LOCKS: Final = "locks"
CONFIRM_ALARMS: Final = "alarms"
CONFIRM_DOORS: Final = "doors"
CONFIRMABLE: Final = (CONFIRM_LOCKS, CONFIRM_ALARMS, CONFIRM_DOORS, CONFIRM_DESTRUCTIVE)

# Service actions.
ATTR_AGENT: Final = "agent"
ATTR_CONVERSATION_ID: Final = "conversation_id"
ATTR_LANGUAGE: Final = "language"
ATTR_TEXT: Final = "text"
ATTR_USER: Final = "user"
