"""The parts of a turn, put together: the model with its keepers, and the tools with theirs."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from homeassistant.components.conversation import ChatLog, ConversationInput, SystemContent
from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT
from homeassistant.core import HomeAssistant

from .agent.messages import ToolCall, ToolDefinition
from .agent.prompt import rules
from .agent.provider import LLMProvider
from .agent.repetition import RepetitionGuard
from .agent.resilience import ResilientProvider
from .agent.state import ConversationState
from .agent.tools.availability import CircuitBreakerDispatcher
from .agent.tools.cache import CachingDispatcher
from .agent.tools.confirmation import ConfirmationDispatcher
from .agent.tools.ledger import RecordingDispatcher
from .agent.tools.registry import Tool
from .agent.window import WindowedProvider
from .built_in import built_in_tools
from .confirmation import requires_confirmation
from .const import (
    CONF_BUILT_IN_TOOLS,
    CONF_CONFIRM,
    CONF_CONTEXT_WINDOW,
    CONF_RETRY_WAIT,
    DEFAULT_CONTEXT_WINDOW,
    DEFAULT_RETRY_WAIT,
    DOMAIN,
    TOOL_WEATHER,
)
from .data import ChatterboxConfigEntry
from .prompt import DEFAULT_PROMPT, split_moment
from .settings import model_settings, tool_guard
from .tools import AgentAPI, existing_apis, registry


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
) -> RecordingDispatcher:
    """Return the tools for one turn.

    Slow answers are kept, tools that keep failing are left out, the user is asked first where that
    is wanted, and no call is lost. `agreed` is the call that the user has just said yes to.
    """
    guard = tool_guard(options, registry(chat_log.llm_api))
    cached = CachingDispatcher(guard, entry.runtime_data.tool_results, {TOOL_WEATHER})
    available = CircuitBreakerDispatcher(cached, state.tools)
    ask_about = partial(requires_confirmation, chat_log.hass, options.get(CONF_CONFIRM) or ())
    return RecordingDispatcher(
        ConfirmationDispatcher(available, state, ask_about, confirmed_call=agreed)
    )


async def async_turn_tools(  # noqa: PLR0913 - what a turn is made of
    hass: HomeAssistant,
    options: Mapping[str, Any],
    chat_log: ChatLog,
    user_input: ConversationInput,
    history_tools: Sequence[Tool],
    *,
    guided: bool,
) -> list[ToolDefinition]:
    """Have the chat log render prompt and tools for a message; return the tools.

    A guided model is not told how to use the tools: it never sees them.
    """
    api_ids = existing_apis(hass, options.get(CONF_LLM_HASS_API) or ())
    built_in = [*built_in_tools(hass, options.get(CONF_BUILT_IN_TOOLS) or ()), *history_tools]
    api = AgentAPI(hass, api_ids, built_in, with_prompt=not guided)
    await chat_log.async_provide_llm_data(
        user_input.as_llm_context(DOMAIN),
        api if api_ids or built_in else None,
        options.get(CONF_PROMPT) or DEFAULT_PROMPT,
    )
    return registry(chat_log.llm_api).definitions


def turn_prompt(chat_log: ChatLog, tools: Sequence[ToolDefinition]) -> tuple[str, list[str]]:
    """Return the system prompt, and what Home Assistant says in it of the time and the place."""
    opening = chat_log.content[0]
    text, moment = split_moment(opening.content if isinstance(opening, SystemContent) else "")
    return "\n\n".join(filter(None, (text, rules(tools)))), moment
