"""AI Task entities."""

from typing import override

from homeassistant.components.ai_task import (
    AITaskEntity,
    AITaskEntityFeature,
    GenDataTask,
    GenDataTaskResult,
)
from homeassistant.components.conversation import ChatLog
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .data import Agent, ChatterboxConfigEntry, ai_task_agents
from .entity import device_info
from .task_run import TaskRun

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: ChatterboxConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the AI tasks of a server."""
    for agent in ai_task_agents(entry):
        async_add_entities(
            [ChatterboxAITaskEntity(agent)], config_subentry_id=agent.subentry.subentry_id
        )


class ChatterboxAITaskEntity(AITaskEntity):
    """An entity that generates data with one model."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supported_features = (
        AITaskEntityFeature.GENERATE_DATA | AITaskEntityFeature.SUPPORT_ATTACHMENTS
    )

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._attr_unique_id = agent.subentry.subentry_id
        self._attr_device_info = device_info(agent)

    @override
    async def _async_generate_data(self, task: GenDataTask, chat_log: ChatLog) -> GenDataTaskResult:
        """Generate data; an error is a translated `HomeAssistantError`."""
        run = TaskRun(self._agent, chat_log, self.entity_id, self._context)
        return GenDataTaskResult(
            conversation_id=chat_log.conversation_id, data=await run.async_generate(task)
        )
