"""Setup of a turn: the provider and dispatcher stacks, the system prompt and the tools."""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

from homeassistant.components.conversation import ChatLog, ConversationInput, SystemContent
from homeassistant.core import HomeAssistant

from .agent.messages import ToolCall, ToolDefinition
from .agent.model.context_window import ContextWindowProvider
from .agent.model.provider import LLMProvider
from .agent.model.request_log import RequestLog
from .agent.model.retry import RetryingProvider
from .agent.prompt import rules
from .agent.tools.builtin.facts import FACT_TOOLS
from .agent.tools.cache import CachingDispatcher
from .agent.tools.circuit_breaker import CircuitBreakerDispatcher
from .agent.tools.confirmation import ConfirmationDispatcher
from .agent.tools.conversation_state import ConversationState
from .agent.tools.dispatcher import ToolDispatcher
from .agent.tools.guard import ToolGuard
from .agent.tools.recording import RecordingDispatcher
from .agent.tools.registry import Tool, ToolRegistry
from .agent.tools.tool_search import ToolSearchDispatcher, add_search
from .background_jobs import JOB_TIMEOUT
from .builtin_tools import built_in_tools, caller_tools
from .confirmation import requires_confirmation
from .const import DOMAIN, TOOL_SEARCH, TOOL_WEATHER
from .data import ChatterboxData
from .home_cache import home_cache
from .llm_api import AgentAPI, async_searched_tools, existing_apis, registry
from .options import AgentOptions
from .prompt import DEFAULT_PROMPT, split_time_and_place


def build_provider(
    data: ChatterboxData, options: AgentOptions, model: LLMProvider, log: RequestLog | None = None
) -> ContextWindowProvider:
    """Return the provider of a turn: a model inside its middleware.

    Requests are trimmed to the context window and retried. What they are is noted in `log`.
    """
    return fit_context(
        data,
        options,
        RetryingProvider(model, data.server_state, wait_budget=data.options.retry_wait, log=log),
        log,
    )


def fit_context(
    data: ChatterboxData,
    options: AgentOptions,
    provider: LLMProvider,
    log: RequestLog | None = None,
) -> ContextWindowProvider:
    """Return a provider whose requests are trimmed to the context window."""
    return ContextWindowProvider(
        provider,
        data.context_windows[options.model],
        configured=options.context_window,
        answer=options.max_tokens,
        log=log,
    )


def build_dispatcher(  # noqa: PLR0913 - what is optional is given by name
    hass: HomeAssistant,
    data: ChatterboxData,
    options: AgentOptions,
    tools: ToolRegistry,
    state: ConversationState,
    *,
    confirmed_calls: Sequence[ToolCall] = (),
    background: bool = False,
    searched: Collection[str] = (),
) -> RecordingDispatcher:
    """Return the tool dispatcher of a turn: its tools inside their middleware.

    Calls are guarded, cached, withheld until they are confirmed, and recorded; a tool that keeps
    failing is left out. `confirmed_calls` are those that the user has just confirmed.
    With `background`, what takes too long goes on after the turn. If the tools fill too much of the
    context window, the `searched` ones are only offered once the model has found them.
    """
    window = data.context_windows[options.model].size(options.context_window)
    searches = add_search(tools, searched, state.found_tools, window)
    deadline = time.monotonic() + options.loop.tool_deadline

    def patience() -> float:
        return min(options.tool_timeout, deadline - time.monotonic())

    guard = ToolGuard(
        tools,
        timeout=JOB_TIMEOUT if background else options.tool_timeout,
    )
    cached = CachingDispatcher(guard, data.tool_results, {TOOL_WEATHER})
    available: ToolDispatcher = CircuitBreakerDispatcher(cached, state.tool_breakers)
    if searches:
        available = ToolSearchDispatcher(available, searched, state.found_tools)
    requires = partial(requires_confirmation, hass, options.confirm)
    return RecordingDispatcher(
        ConfirmationDispatcher(available, state, requires, confirmed_calls=confirmed_calls),
        patience=patience if background else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPrompt:
    """System prompt and tools of a turn."""

    system: str
    time_and_place: list[str]
    """Home Assistant's sentences about time and place, which are sent with the user's message."""
    registry: ToolRegistry
    searched: frozenset[str] = frozenset()
    """Names of the tools that need not be offered before the model has searched for them."""

    @property
    def tools(self) -> list[ToolDefinition]:
        """The definitions of the tools."""
        return self.registry.definitions


async def async_render_prompt(  # noqa: PLR0913 - what is optional is given by name
    options: AgentOptions,
    chat_log: ChatLog,
    user_input: ConversationInput,
    history_tools: Sequence[Tool],
    *,
    guided: bool,
    sees: bool = True,
) -> TurnPrompt:
    """Have the chat log render the system prompt and the tools of a turn.

    The instructions on tools are left out for a guided model, which never sees the tools.
    """
    hass = chat_log.hass
    api_ids = existing_apis(hass, options.llm_apis)
    configured = home_cache(hass).get(
        (built_in_tools, *options.built_in_tools),
        lambda: built_in_tools(hass, options.built_in_tools),
    )
    of_caller = caller_tools(hass, options.built_in_tools, user_input.context.user_id, sees=sees)
    # A guided model is not told the facts.
    own = [tool for tool in history_tools if not (guided and tool.definition.name in FACT_TOOLS)]
    built_in = [*configured, *of_caller, *own]
    api = AgentAPI(hass, api_ids, built_in, with_prompt=not guided)
    await chat_log.async_provide_llm_data(
        user_input.as_llm_context(DOMAIN),
        api if api_ids or built_in else None,
        options.prompt or DEFAULT_PROMPT,
    )
    tools = registry(chat_log.llm_api)
    opening = chat_log.content[0]
    text, time_and_place = split_time_and_place(
        opening.content if isinstance(opening, SystemContent) else ""
    )
    system = "\n\n".join(filter(None, (text, "" if guided else rules(tools.definitions))))
    searched: frozenset[str] = frozenset()
    if chat_log.llm_api is not None and TOOL_SEARCH in options.built_in_tools and not guided:
        searched = await async_searched_tools(hass, chat_log.llm_api)
    return TurnPrompt(
        system=system, time_and_place=time_and_place, registry=tools, searched=searched
    )
