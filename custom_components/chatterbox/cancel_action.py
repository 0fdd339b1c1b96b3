"""Handler of the action that cancels turns."""

from dataclasses import dataclass

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, split_entity_id
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids

from .active_conversations import ActiveConversation
from .const import ATTR_CONVERSATION_ID, DOMAIN
from .data import ChatterboxConfigEntry
from .permissions import async_only_owner
from .satellites import SATELLITE


async def async_cancel(call: ServiceCall) -> ServiceResponse:
    """Cancel the turns in progress that match a call.

    An administrator or an automation may cancel every turn, another user only their own.
    """
    owner = await async_only_owner(call)
    target = _Target.of(call.hass, TargetSelection(call.data))
    entries: list[ChatterboxConfigEntry] = call.hass.config_entries.async_entries(DOMAIN)
    stopped = [
        conversation.cancel()
        for entry in entries
        if entry.state is ConfigEntryState.LOADED
        for conversation in entry.runtime_data.conversations.find(
            call.data.get(ATTR_CONVERSATION_ID)
        )
        if owner in {None, conversation.user_id} and target.matches(conversation)
    ]
    return {"status": "interrupted" if any(stopped) else "not_processing"}


@dataclass(frozen=True, slots=True)
class _Target:
    """Agents, satellites and devices whose turns are meant; none of them: all."""

    entities: set[str]
    devices: set[str]
    everything: bool

    @classmethod
    def of(cls, hass: HomeAssistant, selection: TargetSelection) -> _Target:
        """Return the target of a selection.

        Raises `ServiceValidationError` for what does not exist, or is neither agent nor satellite.
        """
        selected = async_extract_referenced_entity_ids(hass, selection)
        unknown = (
            selected.missing_devices
            | selected.missing_areas
            | selected.missing_floors
            | selected.missing_labels
            | {
                entity_id
                for entity_id in selected.referenced
                if split_entity_id(entity_id)[0] not in {CONVERSATION, SATELLITE}
                or hass.states.get(entity_id) is None
            }
        )
        if unknown:
            raise ServiceValidationError(
                translation_domain=DOMAIN,
                translation_key="cancel_unknown_target",
                translation_placeholders={"target": ", ".join(sorted(unknown))},
            )
        return cls(
            entities=selected.referenced | selected.indirectly_referenced,
            devices=selected.referenced_devices,
            everything=not selection.has_any_target,
        )

    def matches(self, conversation: ActiveConversation) -> bool:
        """Return whether the last turn of a conversation is meant."""
        message = conversation.message
        return self.everything or (
            message is not None
            and (
                message.agent_id in self.entities
                or message.satellite_id in self.entities
                or message.device_id in self.devices
            )
        )
