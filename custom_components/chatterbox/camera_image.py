"""Images of the exposed cameras."""

from functools import partial

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.const import STATE_UNAVAILABLE, Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from .agent.attachments import Attachment
from .agent.errors import ToolError
from .agent.tools.builtin.camera import CameraTool
from .attachments import async_snapshot
from .exposed import exposed_states
from .permissions import async_may_read

# Larger images cost tokens, and models scale them down.
_WIDTH, _HEIGHT = 1024, 768


def camera_tool(hass: HomeAssistant, user_id: str | None) -> CameraTool | None:
    """Return the tool that looks at the exposed cameras for a user, None if there is no camera."""
    cameras = _cameras(hass)
    look = partial(_async_look, hass, user_id)
    return CameraTool(sorted(cameras), look) if cameras else None


def _cameras(hass: HomeAssistant) -> dict[str, str]:
    """Return the ids of the exposed cameras by name; those of the same name have it as well."""
    states = list(exposed_states(hass, Platform.CAMERA))
    names = [state.name for state in states]
    return {
        name if names.count(name) == 1 else f"{name} ({state.entity_id})": state.entity_id
        for name, state in zip(names, states, strict=True)
    }


async def _async_look(hass: HomeAssistant, user_id: str | None, name: str) -> Attachment:
    """Return the image of a camera; raise `ToolError` if there is none."""
    entity_id = _cameras(hass).get(name)
    # Home Assistant may keep the tools of a conversation after the home has changed.
    if entity_id is None or not async_should_expose(hass, CONVERSATION, entity_id):
        raise ToolError(f"There is no camera named {name} any more.")
    if not await async_may_read(hass, user_id, entity_id):
        raise ToolError(f"The user may not look at {name}.")
    state = hass.states.get(entity_id)
    if state is None or state.state == STATE_UNAVAILABLE:
        raise ToolError(f"{name} is unavailable.")
    try:
        return await async_snapshot(hass, entity_id, name, width=_WIDTH, height=_HEIGHT)
    except HomeAssistantError as err:
        raise ToolError(f"{name} gave no image that you can see: {err}") from err
