"""Handlers of the service actions on agents: ask, clear the tool cache."""

import time
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationResult
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import intent

from .agent.trace import ToolTrace, TurnTrace
from .agent_history import AgentHistory
from .const import (
    ATTR_AGENT,
    ATTR_ATTACHMENTS,
    ATTR_CONVERSATION_ID,
    ATTR_LANGUAGE,
    ATTR_TEXT,
    DOMAIN,
)
from .data import ChatterboxConfigEntry, ChatterboxData
from .media_attachments import async_resolve_attachments, entities_of, giving
from .permissions import async_require_admin, async_require_control, async_require_read
from .responses import spoken_text
from .turn_report import reported, trace_of


async def async_ask(call: ServiceCall) -> ServiceResponse:
    """Let an agent answer a text, in the name of the caller.

    Raises `HomeAssistantError` if there is no answer.
    """
    agent_id: str = call.data[ATTR_AGENT]
    data, _ = loaded_agent(call.hass, agent_id)
    await async_require_control(call, agent_id)
    media = call.data.get(ATTR_ATTACHMENTS, ())
    for entity_id in entities_of(media):
        await async_require_read(call, entity_id)
    if conversation.async_get_agent_info(call.hass, agent_id) is None:
        # Its entity is disabled, or it is another entity of the agent.
        raise _no_agent(agent_id)
    started = time.monotonic()
    with giving(call.data[ATTR_TEXT], await async_resolve_attachments(call.hass, media)):
        result = await conversation.async_converse(
            call.hass,
            call.data[ATTR_TEXT],
            call.data.get(ATTR_CONVERSATION_ID),
            call.context,
            language=call.data.get(ATTR_LANGUAGE),
            agent_id=agent_id,
        )
    if result.response.response_type is intent.IntentResponseType.ERROR:
        raise _failure(result)
    return {
        "answer": spoken_text(result),
        "conversation_id": result.conversation_id,
        "continue_conversation": result.continue_conversation,
        "trace_id": reported(result).get("trace_id"),
        "seconds": round(time.monotonic() - started, 3),
        **_details(trace_of(result, data)),
    }


async def async_clear_tool_cache(call: ServiceCall) -> ServiceResponse:
    """Delete the cached results of tools, of an agent's server or of all; return their number.

    Only an administrator or an automation may do so for all.
    """
    if (agent_id := call.data.get(ATTR_AGENT)) is not None:
        await async_require_control(call, agent_id)
        data, _ = loaded_agent(call.hass, agent_id)
        return {"cleared": data.tool_results.clear()}
    await async_require_admin(call)
    entries: list[ChatterboxConfigEntry] = call.hass.config_entries.async_entries(DOMAIN)
    loaded = [entry for entry in entries if entry.state is ConfigEntryState.LOADED]
    return {"cleared": sum(entry.runtime_data.tool_results.clear() for entry in loaded)}


def loaded_agent(hass: HomeAssistant, entity_id: str) -> tuple[ChatterboxData, AgentHistory]:
    """Return the data of an agent's server, and its history.

    Raises `ServiceValidationError` if it is not loaded.
    """
    registered = er.async_get(hass).async_get(entity_id)
    if registered is not None and registered.platform == DOMAIN:
        entry: ChatterboxConfigEntry | None = hass.config_entries.async_get_entry(
            registered.config_entry_id or ""
        )
        data: ChatterboxData | None = getattr(entry, "runtime_data", None)
        histories = data.histories if data is not None else {}
        history = histories.get(registered.config_subentry_id or "")
        if data is not None and history is not None:
            return data, history
    raise _no_agent(entity_id)


def _no_agent(entity_id: str) -> ServiceValidationError:
    return ServiceValidationError(
        translation_domain=DOMAIN,
        translation_key="history_no_agent",
        translation_placeholders={"entity_id": entity_id},
    )


def _failure(result: ConversationResult) -> HomeAssistantError:
    """Return the error for a turn without an answer, in the language of whoever reads it."""
    if (error := reported(result).get("error")) is None:
        return HomeAssistantError(spoken_text(result))
    return HomeAssistantError(translation_domain=DOMAIN, translation_key=error["code"])


def _details(trace: TurnTrace | None) -> dict[str, Any]:
    """Return what the trace of a turn tells, None for a sentence without a turn."""
    return {
        "outcome": None if trace is None else trace.outcome.value,
        "tools": [] if trace is None else [_tool(tool) for tool in trace.tools],
        "usage": None if trace is None else trace.usage.as_dict(),
    }


def _tool(tool: ToolTrace) -> dict[str, Any]:
    return {
        "name": tool.name,
        "arguments": tool.arguments,
        "success": tool.ok,
        "error_type": tool.error_type,
        "seconds": round(tool.seconds, 3),
    }
