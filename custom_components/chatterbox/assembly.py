"""The parts of a turn, put together: the model with its keepers, and the tools with theirs."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from homeassistant.components.conversation import ChatLog

from .agent.messages import ToolCall
from .agent.provider import LLMProvider
from .agent.repetition import RepetitionGuard
from .agent.resilience import ResilientProvider
from .agent.state import ConversationState
from .agent.tools.availability import AvailableTools
from .agent.tools.cache import CachingDispatcher
from .agent.tools.confirmation import AskFirst
from .agent.tools.ledger import CallLedger
from .agent.window import WindowedProvider
from .confirmation import needs_yes
from .const import (
    CONF_CONFIRM,
    CONF_CONTEXT_WINDOW,
    CONF_RETRY_WAIT,
    DEFAULT_CONTEXT_WINDOW,
    DEFAULT_RETRY_WAIT,
    TOOL_WEATHER,
)
from .data import ChatterboxConfigEntry
from .settings import model_settings, tool_guard
from .tools import registry


def turn_provider(
    entry: ChatterboxConfigEntry, options: Mapping[str, Any], model: LLMProvider
) -> WindowedProvider:
    """Return the model for one turn.

    It is sent only what fits into its window, asked again where the server fails, and broken off
    where it repeats itself.
    """
    data, settings = entry.runtime_data, model_settings(options)
    return WindowedProvider(
        ResilientProvider(
            RepetitionGuard(model),
            data.server_state,
            longest_wait=entry.options.get(CONF_RETRY_WAIT, DEFAULT_RETRY_WAIT),
        ),
        data.windows[settings.model],
        configured=options.get(CONF_CONTEXT_WINDOW, DEFAULT_CONTEXT_WINDOW),
        answer=settings.max_tokens or 0,
    )


def turn_tools(
    entry: ChatterboxConfigEntry,
    options: Mapping[str, Any],
    chat_log: ChatLog,
    state: ConversationState,
    agreed: ToolCall | None,
) -> CallLedger:
    """Return the tools for one turn.

    Slow answers are kept, tools that keep failing are left out, the user is asked first where that
    is wanted, and no call is lost. `agreed` is the call that the user has just said yes to.
    """
    guard = tool_guard(options, registry(chat_log.llm_api))
    cached = CachingDispatcher(guard, entry.runtime_data.tool_results, {TOOL_WEATHER})
    available = AvailableTools(cached, state.tools)
    ask_about = partial(needs_yes, chat_log.hass, options.get(CONF_CONFIRM) or ())
    return CallLedger(AskFirst(available, state, ask_about, agreed=agreed))
