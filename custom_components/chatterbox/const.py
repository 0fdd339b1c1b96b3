"""Constants of Chatterbox: option keys and their defaults."""

import logging
from typing import Final

from .agent.trace_id import add_trace_id

LOGGER = logging.getLogger(__package__)
LOGGER.addFilter(add_trace_id)

DOMAIN: Final = "chatterbox"

SUBENTRY_CONVERSATION: Final = "conversation"
SUBENTRY_AI_TASK: Final = "ai_task_data"

# Version of the config entry.
ENTRY_VERSION: Final = 1
ENTRY_MINOR_VERSION: Final = 3

# Server: config entry data.
CONF_BASE_URL: Final = "base_url"
CONF_HEADERS: Final = "headers"
# Section of the form for what few servers need.
SECTION_ADVANCED: Final = "advanced"

# Server: config entry options.
CONF_FIRST_TOKEN_TIMEOUT: Final = "first_token_timeout"
CONF_RETRY_WAIT: Final = "retry_wait"
CONF_MAX_REQUESTS_PER_MINUTE: Final = "max_requests_per_minute"
CONF_TRACE_REQUESTS: Final = "trace_requests"
CONF_PROMPT_PRICE: Final = "prompt_price"
CONF_COMPLETION_PRICE: Final = "completion_price"
CONF_HISTORY_DAYS: Final = "history_days"
CONF_HISTORY_CONVERSATIONS: Final = "history_conversations"
CONF_SHARED_TOOLS: Final = "shared_tools"

# Agent: subentry data, besides Home Assistant's `model`, `prompt` and `llm_hass_api`. Sections are
# for the form only.
CONF_BUILT_IN_TOOLS: Final = "built_in_tools"
CONF_HOME_CONTEXT: Final = "home_context"
CONF_THINKING: Final = "thinking"

SECTION_MODEL: Final = "model_options"
CONF_PROFILE: Final = "profile"
CONF_TEMPERATURE: Final = "temperature"
CONF_MAX_TOKENS: Final = "max_tokens"
CONF_CONTEXT_WINDOW: Final = "context_window"
CONF_EXTRA_BODY: Final = "extra_body"

SECTION_VOICE: Final = "voice"
CONF_CONTINUE_CONVERSATION: Final = "continue_conversation"
CONF_MAX_SENTENCES: Final = "max_sentences"
# A field for several options, each of which is stored.
FIELD_VOICE_FEATURES: Final = "voice_features"
CONF_QUICK_CONFIRMATION: Final = "quick_confirmation"
CONF_PLAIN_SPEECH: Final = "plain_speech"
CONF_LEAD_IN: Final = "lead_in"
CONF_INTERRUPT: Final = "interrupt"
CONF_BACKGROUND_TOOLS: Final = "background_tools"
CONF_SILENT_DONE: Final = "silent_done"

SECTION_MEMORY: Final = "memory"
CONF_REMEMBER: Final = "remember"
CONF_MEMORY_SCOPE: Final = "memory_scope"
CONF_MEMORY_MINUTES: Final = "memory_minutes"
CONF_SUMMARIZE: Final = "summarize"
# Stored by earlier releases; no field of the form.
CONF_MAX_HISTORY_TURNS: Final = "max_history_turns"

SECTION_SAFETY: Final = "safety"
CONF_CONFIRM: Final = "confirm"
CONF_FALLBACK_AGENT: Final = "fallback_agent"

SECTION_LIMITS: Final = "limits"
CONF_TURN_TIMEOUT: Final = "turn_timeout"
CONF_MAX_ITERATIONS: Final = "max_iterations"

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
TOOL_HISTORY: Final = "get_history"
TOOL_SEARCH_HISTORY: Final = "search_history"
# For large sets of other tools.
TOOL_SEARCH: Final = "search_tools"
# Two tools, to remember and to forget.
TOOL_FACTS: Final = "facts"
BUILT_IN_TOOLS: Final = (TOOL_WEATHER, TOOL_DATE_TIME)
TOOL_CAMERA: Final = "look_at_camera"
OPTIONAL_TOOLS: Final = (
    TOOL_HISTORY,
    TOOL_SEARCH_HISTORY,
    TOOL_FACTS,
    TOOL_CAMERA,
    TOOL_SEARCH,
)
CONTEXT_PRESENCE: Final = "presence"
CONTEXT_CALENDAR: Final = "calendar"
CONTEXT_WEATHER: Final = "weather"
HOME_CONTEXT: Final = (CONTEXT_PRESENCE, CONTEXT_CALENDAR, CONTEXT_WEATHER)
# Those that other agents may be offered.
SHARED_TOOLS: Final = (TOOL_WEATHER, TOOL_DATE_TIME)

CONFIRM_DESTRUCTIVE: Final = "destructive"
CONFIRM_LOCKS: Final = "locks"
CONFIRM_ALARMS: Final = "alarms"
CONFIRM_DOORS: Final = "doors"
CONFIRMABLE: Final = (CONFIRM_LOCKS, CONFIRM_ALARMS, CONFIRM_DOORS, CONFIRM_DESTRUCTIVE)

# Service actions.
ATTR_AGENT: Final = "agent"
ATTR_ATTACHMENTS: Final = "attachments"
ATTR_CONVERSATION_ID: Final = "conversation_id"
ATTR_LANGUAGE: Final = "language"
ATTR_TEXT: Final = "text"
ATTR_FACT: Final = "fact"
ATTR_USER: Final = "user"
