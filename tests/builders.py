"""Builders of test inputs: users and their messages, and an LLM API with a slow tool."""

import asyncio
from typing import Any, override

from pytest_homeassistant_custom_component.common import MockUser

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm

from .conversation_helpers import AGENT


async def add_user(hass: HomeAssistant, name: str, *, is_admin: bool = False) -> MockUser:
    """Add a user, whose id is the name."""
    user = MockUser(id=name, name=name, is_owner=False)
    user.add_to_hass(hass)
    group = "system-admin" if is_admin else "system-users"
    await hass.auth.async_update_user(user, group_ids=[group])
    return user


def user_message(
    text: str = "Hello", *, user_id: str | None = None, language: str = "en", **more: Any
) -> ConversationInput:
    """Return a message of a user to the agent."""
    return ConversationInput(
        text=text,
        context=Context(user_id=user_id),
        conversation_id=more.pop("conversation_id", None),
        device_id=more.pop("device_id", None),
        satellite_id=more.pop("satellite_id", None),
        language=language,
        agent_id=more.pop("agent_id", AGENT),
        **more,
    )


class Workshop(llm.API):
    """An LLM API with a slow tool, which waits for `go_on` once it has `started`."""

    def __init__(self, hass: HomeAssistant) -> None:
        super().__init__(hass=hass, id="workshop", name="Workshop")
        self.started = asyncio.Event()
        self.go_on = asyncio.Event()
        self.finished = 0
        self.calls = 0

    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        tool = SlowTool(self)
        return llm.APIInstance(
            api=self, api_prompt="", llm_context=llm_context, tools=[tool], custom_serializer=None
        )


class SlowTool(llm.Tool):
    """A slow tool that writes."""

    name = "saw"
    description = "Saws a board."
    integration = "workshop"

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        self._workshop.calls += 1
        self._workshop.started.set()
        await self._workshop.go_on.wait()
        self._workshop.finished += 1
        return llm.ToolResult(data={"boards": 1})
