"""Calls that require a confirmation by the user."""

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.alarm_control_panel.const import DOMAIN as ALARM
from homeassistant.components.conversation import AssistantContent, ChatLog, ConversationInput
from homeassistant.components.cover import DOMAIN as COVER
from homeassistant.components.cover import CoverDeviceClass
from homeassistant.components.lock.const import DOMAIN as LOCK
from homeassistant.const import ATTR_DEVICE_CLASS
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent
from homeassistant.util import dt as dt_util

from .active_conversations import ActiveConversation
from .agent.language.phrases import knows_yes, says_yes
from .agent.messages import ToolCall, ToolDefinition, new_call_id
from .const import CONFIRM_ALARMS, CONFIRM_DESTRUCTIVE, CONFIRM_DOORS, CONFIRM_LOCKS

_DOORS = {CoverDeviceClass.GARAGE, CoverDeviceClass.GATE, CoverDeviceClass.DOOR}
# Time for the answer to the question of whether a call should be made.
_VALID = timedelta(minutes=1)


def requires_confirmation(
    hass: HomeAssistant, categories: Collection[str], call: ToolCall, tool: ToolDefinition
) -> bool:
    """Return whether a call is of one of the categories that the user chose to confirm."""
    if not categories or tool.annotations.read_only:
        return False
    if CONFIRM_DESTRUCTIVE in categories and tool.annotations.destructive:
        return True
    return any(_category(state) in categories for state in _targets(hass, call.arguments))


def _category(state: State) -> str | None:
    match state.domain:
        case domain if domain == LOCK:
            return CONFIRM_LOCKS
        case domain if domain == ALARM:
            return CONFIRM_ALARMS
        case domain if domain == COVER and state.attributes.get(ATTR_DEVICE_CLASS) in _DOORS:
            return CONFIRM_DOORS
    return None


def _targets(hass: HomeAssistant, arguments: dict[str, Any]) -> list[State]:
    """Return the states of the entities that the arguments of an intent match."""
    constraints = intent.MatchTargetsConstraints(
        name=_text(arguments, "name"),
        area_name=_text(arguments, "area"),
        floor_name=_text(arguments, "floor"),
        domains=_texts(arguments, "domain"),
        device_classes=_texts(arguments, "device_class"),
        assistant=conversation.DOMAIN,
        allow_duplicate_names=True,
    )
    if not constraints.has_constraints:
        return []
    return intent.async_match_targets(hass, constraints).states


def _text(arguments: dict[str, Any], key: str) -> str | None:
    value = arguments.get(key)
    return value if isinstance(value, str) and value else None


def _texts(arguments: dict[str, Any], key: str) -> set[str] | None:
    value = arguments.get(key) or ()
    return {str(item) for item in ([value] if isinstance(value, str) else value)} or None


def take_confirmed_calls(
    user_input: ConversationInput, chat_log: ChatLog, conversation: ActiveConversation
) -> tuple[ToolCall, ...]:
    """Return the pending calls if the user confirms them now; reset them in any case.

    Only a yes that directly follows the question counts, of the same user on the same device, and
    within a minute. In a language whose yes is not known, the model may propose a call again.
    """
    state, asked = conversation.state, conversation.message
    pending = tuple(replace(call, question=None) for call in state.pending_calls)
    state.pending_calls = state.proposed_calls = ()
    if (
        not pending
        or asked is None
        or asked.context.user_id != user_input.context.user_id
        or asked.device_id != user_input.device_id
        or not _has_just_spoken(user_input.agent_id, chat_log)
    ):
        return ()
    if not knows_yes(user_input.language):
        state.proposed_calls = pending
        return ()
    if not says_yes(user_input.text, user_input.language):
        return ()
    return tuple(replace(call, id=new_call_id()) for call in pending)


def _has_just_spoken(agent_id: str, chat_log: ChatLog) -> bool:
    """Return whether the agent spoke last, and not long ago; nobody has in a new session."""
    for item in reversed(chat_log.content):
        if isinstance(item, AssistantContent):
            # A clock that was set back makes no question newer.
            age = abs(dt_util.utcnow() - item.created)
            return item.agent_id == agent_id and age <= _VALID
    return False
