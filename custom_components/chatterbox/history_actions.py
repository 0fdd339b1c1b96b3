"""The actions on what agents remember: to look at it, to take it along, to erase it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import probatio as vol

from homeassistant.const import CONF_DEVICE
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er

from .agent.conversation_index import ConversationInfo
from .agent.memory import ConversationMemory
from .agent.store import StoredConversation
from .const import DOMAIN
from .data import ChatterboxConfigEntry

ACTION_LIST = "list_conversations"
ACTION_GET = "get_conversation"
ACTION_CLEAR = "clear_history"
ACTION_EXPORT = "export_history"

CONF_AGENT = "agent"
CONF_CONVERSATION_ID = "conversation_id"
CONF_USER = "user"

_AGENT = {vol.Required(CONF_AGENT): cv.entity_id}
_OF = {vol.Optional(CONF_DEVICE): cv.string, vol.Optional(CONF_USER): cv.string}


@callback
def async_register_history_actions(hass: HomeAssistant) -> None:
    """Register the actions."""

    def register(
        name: str, handler: Callable[..., Any], schema: dict[Any, Any], response: SupportsResponse
    ) -> None:
        async def handle(call: ServiceCall) -> ServiceResponse:
            request = await _async_request(hass, call)
            result: ServiceResponse = await handler(request)
            return result if call.return_response else None

        hass.services.async_register(
            DOMAIN, name, handle, schema=vol.Schema(schema), supports_response=response
        )

    one = {vol.Required(CONF_CONVERSATION_ID): cv.string}
    any_one = {vol.Optional(CONF_CONVERSATION_ID): cv.string}
    register(ACTION_LIST, _async_list, {**_AGENT, **_OF}, SupportsResponse.ONLY)
    register(ACTION_GET, _async_get, {**_AGENT, **one}, SupportsResponse.ONLY)
    register(ACTION_EXPORT, _async_export, {**_AGENT, **_OF}, SupportsResponse.ONLY)
    register(ACTION_CLEAR, _async_clear, {**_AGENT, **any_one, **_OF}, SupportsResponse.OPTIONAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """What an action was called with, and the conversations that it may deal with."""

    memory: ConversationMemory
    infos: list[ConversationInfo]
    """Newest first."""

    async def conversations(self) -> list[StoredConversation]:
        read = [await self.memory.read(info.id) for info in self.infos]
        return [conversation for conversation in read if conversation is not None]


async def _async_request(hass: HomeAssistant, call: ServiceCall) -> _Request:
    """Read a call. Who is no administrator has to do with their own conversations only."""
    memory = _memory(hass, call.data[CONF_AGENT])
    owners = await _async_owners(hass, call)
    wanted_id = call.data.get(CONF_CONVERSATION_ID)
    infos = [
        info
        for info in memory.store.index
        if info.turns
        and (owners is None or info.owner in owners)
        and (wanted_id is None or wanted_id == info.id or wanted_id in info.ids)
        and call.data.get(CONF_DEVICE) in (None, info.device)
    ]
    if wanted_id is not None and not infos:
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="history_not_found")
    return _Request(
        memory=memory, infos=sorted(infos, key=lambda info: info.last_used, reverse=True)
    )


async def _async_owners(hass: HomeAssistant, call: ServiceCall) -> set[str] | None:
    """Return whose conversations a call is about, None for everybody's."""
    wanted: str | None = call.data.get(CONF_USER)
    if (caller := call.context.user_id) is not None:
        user = await hass.auth.async_get_user(caller)
        if user is None or (not user.is_admin and wanted not in (None, caller)):
            raise Unauthorized(context=call.context)
        if not user.is_admin:
            return {caller}
    return None if wanted is None else {wanted}


def _memory(hass: HomeAssistant, entity_id: str) -> ConversationMemory:
    registered = er.async_get(hass).async_get(entity_id)
    if registered is not None and registered.platform == DOMAIN:
        entry: ChatterboxConfigEntry | None = hass.config_entries.async_get_entry(
            registered.config_entry_id or ""
        )
        histories = getattr(getattr(entry, "runtime_data", None), "histories", {})
        if (history := histories.get(registered.config_subentry_id)) is not None:
            memory: ConversationMemory = history.memory
            return memory
    raise ServiceValidationError(
        translation_domain=DOMAIN,
        translation_key="history_no_agent",
        translation_placeholders={"entity_id": entity_id},
    )


async def _async_list(request: _Request) -> ServiceResponse:
    return {"conversations": [_describe(info) for info in request.infos]}


async def _async_get(request: _Request) -> ServiceResponse:
    if not (conversations := await request.conversations()):
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="history_not_found")
    return _whole(conversations[0])


async def _async_export(request: _Request) -> ServiceResponse:
    return {"conversations": [_whole(each) for each in await request.conversations()]}


async def _async_clear(request: _Request) -> ServiceResponse:
    return {"erased": await request.memory.clear(info.id for info in request.infos)}


def _describe(info: ConversationInfo) -> dict[str, Any]:
    return {
        "id": info.id,
        "conversation_id": info.ids[-1],
        "user": info.owner,
        "device": info.device,
        "created": info.created.isoformat(),
        "last_used": info.last_used.isoformat(),
        "turns": info.turns,
        "ended": info.ended,
    }


def _whole(conversation: StoredConversation) -> dict[str, Any]:
    return {
        **_describe(conversation.info),
        "summary": conversation.summary,
        "turns": [turn.to_dict() for turn in conversation.turns],
    }
