"""Which calls the user has to agree to first."""

import uuid
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.alarm_control_panel.const import DOMAIN as ALARM
from homeassistant.components.conversation import ConversationInput
from homeassistant.components.cover import DOMAIN as COVER
from homeassistant.components.cover import CoverDeviceClass
from homeassistant.components.lock.const import DOMAIN as LOCK
from homeassistant.const import ATTR_DEVICE_CLASS
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent

from .agent.language.phrases import says_yes
from .agent.messages import ToolCall, ToolDefinition
from .agent.state import ConversationState
from .const import CONFIRM_ALARMS, CONFIRM_DESTRUCTIVE, CONFIRM_DOORS, CONFIRM_LOCKS

_DOORS = {CoverDeviceClass.GARAGE, CoverDeviceClass.GATE, CoverDeviceClass.DOOR}


def needs_yes(
    hass: HomeAssistant, chosen: Collection[str], call: ToolCall, tool: ToolDefinition
) -> bool:
    """Tell whether the user wants to be asked before this call is made."""
    if not chosen or tool.annotations.read_only:
        return False
    if CONFIRM_DESTRUCTIVE in chosen and tool.annotations.destructive:
        return True
    return any(_kind(state) in chosen for state in _targets(hass, call.arguments))


def _kind(state: State) -> str | None:
    match state.domain:
        case domain if domain == LOCK:
            return CONFIRM_LOCKS
        case domain if domain == ALARM:
            return CONFIRM_ALARMS
        case domain if domain == COVER and state.attributes.get(ATTR_DEVICE_CLASS) in _DOORS:
            return CONFIRM_DOORS
    return None


def _targets(hass: HomeAssistant, arguments: dict[str, Any]) -> list[State]:
    """Return the entities that the arguments of an intent mean."""
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


def take_confirmed_call(user_input: ConversationInput, state: ConversationState) -> ToolCall | None:
    """Return the call that the user was asked about and says yes to; there is one chance."""
    pending, state.pending = state.pending, None
    if pending is None or not says_yes(user_input.text, user_input.language):
        return None
    return replace(pending, id=f"call_{uuid.uuid4().hex[:24]}")
