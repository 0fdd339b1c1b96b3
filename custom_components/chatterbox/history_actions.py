"""Handlers of the service actions on stored conversations: list, get, export, clear."""

from dataclasses import dataclass
from textwrap import shorten
from typing import Any

from homeassistant.const import CONF_DEVICE
from homeassistant.core import ServiceCall, ServiceResponse
from homeassistant.exceptions import ServiceValidationError

from .active_conversations import ActiveConversations
from .agent.memory.index import ConversationInfo
from .agent.memory.memory import ConversationMemory
from .agent.memory.store import StoredConversation
from .agent_actions import loaded_agent
from .const import ATTR_AGENT, ATTR_CONVERSATION_ID, DOMAIN
from .permissions import async_user_names, async_wanted_user

# Characters that tell one conversation from another.
_FIRST_WORDS = 80


async def async_list_conversations(call: ServiceCall) -> ServiceResponse:
    """Return an overview of the conversations, newest first."""
    request = await _async_request(call)
    names = await async_user_names(call.hass)
    agent = call.hass.states.get(call.data[ATTR_AGENT])
    return {
        "conversations": [
            {
                **_overview(conversation.info),
                "user_name": names.get(conversation.owner or ""),
                "agent": call.data[ATTR_AGENT],
                "agent_name": agent.name if agent is not None else None,
                "first_words": _first_words(conversation),
            }
            for conversation in await request.conversations()
        ]
    }


async def async_get_conversation(call: ServiceCall) -> ServiceResponse:
    """Return one conversation with its turns."""
    request = await _async_request(call)
    if not (conversations := await request.conversations()):
        raise _not_found()
    return _with_turns(conversations[0])


async def async_export_history(call: ServiceCall) -> ServiceResponse:
    """Return the conversations with their turns, newest first."""
    request = await _async_request(call)
    return {"conversations": [_with_turns(each) for each in await request.conversations()]}


async def async_clear_history(call: ServiceCall) -> ServiceResponse:
    """Delete the conversations, and return how many there were."""
    request = await _async_request(call)
    erased = await request.memory.clear([info.id for info in request.opened])
    for info in request.opened:
        request.active.forget(info.ids, info.owner)
    erased += await request.memory.store.delete_unreadable(request.marks)
    if not erased and ATTR_CONVERSATION_ID in call.data:
        raise _not_found()
    return {"erased": erased}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """Conversations that an action was called for, and their memory."""

    memory: ConversationMemory
    active: ActiveConversations
    opened: list[ConversationInfo]
    """Newest first."""
    marks: list[str]
    """Texts that the data of every such conversation contain."""

    @property
    def infos(self) -> list[ConversationInfo]:
        """Those that are stored: of some, the first turn is still in progress."""
        return [info for info in self.opened if info.turns]

    async def conversations(self) -> list[StoredConversation]:
        read = [await self.memory.read(info.id) for info in self.infos]
        return [conversation for conversation in read if conversation is not None]


async def _async_request(call: ServiceCall) -> _Request:
    """Return the conversations that match a call; non-administrators only get their own."""
    data, history = loaded_agent(call.hass, call.data[ATTR_AGENT])
    memory = history.memory
    owner = await async_wanted_user(call)
    wanted_id = call.data.get(ATTR_CONVERSATION_ID)
    opened = [
        info
        for info in memory.store.index
        if owner in (None, info.owner)
        and (wanted_id is None or wanted_id == info.id or wanted_id in info.ids)
        and call.data.get(CONF_DEVICE) in (None, info.device)
    ]
    return _Request(
        memory=memory,
        active=data.conversations,
        opened=sorted(opened, key=lambda info: info.last_used, reverse=True),
        marks=list(filter(None, (owner, wanted_id, call.data.get(CONF_DEVICE)))),
    )


def _first_words(conversation: StoredConversation) -> str | None:
    """Return the beginning of the first message that a user has sent."""
    first = next((turn.user for turn in conversation.turns if turn.user), None)
    return first and shorten(first, _FIRST_WORDS, placeholder=" …")


def _not_found() -> ServiceValidationError:
    return ServiceValidationError(translation_domain=DOMAIN, translation_key="history_not_found")


def _overview(info: ConversationInfo) -> dict[str, Any]:
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


def _with_turns(conversation: StoredConversation) -> dict[str, Any]:
    return {
        **_overview(conversation.info),
        "summary": conversation.summary,
        "turns": [turn.to_dict() for turn in conversation.turns],
    }
